// What stands where in the list: what is odd first, then each group with its lines, all at known heights.
import type { Grouping, Line, LineGroup, OddLine, Overview, Stretch } from '../../api/approvals.ts'

/** One row of the list; of a line only its place among all lines is known until its page has come. */
export type Item =
  | { readonly kind: 'anomalies-header' }
  | { readonly kind: 'anomaly'; readonly line: OddLine }
  | { readonly kind: 'group'; readonly group: LineGroup }
  | { readonly kind: 'line'; readonly index: number }

export interface Plan {
  readonly length: number
  /** How many lines there are without the odd ones on top. */
  readonly lines: number
  readonly at: (position: number) => Item
  /** What has to be fetched for the line of this index. */
  readonly stretchOf: (index: number) => PlacedStretch
}

export interface PlacedStretch extends Stretch {
  /** The index of its first line. */
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
      if (start === undefined) throw new Error('a list without groups has no rows')
      const within = place - start.position
      if (hasHeads && within === 0) return { kind: 'group', group: start.group }
      return { kind: 'line', index: start.line + within - (hasHeads ? 1 : 0) }
    },
    stretchOf: (index) => {
      const found = lastUpTo(stretches, index, ({ first }) => first)
      if (found === undefined) throw new Error('a line of a list without lines')
      return found
    },
  }
}

/**
 * Each begins with a group or a round number of lines into one, so that it stays what it was while others change; small
 * groups travel together.
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

/** A few screens full. */
export const stretchLines = 200

/** The last of those in order that begins at the place or before it. */
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
