// Directory records: finds them by key, saves whole records, and deletes them with tombstones.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId, RecordKey, Resource } from '../../engine/model/resource.ts'
import type { Relation } from '../../engine/model/schema.ts'
import { memoize } from '../../lib/memoize.ts'
import { sequenceKeyLimit } from '../sequences.ts'
import { columnTypeOf, fieldColumns } from '../tables/field-columns.ts'
import { defineInsert, insertRows, bulkInsert, type InsertStatements } from '../bulk-insert.ts'
import { companyCommand, companyRowsQuery, rowsQuery, type NoValues } from '../queries.ts'
import { rowsFromJson, statement, type Build, type NamedValues } from '../statement.ts'
import type { Awaitable, Transaction } from '../store.ts'
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
  const rows = await listByKey(transaction, resource, keys)
  return new Map(rows.map((row) => [keyOf(resource, row), row]))
}

/** Which of these keys exist in this company. */
export async function findExistingKeys(
  transaction: Transaction,
  resource: Resource,
  keys: readonly RecordKey[],
): Promise<Set<RecordKey>> {
  const rows = await listExisting(transaction, resource, keys)
  return new Set(rows.map(({ key }) => key))
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
  const { companyId } = transaction
  await transaction.run(deleteStatement(resource), { companyId, keys: keysParameter(keys) })
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
  await deleteTombstonesOf(transaction, { resource: resource.table, keys: keysParameter(keys.map(String)) })
}

/** The names of the departments of a company, for screens. */
export const listDepartmentNames = rowsQuery<{ companyId: CompanyId }, { id: string; name: string | null }>(
  ({ value }) => sql`select id, name from department where "companyId" = ${value('companyId')} order by id`,
)

type Keys = { readonly keys: string }

function keysParameter(keys: readonly RecordKey[]): string {
  return JSON.stringify(keys.map((key) => ({ key })))
}

/** The internal name of the key field; every directory resource has a key of one field. */
export function keyNameOf({ key: [name = ''] }: Resource): string {
  return name
}

function keyOf(resource: Resource, record: StoredRecord): RecordKey {
  const key = record[keyNameOf(resource)]
  if (key === null || key === undefined) throw new Error(`a ${resource.table} without a key`)
  return key
}

/** Declares a function that finds rows of the transaction's company by the statement of a resource or relation. */
function queryOf<Target extends object, Values extends NamedValues<Values>, Row>(
  build: (target: Target, build: Build) => RawBuilder<unknown>,
) {
  const statementOf = memoize((target: Target) => statement<Row>((tools) => build(target, tools)))
  return (transaction: Transaction, target: Target, values: Values): Awaitable<Row[]> =>
    transaction.all(statementOf(target), { companyId: transaction.companyId, ...values })
}

/** The same for a list of keys, which the statement has as `keys`. */
function keysQueryOf<Target extends object, Row>(build: (target: Target, build: Build) => RawBuilder<unknown>) {
  const query = queryOf<Target, Keys, Row>(build)
  return (transaction: Transaction, target: Target, keys: readonly RecordKey[]): Awaitable<Row[]> =>
    query(transaction, target, { keys: keysParameter(keys) })
}

function keyColumn(resource: Resource): RawBuilder<unknown> {
  return sql.ref(`${resource.table}.${keyNameOf(resource)}`)
}

function keysOf(build: Build, resource: Resource): RawBuilder<unknown> {
  const type = resource.fields[keyNameOf(resource)]?.type ?? 'text'
  return rowsFromJson(build, 'keys', { key: columnTypeOf(type) })
}

function companyOf(resource: Resource): RawBuilder<unknown> {
  return sql.ref(`${resource.table}.companyId`)
}

const listByKey = keysQueryOf<Resource, StoredRecord>((resource, build) => {
  const columns = Object.keys(resource.fields).map((name) => sql.ref(`${resource.table}.${name}`))
  return sql`
    select ${sql.join(columns)} from ${keysOf(build, resource)} cross join ${sql.table(resource.table)}
    where ${companyOf(resource)} = ${build.value('companyId')} and ${keyColumn(resource)} = r.key`
})

