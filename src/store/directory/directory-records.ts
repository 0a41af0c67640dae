// Records of the directory as acts see them: found by key, saved whole, and deleted with a trace for readers.
import { sql, type RawBuilder } from 'kysely'
import type { RecordKey, Resource } from '../../engine/model/resource.ts'
import type { Relation } from '../../engine/model/schema.ts'
import { numberedBelow } from '../sequences.ts'
import { columnTypeOf } from '../tables/directory.ts'
import { inserter, insertRows, type Inserter } from '../bulk-insert.ts'
import { rowsOf, statement, type Build, type RowColumns, type Statement } from '../statement.ts'
import type { Transaction } from '../store.ts'

/** Values by house name, as they are stored: booleans are 0 and 1. */
export type StoredRecord = Readonly<Record<string, string | number | null>>

/** Records by key; keys that do not exist in this company are not in the map. */
export async function recordsByKey(
  transaction: Transaction,
  resource: Resource,
  keys: readonly RecordKey[],
): Promise<Map<RecordKey, StoredRecord>> {
  const rows = await transaction.all(byKey(resource), {
    companyId: transaction.companyId,
    keys: listOf(keys),
  })
  return new Map(rows.map((row) => [keyOf(resource, row), row]))
}

/** Which of these keys exist in this company. */
export async function existingKeys(
  transaction: Transaction,
  resource: Resource,
  keys: readonly RecordKey[],
): Promise<Set<RecordKey>> {
  const rows = await transaction.all(existing(resource), {
    companyId: transaction.companyId,
    keys: listOf(keys),
  })
  return new Set(rows.map((row) => row.key))
}

/** Saves records whole, new ones and changed ones; each key stands in the list once. */
export async function saveRecords(
  transaction: Transaction,
  resource: Resource,
  records: readonly StoredRecord[],
): Promise<void> {
  return insertRows(transaction, savingOf(resource), records)
}

/** The highest number that is a key and counts; 0 where there is none. */
export async function highestKey(transaction: Transaction, resource: Resource): Promise<number> {
  const row = await transaction.first(highest(resource), { companyId: transaction.companyId })
  return row?.highest ?? 0
}

/** Which records have these external ids; one of them may be that of several. */
export async function keysByExternalId(
  transaction: Transaction,
  resource: Resource,
  externalIds: readonly string[],
): Promise<{ externalId: string; key: RecordKey }[]> {
  return transaction.all(byExternalId(resource), {
    companyId: transaction.companyId,
    keys: listOf(externalIds),
  })
}

/** The keys of the employees who have this address, in any letter case. */
export async function employeesWithEmail(
  transaction: Transaction,
  email: string,
): Promise<number[]> {
  const rows = await transaction.all(byEmail, {
    companyId: transaction.companyId,
    email: email.toLowerCase(),
  })
  return rows.map(({ id }) => id)
}

/** Deletes records that nothing refers to. Each gets a stamp that readers learn of it by; `now` in microseconds. */
export async function deleteRecords(
  transaction: Transaction,
  resource: Resource,
  keys: readonly RecordKey[],
  now: number,
): Promise<void> {
  const { companyId, counters } = transaction
  await transaction.run(deleting(resource), { companyId, keys: listOf(keys) })
  const traces = keys.map((key) => ({
    resource: resource.table,
    key: String(key),
    at: counters.nextStamp(now),
  }))
  await insertRows(transaction, tracing, traces)
}

/** Records that came back are not deleted any more. */
export async function forgetDeletions(
  transaction: Transaction,
  resource: Resource,
  keys: readonly RecordKey[],
): Promise<void> {
  const values = { companyId: transaction.companyId, resource: resource.table }
  await transaction.run(untracing, { ...values, keys: listOf(keys.map(String)) })
}

/** The key of a record that refers to this one by the relation; null where none does but itself. */
export async function referrerOf(
  transaction: Transaction,
  relation: Relation,
  key: RecordKey,
): Promise<RecordKey | null> {
  const row = await transaction.first(referring(relation), {
    companyId: transaction.companyId,
    key,
  })
  return row?.key ?? null
}

/** Which of these are referred to by the relation, other than by themselves. */
export async function referredKeys(
  transaction: Transaction,
  relation: Relation,
  keys: readonly RecordKey[],
): Promise<RecordKey[]> {
  const rows = await transaction.all(referred(relation), {
    companyId: transaction.companyId,
    keys: listOf(keys),
  })
  return rows.map(({ key }) => key)
}

/** A list of keys as it travels. */
function listOf(keys: readonly RecordKey[]): string {
  return JSON.stringify(keys.map((key) => ({ key })))
}

/** Every resource of the directory has a key of one field. */
function keyNameOf({ key: [name = ''] }: Resource): string {
  return name
}

function keyOf(resource: Resource, record: StoredRecord): RecordKey {
  const key = record[keyNameOf(resource)]
  if (key === null || key === undefined) throw new Error(`a ${resource.table} without a key`)
  return key
}

/** One statement for each of what it is about. */
function perSubject<Subject extends object, Row>(
  build: (subject: Subject, build: Build) => RawBuilder<unknown>,
): (subject: Subject) => Statement<Row> {
  const made = new WeakMap<Subject, Statement<Row>>()
  return (subject) => {
    let found = made.get(subject)
    if (found === undefined)
      made.set(subject, (found = statement<Row>((tools) => build(subject, tools))))
    return found
  }
}

