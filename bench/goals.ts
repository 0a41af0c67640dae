// The goals, as ratios between contestants of one contest, and the results for them.
import type { CaseName } from './cases.ts'
import { namesIn, problemOf, ratiosOf, type Basis, type Contest } from './contest.ts'
import { figure, rangeText, type Finding } from './report.ts'
import { median } from './statistics.ts'

interface Bounds {
  readonly atLeast?: number
  readonly range?: number
}

interface Goal extends Bounds {
  readonly over: string
  readonly under: string
  readonly by: Basis
}

function overPeer(bounds: Bounds = {}): Goal {
  return {
    over: 'dagsverk',
    under: 'cap',
    by: 'cpu',
    ...bounds,
  }
}

function overFloor(bounds: Bounds = {}): Goal {
  return { ...overPeer(bounds), under: 'floor' }
}

/** Where PostgreSQL does the work, the server's own CPU time says nothing, so wall time decides. */
function onPostgres(bounds: Bounds = {}): Goal {
  return {
    over: 'postgres',
    under: 'dagsverk',
    by: 'rate',
    ...bounds,
  }
}

/** What each contest measures. */
const goals: Partial<Record<CaseName, Goal[]>> = {
  point: [
    overFloor({ atLeast: 0.3, range: 0.45 }),
    overPeer({ atLeast: 12 }),
    onPostgres({ atLeast: 0.4 }),
  ],
  page100: [overPeer({ atLeast: 12 }), onPostgres({ atLeast: 0.6 })],
  from100: [overPeer(), onPostgres()],
  range100: [overPeer(), onPostgres()],
  department100: [overPeer(), onPostgres()],
  changes100: [overFloor(), onPostgres()],
  export1400: [overFloor(), onPostgres()],
  first100: [overPeer({ atLeast: 12 }), onPostgres({ atLeast: 0.6 })],
  page10k: [overPeer({ atLeast: 7 }), onPostgres({ atLeast: 0.6 })],
  expand100: [overPeer({ atLeast: 6, range: 8 }), onPostgres()],
  expand2: [overPeer({ atLeast: 6 }), onPostgres()],
  upsert: [
    overPeer({ atLeast: 30 }),
    { over: 'dagsverk', under: 'one-commit-each', by: 'rate', atLeast: 6 },
    onPostgres({ atLeast: 0.4 }),
  ],
  list10k: [
    overPeer({ atLeast: 2.2, range: 4 }),
    { over: 'dagsverk', under: 'raw', by: 'rate', atLeast: 0.5 },
    onPostgres(),
  ],
}

export function isContest(name: string): name is CaseName {
  return Object.hasOwn(goals, name)
}

/** The names of the contestants, each once. */
export function contestantsOf(name: CaseName): string[] {
  return [...new Set((goals[name] ?? []).flatMap((goal) => [goal.over, goal.under]))]
}

/** A ratio is not a result if one of the two did not answer everything. */
export function findingsOf(contest: Contest): Finding[] {
  const present = namesIn(contest)
  return (goals[contest.case] ?? [])
    .filter((goal) => present.includes(goal.over) && present.includes(goal.under))
    .map(({ over, under, by, ...bounds }) => {
      const problems = [over, under].flatMap((name) => problemOf(contest, name) ?? [])
      const isWhole = problems.length === 0
      return {
        what: `${contest.case}: ${over} / ${under} (${by})`,
        reached: isWhole ? median(ratiosOf(contest, over, under, by)) : Number.NaN,
        unit: 'x',
        ...bounds,
        detail: isWhole ? ratioDetail(contest, over, under, by) : problems.join('; '),
      }
    })
}

/** The spread of the rounds, and the result by the other measure. */
export function ratioDetail(contest: Contest, over: string, under: string, by: Basis): string {
  const other = by === 'cpu' ? 'rate' : 'cpu'
  const otherRatio = figure(median(ratiosOf(contest, over, under, other)))
  return `${rangeText(ratiosOf(contest, over, under, by))}; by ${other} ${otherRatio}`
}
