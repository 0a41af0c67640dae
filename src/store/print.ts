// Records printed as JSON by the database: pages come out as text, ready for the wire (ADR 0014).
import { sql, type RawBuilder } from 'kysely'
import type { Field, FieldType } from '#model/resource.ts'
import type { ReadPlan } from '#plan/read-plan.ts'
import type { DialectName } from '#store/statement.ts'

/** A column of an answer: its name there, its value in the table, and what it is. */
export interface PrintedColumn {
  readonly as: string
  readonly value: RawBuilder<unknown>
  readonly field: Field
}

/** One JSON object of these columns; both databases give the same bytes. */
export const jsonObject = (
  columns: readonly PrintedColumn[],
  dialect: DialectName,
  dates: ReadPlan['dates'],
): RawBuilder<unknown> => {
  const members = columns.map(({ as }) => `${JSON.stringify(as)}:%s`)
  const values = columns.map(({ value, field }) => {
    const printed = printers[dialect][field.type](value, dates)
    return field.optional ? sql`coalesce(${printed}, 'null')` : printed
  })
  return sql`format(${sql.lit(`{${members.join(',')}}`)}, ${sql.join(values)})`
}

type Print = (value: RawBuilder<unknown>, dates: ReadPlan['dates']) => RawBuilder<unknown>

const midnight = (dates: ReadPlan['dates']) => sql.lit(dates === 'midnight' ? 'T00:00:00"' : '"')

/** Null stays null. Amounts: |x| < 10^11 with 4 places are 15 digits, which a double holds exactly. */
const printers: Record<DialectName, Record<FieldType, Print>> = {
  sqlite: {
    integer: (value) => value,
    text: (value) => sql`json_quote(${value})`,
    decimal: (value) => sql`iif(${value} is null, null, format('%.15g', ${value} / 10000.0))`,
    date: (value, dates) => sql`'"' || ${value} || ${midnight(dates)}`,
    stamp: (value) =>
      sql`strftime('"%Y-%m-%dT%H:%M:%S', ${value} / 1000000, 'unixepoch') || format('.%06dZ"', ${value} % 1000000)`,
    boolean: (value) => sql`iif(${value}, 'true', 'false')`,
  },
  postgres: {
    integer: (value) => sql`${value}::text`,
    text: (value) => sql`to_json(${value})::text`,
    decimal: (value) => sql`trim_scale(${value}::numeric / 10000)::text`,
    date: (value, dates) => sql`'"' || ${value} || ${midnight(dates)}`,
    stamp: (value) =>
      sql`'"' || to_char(to_timestamp(${value} / 1000000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || '.' || lpad((${value} % 1000000)::text, 6, '0') || 'Z"'`,
    boolean: (value) => sql`case when ${value} <> 0 then 'true' else 'false' end`,
  },
}
