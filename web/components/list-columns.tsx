// List columns: what a cell shows, and the value to sort and search by, which a CSV file has.
import { parseActor } from '../api/actor.ts'
import type { CsvCell } from '../api/csv.ts'
import type { Language } from '../../src/app/contract/session.ts'
import type { useTranslation } from '../i18n/translation.ts'
import { Actor } from './Actor.tsx'
import { compareCells } from './compare-cells.ts'
import type { TableColumn } from './Table.tsx'

/** Microseconds for a timestamp or a duration, ten-thousandths for an amount or a quantity, `YYYY-MM-DD` for a day. */
type CellValue = string | number | boolean | null | undefined

type ValueName<Row> = { [Name in keyof Row]-?: Row[Name] extends CellValue ? Name : never }[keyof Row] & string

export interface ListColumn<Row> extends Omit<TableColumn<Row>, 'show'> {
  /** A property of the row, or of it; a column without a value is neither sorted nor searched by, and in no file. */
  readonly value?: ValueName<Row> | ((row: Row) => CellValue)
  readonly type?: 'amount' | 'quantity' | 'count' | 'day' | 'timestamp' | 'duration' | 'actor'
  /** In place of the formatted value. */
  readonly show?: TableColumn<Row>['show']
  /** Class of the badge that the formatted value stands in. */
  readonly badge?: (row: Row) => string | false
  /** Shown where the value is unknown. */
  readonly unknown?: string
  /** Shown, and in the file, only when chosen. */
  readonly isOptional?: boolean
  /** Shown only when chosen, but in the file. */
  readonly isHidden?: boolean
}

type FormatContext = Pick<ReturnType<typeof useTranslation>, 't' | 'format'>

/** Names the column in the user's choice and in the order of the list; a column without a name is always shown. */
export function keyOfColumn<Row>({ key, value }: Pick<ListColumn<Row>, 'key' | 'value'>): string | undefined {
  return key ?? (typeof value === 'string' ? value : undefined)
}

/** What a list that is complete is sorted by. */
export function sortNameOf<Row>(column: ListColumn<Row>): string | undefined {
  return column.value === undefined ? undefined : (keyOfColumn(column) ?? column.title)
}

function valueIn<Row>(row: Row, { value }: ListColumn<Row>): unknown {
  return typeof value === 'string' ? row[value] : value?.(row)
}

export function toTableColumn<Row>(column: ListColumn<Row>, words: FormatContext): TableColumn<Row> {
  const { type, unknown = '', badge } = column
  const isNumber = type === 'amount' || type === 'quantity' || type === 'count' || type === 'duration'
  const show = (row: Row) => {
    const value = valueIn(row, column)
    if (type === 'actor' && typeof value === 'string' && value !== '') return <Actor actor={value} />
    const text = formatCell(row, column, words) || unknown
    const colour = badge?.(row) ?? false
    return colour === false ? text : <span className={`status-badge ${colour}`}>{text}</span>
  }
  return { isNumber, isLong: type === 'actor', show, ...column }
}

export function formatCell<Row>(row: Row, column: ListColumn<Row>, { t, format }: FormatContext): string {
  const { type } = column
  const value = valueIn(row, column)
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (typeof value === 'number') {
    if (type === undefined || type === 'day' || type === 'actor') return String(value)
    return type === 'amount' ? format.amount(value, 2) : format[type](value)
  }
  if (typeof value !== 'string' || value === '') return ''
  return type === 'day' ? format.day(value) : type === 'actor' ? format.actor(value) : value
}

/** `order` is the `sortNameOf` a column, with a minus for the largest first; unknown values are last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  order: string | undefined,
  language: Language,
): readonly Row[] {
  const column = columns.find((one) => sortNameOf(one) === order?.replace(/^-/, ''))
  if (order === undefined || column === undefined) return rows
  const sign = order.startsWith('-') ? -1 : 1
  return rows.toSorted((row, other) => compareCells(valueIn(row, column), valueIn(other, column), sign, language))
}

/**
 * Titles, then a line for each row: amounts with all their decimals; days, timestamps in UTC and durations as ISO 8601;
 * people with their e-mail.
 */
export function toCsvRows<Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  words: FormatContext,
): CsvCell[][] {
  const written = columns.filter(({ value }) => value !== undefined)
  return [
    written.map(({ title }) => title),
    ...rows.map((row) =>
      written.map((column) => {
        const value = valueIn(row, column)
        if (typeof value === 'number') return toCsvNumber(value, column.type)
        const isAsStored =
          column.type === 'day' || (column.type === 'actor' && parseActor(String(value)).email !== undefined)
        return typeof value === 'string' && isAsStored ? value : formatCell(row, column, words)
      }),
    ),
  ]
}

function toCsvNumber(value: number, type: ListColumn<never>['type']): CsvCell {
  if (type === 'timestamp') return new Date(value / 1000).toISOString()
  if (type === 'duration') return `PT${value / 1_000_000}S`
  return type === 'amount' || type === 'quantity' ? value / 10_000 : value
}
