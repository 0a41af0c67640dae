// List layout: anomalies, then groups with their lines, at a known row index each.
import type { Grouping, Line, LineGroup, OddLine, Overview, Stretch } from '../../api/approvals.ts'

/** One row; a line is known by its index until its range is loaded. */
export type Item =
  | { readonly kind: 'anomalies-header' }
  | { readonly kind: 'anomaly'; readonly line: OddLine }
  | { readonly kind: 'group'; readonly group: LineGroup }
  | { readonly kind: 'line'; readonly index: number }

export interface Plan {
  readonly length: number
  /** Number of lines, not counting the anomalies on top. */
  readonly lines: number
  readonly at: (position: number) => Item
  /** The range that contains the line. */
  readonly stretchOf: (index: number) => PlacedStretch
}

export interface PlacedStretch extends Stretch {
  /** Index of its first line. */
  readonly first: number
}

export function planOf(
  { groups, steps }: Pick<Overview, 'groups' | 'steps'>,
  odd: readonly OddLine[],
  grouping: Grouping,
): Plan {
  const hasHeads = grouping !== 'none'
  const oddRows = odd.length === 0 ? 0 : odd.length + 1
  const starts: { readonly position: number; readonly line: number; readonly group: LineGroup }[] =
    []
  let position = oddRows
  let line = 0
  for (const group of groups) {
    starts.push({ position, line, group })
    position += group.count + (hasHeads ? 1 : 0)
    line += group.count
  }
  const stretches = stretchesOf(grouping === 'none' ? steps : groups)
  return {
    length: position,
    lines: line,
    at: (place) => {
      const [first] = odd
      if (place < oddRows && first !== undefined) {
        if (place === 0) return { kind: 'anomalies-header' }
        return { kind: 'anomaly', line: odd[place - 1] ?? first }
      }
      const start = lastUpTo(starts, place, (one) => one.position)
      if (start === undefined) throw new Error('row index is out of range')
      const within = place - start.position
      if (hasHeads && within === 0) return { kind: 'group', group: start.group }
      return { kind: 'line', index: start.line + within - (hasHeads ? 1 : 0) }
    },
    stretchOf: (index) => {
      const found = lastUpTo(stretches, index, ({ first }) => first)
      if (found === undefined) throw new Error('line index is out of range')
      return found
    },
  }
}

/**
 * Ranges start at a group or at a multiple of `linesPerRange` within one, so that they remain cached when others change;
 * small groups share one.
 */
function stretchesOf(
  groups: readonly Pick<LineGroup, 'key' | 'count'>[],
): readonly PlacedStretch[] {
  const stretches: PlacedStretch[] = []
  let first = 0
  for (const { key, count } of groups) {
    const last = stretches.at(-1)
    if (last !== undefined && last.count + count <= stretchLines) {
      stretches.splice(-1, 1, { ...last, count: last.count + count })
      first += count
    } else
      for (let skip = 0; skip < count;) {
        const left = count - skip
        const taken = left <= 1.5 * stretchLines ? left : stretchLines
        stretches.push({ first, at: key, skip, count: taken })
        skip += taken
        first += taken
      }
  }
  return stretches
}

/** A few screens. */
export const stretchLines = 200

/** Binary search: the last element that begins at or before the limit. */
function lastUpTo<One>(
  ordered: readonly One[],
  place: number,
  beginOf: (one: One) => number,
): One | undefined {
  let [low, high] = [0, ordered.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const one = ordered[middle]
    if (one !== undefined && beginOf(one) <= place) low = middle
    else high = middle - 1
  }
  return ordered[low]
}

export function nameOf({ firstName, lastName, employeeId }: Line): string {
  return (
    [firstName, lastName].filter((part) => part !== null).join(' ') ||
    (employeeId === null ? '' : String(employeeId))
  )
}
