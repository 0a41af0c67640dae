// Directory writes: insert, upsert a list, update one, delete one (interface 2.2).
import { deletes } from '../write-pipeline/delete.ts'
import { directoryManner, directoryScope } from './directory-write-profile.ts'
import type { Operation } from '../operation.ts'
import { requireSetWanted, requireWanted } from '../write-pipeline/preconditions.ts'
import { recordKeyIn } from '../odata/resource-url.ts'
import { writes, type Act } from '../write-pipeline/write.ts'
import type { Caller } from '../../auth/caller.ts'
import { keyMissing, keyNameOf } from '../../directory/keys.ts'
import { removeRecord } from '../../directory/delete.ts'
import { saves, type Saving } from '../../directory/save.ts'
import { Fault, type Detail } from '../../errors/catalog.ts'
import { dagsverk } from '../../model/service-schema.ts'
import type { RecordKey, Resource } from '../../engine/model/resource.ts'
import { phrase } from '../../errors/messages.ts'
import type { ReadRow } from '../../engine/formats/read/read-records.ts'

/** The write operations of a set and of its records. */
export interface DirectoryWrites {
  readonly insert: Operation
  readonly save: Operation
  readonly change: Operation
  readonly remove: Operation
}

export function directoryWrites(resource: Resource, plural: string): DirectoryWrites {
  return {
    insert: writes({
      ...common(resource),
      rule: '2.2.1',
      summary: `Insert one of the ${plural}, or a list`,
      body: 'either',
      status: 201,
      check: (row, caller) => withSentKey(resource, row, caller),
      act: savesMany({ schema: dagsverk, resource, stored: 'refused', missing: 'inserted' }),
    }),
    save: writes({
      ...common(resource),
      rule: '2.2.3',
      summary: `Insert and update ${plural} in one list`,
      body: 'many',
      status: 200,
      check: (row, caller) => withSentKey(resource, row, caller),
      act: savesMany({ schema: dagsverk, resource, stored: 'changed', missing: 'inserted' }),
    }),
    change: writes({
      ...common(resource),
      rule: '2.2.4',
      summary: `Update one of the ${plural}`,
      body: 'one',
      status: 200,
      check: (row, caller) => withChange(resource, row, caller),
      act: changesOne(resource),
    }),
    remove: deletes({
      ...common(resource),
      rule: '2.2.5',
      summary: `Delete one of the ${plural}`,
      scope: directoryScope,
      resource,
      headers: { 'Cache-Control': 'no-store' },
      remove: (transaction, request, deed) =>
        removeRecord(
          transaction,
          {
            schema: dagsverk,
            resource,
            key: requiredKey(resource, request.path),
            guard: (record) => requireWanted(request, resource, record),
          },
          deed,
        ),
    }),
  }
}

function common(resource: Resource) {
  return {
    manner: directoryManner(resource),
    input: resource,
  }
}

function savesMany(saving: Saving): Act {
  const save = saves(saving)
  return (transaction, rows, deed, request) => {
    requireSetWanted(request)
    return save(transaction, rows, deed)
  }
}

/** The URL has the key of the record; the body may repeat it, but not contain another. */
function changesOne(resource: Resource): Act {
  return (transaction, rows, deed, request) => {
    const name = keyNameOf(resource)
    const key = requiredKey(resource, request.path)
    const meant = rows.map(({ place, values }) => {
      const sent: RecordKey | undefined = values[name]
      if (sent !== undefined && sent !== key) throw otherKey(resource)
      return { place, values: { ...values, [name]: key } }
    })
    const save = saves({
      schema: dagsverk,
      resource,
      stored: 'changed',
      missing: 'refused',
      guard: (record) => requireWanted(request, resource, record),
    })
    return save(transaction, meant, deed)
  }
}

function requiredKey(resource: Resource, path: string): RecordKey {
  const key = recordKeyIn(path, resource)
  if (key === null) throw new Fault('NotFound', { says: { what: phrase('theRecord') } })
  return key
}

function otherKey(resource: Resource): Fault {
  const field = wireOf(resource, keyNameOf(resource))
  return new Fault('InvalidValue', {
    target: field,
    says: { field, problem: phrase('notThatOfAddress') },
  })
}

function wireOf({ fields }: Resource, name: string): string {
  return fields[name]?.wire ?? name
}

/** Text keys are chosen by the caller. */
function withSentKey(resource: Resource, row: ReadRow, caller: Caller): Detail[] {
  requireRights(resource, row, caller)
  const name = keyNameOf(resource)
  const isMissing = row.values[name] === undefined && resource.fields[name]?.type === 'text'
  return isMissing ? [keyMissing(resource, row.place)] : []
}

function withChange(resource: Resource, row: ReadRow, caller: Caller): Detail[] {
  requireRights(resource, row, caller)
  return row.known === 0 ? [new Fault('NothingToChange').detail(row.place)] : []
}

/** Throws `ScopeMissing` for a field that the caller may not read. */
function requireRights({ fields }: Resource, { values, place }: ReadRow, caller: Caller): void {
  for (const name of Object.keys(values)) {
    const { right, wire = name } = fields[name] ?? {}
    if (right === undefined || [...caller.scopes].some((scope) => scope === right)) continue
    const target = place === '' ? wire : `${place}.${wire}`
    throw new Fault('ScopeMissing', { target, says: { scope: right } })
  }
}
