// Directory writes: insert, upsert a list, update one, delete one (interface 2.2).
import { directoryWriteProfile, directoryScope } from './directory-write-profile.ts'
import type { Operation } from '../operation.ts'
import { requireSetMatch, requireMatch } from '../write-pipeline/preconditions.ts'
import { requireRecordKey } from '../odata/resource-url.ts'
import { deleteOperation } from '../write-pipeline/record-deletes.ts'
import { writeOperation, type ApplyRows } from '../write-pipeline/record-writes.ts'
import { findContradiction, findParentLink, linkRow, requireParent } from '../write-pipeline/related-inserts.ts'
import type { RowOutcome, ValidRow } from '../write-pipeline/row-results.ts'
import type { Caller } from '../../auth/caller.ts'
import { missingKeyError } from '../../directory/keys.ts'
import { deleteRecord } from '../../directory/delete.ts'
import { createSaveHandler } from '../../directory/save.ts'
import { ApiError, fieldError } from '../../errors/api-error.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { newRecord, type RecordKey, type Resource } from '../../engine/model/resource.ts'
import { message } from '../../errors/messages.ts'
import type { RowContent } from '../../engine/formats/read/row-binder.ts'
import { keyNameOf } from '../../store/directory/directory-records.ts'

/** The write operations of a set and of its records. */
export interface DirectoryWrites {
  readonly insert: Operation
  readonly save: Operation
  readonly update: Operation
  readonly replace: Operation
  readonly delete: Operation
}

export function createDirectoryWrites(resource: Resource, plural: string): DirectoryWrites {
  const common = { profile: directoryWriteProfile(resource), input: resource }
  const validatesInsert = {
    ...common,
    validate: (row: RowContent, caller: Caller) => validateInsert(resource, row, caller),
  } as const
  const updatesOne = {
    ...common,
    rule: '2.2.4',
    body: 'one',
    status: 200,
    validate: (row: RowContent, caller: Caller) => validateUpdate(resource, row, caller),
  } as const
  return {
    insert: writeOperation({
      ...validatesInsert,
      rule: '2.2.1',
      summary: `Insert one of the ${plural}, or a list`,
      body: 'either',
      status: 201,
      apply: insertRows(resource),
    }),
    save: writeOperation({
      ...validatesInsert,
      rule: '2.2.3',
      summary: `Insert and update ${plural} in one list`,
      body: 'many',
      status: 200,
      apply: saveRows(resource),
    }),
    update: writeOperation({ ...updatesOne, summary: `Update one of the ${plural}`, apply: updateRow(resource) }),
    replace: writeOperation({
      ...updatesOne,
      summary: `Replace one of the ${plural}`,
      ignoresReadOnly: true,
      apply: (transaction, write) => {
        const rows = write.rows.slice().map((row) => withAllFields(resource, row, write.caller))
        return updateRow(resource)(transaction, { ...write, rows })
      },
    }),
    delete: deleteOperation({
      rule: '2.2.5',
      summary: `Delete one of the ${plural}`,
      scope: directoryScope,
      resource,
      headers: { 'Cache-Control': 'no-store' },
      delete: (transaction, request, context) =>
        deleteRecord(
          transaction,
          {
            schema: serviceSchema,
            resource,
            key: requireRecordKey(request.path, resource),
            guard: (record) => requireMatch(request, resource, record),
          },
          context,
        ),
    }),
  }
}

/** Behind a relation to many, new records refer to the record in the path. */
function insertRows(resource: Resource): ApplyRows {
  const save = createSaveHandler({ schema: serviceSchema, resource, ifStored: 'rejected', ifMissing: 'inserted' })
  return async (transaction, { rows, context, request, receive }) => {
    const sent = rows.slice()
    const parent = findParentLink(request.path)
    if (parent !== null) await requireParent(transaction, parent)
    requireSetMatch(request)
    if (parent === null) return receive(await save(transaction, sent, context), 0)
    const problems = sent.map((row) => findContradiction(row, parent))
    const linked = sent.flatMap((row, index) => (problems[index] === null ? linkRow(row, parent) : []))
    const outcomes = (await save(transaction, linked, context)).values()
    const all = problems.map((problem): RowOutcome => {
      if (problem !== null) return { problem }
      const { value } = outcomes.next()
      if (value === undefined) throw new Error('a row without an outcome')
      return value
    })
    return receive(all, 0)
  }
}

function saveRows(resource: Resource): ApplyRows {
  const save = createSaveHandler({ schema: serviceSchema, resource, ifStored: 'changed', ifMissing: 'inserted' })
  return async (transaction, { rows, context, request, receive }) => {
    requireSetMatch(request)
    return receive(await save(transaction, rows.slice(), context), 0)
  }
}

/** The URL has the key of the record; the body may repeat it, but not contain another. */
function updateRow(resource: Resource): ApplyRows {
  return async (transaction, { rows, context, request, receive }) => {
    const name = keyNameOf(resource)
    const key = requireRecordKey(request.path, resource)
    const keyedRows = rows.slice().map((row) => {
      const sent: RecordKey | undefined = row.values[name]
      if (sent !== undefined && sent !== key)
        throw fieldError('InvalidValue', resource.fields[name]?.wire ?? '', { problem: message('differsFromUrlKey') })
      return { ...row, values: { ...row.values, [name]: key } }
    })
    const save = createSaveHandler({
      schema: serviceSchema,
      resource,
      ifStored: 'changed',
      ifMissing: 'rejected',
      guard: (record) => requireMatch(request, resource, record),
    })
    return receive(await save(transaction, keyedRows, context), 0)
  }
}

/** `PUT` clears the fields that the body leaves out (OData 4.01 part 1, 11.4.3), but none that the caller cannot see. */
function withAllFields(resource: Resource, row: ValidRow, caller: Caller): ValidRow {
  const { fields, key } = resource
  const empty = Object.entries(newRecord(resource)).filter(([name]) => {
    const { readOnly, readScope } = fields[name] ?? {}
    return readOnly !== true && !key.includes(name) && !isHidden(readScope, caller)
  })
  return { ...row, values: { ...Object.fromEntries(empty), ...row.values } }
}

/** Text keys are chosen by the caller. */
function validateInsert(resource: Resource, row: RowContent, caller: Caller): ApiError[] {
  requireFieldScopes(resource, row, caller)
  const name = keyNameOf(resource)
  const isMissing = row.values[name] === undefined && resource.fields[name]?.type === 'text'
  return isMissing ? [missingKeyError(resource)] : []
}

function validateUpdate(resource: Resource, row: RowContent, caller: Caller): ApiError[] {
  requireFieldScopes(resource, row, caller)
  return row.isEmpty ? [new ApiError('NothingToChange')] : []
}

/** Throws `ScopeMissing` for a field that the caller may not read. */
function requireFieldScopes({ fields }: Resource, { values, index }: RowContent, caller: Caller): void {
  for (const name of Object.keys(values)) {
    const { readScope, wire = name } = fields[name] ?? {}
    if (!isHidden(readScope, caller)) continue
    const target = index === null ? wire : `[${index}].${wire}`
    throw new ApiError('ScopeMissing', { target, params: { scope: readScope } })
  }
}

/** Whether fields with this scope are hidden from the caller. */
function isHidden(readScope: string | undefined, { scopes }: Caller): readScope is string {
  const granted: ReadonlySet<string> = scopes
  return readScope !== undefined && !granted.has(readScope)
}
