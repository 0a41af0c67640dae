// Query parameters of the app's URLs: parsing each into a typed value, and dropping what is invalid.
import type { Grouping } from '../api/approvals.ts'
import { isDay } from '../api/days.ts'
import type { Per } from '../api/revenue.ts'
import type { FeedAct } from '../features/revenue/feed-api.ts'

// URLs are Norwegian: how values of the server are spelled in them.

export const groupingParams = {
  none: 'ingen',
  project: 'prosjekt',
  employee: 'ansatt',
  department: 'avdeling',
  day: 'dag',
} as const satisfies Record<Grouping, string>

export const periodParams = {
  day: 'dag',
  week: 'uke',
  month: 'maned',
} as const satisfies Record<Per, string>

export const actionParams = {
  insert: 'ny',
  set: 'endret',
  add: 'lagt-til',
  delete: 'slettet',
  import: 'importert',
} as const satisfies Record<FeedAct, string>

/** Undefined for an invalid value. */
type Read<Value> = (value: unknown) => Value | undefined

type SearchOf<Reads extends Readonly<Record<string, Read<unknown>>>> = {
  readonly [Name in keyof Reads]?: ReturnType<Reads[Name]>
}

type Search<Reads extends Readonly<Record<string, Read<unknown>>>> = (
  search: Readonly<Record<string, unknown>>,
) => SearchOf<Reads>

/** Unknown parameters are dropped. */
export function searchOf<const Reads extends Readonly<Record<string, Read<unknown>>>>(
  reads: Reads,
): Search<Reads>
export function searchOf(reads: Readonly<Record<string, Read<unknown>>>) {
  return (search: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, read(search[name])]))
}

export function oneOf<const Word extends string>(...words: readonly Word[]): Read<Word> {
  return (value) => words.find((word) => word === value)
}

/** The router parses what looks like a number as one. */
export const text: Read<string> = (value) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

export const number: Read<number> = (value) => (typeof value === 'number' ? value : undefined)

/** The first page has no parameter. */
export const pageNumber: Read<number> = (value) =>
  typeof value === 'number' && value > 1 ? value : undefined

export const flag: Read<boolean> = (value) => (value === true ? true : undefined)

/** A valid date, `YYYY-MM-DD`. */
export const day: Read<string> = (value) => {
  const written = text(value)
  return isDay(written) ? written : undefined
}
