// The rows of a body: those of a long list in columns, because a garbage collection moves each object that is in use.
import type { ErrorDetail } from '../../../errors/api-error.ts'
import type { Sliceable } from '../../../lib/yield-to-event-loop.ts'
import type { ParsedValue } from './read-value.ts'

export interface BoundRow {
  /** `[3]` in a list, '' for one object. */
  readonly location: string
  /** The valid values that were sent; null counts as not sent (ADR 0006), unless `hasODataSemantics`. */
  readonly values: Readonly<Record<string, ParsedValue>>
  /** The bind annotations that set values, by the internal names of the foreign keys. */
  readonly bindAnnotations: ReadonlyMap<string, string>
  /** The errors of the row with their locations; empty for a valid row. */
  readonly details: readonly ErrorDetail[]
}

/** Shared by all rows that have none. */
export const noBindAnnotations: ReadonlyMap<string, string> = new Map()
export const noDetails: ErrorDetail[] = []

export class BoundRows implements Sliceable<BoundRow> {
  readonly #first: BoundRow[] = []
  /** Of the rows after the first. */
  readonly #blocks: RowBlock[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Adds a row of a list, or the single one of a body. */
  add(isSingle: boolean, row: Omit<BoundRow, 'location'>): void {
    const index = this.#length
    this.#length += 1
    if (index < blockRows) {
      this.#first.push({ location: isSingle ? '' : `[${index}]`, ...row })
      return
    }
    if (index % blockRows === 0) this.#blocks.push(new RowBlock(index))
    this.#blocks.at(-1)?.add(row)
  }

  slice(start = 0, end = this.#length): BoundRow[] {
    const rows = this.#first.slice(start, end)
    const last = Math.min(end, this.#length)
    for (let index = start + rows.length; index < last; index += 1) {
      const row = this.#blocks[Math.floor(index / blockRows) - 1]?.row(index)
      if (row !== undefined) rows.push(row)
    }
    return rows
  }
}

interface Column<Value> {
  readonly name: string
  readonly values: (Value | undefined)[]
}

class RowBlock {
  /** The index of its first row. */
  readonly #start: number
  #length = 0
  /** Arrays of their own, in which V8 makes no objects of numbers. */
  readonly #numbers: Column<number>[] = []
  readonly #others: Column<Exclude<ParsedValue, number>>[] = []
  /** Rows with more than values. */
  readonly #unusual = new Map<number, BoundRow>()

  constructor(start: number) {
    this.#start = start
  }

  add(row: Omit<BoundRow, 'location'>): void {
    const { values, bindAnnotations, details } = row
    const at = this.#length
    this.#length += 1
    if (bindAnnotations !== noBindAnnotations || details !== noDetails) {
      this.#unusual.set(at, { location: `[${this.#start + at}]`, ...row })
      return
    }
    for (const name in values) {
      const value = values[name]
      // Not one statement for both: V8 would give both kinds of arrays the elements of the more general one.
      if (typeof value === 'number') valuesOf(this.#numbers, name)[at] = value
      else if (value !== undefined) valuesOf(this.#others, name)[at] = value
    }
  }

  row(index: number): BoundRow {
    const at = index - this.#start
    const unusual = this.#unusual.get(at)
    if (unusual !== undefined) return unusual
    const values: Record<string, ParsedValue> = {}
    for (const columns of [this.#others, this.#numbers])
      for (const column of columns) {
        const value = column.values[at]
        if (value !== undefined) values[column.name] = value
      }
    return { location: `[${index}]`, values, bindAnnotations: noBindAnnotations, details: noDetails }
  }
}

function valuesOf<Value>(columns: Column<Value>[], name: string): (Value | undefined)[] {
  for (const column of columns) if (column.name === name) return column.values
  const values: (Value | undefined)[] = []
  columns.push({ name, values })
  return values
}

/** A list that is not longer is written as a whole. */
const blockRows = 120
