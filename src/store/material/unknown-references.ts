// Unknown references: waiting lines whose project or department is not in the directory (ADR 0049).
import { sql, type RawBuilder } from 'kysely'
import { transactionStates } from '../../model/transaction.ts'
import { rowsFromJson, statement, toIdRows, type Build } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { MaterialTable } from '../tables/materials.ts'
import { anomalyBits, flaggedColumns, linesOfEach, toggleFlag, type FlaggedLine } from './anomaly-flags.ts'
import { WaitingDayChanges } from './waiting-days.ts'

const references = {
  project: { column: 'projectId', bit: anomalyBits.unknownProject },
  department: { column: 'departmentId', bit: anomalyBits.unknownDepartment },
} as const

type ReferredTable = keyof typeof references

export function isReferredTable(table: string): table is ReferredTable {
  return table in references
}

export type Referring = Pick<MaterialTable, 'projectId' | 'departmentId'>

/** The flags of unknown projects and departments, of lines with any of these. Where the directory has none, none is unknown. */
export async function findUnknownFlags(
  transaction: Transaction,
  lines: readonly Referring[],
): Promise<(line: Referring) => number> {
  const projects = new Set(lines.flatMap(({ projectId }) => projectId ?? []))
  const departments = new Set(lines.flatMap(({ departmentId }) => departmentId ?? []))
  if (projects.size + departments.size === 0) return () => 0
  const { companyId } = transaction
  const values = { companyId, project: toIdRows([...projects]), department: toIdRows([...departments]) }
  const rows = await transaction.all(unknownStatement, values)
  const unknown = (bit: number) => new Set(rows.filter((row) => row.bit === bit).map(({ id }) => id))
  const unknownProjects = unknown(anomalyBits.unknownProject)
  const unknownDepartments = unknown(anomalyBits.unknownDepartment)
  return ({ projectId, departmentId }) =>
    (projectId !== null && unknownProjects.has(projectId) ? anomalyBits.unknownProject : 0) +
    (departmentId !== null && unknownDepartments.has(departmentId) ? anomalyBits.unknownDepartment : 0)
}

/** After records were inserted: lines that refer to them are no longer unknown. The first ones make all others unknown. */
export async function flagAfterInsert(
  transaction: Transaction,
  table: ReferredTable,
  keys: readonly string[],
): Promise<void> {
  const values = { companyId: transaction.companyId, ids: toIdRows(keys), count: keys.length }
  const hadAny = await transaction.first(moreStatements[table], values)
  const find = hadAny === undefined ? everyChange[table] : changesOf[table]
  await applyUnknownChanges(transaction, table, await transaction.all(find, values))
}

/** After records were deleted to which no line refers: without any, no line is unknown. */
export async function flagAfterDelete(transaction: Transaction, table: ReferredTable): Promise<void> {
  const values = { companyId: transaction.companyId, count: 0 }
  if ((await transaction.first(moreStatements[table], values)) !== undefined) return
  await applyUnknownChanges(transaction, table, await transaction.all(everyChange[table], values))
}

async function applyUnknownChanges(
  transaction: Transaction,
  table: ReferredTable,
  lines: readonly FlaggedLine[],
): Promise<void> {
  if (lines.length === 0) return
  const days = new WaitingDayChanges()
  await toggleFlag(transaction, lines, references[table].bit, days)
  await days.save(transaction)
}

function isUnknown({ value }: Build, table: ReferredTable, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${id} is not null
    and exists (select 1 from ${sql.table(table)} as other where other."companyId" = ${value('companyId')})
    and not exists (select 1 from ${sql.table(table)} as known
      where known."companyId" = ${value('companyId')} and known.id = ${id})`
}

const unknownStatement = statement<{ bit: number; id: string }>((build) => {
  const of = (table: ReferredTable) => sql`
    select ${sql.lit(references[table].bit)} as bit, r.id from ${rowsFromJson(build, table, { id: 'text' })}
    where ${isUnknown(build, table, sql`r.id`)}`
  return sql`${of('project')} union all ${of('department')}`
})

function perTable<Row>(build: (tools: Build, table: ReferredTable) => RawBuilder<unknown>) {
  return {
    project: statement<Row>((tools) => build(tools, 'project')),
    department: statement<Row>((tools) => build(tools, 'department')),
  }
}

/** Whether there are more than `count` records. */
const moreStatements = perTable<{ id: string }>(
  (build, table) => sql`
    select any_one.id from ${sql.table(table)} as any_one where any_one."companyId" = ${build.value('companyId')}
    limit 1 offset ${build.value('count')}`,
)

/** Waiting lines whose flag is not as it should be. */
function isChanged(build: Build, table: ReferredTable) {
  const { column, bit } = references[table]
  return sql`line."companyId" = ${build.value('companyId')} and line.state = ${sql.lit(transactionStates.registered)}
    and (line."anomalyFlags" & ${sql.lit(bit)}) <>
      case when ${isUnknown(build, table, sql.ref(`line.${column}`))} then ${sql.lit(bit)} else 0 end`
}

const everyChange = perTable<FlaggedLine>(
  (build, table) => sql`select ${flaggedColumns} from material as line where ${isChanged(build, table)}`,
)

const changesOf = perTable<FlaggedLine>((build, table) =>
  linesOfEach(
    build,
    rowsFromJson(build, 'ids', { id: 'text' }),
    sql`${sql.ref(`line.${references[table].column}`)} = r.id and ${isChanged(build, table)}`,
  ),
)
