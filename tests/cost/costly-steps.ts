// Costly steps of query plans: table scans, sorts and automatic indexes, in the plans of either database.
import { Client } from 'pg'
import { sqlitePath } from '../../src/store/open-store.ts'
import { connect } from '../../src/store/sqlite/connection.ts'
import { companyRole, companySetting } from '../../src/store/postgres/company-role.ts'
import type { RecordedStatement } from '../support/statement-recorder.ts'

/** A connection to the database of a running server. */
export interface PlanReader {
  /** In the order of the plan; empty where indexes find the rows, and have them in the wanted order. */
  costlySteps(statement: RecordedStatement): Promise<string[]>
  /** Names of the indexes that find its rows; primary keys are not among them. */
  indexes(statement: RecordedStatement): Promise<string[]>
  close(): Promise<void>
}

/** `settings` are statements that a connection to PostgreSQL begins with. */
export function openPlanReader(url: string, settings = ''): Promise<PlanReader> {
  const path = sqlitePath(url)
  return path === null ? openPostgresReader(url, settings) : Promise.resolve(openSqliteReader(path))
}

/** Whether the statement has a plan; others begin and end transactions, or set something. */
export function hasPlan({ sql }: RecordedStatement): boolean {
  return /^\s*(select|insert|update|delete|with)\b/i.test(sql)
}

/** The server's statistics are fixed, so `analyze` must not run here (ADR 0014). */
function openSqliteReader(path: string): PlanReader {
  const connection = connect(path, 'writer')
  const stepsOf = ({ sql, values }: RecordedStatement) =>
    connection.raw
      .prepare(`explain query plan ${sql}`)
      .all(...values)
      .map((row) => (row as { detail: string }).detail)
  return {
    costlySteps: async (statement) => costlySqliteSteps(stepsOf(statement)),
    indexes: async (statement) =>
      stepsOf(statement).flatMap((step) => / USING (?:COVERING )?INDEX (?<name>\w+)/.exec(step)?.groups?.name ?? []),
    close: async () => connection.close(),
  }
}

/** A search by the company, or the destination, alone reads all of its rows. */
function costlySqliteSteps(steps: readonly string[]): string[] {
  const derived = new Set(
    steps.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (?<name>\S+)/.exec(step)?.groups?.name ?? []),
  )
  return steps.filter((step) => {
    const scanned = /^SCAN (?<name>\S+)/.exec(step)?.groups?.name
    const searched = searchOfAll.exec(step)?.groups
    if (/AUTOMATIC|TEMP B-TREE/.test(step)) return true
    if (searched !== undefined) return !smallTables.has(searched.table ?? '') && !smallIndexes.has(searched.index ?? '')
    return (
      scanned !== undefined &&
      !scanned.startsWith('(') &&
      !derived.has(scanned) &&
      !/VIRTUAL TABLE|CONSTANT ROW|VALUES CLAUSE/.test(step)
    )
  })
}

const searchOfAll = /^SEARCH (?<table>\S+) .*?(?<index>\S+) \(companyId=\?(?: AND destinationId=\?)?\)/

/** Tables of which a company has few rows, and the audit log, of which the last row is read. */
const smallTables: ReadonlySet<string> = new Set([
  'audit',
  'credential',
  'destination',
  'membership',
  'sequence',
  'webhook',
])
/** Partial indexes of which a company has few rows. */
const smallIndexes: ReadonlySet<string> = new Set(['claimOpen'])

/** Analyzes the tables first, as autovacuum does within a minute. */
async function openPostgresReader(url: string, settings: string): Promise<PlanReader> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('analyze')
  const { rows } = await client.query<{ relname: string }>(
    "select relname from pg_class where relkind = 'r' and reltuples > $1",
    [scannedRowsMax],
  )
  const largeTables = new Set(rows.map(({ relname }) => relname))
  // As on a connection of the store, where the policies of a company apply.
  await client.query(`set role ${companyRole}; set ${companySetting} = '1'; ${settings}`)
  const nodesOf = async ({ sql, values }: RecordedStatement): Promise<readonly PlanNode[]> => {
    const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${sql}`, [
      ...values,
    ])
    const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan
    return plan === undefined ? [] : withInnerNodes(plan)
  }
  return {
    costlySteps: async (statement) => (await nodesOf(statement)).flatMap((node) => costlySteps(node, largeTables)),
    indexes: async (statement) =>
      (await nodesOf(statement)).flatMap(({ 'Index Name': name = '' }) => (/^(.*_pkey)?$/.test(name) ? [] : [name])),
    close: () => client.end(),
  }
}

/** Rows of a table that may be scanned, and estimated rows of a result that may be sorted. */
const scannedRowsMax = 10_000
const sortedRowsMax = 1000

/** A node of `explain (format json)`. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Sort Key'?: readonly string[]
  /** Estimated. */
  readonly 'Plan Rows': number
  readonly Plans?: readonly PlanNode[]
}

/** Indexes of which a look-up without this column reads all rows of the company. */
const neededColumns: Readonly<Record<string, string>> = { materialItem: 'itemId' }

function withInnerNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withInnerNodes)]
}

function costlySteps(node: PlanNode, largeTables: ReadonlySet<string>): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Sort Key': keys = [] } = node
  const isScan = type === 'Seq Scan' && largeTables.has(table)
  const { 'Index Name': index = '', 'Index Cond': condition = '' } = node
  const isWide = !condition.includes(neededColumns[index] ?? '')
  const isSort = type.endsWith('Sort') && node['Plan Rows'] > sortedRowsMax
  return [
    ...(isScan ? [`${type} on ${table}`] : []),
    ...(isWide ? [`${type} using ${index} by ${condition}`] : []),
    ...(isSort ? [`${type} by ${keys.join(', ')}`] : []),
  ]
}
