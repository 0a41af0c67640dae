// Exact sums and averages: numeric in PostgreSQL; in SQLite two partial sums that are combined.
import { sql } from 'kysely'
import type { AggregateColumn, CumulativeLimitStep } from '../planner/apply/apply-plan.ts'
import type { SqlDialect, Sql } from './dialect.ts'
import { outOfRangePrefix } from './sum-out-of-range.ts'
import { typeOf } from '../planner/expressions/typed-value.ts'

export function isSum({ method }: Pick<AggregateColumn, 'method'>): boolean {
  return method === 'sum' || method === 'total' || method === 'average'
}

/**
 * The partial aggregates; `value` is null for a row count. `over` is the window, if it is not the group.
 */
export function partialColumns(
  { name, method }: Pick<AggregateColumn, 'name' | 'method'>,
  value: Sql | null,
  dialect: SqlDialect,
  over = sql``,
): Sql[] {
  if (value === null) return [sql`count(*) ${over} as ${sql.id(name)}`]
  if (method === 'countdistinct') return [sql`count(distinct ${value}) ${over} as ${sql.id(name)}`]
  if (method === 'min' || method === 'max') return [sql`${sql.raw(method)}(${value}) ${over} as ${sql.id(name)}`]
  const count = method === 'average' ? [sql`count(${value}) ${over} as ${sql.id(`${name}_count`)}`] : []
  if (dialect === 'postgres') return [sql`sum((${value})::bigint) ${over} as ${sql.id(name)}`, ...count]
  const [high, low] = splitSum(value)
  return [sql`sum(${high}) ${over} as ${sql.id(name)}`, sql`sum(${low}) ${over} as ${sql.id(`${name}_low`)}`, ...count]
}

/** Splits off the lowest twenty bits, which is twice as fast as a division. */
function splitSum(value: Sql): readonly [Sql, Sql] {
  return [sql`(${value} >> 20)`, sql`(${value} & 1048575)`]
}

/** The final aggregate of a group; a result out of range is an error when it is evaluated. */
export function finalAggregate(one: AggregateColumn, alias: string, dialect: SqlDialect): Sql {
  const { name, method, value } = one
  const own = (end = '') => sql.ref(`${alias}.${name}${end}`)
  if (!isSum(one)) return own()
  const sum = own()
  const isOfIntegers = value !== null && typeOf(value) === 'integer'
  // The average of integers has four decimal places.
  const scale = sql.lit(isOfIntegers ? 10_000 : 1)
  if (dialect === 'sqlite') {
    const [low, count] = [own('_low'), own('_count')]
    if (method === 'average') return sql`cast(exact_average(${sum}, ${low}, ${count}, ${scale}) as integer)`
    const total = sql`cast(exact_total(${sum}, ${low}) as integer)`
    return method === 'total' ? sql`coalesce(${total}, 0)` : total
  }
  if (method === 'average')
    return checkedSum(sql`sign(${sum}) * div(2 * abs(${sum}) * ${scale} + ${own('_count')}, 2 * ${own('_count')})`)
  return method === 'total' ? sql`coalesce(${checkedSum(sum)}, 0)` : checkedSum(sum)
}

/** The cast fails with our marker text, which PostgreSQL repeats in its error. */
function checkedSum(value: Sql): Sql {
  return sql`case when abs(${value}) <= 9007199254740991 then (${value})::bigint
    else (${sql.lit(outOfRangePrefix)} || ${value})::bigint end`
}

/** The sums of the preceding rows and of all rows; the window `before` has the rows of a group in order. */
export function runningSums(value: Sql, { all, before }: Record<'all' | 'before', Sql>, dialect: SqlDialect): Sql[] {
  const over = (of: Sql, name: string) => [
    sql`coalesce(sum(${of}) over (${before} rows between unbounded preceding and 1 preceding), 0) as ${sql.id(name)}`,
    sql`coalesce(sum(${of}) over (${all}), 0) as ${sql.id(`${name}all`)}`,
  ]
  if (dialect === 'postgres') return over(sql`(${value})::bigint`, 'high')
  const [high, low] = splitSum(value)
  return [...over(high, 'high'), ...over(low, 'low')]
}

/** 1 if the sum of the preceding rows is below the amount, or below a percentage of the total. */
export function isBelowLimit(reaches: CumulativeLimitStep['unit'], amount: Sql, dialect: SqlDialect): Sql {
  if (dialect === 'sqlite')
    return reaches === 'sum'
      ? sql`sum_is_below(r.high, r.low, ${amount})`
      : sql`percent_is_below(r.high, r.low, r.highall, r.lowall, ${amount})`
  return reaches === 'sum' ? sql`(r.high < ${amount})::int` : sql`(r.high * 1000000 < r.highall * ${amount})::int`
}
