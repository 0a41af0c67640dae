// Summary statistics of measurements.

/**
 * The value below which the share `share` (0 to 1) of the ascending `sorted` lies; NaN for an empty
 * list.
 */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return (quantile(sorted, 0.5) + (sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN)) / 2
}

/** The slope, from one value to the next, of the line that fits `values` best; 0 for fewer than two. */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const spread = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  return spread === 0 ? 0 : values.reduce((sum, value, at) => sum + (at - middle) * value, 0) / spread
}

/** The minimum and the maximum of `values`, in any order. */
export function rangeOf(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}
