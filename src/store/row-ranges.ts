// Row ranges: rows with consecutive keys, which one statement writes without a list.
import type { SqlValue } from '../engine/sql/dialect.ts'

/** The first row of a range, and the number of its rows. */
type RowRange<Row> = Row & { readonly length: number }

/**
 * Splits rows into ranges: in each the columns `rising` rise by one from row to row or are null, and all others are equal.
 * Null where most ranges are so short that a statement of a list of the rows takes less time.
 */
export function toRowRanges<Row extends Readonly<Record<string, SqlValue>>>(
  rows: readonly Row[],
  rising: readonly string[],
): RowRange<Row>[] | null {
  const ranges: (Row & { length: number })[] = []
  for (const row of rows) {
    const range = ranges.at(-1)
    if (range !== undefined && isNextInRange(row, range, rising)) range.length += 1
    else if ((ranges.length + 1) * rangeRowsMin > rows.length) return null
    else ranges.push({ ...row, length: 1 })
  }
  return ranges
}

/** On average. On SQLite a statement of one row costs as much as three or four rows of a list. */
const rangeRowsMin = 4

function isNextInRange(
  row: Readonly<Record<string, SqlValue>>,
  range: RowRange<Readonly<Record<string, SqlValue>>>,
  rising: readonly string[],
): boolean {
  for (const name in row) {
    const first = range[name]
    const isRising = typeof first === 'number' && rising.includes(name)
    if (row[name] !== (isRising ? first + range.length : first)) return false
  }
  return true
}
