// Row ranges: rows with consecutive keys, which one statement writes without a list.
import type { SqlValue } from '../engine/sql/dialect.ts'

/** A row, or the first one of a range with the number of its rows. */
export type RowOrRange = Readonly<Record<string, SqlValue>> & { readonly length?: number }

type RowRange = Readonly<Record<string, SqlValue>> & { readonly length: number }

export function countRows(ranges: readonly { readonly length?: number }[]): number {
  return ranges.reduce((count, { length = 1 }) => count + length, 0)
}

/** Each range with the number of its first row; `first` is that of the first range. */
export function numberRows<Range extends { readonly length?: number }>(
  ranges: readonly Range[],
  first: number,
): (readonly [Range, number])[] {
  let next = first
  return ranges.map((range) => {
    const start = next
    next += range.length ?? 1
    return [range, start]
  })
}

export function listIds(ranges: readonly { readonly id: number; readonly length: number }[]): number[] {
  const ids: number[] = []
  for (const { id, length } of ranges) for (let step = 0; step < length; step++) ids.push(id + step)
  return ids
}

/**
 * Joins rows to ranges: in each the columns `rising` rise by one from row to row or are null, and all others are equal.
 * Null where most ranges are so short that a statement of a list of the rows takes less time.
 */
export function toRowRanges(rows: readonly RowOrRange[], rising: readonly string[]): RowRange[] | null {
  const rangesMax = countRows(rows) / rangeRowsMin
  const ranges: { length: number; [column: string]: SqlValue }[] = []
  for (const row of rows) {
    const { length = 1 } = row
    const range = ranges.at(-1)
    if (range !== undefined && isNextInRange(row, range, rising)) range.length += length
    else if (ranges.length + 1 > rangesMax) return null
    else ranges.push({ ...row, length })
  }
  return ranges
}

/** The single rows of the ranges. */
export function listRows<Range extends RowOrRange>(
  ranges: readonly Range[],
  rising: readonly string[],
): readonly Range[] {
  return ranges.flatMap((range) => {
    const { length = 1 } = range
    if (length === 1) return range
    const columns = Object.entries(range).filter(([name, first]) => typeof first === 'number' && rising.includes(name))
    return Array.from({ length }, (_, step) => {
      const risen = columns.map(([name, first]) => [name, Number(first) + step])
      return { ...range, ...Object.fromEntries(risen), length: 1 }
    })
  })
}

/** On average. On SQLite a statement of one row costs as much as three or four rows of a list. */
export const rangeRowsMin = 4

function isNextInRange(row: RowOrRange, range: RowRange, rising: readonly string[]): boolean {
  for (const name in row) {
    if (name === 'length') continue
    const first = range[name]
    const isRising = typeof first === 'number' && rising.includes(name)
    if (row[name] !== (isRising ? first + range.length : first)) return false
  }
  return true
}
