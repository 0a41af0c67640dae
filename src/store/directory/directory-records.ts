// Directory records: finds them by key, saves whole records, and deletes them with tombstones.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId, RecordKey, Resource } from '../../engine/model/resource.ts'
import type { Relation } from '../../engine/model/schema.ts'
import { memoize } from '../../lib/memoize.ts'
import { forEachChunk } from '../../lib/yield-to-event-loop.ts'
import { sequenceKeyLimit } from '../sequences.ts'
import { columnTypeOf, fieldColumns } from '../tables/field-columns.ts'
import { defineInsert, insertRows, bulkInsert, type InsertStatements } from '../bulk-insert.ts'
import { companyRowQuery, companyRowsQuery, idsCommand, idsQuery, rowsQuery, type NoValues } from '../queries.ts'
import type { Transaction } from '../store.ts'
import { flagAfterDelete, flagAfterInsert, isReferredTable } from '../material/unknown-references.ts'
import { tables } from '../tables.ts'

/** Values by field name, as they are stored: booleans are 0 and 1. */
export type StoredRecord = Readonly<Record<string, string | number | null>>

/** Records by key; keys that do not exist in this company are not in the map. */
export async function findRecords(
  transaction: Transaction,
  resource: Resource,
  keys: readonly RecordKey[],
): Promise<Map<RecordKey, StoredRecord>> {
  const found = new Map<RecordKey, StoredRecord>()
  await forEachChunk(await listByKey(resource)(transaction, keys), chunkRows, (rows) => {
    for (const row of rows) found.set(keyOf(resource, row), row)
  })
  return found
}

const chunkRows = 2000

/** Which of these keys exist in this company. */
export async function findExistingKeys(
  transaction: Transaction,
  resource: Resource,
  keys: readonly RecordKey[],
): Promise<Set<RecordKey>> {
  const rows = await listExisting(resource)(transaction, keys)
  return new Set(rows.map(({ id }) => id))
}

/** Inserts new records and overwrites existing ones; each key occurs once in the list. */
export async function saveRecords(
  transaction: Transaction,
  resource: Resource,
  records: readonly StoredRecord[],
): Promise<void> {
  return insertRows(transaction, saveStatements(resource), records)
}

/** The keys of employees with this e-mail address, in any letter case. */
export async function findEmployeesByEmail(transaction: Transaction, email: string): Promise<number[]> {
  return (await listByEmail(transaction, { email: email.toLowerCase() })).map(({ id }) => id)
}

/** Deletes records that nothing refers to, and inserts a tombstone with a timestamp for each; `now` in microseconds. */
export async function deleteRecords(
  transaction: Transaction,
  resource: Resource,
  keys: readonly RecordKey[],
  now: number,
): Promise<void> {
  await deleteByKey(resource)(transaction, keys)
  if (isReferredTable(resource.table)) await flagAfterDelete(transaction, resource.table)
  const tombstones = keys.map((key) => ({
    resource: resource.table,
    key: String(key),
    at: transaction.sequences.nextStamp(now),
  }))
  await saveTombstones(transaction, tombstones)
}

/** After records were inserted: deletes the tombstones of those that exist again, and clears what was unknown without them. */
export async function completeInsert(
  transaction: Transaction,
  resource: Resource,
  keys: readonly RecordKey[],
): Promise<void> {
  if (isReferredTable(resource.table)) await flagAfterInsert(transaction, resource.table, keys.map(String))
  await deleteTombstonesOf(transaction, keys.map(String), { resource: resource.table })
}

/** Stores records with the values of their fields, in place of those that have their keys. */
export async function insertRecords(
  transaction: Transaction,
  resource: Resource,
  records: readonly Readonly<Record<string, FieldInput>>[],
): Promise<void> {
  const stored = records.map((record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toStoredValue(value)])),
  )
  await saveRecords(transaction, resource, stored)
  const keys = stored.map((record) => keyOf(resource, record))
  await completeInsert(transaction, resource, keys)
}

type FieldInput = string | number | boolean | null | undefined

/** Booleans are stored as 0 and 1. */
export function toStoredValue(value: FieldInput): string | number | null {
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}

/** The names of the departments of a company, for screens. */
export const listDepartmentNames = rowsQuery<{ companyId: CompanyId }, { id: string; name: string | null }>(
  ({ value }) => sql`select id, name from department where "companyId" = ${value('companyId')} order by id`,
)

/** The internal name of the key field; every directory resource has a key of one field. */
export function keyNameOf({ key: [name = ''] }: Resource): string {
  return name
}

function keyOf(resource: Resource, record: StoredRecord): RecordKey {
  const key = record[keyNameOf(resource)]
  if (key === null || key === undefined) throw new Error(`a ${resource.table} without a key`)
  return key
}

function keyColumn(resource: Resource): RawBuilder<unknown> {
  return sql.ref(`${resource.table}.${keyNameOf(resource)}`)
}

