// Pluralization.

/** `count` may be formatted. */
export function pluralize(count: number | string, singular: string, plural: string): string {
  return `${count} ${String(count) === '1' ? singular : plural}`
}
