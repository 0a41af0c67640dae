// The goals, as ratios between contestants of one contest, and what a contest found of them.
import type { CaseName } from './cases.ts'
import { ratiosOf, type Basis, type Contest } from './contest.ts'
import { figure, rangeText, type Finding } from './report.ts'
import { median } from './statistics.ts'

interface Goal {
  readonly over: string
  readonly under: string
  readonly by: Basis
  readonly atLeast?: number
  readonly stretch?: number
}

/** What each contest is to show. Where PostgreSQL does the work, a server's own CPU says nothing, so the clock decides. */
const goals: Partial<Record<CaseName, Goal[]>> = {
  point: [
    { over: 'dagsverk', under: 'floor', by: 'cpu', atLeast: 0.3, stretch: 0.45 },
    { over: 'dagsverk', under: 'cap', by: 'cpu', atLeast: 12 },
    { over: 'postgres', under: 'dagsverk', by: 'rate', atLeast: 0.4 },
  ],
  page100: [
    { over: 'dagsverk', under: 'cap', by: 'cpu', atLeast: 12 },
    { over: 'postgres', under: 'dagsverk', by: 'rate', atLeast: 0.6 },
  ],
  first100: [
    { over: 'dagsverk', under: 'cap', by: 'cpu', atLeast: 12 },
    { over: 'postgres', under: 'dagsverk', by: 'rate', atLeast: 0.6 },
  ],
  page10k: [
    { over: 'dagsverk', under: 'cap', by: 'cpu', atLeast: 7 },
    { over: 'postgres', under: 'dagsverk', by: 'rate', atLeast: 0.6 },
  ],
  expand100: [
    { over: 'dagsverk', under: 'cap', by: 'cpu', atLeast: 6, stretch: 8 },
    { over: 'postgres', under: 'dagsverk', by: 'rate' },
  ],
  expand2: [
    { over: 'dagsverk', under: 'cap', by: 'cpu', atLeast: 6 },
    { over: 'postgres', under: 'dagsverk', by: 'rate' },
  ],
  upsert: [
    { over: 'dagsverk', under: 'cap', by: 'cpu', atLeast: 30 },
    { over: 'dagsverk', under: 'one-commit-each', by: 'rate', atLeast: 6 },
    { over: 'postgres', under: 'dagsverk', by: 'rate', atLeast: 0.4 },
  ],
  list10k: [
    { over: 'dagsverk', under: 'cap', by: 'cpu', atLeast: 2.2, stretch: 4 },
    { over: 'dagsverk', under: 'raw', by: 'rate', atLeast: 0.5 },
    { over: 'postgres', under: 'dagsverk', by: 'rate' },
  ],
}

export const isContest = (name: string): name is CaseName => Object.hasOwn(goals, name)

/** The names of those who take part in a contest, each once. */
export const contestantsOf = (name: CaseName): string[] => [
  ...new Set((goals[name] ?? []).flatMap((goal) => [goal.over, goal.under])),
]

export function findingsOf(contest: Contest): Finding[] {
  const present = Object.keys(contest.rounds[0] ?? {})
  return (goals[contest.case] ?? [])
    .filter((goal) => present.includes(goal.over) && present.includes(goal.under))
    .map(({ over, under, by, ...bounds }) => ({
      what: `${contest.case}: ${over} / ${under} (${by})`,
      reached: median(ratiosOf(contest, over, under, by)),
      unit: 'x',
      ...bounds,
      detail: ratioDetail(contest, over, under, by),
    }))
}

/** How far the rounds lie apart, and what the other figure would say. */
export function ratioDetail(contest: Contest, over: string, under: string, by: Basis): string {
  const other = by === 'cpu' ? 'rate' : 'cpu'
  const otherRatio = figure(median(ratiosOf(contest, over, under, other)))
  return `${rangeText(ratiosOf(contest, over, under, by))}; by ${other} ${otherRatio}`
}
