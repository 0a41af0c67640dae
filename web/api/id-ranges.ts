// Compact text for lists of ids.

/** Consecutive ids become a range: `3-7`. */
export function inRuns(ids: readonly number[]): string {
  const runs: { first: number; last: number }[] = []
  for (const id of ids.toSorted((one, other) => one - other)) {
    const run = runs.at(-1)
    if (run !== undefined && id === run.last + 1) run.last = id
    else runs.push({ first: id, last: id })
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}
