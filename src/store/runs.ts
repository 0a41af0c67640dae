// Runs: rows whose keys are consecutive, so that one statement without a list writes all of them.
import type { SqlValue } from '../engine/sql/dialect.ts'

/** The first row of a run, and the number of its rows. */
type Run<Row> = Row & { readonly length: number }

/**
 * Splits rows into runs: in each the columns `rising` rise by one from row to row or are null, and all others are equal.
 * Null where most runs are so short that a statement of a list of the rows takes less time.
 */
export function toRuns<Row extends Readonly<Record<string, SqlValue>>>(
  rows: readonly Row[],
  rising: readonly string[],
): Run<Row>[] | null {
  const runs: (Row & { length: number })[] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run !== undefined && continues(row, run, rising)) run.length += 1
    else if ((runs.length + 1) * runRowsMin > rows.length) return null
    else runs.push({ ...row, length: 1 })
  }
  return runs
}

/** On average. On SQLite a statement of one row costs as much as three or four rows of a list. */
const runRowsMin = 4

function continues(
  row: Readonly<Record<string, SqlValue>>,
  run: Run<Readonly<Record<string, SqlValue>>>,
  rising: readonly string[],
): boolean {
  for (const name in row) {
    const first = run[name]
    const isRising = typeof first === 'number' && rising.includes(name)
    if (row[name] !== (isRising ? first + run.length : first)) return false
  }
  return true
}