const listExisting = keysQueryOf<Resource, { key: RecordKey }>(
  (resource, build) => sql`
    select r.key from ${keysOf(build, resource)} cross join ${sql.table(resource.table)}
    where ${companyOf(resource)} = ${build.value('companyId')} and ${keyColumn(resource)} = r.key`,
)

/** The keys of records with these external ids; several records may have the same one. */
export const listByExternalId = keysQueryOf<Resource, { externalId: string; key: RecordKey }>(
  (resource, build) => sql`
    select r.key as "externalId", ${keyColumn(resource)} as key
    from ${rowsFromJson(build, 'keys', { key: 'text' })} cross join ${sql.table(resource.table)}
    where ${companyOf(resource)} = ${build.value('companyId')}
      and ${sql.ref(`${resource.table}.externalId`)} = r.key`,
)

/** The highest key below the sequence limit; null where there is none. */
export const listHighestKey = queryOf<Resource, NoValues, { highest: number | null }>(
  (resource, { value }) => sql`
    select max(${keyColumn(resource)}) as highest from ${sql.table(resource.table)}
    where ${companyOf(resource)} = ${value('companyId')} and ${keyColumn(resource)} < ${sql.lit(sequenceKeyLimit)}`,
)

const saveStatements = memoize(({ table, fields, key }: Resource): InsertStatements<StoredRecord> => {
  const changed = Object.keys(fields)
    .filter((name) => !key.includes(name))
    .map((name) => sql`${sql.id(name)} = ${sql.ref(`excluded.${name}`)}`)
  const keys = ['companyId', ...key].map((name) => sql.id(name))
  const tail = sql`on conflict (${sql.join(keys)}) do update set ${sql.join(changed)}`
  return defineInsert({ name: table, columns: fieldColumns(fields) }, tail)
})

const deleteStatement = memoize((resource: Resource) =>
  statement(
    (build) => sql`
      delete from ${sql.table(resource.table)} where ${companyOf(resource)} = ${build.value('companyId')}
        and ${keyColumn(resource)} in (select r.key from ${keysOf(build, resource)})`,
  ),
)

/** The first other record that refers to a record by the relation; one that refers to itself can be deleted. */
export const listReferrers = queryOf<Relation, { key: RecordKey }, { key: RecordKey }>(({ of, to, on }, { value }) => {
  const [column = ''] = Object.keys(on)
  const isOther = of === to ? sql` and ${keyColumn(of)} <> ${value('key')}` : sql``
  return sql`
    select ${keyColumn(of)} as key from ${sql.table(of.table)}
    where ${companyOf(of)} = ${value('companyId')}
      and ${sql.ref(`${of.table}.${column}`)} = ${value('key')}${isOther}
    order by ${sql.ref(`${of.table}.${column}`)}, ${keyColumn(of)} limit 1`
})

/** Which of these keys other records refer to by the relation. */
export const listReferenced = keysQueryOf<Relation, { key: RecordKey }>(({ of, to, on }, build) => {
  const [column = ''] = Object.keys(on)
  const isOther = of === to ? sql` and ${keyColumn(of)} <> r.key` : sql``
  return sql`
    select r.key from ${keysOf(build, to)} where exists (
      select 1 from ${sql.table(of.table)} where ${companyOf(of)} = ${build.value('companyId')}
        and ${sql.ref(`${of.table}.${column}`)} = r.key${isOther})`
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

const deleteTombstonesOf = companyCommand<Keys & { resource: string }>(
  (build) => sql`
    delete from "directoryDeletion" where "companyId" = ${build.value('companyId')}
      and resource = ${build.value('resource')}
      and key in (select r.key from ${rowsFromJson(build, 'keys', { key: 'text' })})`,
)
