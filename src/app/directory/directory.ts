// Directory records in the app: field descriptions, add, change, delete.
import type { RecordFields } from '../contract/directory.ts'
import { invalidChoiceError, setInPath } from '../request-values.ts'
import { readFields, type BodyFields } from '../body.ts'
import { auditedAction, type AuditedResult } from '../company-transaction.ts'
import type { AppRequest } from '../route.ts'
import { appPaths } from '../contract/endpoints.ts'
import { directorySets } from '../contract/screens.ts'
import { describeImportFields } from '../imports/import-fields.ts'
import type { Request } from '../../http/request.ts'
import type { DirectoryRow } from '../../directory/types.ts'
import { recordKeyOf } from '../../directory/keys.ts'
import { deleteRecord } from '../../directory/delete.ts'
import { createSaveHandler } from '../../directory/save.ts'
import { parseTimestamp } from '../../lib/timestamp.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { department, employee, project, site } from '../../model/directory.ts'
import type { Field, RecordKey, Resource } from '../../engine/model/resource.ts'
import { referencesOf } from '../../engine/model/schema.ts'
import { message } from '../../errors/messages.ts'
import { keyNameOf, type StoredRecord } from '../../store/directory/directory-records.ts'
import { TableRowBinder } from '../../engine/formats/read/table-row-binder.ts'
import { ApiError, errorOfDetails, fieldError } from '../../errors/api-error.ts'

/** The writable fields of a set in form order, with titles and referenced sets. */
export async function getDirectoryFields({ request }: AppRequest): Promise<RecordFields> {
  const resource = resourceIn(request)
  const relations = referencesOf(serviceSchema, resource)
  return {
    key: resource.fields[keyNameOf(resource)]?.wire ?? '',
    fields: describeImportFields(resource, (name, field) => {
      const set = relations.find(({ on }) => Object.hasOwn(on, name))?.to.wire
      return { max: field?.lengthMax ?? null, set: directorySets.find((one) => one === set) ?? null }
    }),
  }
}

/**
 * Saves the fields in the body. `before` is the timestamp that the page showed: when the record has changed since,
 * nothing is stored, 412 `ConcurrentModification`. Without it a new record is added.
 */
export async function saveDirectoryRecord(appRequest: AppRequest): Promise<{ id: RecordKey }> {
  const resource = resourceIn(appRequest.request)
  const fields = await readFields(appRequest.request)
  const before = stampIn(fields)
  const row = rowIn(resource, fields, appRequest)
  const save = createSaveHandler({
    schema: serviceSchema,
    resource,
    ifStored: before === null ? 'rejected' : 'changed',
    ifMissing: before === null ? 'inserted' : 'rejected',
    ...(before === null ? {} : { guard: (record) => requireUnchanged(record, resource, before) }),
  })
  const action = before === null ? 'record-add' : 'record-change'
  return auditedAction(appRequest, action, async (transaction, context) => {
    const [outcome] = await save(transaction, [row], context)
    if (outcome === undefined) throw new Error('a row without an outcome')
    if ('record' in outcome) return writtenRecord(resource, recordKeyOf(resource, outcome.record))
    throw errorOfDetails([outcome.problem])
  })
}

/** Throws `InUse`; a referenced employee is anonymized instead (ADR 0028). */
export async function deleteDirectoryRecord(appRequest: AppRequest): Promise<{ id: RecordKey }> {
  const resource = resourceIn(appRequest.request)
  const fields = await readFields(appRequest.request)
  const before = stampIn(fields)
  const key = rowIn(resource, fields, appRequest).values[keyNameOf(resource)]
  if (before === null || (typeof key !== 'string' && typeof key !== 'number'))
    throw fieldError('MissingField', 'before')
  return auditedAction(appRequest, 'record-remove', async (transaction, context) => {
    const guard = (record: StoredRecord) => requireUnchanged(record, resource, before)
    await deleteRecord(transaction, { schema: serviceSchema, resource, key, guard }, context)
    return writtenRecord(resource, key)
  })
}

/** The audit entry contains only the key. */
function writtenRecord({ wire }: Resource, id: RecordKey): AuditedResult<{ id: RecordKey }> {
  return { result: { id }, target: wire, auditData: { record: `${wire} ${id}` } }
}

function requireUnchanged(record: StoredRecord, resource: Resource, before: number): void {
  if (record['changedAt'] === before) return
  const what = `${resource.wire} ${recordKeyOf(resource, record)}`
  throw new ApiError('ConcurrentModification', { target: 'before', params: { what, actor: message('somebodyElse') } })
}

/** Parses fields like the cells of an import; an empty field is cleared. Throws the first error. */
function rowIn(resource: Resource, sent: BodyFields, { sessionUser }: AppRequest): DirectoryRow {
  const names = [...sent.keys()].filter((name) => name !== 'before')
  const grantedScopes: ReadonlySet<string> = sessionUser.caller.scopes
  const columns = names.map((wire, index) => {
    const [name, field] = fieldNamed(resource, wire)
    if (field.readScope !== undefined && !grantedScopes.has(field.readScope))
      throw new ApiError('ScopeMissing', { target: wire, params: { scope: field.readScope } })
    return { index, field, isKey: resource.key.includes(name) }
  })
  const { zone } = sessionUser.caller.company
  const cells = new TableRowBinder({ resource, columns, zone, rowsMax: 1, clearsOnEmptyCell: true })
  cells.add(names.map((name) => sent.get(name) ?? ''))
  const [row] = cells.rows
  const [wrong] = row?.details ?? []
  const locationInRow = (target: string | null) => target?.replace(/^\[0\]\.?/, '') ?? ''
  if (wrong !== undefined) throw new ApiError(wrong.code, { target: locationInRow(wrong.target), params: wrong.params })
  const values = row?.values ?? {}
  const keyField = resource.fields[keyNameOf(resource)]
  if (keyField?.type === 'text' && values[keyNameOf(resource)] === undefined)
    throw fieldError('MissingField', keyField.wire)
  return { location: '', values }
}

/** Throws `UnknownField`. */
function fieldNamed({ fields }: Resource, wire: string): readonly [string, Field] {
  const found = Object.entries(fields).find(([, field]) => field.wire === wire)
  if (found === undefined || found[1].readOnly) throw fieldError('UnknownField', wire.slice(0, 60))
  return found
}

function stampIn(fields: BodyFields): number | null {
  const text = fields.get('before') ?? null
  if (text === null) return null
  const stamp = parseTimestamp(text)
  if (typeof stamp !== 'number') throw invalidChoiceError('before')
  return stamp
}

/** The set in the path. Throws `NotFound`. */
function resourceIn(request: Request): Resource {
  return setInPath(request, appPaths.directoryRecord, [employee, department, project, site])
}
