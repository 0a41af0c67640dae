// Records printed as JSON by the database: pages come out as text, ready for the wire (ADR 0014).
import { sql, type RawBuilder } from 'kysely'
import type { Field, FieldType, Resource } from '#model/resource.ts'
import { typeOf } from '#plan/arithmetic.ts'
import type { ExpandPlan, ReadPlan, SetPlan, Value, ValueType } from '#plan/read-plan.ts'
import { column, fieldOf, type Table } from '#store/read-columns.ts'
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

/** What was worked out, as JSON; numbers of any size with all their digits. */
export const printedValue = (
  value: Value,
  written: RawBuilder<unknown>,
  { dialect, dates }: Printing,
): RawBuilder<unknown> => {
  const type = typeOf(value)
  if (type === null) return sql`'null'`
  const print = valuePrinters[dialect][type] ?? printers[dialect][fieldTypeOf(type)]
  return sql`coalesce(${print(written, dates)}, 'null')`
}

/** What refers to a record: its address, relative to the service (OData JSON 4.0, 14). */
export const reference = ({ dialect, value }: Build, table: Table): RawBuilder<unknown> => {
  const template = value(templateName(table.alias))
  const typed = dialect === 'sqlite' ? template : sql`${template}::text`
  const keys = table.resource.key.map((name) => {
    const { type } = fieldOf(table, name)
    const key = column(table, name)
    if (type === 'text') return keyTexts[dialect](key)
    return sql`trim(${printers[dialect][type](key, 'date')}, '"')`
  })
  return sql`format(${sql.join([typed, ...keys])})`
}

/** A text as the literal of an address; what is no plain letter in it makes all of it percent-encoded. */
const keyTexts: Record<DialectName, (text: RawBuilder<unknown>) => RawBuilder<unknown>> = {
  sqlite: (text) => sql`key_text(${text})`,
  postgres: (text) => sql`'''' || case when ${text} ~ '^[A-Za-z0-9_.~-]*$' then ${text}
    else upper(regexp_replace(encode(convert_to(replace(${text}, '''', ''''''), 'UTF8'), 'hex'), '(..)', '%\\1', 'g')) end || ''''`,
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
export const templateOf = (plan: SetPlan | ExpandPlan): string => {
  if ('wants' in plan && plan.wants === 'references') return referenceTemplate(plan.resource)
  return `{${namesOf(plan)
    .map((name) => `${JSON.stringify(name).replaceAll('%', '%%')}:%s`)
    .join(',')}}`
}

const referenceTemplate = ({ wire, key, fields }: Resource): string => {
  const names = key.map((name) => fields[name]?.wire ?? name)
  const values = names.length === 1 ? '%s' : names.map((name) => `${name}=%s`).join(',')
  return `{"@odata.id":"${wire}(${values})"}`
}

const namesOf = ({ select, computed, expand }: SetPlan): string[] => [
  ...select.map(({ as }) => as),
  ...computed.map(({ as }) => as),
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

/** What differs where a value was worked out: moments before 1970, and numbers of sixteen digits. */
const valuePrinters: Record<DialectName, Partial<Record<ValueType, Print>>> = {
  sqlite: {
    decimal: (value) => sql`printed_number(${value}, 10000)`,
    seconds: (value) => sql`printed_number(${value}, 1000000)`,
    duration: (value) => sql`printed_duration(${value})`,
    stamp: (value) => sql`printed_stamp(${value})`,
    timeOfDay: (value) => sql`printed_time(${value})`,
  },
  postgres: {
    integer: (value) => sql`(${value})::text`,
    seconds: (value) => sql`trim_scale(${value}::numeric / 1000000)::text`,
    duration: (value) =>
      sql`case when ${value} < 0 then '"-PT' else '"PT' end || trim_scale(abs(${value})::numeric / 1000000)::text || 'S"'`,
    stamp: (value) =>
      sql`'"' || to_char(timestamp '1970-01-01' + ${value} * interval '1 microsecond', 'YYYY-MM-DD"T"HH24:MI:SS.US') || 'Z"'`,
    timeOfDay: (value) =>
      sql`'"' || to_char(time '00:00' + ${value} * interval '1 microsecond', 'HH24:MI:SS.US') || '"'`,
  },
}

const fieldTypeOf = (type: ValueType): FieldType =>
  type === 'seconds' || type === 'timeOfDay' || type === 'duration' ? 'integer' : type
