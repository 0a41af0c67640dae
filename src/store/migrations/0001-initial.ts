// The initial schema, written from the table definitions.
import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { SqlDialect } from '../../engine/sql/dialect.ts'
import { tables } from '../tables.ts'
import {
  autoincremented,
  type ColumnDefinition,
  type IndexDefinition,
  type Reference,
  type TableDefinition,
} from '../tables/define-table.ts'
import { contentColumns } from '../tables/field-columns.ts'
import { companyRole, companySetting } from '../postgres/company-role.ts'

export async function up(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  for (const text of statements(dialect)) await sql.raw(text).execute(db)
}

/**
 * Differs for another schema. It is a part of the migration's name, so that databases and backups with another initial
 * schema are not taken for those of this version.
 */
export function fingerprint(): string {
  const texts = [...statements('sqlite'), ...statements('postgres')]
  // The bundled program may have the tables in another order.
  return createHash('sha256').update(texts.sort().join('\n')).digest('hex').slice(0, 8)
}

function statements(dialect: SqlDialect): readonly string[] {
  const all: readonly TableDefinition[] = Object.values(tables)
  const isPostgres = dialect === 'postgres'
  return [
    ...(isPostgres ? [companyGrants] : []),
    ...all.map((table) => createTable(table, dialect)),
    // SQLite accepts a reference to a table that is created later, PostgreSQL adds it afterwards.
    ...(isPostgres ? all.flatMap(addReferences) : []),
    ...all.flatMap((table) =>
      Object.entries(table.indexes).flatMap(([key, index]) =>
        index.isOnSqlite || dialect === 'postgres' ? [createIndex(key, table.name, index)] : [],
      ),
    ),
    ...(isPostgres ? [rejectChange] : []),
    ...all.flatMap(({ name, isAppendOnly }) => (isAppendOnly ? appendOnlyTriggers(name, dialect) : [])),
    ...(isPostgres ? all.flatMap(rowSecurity) : []),
    // With the permissions of who reads it, instead of those of its owner.
    `create view exportable ${isPostgres ? 'with (security_invoker = true)' : ''} as ${exportableView}`,
  ]
}

/**
 * The lines that a destination may retrieve, as `TransaksjonsEksport` shows them: the line as it was approved, its state
 * at the destination, and who has claimed it. From the second generation on, the export key has the generation behind it.
 */
const exportableView = `
  select "destinationLine"."companyId", "destinationLine"."destinationId", "destinationLine"."lineId" as id, "destinationLine"."readyAt",
    ${Object.keys(contentColumns)
      .map((name) => `line."${name}"`)
      .join(', ')},
    'Godkjent' as state, null as "rejectionReason", "destinationLine"."approvedAt", "destinationLine"."approvedBy",
    cast(null as bigint) as "exportedAt", "destinationLine"."readyAt" as "changedAt", line."createdAt",
    line."materialId" as "transactionId", line.revision, line."lineKind", line."reversesId", line."replacesId",
    case when "destinationLine".generation = 1 then line."exportKey"
      else line."exportKey" || '.g' || "destinationLine".generation end as "exportKey",
    "destinationLine"."postingDate", claim.holder as "claimedBy", claim."expiresAt" as "claimedUntil", "destinationLine".failures, "destinationLine"."parkedAt"
  from "destinationLine"
  join "exportLine" as line on line."companyId" = "destinationLine"."companyId" and line.id = "destinationLine"."lineId"
    and line.revision = "destinationLine".revision
  left join claim on claim."companyId" = "destinationLine"."companyId" and claim.id = "destinationLine"."claimId"
    and claim.state = 'open'
  where "destinationLine".state = 'ready'`

/** For every table that is created from now on. */
const companyGrants = `
  do $$ begin
    execute format('grant usage on schema %1$I to ${companyRole};
      alter default privileges in schema %1$I grant select, insert, update, delete on tables to ${companyRole}',
      current_schema());
  end $$`

