// Material rows for display: transactions with names by their ids, and their previous revisions.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { transactionStates } from '../../model/transaction.ts'
import { inDepartments } from './approval-filter.ts'
import { joinListedMaterial } from './materials.ts'
import { idSetQuery, rowsQuery } from '../queries.ts'
import { leftJoinEach, rowsFromJson, statement, toIdRows, type Build, type NamedValues } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'
import { columnNames } from '../tables/define-table.ts'
import { material, type MaterialRevisionTable, type MaterialTable } from '../tables/materials.ts'

/** No screen shows these. */
const omitted = ['costPrice', 'exportedAt', 'anomalyFlags'] as const

const columns = columnNames(material).filter((name) => !omitted.some((one) => one === name))

/** A transaction with the names of the records that it refers to. */
export type NamedMaterial = Omit<MaterialTable, 'companyId' | (typeof omitted)[number]> & {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly projectName: string | null
  readonly siteName: string | null
}

/** Transactions by their ids, with names. */
export function listMaterialRows(
  reader: Reader,
  companyId: CompanyId,
  ids: readonly number[],
): Awaitable<NamedMaterial[]> {
  return reader.all(rowsOfIdsStatement, { companyId, ids: toIdRows(ids) })
}

/** The previous revisions of a transaction, the latest first. */
export const listRevisions = rowsQuery<
  { companyId: CompanyId; id: number },
  Omit<MaterialRevisionTable, 'companyId' | 'materialId'>
>(
  ({ value }) => sql`
    select revision, content, "replacedAt", "replacedBy", "requestId" from "materialRevision"
    where "companyId" = ${value('companyId')} and "materialId" = ${value('id')} order by revision desc limit 100`,
)

/** The columns of a `NamedMaterial`, with the joins of `joinNames`. */
export const materialRowColumns = sql`${sql.join(columns.map((name) => sql.ref(`material.${name}`)))}, employee."firstName", employee."lastName",
  project.name as "projectName", site.name as "siteName"`

export function joinNames(build: Build): RawBuilder<unknown> {
  const its = (table: string, id: string) => {
    const condition = sql`${sql.ref(`${table}.companyId`)} = material."companyId"
      and ${sql.ref(`${table}.id`)} = ${sql.ref(`material.${id}`)}`
    return leftJoinEach(build, table, condition)
  }
  return sql`${its('employee', 'employeeId')} ${its('project', 'projectId')} ${its('site', 'siteId')}`
}

/** Those of these ids whose department is in the JSON array. */
export const filterIdsByDepartment = idFilter<{ departments: string }>(inDepartments)

/** Those of these ids that wait for approval with content written after `since`, in microseconds UTC. */
export const filterIdsByChange = idFilter<{ since: number }>(
  ({ value }) => sql`
    material.state = ${sql.lit(transactionStates.registered)} and material."changedAt" > ${value('since')}`,
)

/** Declares a function that finds those ids whose transaction meets the condition. */
function idFilter<Values extends NamedValues<Values>>(condition: (build: Build) => RawBuilder<unknown>) {
  return idSetQuery<Values>(
    (build, ids) => sql`select material.id from ${ids} ${joinListedMaterial(build)} where ${condition(build)}`,
  )
}

const rowsOfIdsStatement = statement<NamedMaterial>(
  (build) => sql`
    select ${materialRowColumns} from ${rowsFromJson(build, 'ids', { id: 'integer' })}
    ${joinListedMaterial(build)} ${joinNames(build)} order by material.date, material.id`,
)
