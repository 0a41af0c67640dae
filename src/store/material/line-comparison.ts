// Line comparison: the usual quantity of an item, and possible duplicates of a line.
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { transactionStates } from '../../model/transaction.ts'
import { othersMin } from './item-usage.ts'
import type { MaterialRow } from './material-rows.ts'
import { statement } from '../statement.ts'
import type { Reader } from '../store.ts'

/** The quartiles of the sizes of other lines, in ten-thousandths: half of the lines are between them. */
export interface UsualQuantity {
  readonly low: number
  readonly high: number
}

interface LineComparison {
  readonly usual: UsualQuantity | null
  readonly duplicates: readonly number[]
}

/**
 * Why the anomalies of a waiting line are some: compares it with the latest waiting lines and the latest decided ones of its
 * item. Both are ranges of an index with at most `recentLines` rows, however many lines there are.
 */
export async function compareLine(reader: Reader, companyId: CompanyId, line: MaterialRow): Promise<LineComparison> {
  const name = line.itemId ?? line.itemName
  if (line.state !== transactionStates.registered || name === null) return { usual: null, duplicates: [] }
  const others = await reader.all(othersStatement, { companyId, item: name, id: line.id })
  const duplicates = others.filter((one) => comparedNames.every((name) => one[name] === line[name]))
  return {
    usual: getUsual(others.map(({ quantity }) => Math.abs(quantity)).sort((one, other) => one - other)),
    duplicates: duplicates
      .map((one) => one.id)
      .sort((one, other) => other - one)
      .slice(0, duplicatesMax),
  }
}

function getUsual(sizes: readonly number[]): UsualQuantity | null {
  const [low, high] = [sizes[Math.floor(sizes.length / 4)], sizes[Math.ceil((3 * sizes.length) / 4) - 1]]
  return sizes.length < othersMin || low === undefined || high === undefined ? null : { low, high }
}

const duplicatesMax = 5

/** How many of the latest lines are compared with: a range of the key, however many lines there are. */
const recentLines = 5_000

/** Lines of an item that are equal in these are duplicates. */
const comparedNames = ['date', 'employeeId', 'quantity', 'projectId'] as const

type ComparedLine = Pick<MaterialRow, 'id' | (typeof comparedNames)[number]>

const columns = sql.raw('id, date, "employeeId", quantity, "projectId", "itemId", "itemName"')

const othersStatement = statement<ComparedLine>(
  ({ value }) => sql`
    select material.id, material.date, material."employeeId", material.quantity, material."projectId" from (
      select * from (
        select ${columns} from material
        where "companyId" = ${value('companyId')} and state = ${sql.lit(transactionStates.registered)}
        order by id desc limit ${sql.lit(recentLines)}
      ) as waiting
      union all
      select ${columns} from material
      where "companyId" = ${value('companyId')}
        and state in (${sql.lit(transactionStates.approved)}, ${sql.lit(transactionStates.exported)})
        and id > (select max(latest.id) from material as latest
          where latest."companyId" = ${value('companyId')}) - ${sql.lit(recentLines)}
    ) as material
    where coalesce(material."itemId", material."itemName") = ${value('item')} and material.id <> ${value('id')}`,
)
