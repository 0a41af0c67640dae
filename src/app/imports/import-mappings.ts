// Saved import mappings of a company: save, rename, delete.
import type { ColumnField } from '../contract/imports.ts'
import { invalidValueError, queryIn } from '../request-values.ts'
import { readFields, readList, shortText, type BodyFields } from '../body.ts'
import { requireImportTarget } from './imports.ts'
import type { AppRequest } from '../route.ts'
import { mapColumnsInOrder } from '../../imports/columns.ts'
import { parseMapping, serializeMapping } from '../../imports/mapping.ts'
import { message } from '../../errors/messages.ts'
import {
  deleteImportMapping,
  listImportMappings,
  renameImportMapping,
  saveImportMapping,
} from '../../store/imports/import-mappings.ts'
import type { Transaction } from '../../store/store.ts'
import { ApiError, notFoundError } from '../../errors/api-error.ts'

/**
 * Saves a mapping, replacing one of the same name. Throws `UnreadableFile` for columns that cannot be imported, and
 * `InvalidValue` when the company has a hundred for the set.
 */
export async function saveMapping(appRequest: AppRequest): Promise<null> {
  const { store, request, clock, companyId } = appRequest
  const target = requireImportTarget(appRequest)
  const query = queryIn(request, ['name'])
  const name = nameIn(new Map(query), 'name')
  const columns = await readList(request)
  const headers = columns.map((column) => column.get('header') ?? '')
  const fields = columns.map((column) => column.get('field') ?? '')
  mapColumnsInOrder(target, headers, fields)
  const text = serializeMapping(headers, fields)
  if (text.length > textMax) throw new ApiError('ValueTooLong', { params: { field: 'header', max: textMax } })
  const { wire } = target.resource
  const mapping = { resource: wire, name, columns: text, savedAt: clock() }
  await store.inTransaction(companyId, async (transaction) => {
    const others = (await namesOf(transaction, wire)).filter((one) => one !== name)
    if (others.length >= mappingsMax) throw invalidValueError('name', message('maximumReached'))
    await saveImportMapping(transaction, mapping)
  })
  return null
}

/** Throws `NotFound`, and `AlreadyExists` when another mapping has the name. */
export async function renameMapping(appRequest: AppRequest): Promise<null> {
  const { store, request, companyId } = appRequest
  const { wire } = requireImportTarget(appRequest).resource
  const fields = await readFields(request)
  const [name, to] = [nameIn(fields, 'name'), nameIn(fields, 'to')]
  await store.inTransaction(companyId, async (transaction) => {
    if (name !== to && (await namesOf(transaction, wire)).includes(to))
      throw new ApiError('AlreadyExists', { target: 'to', params: { what: to } })
    if ((await renameImportMapping(transaction, { resource: wire, name, to })) === undefined) throw notFoundError(name)
  })
  return null
}

/** Replies with the deleted mapping, so that the page can undo. Throws `NotFound`. */
export async function deleteMapping(appRequest: AppRequest): Promise<{ columns: ColumnField[] }> {
  const { store, request, companyId } = appRequest
  const { wire } = requireImportTarget(appRequest).resource
  const name = nameIn(await readFields(request), 'name')
  const dropped = await store.inTransaction(companyId, (transaction) =>
    deleteImportMapping(transaction, { resource: wire, name }),
  )
  if (dropped === undefined) throw notFoundError(name)
  return { columns: parseMapping(dropped).map(([header, field]) => ({ header, field })) }
}

async function namesOf(transaction: Transaction, resource: string): Promise<string[]> {
  return (await listImportMappings(transaction, { companyId: transaction.companyId, resource })).map(({ name }) => name)
}

function nameIn(fields: BodyFields, field: string): string {
  return shortText(fields, field, 60)
}

const mappingsMax = 100

/** The total number of characters of headers and fields. */
const textMax = 50_000