function keyColumn(resource: Resource): RawBuilder<unknown> {
  return sql.ref(`${resource.table}.${keyNameOf(resource)}`)
}

function keysOf(build: Build, resource: Resource): RawBuilder<unknown> {
  const type = resource.fields[keyNameOf(resource)]?.type ?? 'text'
  return rowsOf(build, 'keys', { key: columnTypeOf(type) })
}

function companyOf(resource: Resource): RawBuilder<unknown> {
  return sql.ref(`${resource.table}.companyId`)
}

const byKey = perSubject<Resource, StoredRecord>((resource, build) => {
  const columns = Object.keys(resource.fields).map((name) => sql.ref(`${resource.table}.${name}`))
  return sql`
    select ${sql.join(columns)} from ${keysOf(build, resource)} cross join ${sql.table(resource.table)}
    where ${companyOf(resource)} = ${build.value('companyId')} and ${keyColumn(resource)} = r.key`
})

const existing = perSubject<Resource, { key: RecordKey }>(
  (resource, build) => sql`
    select r.key from ${keysOf(build, resource)} cross join ${sql.table(resource.table)}
    where ${companyOf(resource)} = ${build.value('companyId')} and ${keyColumn(resource)} = r.key`,
)

const byExternalId = perSubject<Resource, { externalId: string; key: RecordKey }>(
  (resource, build) => sql`
    select r.key as "externalId", ${keyColumn(resource)} as key
    from ${rowsOf(build, 'keys', { key: 'text' })} cross join ${sql.table(resource.table)}
    where ${companyOf(resource)} = ${build.value('companyId')}
      and ${sql.ref(`${resource.table}.externalId`)} = r.key`,
)

const highest = perSubject<Resource, { highest: number | null }>(
  (resource, { value }) => sql`
    select max(${keyColumn(resource)}) as highest from ${sql.table(resource.table)}
    where ${companyOf(resource)} = ${value('companyId')} and ${keyColumn(resource)} < ${sql.lit(numberedBelow)}`,
)

function savingOf(resource: Resource): Inserter<RowColumns> {
  let found = savings.get(resource)
  if (found === undefined) savings.set(resource, (found = buildSaving(resource)))
  return found
}

const savings = new WeakMap<Resource, Inserter<RowColumns>>()

function buildSaving({ table, fields, key }: Resource): Inserter<RowColumns> {
  const columns: RowColumns = Object.fromEntries(
    Object.entries(fields).map(([name, { type }]) => [name, columnTypeOf(type)]),
  )
  const changed = Object.keys(fields)
    .filter((name) => !key.includes(name))
    .map((name) => sql`${sql.id(name)} = ${sql.ref(`excluded.${name}`)}`)
  const keys = ['companyId', ...key].map((name) => sql.id(name))
  const tail = sql`on conflict (${sql.join(keys)}) do update set ${sql.join(changed)}`
  return inserter(table, columns, tail)
}

const deleting = perSubject<Resource, never>(
  (resource, build) => sql`
    delete from ${sql.table(resource.table)} where ${companyOf(resource)} = ${build.value('companyId')}
      and ${keyColumn(resource)} in (select r.key from ${keysOf(build, resource)})`,
)

/** A record that refers to itself does not stand in its own way. */
const referring = perSubject<Relation, { key: RecordKey }>(({ of, to, on }, { value }) => {
  const [column = ''] = Object.keys(on)
  const isOther = of === to ? sql` and ${keyColumn(of)} <> ${value('key')}` : sql``
  return sql`
    select ${keyColumn(of)} as key from ${sql.table(of.table)}
    where ${companyOf(of)} = ${value('companyId')}
      and ${sql.ref(`${of.table}.${column}`)} = ${value('key')}${isOther}
    order by ${sql.ref(`${of.table}.${column}`)}, ${keyColumn(of)} limit 1`
})

const referred = perSubject<Relation, { key: RecordKey }>(({ of, to, on }, build) => {
  const [column = ''] = Object.keys(on)
  const isOther = of === to ? sql` and ${keyColumn(of)} <> r.key` : sql``
  return sql`
    select r.key from ${keysOf(build, to)} where exists (
      select 1 from ${sql.table(of.table)} where ${companyOf(of)} = ${build.value('companyId')}
        and ${sql.ref(`${of.table}.${column}`)} = r.key${isOther})`
})

const byEmail = statement<{ id: number }>(
  ({ value }) => sql`
    select employee.id from employee where employee."companyId" = ${value('companyId')}
      and lower(employee.email) = ${value('email')} order by employee.id`,
)

const tracing = inserter(
  'directoryDeletion',
  { resource: 'text', key: 'text', at: 'integer' },
  sql`on conflict ("companyId", resource, key) do update set at = excluded.at`,
)

const untracing = statement(
  (build) => sql`
    delete from "directoryDeletion" where "companyId" = ${build.value('companyId')}
      and resource = ${build.value('resource')}
      and key in (select r.key from ${rowsOf(build, 'keys', { key: 'text' })})`,
)
