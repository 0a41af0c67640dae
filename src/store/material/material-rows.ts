// Material rows for display: transactions with names by their ids, and their previous revisions.
import { rowsQuery } from '../queries.ts'
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { forEachChunk } from '../../lib/yield-to-event-loop.ts'
import { transactionStates } from '../../model/transaction.ts'
import { inDepartments } from './approval-filter.ts'
import { joinEach, leftJoinEach, rowsFromJson, statement, toIdRows, type Build } from '../statement.ts'
import type { Awaitable, Reader, Transaction } from '../store.ts'
import { columnNames } from '../tables/define-table.ts'
import { material, type MaterialRevisionTable, type MaterialTable } from '../tables/materials.ts'

/** No screen shows these. */
const omitted = ['costPrice', 'exportedAt', 'anomalyFlags'] as const

const columns = columnNames(material).filter((name) => !omitted.some((one) => one === name))

/** A transaction with the names of the records that it refers to. */
export type MaterialRow = Omit<MaterialTable, 'companyId' | (typeof omitted)[number]> & {
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
): Awaitable<MaterialRow[]> {
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

/** The columns of a `MaterialRow`, with the joins of `joinNames`. */
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

/** The transactions of the list `ids`, each looked up by its key, however many others there are. */
function materialOfIds(build: Build): RawBuilder<unknown> {
  return sql`${rowsFromJson(build, 'ids', { id: 'integer' })}
    ${joinEach(build, 'material', sql`material."companyId" = ${build.value('companyId')} and material.id = r.id`)}`
}

/** Those of these ids whose department is in the list. */
export const filterIdsByDepartment = idFilter('departments', inDepartments)

/** Those of these ids that wait for approval with content written after the timestamp. */
export const filterIdsByChange = idFilter(
  'since',
  ({ value }) => sql`
    material.state = ${sql.lit(transactionStates.registered)} and material."changedAt" > ${value('since')}`,
)

interface FilterValues {
  /** A JSON array. */
  readonly departments: string
  /** Microseconds UTC. */
  readonly since: number
}

/** Declares a function that finds those ids whose transaction meets the condition, which has a parameter of this name. */
function idFilter<Name extends keyof FilterValues>(name: Name, condition: (build: Build) => RawBuilder<unknown>) {
  const declared = statement<{ id: number }>(
    (build) => sql`select material.id from ${materialOfIds(build)} where ${condition(build)}`,
  )
  return async (transaction: Transaction, ids: readonly number[], value: FilterValues[Name]): Promise<Set<number>> => {
    const found = new Set<number>()
    await forEachChunk(ids, 2000, async (chunk) => {
      const { companyId } = transaction
      for (const { id } of await transaction.all(declared, { [name]: value, companyId, ids: toIdRows(chunk) }))
        found.add(id)
    })
    return found
  }
}

const rowsOfIdsStatement = statement<MaterialRow>(
  (build) => sql`
    select ${materialRowColumns} from ${materialOfIds(build)} ${joinNames(build)} order by material.date, material.id`,
)
