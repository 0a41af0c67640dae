// State counts: how many transactions are in each state.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { transactionStates, type TransactionState } from '../../model/transaction.ts'
import { inDepartments } from './approval-filter.ts'
import { ofDays, sum } from './approval-groups.ts'
import { statement, type Build, type Statement } from '../statement.ts'
import type { Reader } from '../store.ts'

/** How many transactions are in each state. `reports` counts long lists of decided ones, and `reader` all others. */
export async function countByState(
  reader: Reader,
  reports: Reader,
  companyId: CompanyId,
  departments: string,
): Promise<{ state: TransactionState; count: number }[]> {
  // The lines of a department are found among all others.
  if (departments !== '') return reports.all(countWithinStatement, { companyId, departments })
  const some = await reader.all(fewStatement, { companyId })
  if (some.some(({ state, count }) => state !== transactionStates.registered && count > countedMax))
    return reports.all(countStatement, { companyId })
  return some.filter(({ count }) => count > 0)
}

/** So many entries of an index are counted in a fraction of a millisecond. */
const countedMax = 2000

/** Waiting lines are counted by day, all others one by one. */
function countsWhere(
  matches: (build: Build) => RawBuilder<unknown>,
): Statement<{ state: TransactionState; count: number }> {
  const { registered, ...decided } = transactionStates
  return statement((build) => {
    const ofCompany = sql`material."companyId" = ${build.value('companyId')} ${matches(build)}`
    return sql`
      select ${sql.lit(registered)} as state, ${sum(ofDays.lines)} as count from ${ofDays.from}
      where ${ofCompany} having sum(${ofDays.lines}) > 0
      union all
      select material.state, cast(count(*) as bigint) as count from material
      where ${ofCompany} and material.state in (${sql.join(Object.values(decided).map((state) => sql.lit(state)))})
      group by material.state`
  })
}

/** The same, up to one more than `countedMax` of each decided state. */
const fewStatement = statement<{ state: TransactionState; count: number }>((build) => {
  const { registered, ...decided } = transactionStates
  const ofCompany = sql`material."companyId" = ${build.value('companyId')}`
  const few = Object.values(decided).map(
    (state) => sql`
      select ${sql.lit(state)} as state, cast(count(*) as bigint) as count from (select 1 from material
        where ${ofCompany} and material.state = ${sql.lit(state)} limit ${sql.lit(countedMax + 1)}) as few`,
  )
  const waiting = sql`
    select ${sql.lit(registered)} as state, ${sum(ofDays.lines)} as count from ${ofDays.from} where ${ofCompany}`
  return sql.join([waiting, ...few], sql` union all `)
})

const countStatement = countsWhere(() => sql``)

const countWithinStatement = countsWhere((build) => sql`and ${inDepartments(build)}`)
