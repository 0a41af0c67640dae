// Directory records in the app: field descriptions, add, change, delete.
import { invalid } from '../audited-action.ts'
import { readFields, type Fields } from '../body.ts'
import { json, type Asked } from '../route.ts'
import { words } from '../paths.ts'
import { deedOf, type Deed } from '../../auth/action-context.ts'
import type { DirectoryRow } from '../../directory/types.ts'
import { keyMissing, keyNameOf, recordKeyOf } from '../../directory/keys.ts'
import { removeRecord } from '../../directory/delete.ts'
import { saves } from '../../directory/save.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { readStamp } from '../../lib/timestamp.ts'
import { dagsverk } from '../../model/service-schema.ts'
import { department, employee, project, site } from '../../model/directory.ts'
import { headersOf } from '../../model/import-headers.ts'
import type { Field, RecordKey, Resource } from '../../engine/model/resource.ts'
import { referencesOf } from '../../engine/model/schema.ts'
import { phrase } from '../../errors/messages.ts'
import { writeAudit, type AuditAction } from '../../store/audit/audit.ts'
import type { StoredRecord } from '../../store/directory/directory-records.ts'
import type { Transaction } from '../../store/store.ts'
import { CellRows } from '../../engine/formats/csv/cell-rows.ts'

/** The writable fields of a set in form order, with titles and referenced sets. */
export async function directoryFields({ request }: Asked): Promise<Reply> {
  const resource = resourceIn(request.path)
  const relations = referencesOf(dagsverk, resource)
  return json({
    key: resource.fields[keyNameOf(resource)]?.wire,
    fields: Object.entries(headersOf(resource)).map(([name, { nb, en }]) => ({
      wire: resource.fields[name]?.wire,
      type: resource.fields[name]?.type,
      max: resource.fields[name]?.lengthMax ?? null,
      set: relations.find(({ on }) => Object.hasOwn(on, name))?.to.wire ?? null,
      nb,
      en,
    })),
  })
}

/**
 * Saves the fields in the body. `before` is the timestamp that the page showed: when the record has changed since,
 * nothing is stored, 412 `ChangedMeanwhile`. Without it a new record is added.
 */
export async function saveDirectoryRecord(asked: Asked): Promise<Reply> {
  const resource = resourceIn(asked.request.path)
  const fields = await readFields(asked.request)
  const before = stampIn(fields)
  const row = rowIn(resource, fields, asked)
  const save = saves({
    schema: dagsverk,
    resource,
    stored: before === null ? 'refused' : 'changed',
    missing: before === null ? 'inserted' : 'refused',
    ...(before === null ? {} : { guard: (record) => requireUnchanged(record, resource, before) }),
  })
  return done(
    asked,
    resource,
    before === null ? 'record-add' : 'record-change',
    async (on, deed) => {
      const [outcome] = await save(on, [row], deed)
      if (outcome === undefined) throw new Error('a row without an outcome')
      if ('record' in outcome) return recordKeyOf(resource, outcome.record)
      const { code, target, says } = outcome.refused
      throw new Fault(code, { says, ...(target === null ? {} : { target }) })
    },
  )
}

/** Throws `InUse`; a referenced employee is anonymized instead (ADR 0036). */
export async function removeDirectoryRecord(asked: Asked): Promise<Reply> {
  const resource = resourceIn(asked.request.path)
  const fields = await readFields(asked.request)
  const before = stampIn(fields)
  const key = rowIn(resource, fields, asked).values[keyNameOf(resource)]
  if (before === null || (typeof key !== 'string' && typeof key !== 'number'))
    throw new Fault('MissingField', { target: 'before', says: { field: 'before' } })
  return done(asked, resource, 'record-remove', async (transaction, deed) => {
    const guard = (record: StoredRecord) => requireUnchanged(record, resource, before)
    await removeRecord(transaction, { schema: dagsverk, resource, key, guard }, deed)
    return key
  })
}

/** Stores the action and its audit entry together, or neither; the entry contains only the key. */
async function done(
  { store, request, visitor, clock }: Asked,
  resource: Resource,
  action: AuditAction,
  act: (transaction: Transaction, deed: Deed) => Promise<RecordKey>,
): Promise<Reply> {
  const deed = deedOf(visitor.caller, request.id, clock())
  const { actor, requestId, now } = deed
  const key = await store.inTransaction(visitor.caller.companyId, async (transaction) => {
    const acted = await act(transaction, deed)
    const about = { at: now, actor, action, target: resource.wire, requestId }
    await writeAudit(transaction, { ...about, data: { record: `${resource.wire} ${acted}` } })
    return acted
  })
  return json({ id: key })
}

function requireUnchanged(record: StoredRecord, resource: Resource, before: number): void {
  if (record['changedAt'] === before) return
  const what = `${resource.wire} ${recordKeyOf(resource, record)}`
  throw new Fault('ChangedMeanwhile', {
    target: 'before',
    says: { what, actor: phrase('somebodyElse') },
  })
}

/** Parses fields like the cells of an import; an empty field is cleared. Throws the first error. */
function rowIn(resource: Resource, sent: Fields, { visitor }: Asked): DirectoryRow {
  const names = [...sent.keys()].filter((name) => name !== 'before')
  const rights: ReadonlySet<string> = visitor.caller.scopes
  const columns = names.map((wire, index) => {
    const [name, field] = fieldNamed(resource, wire)
    if (field.right !== undefined && !rights.has(field.right))
      throw new Fault('ScopeMissing', { target: wire, says: { scope: field.right } })
    return { index, field, isKey: resource.key.includes(name) }
  })
  const { zone } = visitor.caller.company
  const cells = new CellRows({ resource, columns, zone, rowsMax: 1, isEmptying: true })
  cells.add(names.map((name) => sent.get(name) ?? ''))
  const [row] = cells.rows
  const [wrong] = row?.details ?? []
  const place = (target: string | null) => target?.replace(/^\[0\]\.?/, '') ?? ''
  if (wrong !== undefined)
    throw new Fault(wrong.code, { target: place(wrong.target), says: wrong.says })
  const values = row?.values ?? {}
  const keyField = resource.fields[keyNameOf(resource)]
  if (keyField?.type === 'text' && values[keyNameOf(resource)] === undefined) {
    const { code, says } = keyMissing(resource, '')
    throw new Fault(code, { target: keyField.wire, says })
  }
  return { place: '', values }
}

/** Throws `UnknownField`. */
function fieldNamed({ fields }: Resource, wire: string): readonly [string, Field] {
  const found = Object.entries(fields).find(([, field]) => field.wire === wire)
  if (found === undefined || found[1].readOnly)
    throw new Fault('UnknownField', {
      target: wire.slice(0, 60),
      says: { field: wire.slice(0, 60) },
    })
  return found
}

function stampIn(fields: Fields): number | null {
  const text = fields.get('before') ?? null
  if (text === null) return null
  const stamp = readStamp(text)
  if (typeof stamp !== 'number') throw invalid('before', phrase('noSuchChoice'))
  return stamp
}

/** Throws `NotFound`. */
function resourceIn(path: string): Resource {
  const name = path.slice(words.directoryRecord.indexOf(':')).toLowerCase()
  const resource = directory.find(({ wire }) => wire.toLowerCase() === name)
  if (resource === undefined) throw new Fault('NotFound', { says: { what: phrase('theAddress') } })
  return resource
}

const directory: readonly Resource[] = [employee, department, project, site]
