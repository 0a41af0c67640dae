// Durations in microseconds, and their text `P1DT2H3M4.5S`; a day has 24 hours (OData 4.01 part 2, 5.1.1.13).

export interface Duration {
  /** May exceed the safe integers; rounded down if not whole. */
  readonly micros: number
  /** Whether only zeros follow the microseconds. */
  readonly isExact: boolean
}

/** Null for invalid durations; years and months are invalid, because their length varies. */
export function parseDuration(text: string): Duration | null {
  const groups = durationPattern.exec(text)?.groups
  if (groups === undefined) return null
  const { sign, days = '0', hours = '0', minutes = '0', seconds = '0' } = groups
  const [whole = '0', places = ''] = seconds.split('.')
  const minutesAll = (Number(days) * 24 + Number(hours)) * 60 + Number(minutes)
  const micros = (minutesAll * 60 + Number(whole)) * 1_000_000 + Number(places.slice(0, 6).padEnd(6, '0'))
  const isExact = !/[1-9]/.test(places.slice(6))
  // Avoids -0: -0 + 0 is 0.
  return { micros: sign === '-' ? -micros - (isExact ? 0 : 1) + 0 : micros, isExact }
}

/** A text that is a duration. */
export const durationPattern =
  /^(?<sign>[+-]?)P(?!$)(?:(?<days>\d+)D)?(?:T(?!$)(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:\.\d+)?)S)?)?$/i

/** In seconds only, so that equal durations have equal texts. */
export function formatDuration(micros: number): string {
  const magnitude = Math.abs(micros)
  const places = magnitude % 1_000_000
  const fraction = String(1_000_000 + places).slice(1)
  const end = places === 0 ? '' : `.${fraction.replace(/0+$/, '')}`
  return `${micros < 0 ? '-' : ''}PT${(magnitude - places) / 1_000_000}${end}S`
}
