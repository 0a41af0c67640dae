// Sums of amounts, which may exceed the integers of the database.
import { sql, type RawBuilder } from 'kysely'
import type { Build } from './statement.ts'

/** The sum of an expression in ten-thousandths, 0 without rows; above 2^53 its last digits are rounded. */
export function sumAmount({ dialect }: Build, amount: RawBuilder<unknown>): RawBuilder<unknown> {
  return dialect === 'sqlite' ? sql`total(${amount})` : sql`cast(coalesce(sum(${amount}), 0) as double precision)`
}
