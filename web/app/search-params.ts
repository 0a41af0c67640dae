// Query parameters of the app's URLs: parsing each into a typed value, and dropping what is invalid.
import type { LineGrouping, SortName } from '../../src/app/contract/approvals.ts'
import type { LineOrder } from '../api/approvals.ts'
import { isDay } from '../api/days.ts'
import type { PeriodUnit } from '../api/revenue.ts'

// URLs are Norwegian: how values of the server are spelled in them.

export const groupingParams = {
  none: 'ingen',
  project: 'prosjekt',
  employee: 'ansatt',
  department: 'avdeling',
  day: 'dag',
} as const satisfies Record<LineGrouping, string>

const sortParams = {
  date: 'dato',
  employee: 'ansatt',
  project: 'prosjekt',
  item: 'vare',
  quantity: 'antall',
  price: 'pris',
  amount: 'belop',
  age: 'alder',
} as const satisfies Record<SortName, string>

export const periodParams = { day: 'dag', week: 'uke', month: 'maned' } as const satisfies Record<PeriodUnit, string>

export const actionParams = {
  insert: 'ny',
  set: 'endret',
  add: 'lagt-til',
  delete: 'slettet',
  import: 'importert',
} as const

/** Undefined for an invalid value. */
type ParamParser<Value> = (value: unknown) => Value | undefined

/** By the names of the parameters. */
export type SearchParsers = Readonly<Record<string, ParamParser<unknown>>>

type SearchValidator<Parsers extends SearchParsers> = (search: Readonly<Record<string, unknown>>) => {
  readonly [Name in keyof Parsers]?: ReturnType<Parsers[Name]>
}

/** Unknown parameters are dropped. */
export function parseSearch<const Parsers extends SearchParsers>(parsers: Parsers): SearchValidator<Parsers>
export function parseSearch(parsers: SearchParsers) {
  return (search: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(parsers).map(([name, parse]) => [name, parse(search[name])]))
}

export function oneOf<const Words extends readonly (string | true)[]>(...words: Words): ParamParser<Words[number]> {
  return (value) => words.find((word) => word === value)
}

/** The router parses what looks like a number as one. */
export const text: ParamParser<string> = (value) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

export const number: ParamParser<number> = (value) => (typeof value === 'number' ? value : undefined)

export const flag: ParamParser<boolean> = oneOf(true)

/** What a list is sorted by, with a minus for the largest first. */
export const sortParam = oneOf(...Object.values(sortParams).flatMap((name) => [name, `-${name}`] as const))

type SortParam = ReturnType<typeof sortParam>

/** The order of a list, as the server names it. */
export function toLineOrder(param: SortParam): LineOrder | undefined {
  const names = Object.keys(sortParams) as SortName[]
  const name = names.find((one) => sortParams[one] === param?.replace('-', ''))
  return name && (param?.startsWith('-') ? `-${name}` : name)
}

/** The order of a list, as the URL spells it. */
export function toSortParam(order: string | undefined): SortParam {
  if (order === undefined) return undefined
  const name = sortParams[order.replace('-', '') as SortName]
  return order.startsWith('-') ? `-${name}` : name
}

/** A valid date, `YYYY-MM-DD`. */
export const day: ParamParser<string> = (value) => {
  const written = text(value)
  return isDay(written) ? written : undefined
}

/** A cell of revenue, `2026-11-20.10`; its date is empty for records without one. */
export const cell: ParamParser<string> = (value) => {
  const written = text(value)
  const [date, ...department] = written?.split('.') ?? []
  return department.length > 0 && (date === '' || isDay(date)) ? written : undefined
}