function typeOf({ fields }: Resource, name: string) {
  return columnTypeOf(fields[name]?.type ?? 'text')
}

function companyOf(resource: Resource): RawBuilder<unknown> {
  return sql.ref(`${resource.table}.companyId`)
}

/** Declares a function that finds records by the value of a column, in a list. */
function recordsQuery<Row>(resource: Resource, columns: RawBuilder<unknown>, by = keyNameOf(resource)) {
  return idsQuery<NoValues, Row>(
    ({ value }, list) => sql`
      select ${columns} from ${list} cross join ${sql.table(resource.table)}
      where ${companyOf(resource)} = ${value('companyId')} and ${sql.ref(`${resource.table}.${by}`)} = r.id`,
    typeOf(resource, by),
  )
}

const listByKey = memoize((resource: Resource) =>
  recordsQuery<StoredRecord>(
    resource,
    sql.join(Object.keys(resource.fields).map((name) => sql.ref(`${resource.table}.${name}`))),
  ),
)

const listExisting = memoize((resource: Resource) => recordsQuery<{ id: RecordKey }>(resource, sql`r.id`))

/** Finds the keys of records by external ids; several records may have the same one. */
export const listByExternalId = memoize((resource: Resource) =>
  recordsQuery<{ externalId: string; key: RecordKey }>(
    resource,
    sql`r.id as "externalId", ${keyColumn(resource)} as key`,
    'externalId',
  ),
)

/** Finds the highest key below the sequence limit; null where there is none. */
export const findHighestKey = memoize((resource: Resource) =>
  companyRowQuery<NoValues, { highest: number | null }>(
    ({ value }) => sql`
      select max(${keyColumn(resource)}) as highest from ${sql.table(resource.table)}
      where ${companyOf(resource)} = ${value('companyId')} and ${keyColumn(resource)} < ${sql.lit(sequenceKeyLimit)}`,
  ),
)

const saveStatements = memoize(({ table, fields, key }: Resource): InsertStatements<StoredRecord> => {
  const changed = Object.keys(fields)
    .filter((name) => !key.includes(name))
    .map((name) => sql`${sql.id(name)} = ${sql.ref(`excluded.${name}`)}`)
  const keys = ['companyId', ...key].map((name) => sql.id(name))
  const tail = sql`on conflict (${sql.join(keys)}) do update set ${sql.join(changed)}`
  return defineInsert({ name: table, columns: fieldColumns(fields) }, tail)
})

const deleteByKey = memoize((resource: Resource) =>
  idsCommand<NoValues>(
    ({ value }, list) => sql`
      delete from ${sql.table(resource.table)} where ${companyOf(resource)} = ${value('companyId')}
        and ${keyColumn(resource)} in (select r.id from ${list})`,
    typeOf(resource, keyNameOf(resource)),
  ),
)

/** Finds the first other record that refers to a record by the relation; one that refers to itself can be deleted. */
export const findReferrer = memoize(({ of, to, on }: Relation) => {
  const [column = ''] = Object.keys(on)
  return companyRowQuery<{ key: RecordKey }, { key: RecordKey }>(
    ({ value }) => sql`
      select ${keyColumn(of)} as key from ${sql.table(of.table)}
      where ${companyOf(of)} = ${value('companyId')} and ${sql.ref(`${of.table}.${column}`)} = ${value('key')}
        ${of === to ? sql`and ${keyColumn(of)} <> ${value('key')}` : sql``}
      order by ${sql.ref(`${of.table}.${column}`)}, ${keyColumn(of)} limit 1`,
  )
})

/** Finds which of some keys other records refer to by the relation. */
export const listReferenced = memoize(({ of, to, on }: Relation) => {
  const [column = ''] = Object.keys(on)
  return idsQuery<NoValues, { id: RecordKey }>(
    ({ value }, list) => sql`
      select r.id from ${list} where exists (
        select 1 from ${sql.table(of.table)} where ${companyOf(of)} = ${value('companyId')}
          and ${sql.ref(`${of.table}.${column}`)} = r.id ${of === to ? sql`and ${keyColumn(of)} <> r.id` : sql``})`,
    typeOf(to, keyNameOf(to)),
  )
})

const listByEmail = companyRowsQuery<{ email: string }, { id: number }>(
  ({ value }) => sql`
    select employee.id from employee where employee."companyId" = ${value('companyId')}
      and lower(employee.email) = ${value('email')} order by employee.id`,
)

const saveTombstones = bulkInsert(
  tables.directoryDeletion,
  sql`on conflict ("companyId", resource, key) do update set at = excluded.at`,
)

const deleteTombstonesOf = idsCommand<{ resource: string }>(
  ({ value }, list) => sql`
    delete from "directoryDeletion" where "companyId" = ${value('companyId')} and resource = ${value('resource')}
      and key in (select r.id from ${list})`,
  'text',
)
