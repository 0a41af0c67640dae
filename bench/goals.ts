// The goals: what each measurement is to reach, in the order of the table in docs/performance.md.
import { figure } from './figure.ts'
import type { Part } from './options.ts'

export interface Goal {
  readonly title: string
  readonly unit?: string
  /** The bound to reach, and a value beyond it that would be brilliant. */
  readonly atLeast?: number
  readonly atMost?: number
  readonly brilliant?: number
  /** The part of the run that measures it. */
  readonly part: Part
}

export type GoalName = keyof typeof goals

export const goals = {
  pointBaseline: { title: 'point read / bare `node:http` (cpu)', atLeast: 0.38, brilliant: 0.45, part: 'point' },
  pointPeer: { title: 'point read / CAP (cpu)', atLeast: 17, brilliant: 20, part: 'point' },
  pagePeer: { title: 'page of 100 / CAP, 32 connections (cpu)', atLeast: 10, brilliant: 14, part: 'page100' },
  pageFromPeer: { title: 'page of 100 / CAP, 64 connections (cpu)', atLeast: 10, brilliant: 14, part: 'from100' },
  expandPeer: { title: '100 employees with department / CAP (cpu)', atLeast: 8, brilliant: 10, part: 'expand100' },
  upsertPeer: { title: 'durable upsert, 32 connections / CAP (cpu)', atLeast: 14, brilliant: 22, part: 'upsert' },
  groupCommit: { title: 'group commit / one commit each (rate)', atLeast: 5, brilliant: 6, part: 'upsert' },
  longPagePeer: { title: 'page of 10,000 / CAP (cpu)', atLeast: 5, brilliant: 7, part: 'page10k' },
  listPeer: { title: 'list of 10,000 / CAP (cpu)', atLeast: 1.6, brilliant: 2.4, part: 'list10k' },
  listRaw: {
    title: 'list of 10,000 / plain inserts, no server (rate)',
    atLeast: 0.35,
    brilliant: 0.5,
    part: 'list10k',
  },
  longListWait: {
    title: 'list of 100,000: longest point read of another client / its usual time',
    atMost: 30,
    brilliant: 10,
    part: 'list100k',
  },
  streamMemory: { title: 'stream of 1,000,000: memory above idle', atMost: 35, unit: ' MB', part: 'stream' },
  streamWait: { title: 'stream of 1,000,000: longest wait of another client', atMost: 15, unit: ' ms', part: 'stream' },
  acknowledgedLines: {
    title: 'lines acknowledged per CPU second, the least of 10⁴ to 10⁶ waiting',
    atLeast: 120_000,
    brilliant: 200_000,
    part: 'material',
  },
  firstRetrieval: {
    title: 'first retrieval of 1,000 lines / `Finn` of 1,000 records (cpu)',
    atLeast: 0.7,
    part: 'material',
  },
  startCpu: { title: 'start until ready, CPU time', atMost: 0.5, unit: ' s', part: 'start' },
  idleMemory: { title: 'idle memory', atMost: 100, unit: ' MB', part: 'start' },
  postgresPoint: { title: 'PostgreSQL / SQLite: point read (cpu)', atLeast: 0.6, part: 'point' },
  postgresPage: { title: 'PostgreSQL / SQLite: page of 100 (cpu)', atLeast: 0.6, part: 'page100' },
  postgresUpsert: { title: 'PostgreSQL / SQLite: upsert (cpu)', atLeast: 0.6, part: 'upsert' },
  workersPoint: { title: 'PostgreSQL, two workers / one: point read (rate)', atLeast: 1.7, part: 'point' },
  workersPage: { title: 'PostgreSQL, two workers / one: page of 100 (rate)', atLeast: 1.7, part: 'page100' },
  workersUpsert: { title: 'PostgreSQL, two workers / one: upsert (rate)', atLeast: 1.7, part: 'upsert' },
  growthSqlite: {
    title: 'cost of a request at 10⁷ records / at 10⁴, the most of four cases (cpu)',
    atMost: 1.2,
    part: 'growth',
  },
  growthPostgres: { title: 'the same on PostgreSQL, with the database (cpu)', atMost: 1.2, part: 'growth' },
  mixedRejections: {
    title: '32 writers, 64 pollers and a stream for two minutes: requests rejected',
    atMost: 0,
    part: 'mixed',
  },
  mixedLog: { title: 'the same: largest write-ahead log', atMost: 64, unit: ' MB', part: 'mixed' },
  mixedWait: { title: 'the same: longest wait of a writer or poller', atMost: 1000, unit: ' ms', part: 'mixed' },
  interfaceRejections: {
    title: 'requests of sections 4.1 to 4.4, 64 connections: requests rejected',
    atMost: 0,
    part: 'interface',
  },
} satisfies Record<string, Goal>

/** The number of records that the goals are for, unless they say another. */
export const goalRows = 1_000_000

export const goalNames = Object.keys(goals) as GoalName[]

export function goalOf(name: GoalName): Goal {
  return goals[name]
}

/** `≥ 17`, `≤ 35 MB`. */
export function boundText({ atLeast, atMost, unit = '' }: Goal): string {
  return `${atLeast === undefined ? '≤' : '≥'} ${figure(atLeast ?? atMost ?? Number.NaN)}${unit}`
}

export function isReached({ atLeast = -Infinity, atMost = Infinity }: Goal, value: number): boolean {
  return value >= atLeast && value <= atMost
}
