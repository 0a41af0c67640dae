// Records printed as JSON by the database: pages come out as text, ready for the wire (ADR 0014).
import { sql, type RawBuilder } from 'kysely'
import type { Field, FieldType } from '#model/resource.ts'
import type { ReadPlan, SetPlan } from '#plan/read-plan.ts'
import type { Build, DialectName } from '#store/statement.ts'

/** How a database prints. */
export interface Printing {
  readonly dialect: DialectName
  readonly dates: ReadPlan['dates']
}

/** A value of a field as JSON; both databases give the same bytes. */
export const printed = (
  field: Field,
  value: RawBuilder<unknown>,
  { dialect, dates }: Printing,
): RawBuilder<unknown> => {
  const print = printers[dialect][field.type](value, dates)
  return field.optional ? sql`coalesce(${print}, 'null')` : print
}

/**
 * One JSON object. Its names are a value of the statement, so that the text of the statement does not depend
 * on how a caller spells them; see `templateOf`.
 */
export const jsonObject = (
  { dialect, value }: Build,
  alias: string,
  members: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> => {
  const template = value(templateName(alias))
  const typed = dialect === 'sqlite' ? template : sql`${template}::text`
  return sql`format(${sql.join([typed, ...members])})`
}

/** The name that the template of a table's objects has among the values of a run. */
export const templateName = (alias: string): string => `object ${alias}`

/** What `format` puts the members of an object into, in the order of a plan. */
export const templateOf = (plan: SetPlan): string =>
  `{${namesOf(plan)
    .map((name) => `${JSON.stringify(name).replaceAll('%', '%%')}:%s`)
    .join(',')}}`

const namesOf = ({ select, expand }: SetPlan): string[] => [
  ...select.map(({ as }) => as),
  ...expand.flatMap(({ as, count, wants }) => {
    const total = `${as}@odata.count`
    if (wants === 'count') return [total]
    return count ? [total, as] : [as]
  }),
]

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
    boolean: (value) => sql`case ${value} when 0 then 'false' when 1 then 'true' end`,
  },
  postgres: {
    integer: (value) => sql`${value}::text`,
    text: (value) => sql`to_json(${value})::text`,
    decimal: (value) => sql`trim_scale(${value}::numeric / 10000)::text`,
    date: (value, dates) => sql`'"' || ${value} || ${midnight(dates)}`,
    stamp: (value) =>
      sql`'"' || to_char(to_timestamp(${value} / 1000000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || '.' || lpad((${value} % 1000000)::text, 6, '0') || 'Z"'`,
    boolean: (value) => sql`case ${value} when 0 then 'false' when 1 then 'true' end`,
  },
}
