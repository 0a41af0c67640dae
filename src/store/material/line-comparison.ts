// Line comparison: the usual quantity of an item, and possible duplicates of a line.
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { transactionStates } from '../../model/transaction.ts'
import { linesWithKey, type DuplicateKey } from './anomaly-flags.ts'
import { itemOf, othersMin } from './item-usage.ts'
import type { NamedMaterial } from './material-rows.ts'
import type { Reader } from '../store.ts'
import { rowsQuery } from '../queries.ts'

/** The quartiles of the sizes of other lines, in ten-thousandths: half of the lines are between them. */
export interface UsualQuantity {
  readonly low: number
  readonly high: number
}

/**
 * Why the anomalies of a waiting line are some: the latest lines with the same content, and the quantities of the latest
 * lines of its item, waiting and decided. All are ranges of an index; the latter have at most `recentLines` rows, however
 * many lines there are.
 */
export async function compareLine(reader: Reader, companyId: CompanyId, line: NamedMaterial) {
  const item = itemOf(line)
  if (line.state !== transactionStates.registered || item === null) return { usual: null, duplicates: [] }
  const { id, date, employeeId, quantity, projectId } = line
  const key = { item, date, employeeId, quantity, projectId }
  const duplicates = await listDuplicates(reader, { companyId, id, ...key })
  const others = await listOthers(reader, { companyId, item, id })
  return {
    usual: getUsual(others.map(({ size }) => size).sort((one, other) => one - other)),
    duplicates: duplicates.map((one) => one.id),
  }
}

function getUsual(sizes: readonly number[]): UsualQuantity | null {
  const [low, high] = [sizes[Math.floor(sizes.length / 4)], sizes[Math.ceil((3 * sizes.length) / 4) - 1]]
  return sizes.length < othersMin || low === undefined || high === undefined ? null : { low, high }
}

const duplicatesMax = 5

/** How many of the latest lines are compared with: a range of the key, however many lines there are. */
const recentLines = 5_000

type CompanyLine = Readonly<{ companyId: CompanyId; id: number }>

/** PostgreSQL does not know the type of a parameter that is compared with null. */
const listDuplicates = rowsQuery<DuplicateKey & CompanyLine, { id: number }>((build) => {
  const its = (column: keyof DuplicateKey) => {
    if (column === 'item' || column === 'date') return build.value(column)
    return sql`cast(${build.value(column)} as ${sql.raw(column === 'projectId' ? 'text' : 'bigint')})`
  }
  return sql`${linesWithKey(build, its)} and line.id <> ${build.value('id')}
    order by line.id desc limit ${sql.lit(duplicatesMax)}`
})

const columns = sql.raw('id, quantity, "itemId", "itemName"')

const listOthers = rowsQuery<CompanyLine & { item: string }, { size: number }>(
  ({ value }) => sql`
    select abs(material.quantity) as size from (
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
