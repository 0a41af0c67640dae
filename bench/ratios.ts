// The ratios between contenders that each comparison yields, and the goals for them.
import { isCaseName, type CaseName } from './cases.ts'
import { namesIn, problemOf, ratiosOf, type Comparison, type ComparisonBasis } from './comparison.ts'
import type { GoalName } from './goals.ts'
import { figure, rangeText } from './figure.ts'
import type { BenchmarkResult } from './report.ts'
import { median } from './statistics.ts'

interface ContenderRatio {
  readonly over: string
  readonly under: string
  readonly by: ComparisonBasis
  readonly goal?: GoalName
}

type GoalOption = Pick<ContenderRatio, 'goal'>

function overPeer(option: GoalOption = {}): ContenderRatio {
  return { over: 'dagsverk', under: 'cap', by: 'cpu', ...option }
}

function overBaseline(option: GoalOption = {}): ContenderRatio {
  return { over: 'dagsverk', under: 'baseline', by: 'cpu', ...option }
}

/** The CPU of the database's processes is not the server's: the table has it in a column of its own. */
function postgresOverSqlite(option: GoalOption = {}): ContenderRatio {
  return { over: 'postgres', under: 'dagsverk', by: 'cpu', ...option }
}

function workersOverOne(goal: GoalName): ContenderRatio {
  return { over: 'two-workers', under: 'postgres', by: 'rate', goal }
}

/** By case, or step of the material comparison. */
const ratiosByComparison: Record<string, readonly ContenderRatio[]> = {
  point: [
    overBaseline({ goal: 'pointBaseline' }),
    overPeer({ goal: 'pointPeer' }),
    postgresOverSqlite({ goal: 'postgresPoint' }),
    workersOverOne('workersPoint'),
  ],
  page100: [
    overPeer({ goal: 'pagePeer' }),
    postgresOverSqlite({ goal: 'postgresPage' }),
    workersOverOne('workersPage'),
  ],
  from100: [overPeer({ goal: 'pageFromPeer' }), postgresOverSqlite()],
  range100: [overPeer(), postgresOverSqlite()],
  department100: [overPeer(), postgresOverSqlite()],
  changes100: [overBaseline(), postgresOverSqlite()],
  export1400: [overBaseline(), postgresOverSqlite()],
  first100: [overPeer(), postgresOverSqlite()],
  page10k: [overPeer({ goal: 'longPagePeer' }), postgresOverSqlite()],
  expand100: [overPeer({ goal: 'expandPeer' }), postgresOverSqlite()],
  expand2: [overPeer(), postgresOverSqlite()],
  upsert: [
    overPeer({ goal: 'upsertPeer' }),
    { over: 'dagsverk', under: 'one-commit-each', by: 'rate', goal: 'groupCommit' },
    { over: 'metrics', under: 'dagsverk', by: 'cpu' },
    postgresOverSqlite({ goal: 'postgresUpsert' }),
    workersOverOne('workersUpsert'),
  ],
  list10k: [
    overPeer({ goal: 'listPeer' }),
    { over: 'dagsverk', under: 'raw', by: 'rate', goal: 'listRaw' },
    postgresOverSqlite(),
  ],
  register: [overPeer(), postgresOverSqlite()],
  approve: [overPeer(), postgresOverSqlite()],
  retrieve: [overPeer(), postgresOverSqlite()],
  acknowledge: [overPeer(), postgresOverSqlite()],
}

/** Whether contenders are compared in this case. */
export function isCompared(name: string): name is CaseName {
  return isCaseName(name) && Object.hasOwn(ratiosByComparison, name)
}

/** The names of the contenders, each once. */
export function contendersOf(name: CaseName): string[] {
  const ratios = ratiosByComparison[name] ?? []
  return [...new Set(ratios.flatMap(({ over, under }) => [over, under]))]
}

/** A ratio is not a result if one of the two failed or rejected requests. */
export function ratioResults(comparison: Comparison): BenchmarkResult[] {
  const present = namesIn(comparison)
  return (ratiosByComparison[comparison.name] ?? [])
    .filter(({ over, under }) => present.includes(over) && present.includes(under))
    .map(({ over, under, by, goal }) => {
      const problems = [over, under].flatMap((name) => problemOf(comparison, name) ?? [])
      const isWhole = problems.length === 0
      return {
        title: `${comparison.name}: ${over} / ${under} (${by})`,
        value: isWhole ? median(ratiosOf(comparison, over, under, by)) : Number.NaN,
        unit: '',
        detail: isWhole ? ratioDetail(comparison, over, under, by) : problems.join('; '),
        ...(goal === undefined ? {} : { goal }),
      }
    })
}

/** The spread of the rounds, and the result by the other measure. */
export function ratioDetail(comparison: Comparison, over: string, under: string, by: ComparisonBasis): string {
  const other = by === 'rate' ? 'cpu' : 'rate'
  const otherRatio = figure(median(ratiosOf(comparison, over, under, other)))
  return `${rangeText(ratiosOf(comparison, over, under, by))}; by ${other} ${otherRatio}`
}
