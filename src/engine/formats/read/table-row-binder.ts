// Binds spreadsheet cells to the fields of a resource, tolerant of the notations that people use.
import { kindOfType, type TypeKind } from '../../model/resource.ts'
import { findInvalidText } from '../json/json-reader.ts'
import { removeFormulaGuard } from '../csv/csv.ts'
import type { FieldSpelling } from './field-spellings.ts'
import type { BoundRow } from './bound-rows.ts'
import { RowBinder, type RowBinderOptions } from './row-binder.ts'
import type { BodyValue } from './row-sink.ts'

/** A column of a table that is mapped to a field. */
export type MappedColumn = Pick<FieldSpelling, 'index' | 'field' | 'isKey'>

export interface TableRowOptions extends Pick<RowBinderOptions, 'resource' | 'zone' | 'rowsMax'> {
  readonly columns: readonly MappedColumn[]
  /** Whether an empty cell sets its field to null; otherwise the field is left unchanged. */
  readonly clearsOnEmptyCell: boolean
}

/** Adds rows of cells one by one; the problems of a row are in its `details`, as for a request body. */
export class TableRowBinder {
  readonly #binder: RowBinder
  readonly #options: TableRowOptions

  constructor(options: TableRowOptions) {
    const { resource, zone, rowsMax } = options
    this.#options = options
    this.#binder = new RowBinder({
      resource,
      zone,
      rowsMax,
      refuseZones: false,
      isStrict: true,
      hasODataSemantics: true,
      trimsValues: false,
    })
  }

  /** Throws `TooManyItems`. */
  add(cells: readonly string[]): void {
    const { columns, clearsOnEmptyCell } = this.#options
    this.#binder.begin(true)
    for (const { index, field, isKey } of columns) {
      const cell = removeFormulaGuard((cells[index] ?? '').trim())
      if (cell !== '')
        this.#binder.member(field.wire, findInvalidText(cell) ?? cellParsers[kindOfType(field.type)](cell))
      else if (clearsOnEmptyCell && !isKey) this.#binder.member(field.wire, null)
    }
    this.#binder.end()
  }

  /** At locations `[0]`, `[1]` …, in the order they were added. */
  get rows(): readonly BoundRow[] {
    return this.#binder.body.rows.slice()
  }
}

/** Cells in the notation of request bodies; an unknown notation is left as it is and rejected by its field. */
const cellParsers: Record<TypeKind, (cell: string) => BodyValue> = {
  text: (cell) => cell,
  integer: (cell) => removeSpaces(cell),
  decimal: (cell) => normalizeDecimal(removeSpaces(cell).replace(/%$/, '')),
  date: (cell) => normalizeDate(cell),
  timestamp: (cell) => cell,
  timeOfDay: (cell) => cell,
  duration: (cell) => cell,
  enum: (cell) => cell,
  boolean: (cell) => booleanWords.get(cell.toLowerCase()) ?? cell,
}

/** Thousands separators are spaces of several widths. */
function removeSpaces(cell: string): string {
  return cell.replace(/[\s\u00A0\u2009\u202F]/g, '')
}

/** `1.234,5`, `1,234.5` and `1234,5`: the last separator is the decimal one, a single one too. */
function normalizeDecimal(number: string): string {
  const comma = number.lastIndexOf(',')
  const point = number.lastIndexOf('.')
  if (comma === -1) return number
  if (comma > point) return number.replaceAll('.', '').replace(',', '.')
  return number.replaceAll(',', '')
}

/** `1.5.2024` is the first of May; a time of day after it is ignored. */
function normalizeDate(cell: string): string {
  const {
    day = '',
    month = '',
    year = '',
  } = /^(?<day>\d{1,2})[./](?<month>\d{1,2})[./](?<year>\d{4})(?:[ T][\d:.]+)?$/.exec(cell)?.groups ?? {}
  return year === '' ? cell : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ...['ja', 'j', 'sann', 'sant', 'yes', 'y', 'true', '1', 'x'].map((word) => [word, true] as const),
  ...['nei', 'n', 'usann', 'usant', 'no', 'false', '0'].map((word) => [word, false] as const),
])
