// Scans: conditions that lead the database to few records where it would read all of the company.
import { sql } from 'kysely'
import type { ReadPlan } from '../planner/read-plan.ts'
import { columnRef, fromTable, ofCompany, type Table } from './columns.ts'
import type { ExpressionBuilder } from './expressions.ts'
import type { Sql } from './dialect.ts'
import { boundsOf, chainPrefix, skipScanPrefix, type CompareCondition } from './index-selection.ts'

/** Restricts to the records of the chains that the filter follows; the planner looks each up by its key. */
export function inChain(builder: ExpressionBuilder, table: Table, plan: ReadPlan): Sql {
  const keys = chainedKeys(builder, table, plan, sql``)
  if (keys === null) return sql``
  const key = columnRef(table, plan.resource.key[0] ?? '')
  // PostgreSQL might join to a subquery by reading the whole table.
  return builder.context.dialect === 'sqlite' ? sql`and ${key} in (${keys})` : sql`and ${key} = any(array(${keys}))`
}

/** The keys of the records of the chains that the filter follows, each from the last to the first; `limit` of the chains. */
export function chainedKeys(builder: ExpressionBuilder, table: Table, plan: ReadPlan, limit: Sql): Sql | null {
  const { chains, key } = plan.resource
  const bounds = boundsOf(plan)
  const prefix = new Set(chainPrefix(plan, bounds))
  if (chains === undefined || prefix.size === 0) return null
  const company = ofCompany(table, builder.context)
  const conditions = bounds.terms
    .filter(({ field }) => prefix.has(field))
    .map(({ condition }) => builder.condition(condition))
  const last = columnRef(table, chains.last)
  const where = sql.join([company, sql`${last} is not null`, ...conditions], sql` and `)
  // The table has the alias that the conditions name.
  const ends = chains.ends.map(
    (name) =>
      sql`select * from (select ${last} from ${sql.table(name)} as ${sql.table(table.alias)} where ${where} ${limit}) as ends`,
  )
  const previous = sql`select ${columnRef(table, chains.previous)} from ${fromTable(table)}
    where ${company} and ${columnRef(table, key[0] ?? '')} = chain.id`
  return sql`with recursive chain(id) as (${sql.join(ends, sql` union all `)} union all
    select (${previous}) from chain where chain.id is not null) select id from chain where id is not null`
}

/**
 * A skip scan: where the filter fixes the second field that the table is clustered by, and not the first, the values of
 * the first are looked up one by one, and the records under each. The result is the same, but SQLite would scan the whole
 * company: its own skip scan works only on the first column of an index, which is the company.
 */
export function skipScan(builder: ExpressionBuilder, table: Table, plan: ReadPlan): Sql {
  const skipped = builder.context.dialect === 'sqlite' ? skippedValues(builder, table, plan) : null
  if (skipped === null) return sql``
  const { field, bounds, firstOf } = skipped
  // The next value is above the lower bound anyway: repeated, SQLite might search by that bound instead.
  const upper = bounds.filter(({ operator }) => operator === 'lt' || operator === 'le')
  return sql`and ${field} in (with recursive steps(value) as (select ${firstOf(bounds)} union all
    select ${firstOf(upper, sql`${field} > steps.value`)} from steps where steps.value is not null) select value from steps)`
}

/** The days from the first to the last one that the skip scan of a plan visits; null without any. */
export function skipScanDays(builder: ExpressionBuilder, table: Table, plan: ReadPlan): Sql {
  const skipped = skippedValues(builder, table, plan)
  if (skipped === null) throw new Error('the plan has no skip scan')
  const { field, bounds, firstOf } = skipped
  const isDay = sql`${field} > ''`
  const last = firstOf(bounds, isDay, sql`desc`)
  return sql`select julianday(${last}) - julianday(${firstOf(bounds, isDay)}) + 1 as days`
}

/** The field that a skip scan skips through, its bounds, and a query of its first value under conditions. */
function skippedValues(builder: ExpressionBuilder, table: Table, plan: ReadPlan) {
  const planBounds = boundsOf(plan)
  const [name] = skipScanPrefix(plan, planBounds)
  if (name === undefined) return null
  const field = columnRef(table, name)
  const bounds = planBounds.terms.filter((term) => term.field === name).map(({ condition }) => condition)
  const firstOf = (conditions: readonly CompareCondition[], more?: Sql, direction = sql``) => {
    const company = ofCompany(table, builder.context)
    const all = [company, ...conditions.map((one) => builder.condition(one)), ...(more === undefined ? [] : [more])]
    return sql`(select ${field} from ${fromTable(table)} where ${sql.join(all, sql` and `)} order by ${field} ${direction} limit 1)`
  }
  return { field, bounds, firstOf }
}
