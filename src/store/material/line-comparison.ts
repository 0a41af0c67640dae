// Line comparison: the average quantity of an item, and possible duplicates of a line.
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { transactionStates } from '../../model/transaction.ts'
import { linesWithKey } from './anomaly-flags.ts'
import { findItemUsage, itemOf, sizeOf } from './item-usage.ts'
import type { MaterialRow } from './material-rows.ts'
import { statement } from '../statement.ts'
import type { Reader } from '../store.ts'

export interface LineComparison {
  /** The average quantity without sign, in ten-thousandths; null for a decided line, and for an item with few lines. */
  readonly averageOfOthers: number | null
  /** Other recent lines that a waiting line may repeat. */
  readonly duplicates: readonly number[]
}

/**
 * Why the anomalies of a waiting line are some: the latest lines with the same content, a range of an index, and the average
 * of the other lines of its item, by which its quantity is unusual.
 */
export async function compareLine(reader: Reader, companyId: CompanyId, line: MaterialRow): Promise<LineComparison> {
  const item = itemOf(line)
  if (line.state !== transactionStates.registered || item === null) return { averageOfOthers: null, duplicates: [] }
  const { id, date, employeeId, quantity, projectId } = line
  const key = { item, date, employeeId, quantity, projectId }
  const duplicates = await reader.all(duplicatesStatement, { companyId, id, ...key })
  const usage = await findItemUsage(reader, { companyId, item })
  const isComparable = usage !== undefined && usage.unusualFrom !== null
  return {
    averageOfOthers: isComparable ? Math.round((usage.size - sizeOf(line)) / (usage.lines - 1)) : null,
    duplicates: duplicates.map((one) => one.id),
  }
}

const duplicatesMax = 5

/** PostgreSQL does not know the type of a parameter of `abs`. */
const duplicatesStatement = statement<{ id: number }>((build) => {
  const its = (column: string) =>
    column === 'quantity' || column === 'employeeId' ? sql`cast(${build.value(column)} as bigint)` : build.value(column)
  return sql`${linesWithKey(build, its)} and line.id <> ${build.value('id')}
    order by line.id desc limit ${sql.lit(duplicatesMax)}`
})
