// Exact sums and averages: numeric in PostgreSQL; in SQLite, whose integers are too small for sums of amounts,
// two partial sums that are combined.
import { sql } from 'kysely'
import type { AggregateColumn, CumulativeLimitStep } from '../planner/apply/apply-plan.ts'
import { typeOf } from '../planner/expressions/arithmetic.ts'
import type { DialectName, Sql } from './dialect.ts'
import { outOfRangePrefix } from './sum-out-of-range.ts'

export function isSum({ method }: Pick<AggregateColumn, 'method'>): boolean {
  return method === 'sum' || method === 'total' || method === 'average'
}

/**
 * The partial aggregates; `value` is null for a row count. `over` is the window, if it is not the group.
 */
export function partialColumns(
  { name, method }: Pick<AggregateColumn, 'name' | 'method'>,
  value: Sql | null,
  dialect: DialectName,
  over = sql``,
): Sql[] {
  if (value === null) return [sql`count(*) ${over} as ${sql.id(name)}`]
  if (method === 'countdistinct') return [sql`count(distinct ${value}) ${over} as ${sql.id(name)}`]
  if (method === 'min' || method === 'max')
    return [sql`${sql.raw(method)}(${value}) ${over} as ${sql.id(name)}`]
  const count = method === 'average' ? [sql`count(${value}) ${over} as ${sql.id(`${name}n`)}`] : []
  if (dialect === 'postgres')
    return [sql`sum((${value})::bigint) ${over} as ${sql.id(name)}`, ...count]
  const [whole, part] = splitSum(value)
  return [
    sql`sum(${whole}) ${over} as ${sql.id(name)}`,
    sql`sum(${part}) ${over} as ${sql.id(`${name}p`)}`,
    ...count,
  ]
}

/** Splits off the lowest twenty bits, which is twice as fast as a division. */
function splitSum(value: Sql): readonly [Sql, Sql] {
  return [sql`(${value} >> 20)`, sql`(${value} & 1048575)`]
}

/** The final aggregate of a group; a result out of range is an error when it is evaluated. */
export function finalAggregate(one: AggregateColumn, alias: string, dialect: DialectName): Sql {
  const { name, method, value } = one
  const own = (end = '') => sql.ref(`${alias}.${name}${end}`)
  if (!isSum(one)) return own()
  const sum = own()
  const isOfWhole = value !== null && typeOf(value) === 'integer'
  // The average of integers has four decimal places.
  const scale = sql.lit(isOfWhole ? 10_000 : 1)
  if (dialect === 'sqlite') {
    const [part, count] = [own('p'), own('n')]
    if (method === 'average')
      return sql`cast(exact_average(${sum}, ${part}, ${count}, ${scale}) as integer)`
    const total = sql`cast(exact_total(${sum}, ${part}) as integer)`
    return method === 'total' ? sql`coalesce(${total}, 0)` : total
  }
  if (method === 'average')
    return checkedSum(
      sql`sign(${sum}) * div(2 * abs(${sum}) * ${scale} + ${own('n')}, 2 * ${own('n')})`,
    )
  return method === 'total' ? sql`coalesce(${checkedSum(sum)}, 0)` : checkedSum(sum)
}

/** The cast fails with our marker text, which PostgreSQL repeats in its error. */
function checkedSum(value: Sql): Sql {
  return sql`case when abs(${value}) <= 9007199254740991 then (${value})::bigint
    else (${sql.lit(outOfRangePrefix)} || ${value})::bigint end`
}

interface Windows {
  /** All rows of a group. */
  readonly all: Sql
  /** The rows of a group in order. */
  readonly before: Sql
}

/** The sums of the preceding rows and of all rows. */
export function runningSums(value: Sql, { all, before }: Windows, dialect: DialectName): Sql[] {
  const over = (of: Sql, name: string) => [
    sql`coalesce(sum(${of}) over (${before} rows between unbounded preceding and 1 preceding), 0) as ${sql.id(name)}`,
    sql`coalesce(sum(${of}) over (${all}), 0) as ${sql.id(`${name}all`)}`,
  ]
  if (dialect === 'postgres') return over(sql`(${value})::bigint`, 'whole')
  const [whole, part] = splitSum(value)
  return [...over(whole, 'whole'), ...over(part, 'part')]
}

/** 1 if the sum of the preceding rows is below the amount, or below a percentage of the total. */
export function isBelowLimit(
  reaches: CumulativeLimitStep['unit'],
  amount: Sql,
  dialect: DialectName,
): Sql {
  if (dialect === 'sqlite')
    return reaches === 'sum'
      ? sql`sum_is_below(r.whole, r.part, ${amount})`
      : sql`part_is_below(r.whole, r.part, r.wholeall, r.partall, ${amount})`
  return reaches === 'sum'
    ? sql`(r.whole < ${amount})::int`
    : sql`(r.whole * 1000000 < r.wholeall * ${amount})::int`
}
