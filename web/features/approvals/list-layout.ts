// List layout: anomalies, then groups with their lines, at a known row index each.
import type { AnomalousLine, ApprovalOverview, LineGroup, MaterialRow } from '../../../src/app/contract/approvals.ts'
import type { ApprovalListFilter, LineRange } from '../../api/approvals.ts'

/** One row; a line is known by its index until its range is loaded. */
export type ListItem =
  | { readonly kind: 'anomalies-header' }
  | { readonly kind: 'anomaly'; readonly line: AnomalousLine }
  | { readonly kind: 'group'; readonly group: LineGroup }
  | { readonly kind: 'line'; readonly index: number }

export interface ListLayout {
  readonly length: number
  /** Number of lines, not counting the anomalies on top. */
  readonly lines: number
  readonly at: (position: number) => ListItem
  /** The range that contains the line. */
  readonly rangeOf: (index: number) => PlacedLineRange
}

export interface PlacedLineRange extends LineRange {
  /** Index of its first line. */
  readonly first: number
}

export function createListLayout(
  { groups, steps }: Pick<ApprovalOverview, 'groups' | 'steps'>,
  anomalies: readonly AnomalousLine[],
  { group, sort }: Pick<ApprovalListFilter, 'group' | 'sort'>,
): ListLayout {
  const hasGroupHeaders = group !== 'none'
  const anomalyRows = anomalies.length === 0 ? 0 : anomalies.length + 1
  const starts: { readonly position: number; readonly line: number; readonly group: LineGroup }[] = []
  let position = anomalyRows
  let line = 0
  for (const group of groups) {
    starts.push({ position, line, group })
    position += group.count + (hasGroupHeaders ? 1 : 0)
    line += group.count
  }
  const ranges = splitIntoRanges(hasGroupHeaders || sort !== undefined ? groups : steps)
  return {
    length: position,
    lines: line,
    at: (rowIndex) => {
      const [first] = anomalies
      if (rowIndex < anomalyRows && first !== undefined) {
        if (rowIndex === 0) return { kind: 'anomalies-header' }
        return { kind: 'anomaly', line: anomalies[rowIndex - 1] ?? first }
      }
      const start = findLastAtOrBefore(starts, rowIndex, (one) => one.position)
      if (start === undefined) throw new Error('row index is out of range')
      const within = rowIndex - start.position
      if (hasGroupHeaders && within === 0) return { kind: 'group', group: start.group }
      return { kind: 'line', index: start.line + within - (hasGroupHeaders ? 1 : 0) }
    },
    rangeOf: (index) => {
      const found = findLastAtOrBefore(ranges, index, ({ first }) => first)
      if (found === undefined) throw new Error('line index is out of range')
      return found
    },
  }
}

/**
 * Ranges start at a group or at a multiple of `linesPerRange` within one, so that they remain cached when others change;
 * small groups share one.
 */
function splitIntoRanges(groups: readonly Pick<LineGroup, 'key' | 'count'>[]): readonly PlacedLineRange[] {
  const ranges: PlacedLineRange[] = []
  let first = 0
  for (const { key, count } of groups) {
    const last = ranges.at(-1)
    if (last !== undefined && last.count + count <= linesPerRange) {
      ranges.splice(-1, 1, { ...last, count: last.count + count })
      first += count
    } else
      for (let skip = 0; skip < count;) {
        const left = count - skip
        const taken = left <= 1.5 * linesPerRange ? left : linesPerRange
        ranges.push({ first, at: key, skip, count: taken })
        skip += taken
        first += taken
      }
  }
  return ranges
}

export function isHeader(layout: ListLayout, position: number): boolean {
  if (position < 0 || position >= layout.length) return false
  const { kind } = layout.at(position)
  return kind === 'group' || kind === 'anomalies-header'
}

/** A few screens. */
export const linesPerRange = 200

/** Binary search: the last element that begins at or before the limit. */
function findLastAtOrBefore<One>(
  ordered: readonly One[],
  limit: number,
  beginOf: (one: One) => number,
): One | undefined {
  let [low, high] = [0, ordered.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const one = ordered[middle]
    if (one !== undefined && beginOf(one) <= limit) low = middle
    else high = middle - 1
  }
  return ordered[low]
}

export function getEmployeeName({ firstName, lastName, employeeId }: MaterialRow): string {
  return (
    [firstName, lastName].filter((part) => part !== null).join(' ') || (employeeId === null ? '' : String(employeeId))
  )
}
