// The goals, as ratios between contestants of one contest, and what a contest found of them.
import type { CaseName } from './cases.ts'
import { medianOf, pairedRatio, type Basis, type Contest } from './contest.ts'
import { figure, type Finding } from './report.ts'

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
    .map((goal) => ({
      what: `${contest.case}: ${goal.over} / ${goal.under} (${goal.by})`,
      reached: pairedRatio(contest, goal.over, goal.under, goal.by),
      unit: 'x',
      ...(goal.atLeast === undefined ? {} : { atLeast: goal.atLeast }),
      ...(goal.stretch === undefined ? {} : { stretch: goal.stretch }),
      detail: [
        `other basis ${figure(pairedRatio(contest, goal.over, goal.under, otherBasis(goal.by)))}`,
        speedOf(contest, goal.over),
        speedOf(contest, goal.under),
      ].join('; '),
    }))
}

/** `dagsverk 12,300/s (p50 2.2, p99 9.1 ms), 81 us CPU`. */
export function speedOf(contest: Contest, name: string): string {
  const read = (of: Parameters<typeof medianOf>[2]) => figure(medianOf(contest, name, of))
  const cpuMicros = read((m) => (m.perCpuSecond === null ? null : 1e6 / m.perCpuSecond))
  const times = `p50 ${read((m) => m.p50Ms)}, p99 ${read((m) => m.p99Ms)} ms`
  return `${name} ${read((m) => m.perSecond)}/s (${times}), ${cpuMicros} us CPU`
}

const otherBasis = (basis: Basis): Basis => (basis === 'cpu' ? 'rate' : 'cpu')
