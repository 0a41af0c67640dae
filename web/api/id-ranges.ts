// Compact text for lists of ids.

/** Consecutive ids become a range: `3-7`. */
export function toRanges(ids: readonly number[]): string {
  const ranges: { first: number; last: number }[] = []
  for (const id of ids.toSorted((one, other) => one - other)) {
    const range = ranges.at(-1)
    if (range !== undefined && id === range.last + 1) range.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}

/** Parts of at most as many ids as one decision takes. */
export function splitIds(ids: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(ids.length / decisionIdsMax)
  return Array.from({ length: count }, (_, at) => ids.slice(at * decisionIdsMax, (at + 1) * decisionIdsMax))
}

export const decisionIdsMax = 100_000
