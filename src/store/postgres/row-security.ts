// Row-level security: connections that see the rows of one company at a time (ADR 0065), and how their reads are planned (ADR 0014).
import type { ClientBase, PoolClient } from 'pg'
import { sql, type Kysely } from 'kysely'
import { companyRole, companySetting } from './company-role.ts'
import { runText } from './query.ts'
import { configurationError } from '../../lib/operator-error.ts'
import { statement, type Statement } from '../statement.ts'
import type { Preamble } from './prepared-query.ts'
import type { Reader } from '../store.ts'
import { tables } from '../tables.ts'
import type { TableDefinition } from '../tables/define-table.ts'

/**
 * Makes a new connection assume the role, and show no company. Where the user may not, or the tables were restored without
 * their grants, the connection stays as it is, and the conditions of the statements alone separate companies.
 */
export async function restrictToCompanies(client: ClientBase): Promise<void> {
  const [{ rowCount }] = await Promise.all([client.query(restrictStatement), client.query(prepareStatement)])
  if (rowCount === 1) restricted.add(client)
}

/** Connections that have the role outside of transactions across companies. */
const restricted = new WeakSet<ClientBase>()

/** Whether the connection has the role: on tables of companies, statements outside of a transaction with a company fail or find no row. */
export function isRestricted(client: ClientBase): boolean {
  return restricted.has(client)
}

/** A read outside of a transaction. */
export interface CompanyRead {
  readonly companyId: number
  /**
   * Whether PostgreSQL may keep a plan for all values after five executions, because any values need the same one. A range
   * that was long five times would get a plan that reads the whole company, also where it is short later.
   */
  readonly keepsPlan: boolean
}

/**
 * What a read runs first, to see the rows of one company, and to be planned for its values where no plan is kept. It is in the
 * transaction of the read, so that the connection shows no company afterwards, and where it fails there is no read.
 */
export function companyPreamble(client: ClientBase, { companyId, keepsPlan }: CompanyRead): Preamble | null {
  if (!keepsPlan) return { name: preparedCompanyForValues, values: [companyId] }
  return restricted.has(client) ? { name: preparedCompany, values: [companyId] } : null
}

/** Follows `begin` in its message: the transaction sees the rows of this company; null: of all, without the role. */
export function setCompanyLocally(client: PoolClient, companyId: number | null): string {
  if (!restricted.has(client)) return ''
  return companyId === null ? '; set local role none' : `; set local ${companySetting} = '${companyId}'`
}

/** Runs a statement in the transaction of a company: one across companies without the role, in the same round trip. */
export async function runInRole<T>(
  client: PoolClient,
  { isCrossCompany }: Pick<Statement<unknown>, 'isCrossCompany'>,
  run: () => Promise<T>,
): Promise<T> {
  if (!isCrossCompany || !restricted.has(client)) return run()
  const leaving = runText(client, 'set local role none')
  const running = run()
  const returning = runText(client, `set local role ${companyRole}`)
  const [value] = await Promise.all([running, leaving, returning])
  return value
}

/** Null where it protects every table of companies, and otherwise what to do. */
export async function findRowSecurityProblem(reader: Reader): Promise<string | null> {
  const state = await reader.first(stateStatement, {})
  if (state === undefined) throw new Error('a query without a result')
  const { isActive, canRestrict, user, database } = state
  if (isActive) return null
  return canRestrict
    ? 'tables, privileges or policies were restored in part: take a backup, and restore it'
    : `${user} must own the database: alter database "${database}" owner to "${user}"`
}

interface RowSecurityState {
  readonly isActive: boolean
  readonly canRestrict: boolean
  readonly user: string
  readonly database: string
}

/**
 * Throws an `OperatorError` where the tables belong to another user, as after `pg_restore` by a superuser: then policies
 * apply to statements across companies too, and no company, key or person is found.
 */
export async function assertOwnTables(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ user: string; owner: string; schema: string }>`
    select current_user as user, pg_get_userbyid(relowner) as owner, relnamespace::regnamespace::text as schema
    from ${ourTables} and (row_security_active(oid) or not has_table_privilege(oid, 'select'))
    limit 1`.execute(db)
  const [found] = rows
  if (found === undefined) return
  const { user, owner, schema } = found
  const alter = `select format('alter table %s owner to %I', oid::regclass, '${user}') from pg_class where relnamespace = '${schema}'::regnamespace and relkind in ('r', 'v') \\gexec`
  throw configurationError(
    `The tables belong to "${owner}", and "${user}" cannot read them. In psql, as a superuser: ${alter}`,
  )
}

const all: readonly TableDefinition[] = Object.values(tables)
const secured = all.filter(({ hasRowSecurity }) => hasRowSecurity)

function relations(names: readonly string[]): string {
  return `pg_class where relnamespace = current_schema()::regnamespace and relname in ('${names.join("', '")}')`
}

const ourTables = sql.raw(relations(all.map(({ name }) => name)))

const hasPrivileges = ['select', 'insert', 'update', 'delete']
  .map((privilege) => `has_table_privilege('${companyRole}', oid, '${privilege}')`)
  .join(' and ')

/** Of the role of the connection. */
const stateStatement = statement<RowSecurityState>(
  () => sql`
    select bool_and(row_security_active(oid)) as "isActive", session_user as user,
      pg_has_role(session_user, ${sql.lit(companyRole)}, 'member') as "canRestrict", current_database() as database
    from ${sql.raw(relations(secured.map(({ name }) => name)))}`,
)

/** With the time limit of a new connection. The search path may name a schema as the user, which the role would not find. */
const restrictStatement = {
  query_timeout: 5000,
  text: `
  select set_config('search_path', (select string_agg(quote_ident(name), ', ') from unnest(current_schemas(false)) as name), false),
    set_config('role', '${companyRole}', false), set_config('${companySetting}', '', false)
  where pg_has_role('${companyRole}', 'member')
    and has_schema_privilege('${companyRole}', current_schema(), 'usage')
    and (select bool_and(${hasPrivileges}) from ${relations([...all.map(({ name }) => name), 'exportable'])})`,
}

const preparedCompany = 'company'
const preparedCompanyForValues = 'companyForValues'
const companySetter = `set_config('${companySetting}', $1, true)`

/** They find no row, because a row would be one message more. */
const prepareStatement = {
  query_timeout: restrictStatement.query_timeout,
  text: `
  prepare "${preparedCompany}" (text) as select where ${companySetter} is null;
  prepare "${preparedCompanyForValues}" (text) as
    select where ${companySetter} || set_config('plan_cache_mode', 'force_custom_plan', true) is null`,
}
