// What stands where in the list: what is odd first, then each group with its lines, all at known heights.
import type { Grouping, Line, LineGroup, OddLine } from '../../data/approvals.ts'

/** One row of the list; of a line only its place among all lines is known until its page has come. */
export type Item =
  | { readonly kind: 'odd-head'; readonly count: number }
  | { readonly kind: 'odd'; readonly line: OddLine }
  | { readonly kind: 'group'; readonly group: LineGroup }
  | { readonly kind: 'line'; readonly index: number }

export interface Plan {
  readonly length: number
  /** How many lines there are without the odd ones on top. */
  readonly lines: number
  readonly at: (position: number) => Item
}

export const planOf = (
  groups: readonly LineGroup[],
  odd: readonly OddLine[],
  grouping: Grouping,
): Plan => {
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
  const startAt = (place: number) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle]?.position ?? 0) <= place) low = middle
      else high = middle - 1
    }
    return starts[low]
  }
  return {
    length: position,
    lines: line,
    at: (place) => {
      const [first] = odd
      if (place < oddRows && first !== undefined) {
        if (place === 0) return { kind: 'odd-head', count: odd.length }
        return { kind: 'odd', line: odd[place - 1] ?? first }
      }
      const start = startAt(place)
      if (start === undefined) throw new Error('a list without groups has no rows')
      const within = place - start.position
      if (hasHeads && within === 0) return { kind: 'group', group: start.group }
      return { kind: 'line', index: start.line + within - (hasHeads ? 1 : 0) }
    },
  }
}

export const nameOf = ({ firstName, lastName, employeeId }: Line): string =>
  [firstName, lastName].filter((part) => part !== null).join(' ') ||
  (employeeId === null ? '' : String(employeeId))