/** An equality alone, which the planner merges with that of the statement, so that no row is tested by it (ADR 0065). */
function rowSecurity({ name, hasRowSecurity }: TableDefinition): string[] {
  if (!hasRowSecurity) return []
  return [
    `alter table ${quoted(name)} enable row level security`,
    `create policy ${quoted(`${name}Company`)} on ${quoted(name)}
      using ("companyId" = current_setting('${companySetting}')::bigint)`,
  ]
}

function createTable(table: TableDefinition, dialect: SqlDialect): string {
  const { name, columns, primaryKey, references, checks } = table
  const parts = Object.entries(columns).map(
    ([column, definition]) => `${quoted(column)} ${columnType(definition, dialect)}`,
  )
  const counts = Object.values(columns).some((column) => column.defaultValue === autoincremented)
  if (!counts) parts.push(`constraint ${quoted(`${name}Key`)} primary key (${list(primaryKey)})`)
  for (const [key, condition] of Object.entries(checks)) parts.push(`constraint ${quoted(key)} check (${condition})`)
  if (dialect === 'sqlite') for (const reference of references) parts.push(foreignKey(table, reference))
  // Without rowid, the rows of a SQLite table are stored in the order of its primary key (ADR 0010).
  const options = counts ? 'strict' : 'strict, without rowid'
  return `create table ${quoted(name)} (${parts.join(', ')})${dialect === 'sqlite' ? ` ${options}` : ''}`
}

function columnType({ type, isNullable, defaultValue }: ColumnDefinition<unknown>, dialect: SqlDialect): string {
  if (defaultValue === autoincremented)
    return dialect === 'sqlite'
      ? 'integer primary key autoincrement not null'
      : 'bigint generated by default as identity primary key'
  const types = { sqlite: type, postgres: type === 'text' ? 'text collate "C"' : 'bigint' }
  const written = typeof defaultValue === 'string' ? `'${defaultValue}'` : (defaultValue?.toString() ?? null)
  return `${types[dialect]}${isNullable ? '' : ' not null'}${written === null ? '' : ` default ${written}`}`
}

function foreignKey(table: TableDefinition, { columns, table: to, keys }: Reference): string {
  const [last = ''] = columns.slice(-1)
  const name = `${table.name}${last.charAt(0).toUpperCase()}${last.slice(1)}Reference`
  return `constraint ${quoted(name)} foreign key (${list(columns)})
    references ${quoted(to)} (${list(keys)}) deferrable initially deferred`
}

function addReferences(table: TableDefinition): string[] {
  return table.references.map((reference) => `alter table ${quoted(table.name)} add ${foreignKey(table, reference)}`)
}

function createIndex(name: string, table: string, { columns, isUnique, where }: IndexDefinition): string {
  return `create ${isUnique ? 'unique ' : ''}index ${quoted(name)} on ${quoted(table)} (${columns.map(indexed).join(', ')})${where === null ? '' : ` where ${where}`}`
}

/** A column, or an expression in parentheses. */
function indexed(column: string): string {
  return column.startsWith('(') ? column : quoted(column)
}

const rejectChange = `create or replace function "rejectChange"() returns trigger language plpgsql as
  $$ begin raise exception 'append-only'; end $$`

/** For every connection to the database: its rows are neither changed nor deleted. */
function appendOnlyTriggers(table: string, dialect: SqlDialect): string[] {
  if (dialect === 'postgres')
    return [
      `create trigger ${quoted(`${table}NoChange`)} before update or delete on ${quoted(table)}
        for each row execute function "rejectChange"()`,
    ]
  return ['update', 'delete'].map(
    (change) => `create trigger ${quoted(`${table}No${change}`)} before ${change} on ${quoted(table)}
      begin select raise(abort, 'append-only'); end`,
  )
}

function list(columns: readonly string[]): string {
  return columns.map(quoted).join(', ')
}

function quoted(name: string): string {
  return `"${name}"`
}
