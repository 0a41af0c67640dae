// Revenue write operations and their row validation (interface 4.1, 4.2).
import { deletes } from '../write-pipeline/delete.ts'
import { revenueManner } from './revenue-write-profile.ts'
import { writes } from '../write-pipeline/write.ts'
import { Fault, type Detail } from '../../errors/catalog.ts'
import { revenue, revenueAddition, revenueOfCell } from '../../model/revenue.ts'
import { accumulateRevenue } from '../../revenue/accumulate.ts'
import { phrase } from '../../errors/messages.ts'
import { deleteRevenue } from '../../revenue/delete.ts'
import { forLongLists } from '../../revenue/long-list.ts'
import { saveRevenues } from '../../revenue/save-list.ts'
import { setRevenuePerDate } from '../../revenue/set-per-date.ts'
import type { ReadRow } from '../../engine/formats/read/read-records.ts'

const key = revenue.fields.id.alsoReads[0]

function withoutKey({ values, place }: ReadRow): Detail[] {
  return values.id === undefined
    ? []
    : [new Fault('KeyNotAllowed', { target: key, says: { field: key } }).detail(place)]
}

/**
 * A new record may lack any of its values, but not all of them (ADR 0052), and not its amount where the body has unknown
 * names, since one of them may be the amount (ADR 0131).
 */
function withContent(row: ReadRow): Detail[] {
  const { values, unknown } = row
  const isAmountLost = isAbsent(values.amount) && unknown.length > 0
  return isAmountLost || Object.values(values).every(isAbsent) ? [missing(amount, row)] : []
}

const amount = revenue.fields.amount.wire

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function missing(field: string, { place, unknown }: ReadRow): Detail {
  const says = { field, ...(unknown.length === 0 ? {} : { unknown: unknown.join(', ') }) }
  return new Fault('MissingField', { target: field, says }).detail(place)
}

function withChange({ values, place }: ReadRow): Detail[] {
  return values.id !== undefined &&
    Object.values(values).filter((value) => value !== undefined).length === 1
    ? [new Fault('NothingToChange').detail(place)]
    : []
}

function withKey(row: ReadRow): Detail[] {
  return row.values.id === undefined
    ? [new Fault('KeyRequired', { target: key, says: { field: key } }).detail(row.place)]
    : withChange(row)
}

/** A cell needs date, department and amount. */
function withCell(row: ReadRow): Detail[] {
  return [
    { value: row.values.date, field: revenue.fields.date.wire },
    { value: row.values.departmentId, field: revenue.fields.departmentId.wire },
    { value: row.values.amount, field: amount },
  ]
    .filter(({ value }) => isAbsent(value))
    .map(({ field }) => missing(field, row))
}

export const insertRevenue = writes({
  summary: 'Insert a revenue record',
  rule: '2.1.1',
  manner: revenueManner,
  status: 200,
  input: revenue,
  body: 'one',
  check: (row) => [...withoutKey(row), ...withContent(row)],
  act: forLongLists(saveRevenues),
})

export const updateRevenue = writes({
  summary: 'Update a revenue record by its key',
  rule: '4.1.3',
  manner: revenueManner,
  status: 200,
  input: revenue,
  body: 'one',
  check: withKey,
  act: forLongLists(saveRevenues),
})

export const saveRevenueList = writes({
  summary: 'Insert and update revenue records in one list',
  rule: '4.1.2',
  manner: revenueManner,
  status: 200,
  input: revenue,
  body: 'many',
  check: (row) => (row.values.id === undefined ? withContent(row) : withChange(row)),
  act: forLongLists(saveRevenues),
})

export const setRevenueListPerDate = writes({
  summary: 'Overwrite or insert revenue per department and date',
  rule: '4.1.1',
  manner: revenueManner,
  status: 200,
  input: revenueOfCell,
  body: 'many',
  check: withCell,
  act: forLongLists(setRevenuePerDate),
})

export const accumulateRevenueList = writes({
  summary: 'Add to revenue per department and date, or start it',
  rule: '4.2.2',
  manner: revenueManner,
  status: 200,
  input: revenueAddition,
  body: 'either',
  check: withCell,
  act: forLongLists(accumulateRevenue),
  tell: (rows, stored, isKeyed) => {
    const isReferenced = rows.every(({ values }) => typeof values.reference === 'string')
    const added = stored.filter(({ isApplied }) => isApplied).length
    return {
      'X-Added': `${added} of ${rows.length}`,
      ...(isReferenced || isKeyed ? {} : { 'X-Retry-Safe': 'false' }),
    }
  },
})

export const deletesRevenue = deletes({
  summary: 'Delete a revenue record',
  rule: '4.1',
  scope: 'revenue:write',
  resource: revenue,
  remove: (transaction, request, deed) => deleteRevenue(transaction, keyIn(request.path), deed),
})

/** The key in `Omsetning(17)`. Throws `NotFound` for anything but digits. */
function keyIn(path: string): number {
  const digits = /\((\d{1,15})\)\/?$/.exec(path)?.[1]
  if (digits === undefined) throw new Fault('NotFound', { says: { what: phrase('theAddress') } })
  return Number(digits)
}
