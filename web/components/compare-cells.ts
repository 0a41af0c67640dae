// compareCells: the order of two values of a column, by the alphabet of the language.
import type { Language } from '../../src/app/contract/session.ts'

/** `sign` is -1 for the largest first; unknown values, which are null, undefined or empty, are last in both directions. */
export function compareCells(one: unknown, two: unknown, sign: 1 | -1, language: Language): number {
  const [isUnknown, isOtherUnknown] = [one, two].map((each) => (each ?? '') === '')
  if (isUnknown || isOtherUnknown) return Number(isUnknown) - Number(isOtherUnknown)
  if (typeof one === 'number' && typeof two === 'number') return sign * (one - two)
  return sign * collators[language].compare(String(one), String(two))
}

const collators = {
  nb: new Intl.Collator('nb', { numeric: true }),
  en: new Intl.Collator('en', { numeric: true }),
} satisfies Record<Language, Intl.Collator>
