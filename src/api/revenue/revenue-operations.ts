// Revenue write operations and their row validation (interface 4.1, 4.2).
import { revenueWriteProfile } from './revenue-write-profile.ts'
import { requireRecordKey } from '../odata/resource-url.ts'
import { requireMatch } from '../write-pipeline/preconditions.ts'
import { deleteOperation } from '../write-pipeline/record-deletes.ts'
import { writeOperation } from '../write-pipeline/record-writes.ts'
import type { ValidRow } from '../write-pipeline/row-results.ts'
import { yieldToEventLoop, type Sliceable } from '../../lib/yield-to-event-loop.ts'
import { ApiError, fieldError } from '../../errors/api-error.ts'
import { revenue, revenueAddition, revenuePerDate } from '../../model/revenue.ts'
import { accumulateRevenue } from '../../revenue/accumulate.ts'
import { message } from '../../errors/messages.ts'
import { deleteRevenueRecord } from '../../revenue/delete.ts'
import { inChunks } from '../../revenue/long-list.ts'
import { saveRevenues } from '../../revenue/save-list.ts'
import { setRevenueListPerDate } from '../../revenue/set-per-date.ts'
import type { RowContent } from '../../engine/formats/read/row-binder.ts'
import type { Field } from '../../engine/model/resource.ts'

const key = revenue.fields.id.aliases[0]

function validateNoKey({ values }: RowContent): ApiError[] {
  return values.id === undefined ? [] : [fieldError('KeyNotAllowed', key)]
}

/**
 * A new record may lack any of its values, but not all of them (ADR 0006), and not its amount where the body has unknown
 * names, since one of them may be the amount (ADR 0006).
 */
function validateHasContent(row: RowContent): ApiError[] {
  const { values, unknownFields } = row
  if (isAbsent(values.amount) && unknownFields.length > 0) return [missingFieldError(amount, row)]
  if (!Object.values(values).every(isAbsent)) return []
  const params = { field: message('anyOfFields', { fields: valueNames.join(', ') }) }
  return [new ApiError('MissingField', { target: amount, params })]
}

const amount = revenue.fields.amount.wire

const valueNames = Object.values<Field>(revenue.fields)
  .filter(({ wire, readOnly }) => readOnly !== true && wire !== revenue.fields.id.wire)
  .map(({ wire }) => wire)

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function missingFieldError(field: string, { unknownFields }: RowContent): ApiError {
  const params = unknownFields.length === 0 ? {} : { unknown: unknownFields.join(', ') }
  return fieldError('MissingField', field, params)
}

function validateChange({ values }: RowContent): ApiError[] {
  return values.id !== undefined && Object.values(values).filter((value) => value !== undefined).length === 1
    ? [new ApiError('NothingToChange')]
    : []
}

/** A cell needs date, department and amount. */
function validateCell(row: RowContent): readonly ApiError[] {
  const { date, departmentId, amount } = row.values
  // Nearly every row of a long list.
  if (!isAbsent(date) && !isAbsent(departmentId) && !isAbsent(amount)) return noErrors
  return cellFields
    .filter((name) => isAbsent(row.values[name]))
    .map((name) => missingFieldError(revenue.fields[name].wire, row))
}

const noErrors: readonly ApiError[] = []

const cellFields = ['date', 'departmentId', 'amount'] as const

const common = { profile: revenueWriteProfile, status: 200 } as const

export const insertRevenueOperation = writeOperation({
  summary: 'Insert a revenue record',
  rule: '2.1.1',
  ...common,
  input: revenue,
  body: 'one',
  validate: (row) => [...validateNoKey(row), ...validateHasContent(row)],
  apply: inChunks(saveRevenues),
})

export const updateRevenueOperation = writeOperation({
  summary: 'Update a revenue record by its key',
  rule: '4.1.3',
  ...common,
  input: revenue,
  body: 'one',
  validate: (row) => (row.values.id === undefined ? [fieldError('KeyRequired', key)] : validateChange(row)),
  apply: inChunks(saveRevenues),
})

export const saveRevenueListOperation = writeOperation({
  summary: 'Insert and update revenue records in one list',
  rule: '4.1.2',
  ...common,
  input: revenue,
  body: 'many',
  validate: (row) => (row.values.id === undefined ? validateHasContent(row) : validateChange(row)),
  apply: inChunks(saveRevenues),
})

export const setRevenuePerDateOperation = writeOperation({
  summary: 'Overwrite or insert revenue per department and date',
  rule: '4.1.1',
  ...common,
  input: revenuePerDate,
  body: 'many',
  validate: validateCell,
  apply: setRevenueListPerDate,
})

export const accumulateRevenueOperation = writeOperation({
  summary: 'Add to revenue per department and date, or start it',
  rule: '4.2.2',
  ...common,
  input: revenueAddition,
  body: 'either',
  validate: validateCell,
  apply: inChunks(accumulateRevenue),
  resultHeaders: async (rows, applied, hasIdempotencyKey) => ({
    'X-Added': `${applied} of ${rows.length}`,
    ...(hasIdempotencyKey || (await areAllReferenced(rows)) ? {} : { 'X-Retry-Safe': 'false' }),
  }),
})

/** In turns of the event loop. */
async function areAllReferenced(rows: Sliceable<ValidRow>): Promise<boolean> {
  for (let start = 0; start < rows.length; start += rowsInTurn) {
    if (start > 0) await yieldToEventLoop()
    const chunk = rows.slice(start, start + rowsInTurn)
    if (!chunk.every(({ values }) => typeof values.reference === 'string')) return false
  }
  return true
}

const rowsInTurn = 1000

export const deleteRevenueOperation = deleteOperation({
  summary: 'Delete a revenue record',
  rule: '4.1',
  scope: 'revenue:write',
  resource: revenue,
  delete: (transaction, request, context) => {
    const id = Number(requireRecordKey(request.path, revenue))
    const guard = (record: object) => requireMatch(request, revenue, { ...record })
    return deleteRevenueRecord(transaction, { id, guard }, context)
  },
})
