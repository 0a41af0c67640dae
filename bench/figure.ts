// Figures as text.
import { rangeOf } from './statistics.ts'

/** More than three significant digits would exceed the precision of the measurements. */
export function figure(value: number): string {
  return Number.isNaN(value)
    ? '–'
    : value >= 1000
      ? Math.round(value).toLocaleString('en')
      : String(Number(value.toPrecision(3)))
}

/** `0.61 to 0.72`. */
export function rangeText(values: readonly number[]): string {
  const [least, greatest] = rangeOf(values)
  return `${figure(least)} to ${figure(greatest)}`
}
