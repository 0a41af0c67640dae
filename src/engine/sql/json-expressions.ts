// SQL expressions that serialize values as JSON in the database (ADR 0012).
import { sql } from 'kysely'
import { singleBitMembers } from '../model/enumeration.ts'
import type { Enumeration, Field, FieldType, Primitive } from '../model/resource.ts'
import type { ReadPlan } from '../planner/read-plan.ts'
import type { Value } from '../planner/expressions/bound-expression.ts'
import type { RecordFormat } from '../planner/record-format.ts'
import type { SqlDialect, Sql } from './dialect.ts'
import { typeOf } from '../planner/expressions/typed-value.ts'

/** The format of generated JSON. */
export interface JsonFormat extends Pick<RecordFormat, 'decimals'> {
  readonly dialect: SqlDialect
  readonly dates: ReadPlan['dates']
}

/** The value of a field as JSON; NULL or `null` for null; the same bytes in both databases. */
export function fieldJson(field: Field, value: Sql, { dialect, dates, decimals }: JsonFormat): Sql {
  const json = jsonExpressionOf(field.type, dialect)(value, dates)
  return field.type === 'decimal' && decimals === 'string' ? sql`'"' || ${json} || '"'` : json
}

/** How SQLite's `format` writes a value that is not null itself: its placeholders, and their values. */
export interface DirectFormat {
  readonly placeholder: string
  readonly values: (value: Sql) => readonly Sql[]
}

/** An integer as digits: `%s` would first make it a text. */
export const integerFormat: DirectFormat = { placeholder: '%d', values: (value) => [value] }

/**
 * Of the types for which `fieldJson` calls more functions, and of integers that cannot be null (ADR 0012); null for the others. A
 * null among the direct fields makes the whole record longer to write, which an integer is not worth.
 */
export function directFormatOf(
  { type, optional }: { readonly type: FieldType; readonly optional: boolean },
  { dates, decimals }: Omit<JsonFormat, 'dialect'>,
): DirectFormat | null {
  if (type === 'integer') return optional ? null : integerFormat
  if (type === 'date') return { placeholder: `"%s${midnight(dates)}`, values: (value) => [value] }
  if (type === 'timestamp') return { placeholder: timestampPlaceholder, values: timestampParts }
  if (type !== 'decimal') return null
  return { placeholder: decimals === 'string' ? '"%.15g"' : '%.15g', values: (value) => [sql`${value} / 10000.0`] }
}

/** A computed value as JSON, or NULL; numbers of any size with all digits. */
export function valueJson(value: Value, written: Sql, { dialect, dates, decimals }: JsonFormat): Sql {
  const type = typeOf(value)
  if (type === null) return sql`null`
  const own = typeof type === 'string' ? computedExpressions[dialect][type] : undefined
  const json = own ?? jsonExpressionOf(type === 'seconds' ? 'integer' : type, dialect)
  const isQuoted = decimals === 'string' && (type === 'decimal' || type === 'seconds')
  return isQuoted ? sql`'"' || ${json(written, dates)} || '"'` : json(written, dates)
}

/** A key value as a URL literal (OData 4.01 part 2, 4.3.1). */
export function keyLiteralSql({ type }: Field, value: Sql, dialect: SqlDialect): Sql {
  if (type === 'date') return value
  if (typeof type === 'object' || type === 'duration')
    return sql`replace(${jsonExpressionOf(type, dialect)(value, 'date')}, '"', '''')`
  if (type !== 'text') return sql`trim(${fieldExpressions[dialect][type](value, 'date')}, '"')`
  const doubled = sql`replace(${value}, '''', '''''')`
  return sql`'''' || ${percentEncoded[dialect](doubled)} || ''''`
}

/** Percent-encodes only values with reserved characters. */
const percentEncoded: Record<SqlDialect, (value: Sql) => Sql> = {
  sqlite: (value) =>
    sql`case when ${value} glob '*[^A-Za-z0-9_.!~*''()-]*' then percent_encoded(${value}) else ${value} end`,
  postgres: (value) => sql`case when ${value} ~ '^[A-Za-z0-9_.!~*''()-]*$' then ${value} else
    (select string_agg(case when chr(byte) ~ '[A-Za-z0-9_.!~*''()-]' and byte < 128 then chr(byte)
      else '%' || lpad(upper(to_hex(byte)), 2, '0') end, '' order by place)
    from (select place, get_byte(bytes, place) as byte
      from (select convert_to(${value}, 'UTF8') as bytes) as text, generate_series(0, length(bytes) - 1) as place) as bytes) end`,
}

type JsonExpression = (value: Sql, dates: ReadPlan['dates']) => Sql

const timestampPlaceholder = '"%sT%s.%06dZ"'

/** `strftime` takes four times as long. */
function timestampParts(value: Sql): readonly Sql[] {
  const seconds = sql`${value} / 1000000, 'unixepoch'`
  return [sql`date(${seconds})`, sql`time(${seconds})`, sql`${value} % 1000000`]
}

function midnight(dates: ReadPlan['dates']) {
  return dates === 'midnight' ? 'T00:00:00"' : '"'
}

function jsonExpressionOf(type: FieldType, dialect: SqlDialect): JsonExpression {
  return typeof type === 'string' ? fieldExpressions[dialect][type] : enumJson(type, dialect)
}

/** The member with this number, or the flags that it consists of; otherwise its digits (OData JSON 4.01, 7.1). */
function enumJson({ members, isFlags }: Enumeration, dialect: SqlDialect): JsonExpression {
  return (value) => {
    const digits = dialect === 'sqlite' ? value : sql`(${value})::text`
    const names = Object.entries(members).map(
      ([name, number]) => sql`when ${sql.lit(number)} then ${sql.lit(`"${name}"`)}`,
    )
    const flags = isFlags === true ? singleBitMembers(members) : []
    const list = flags.map(
      ([name, bit]) => sql`case when (${value} & ${sql.lit(bit)}) <> 0 then ${sql.lit(`,${name}`)} else '' end`,
    )
    const all = flags.reduce((sum, [, bit]) => sum + bit, 0)
    const together =
      flags.length === 0
        ? sql``
        : sql`when ${value} > 0 and (${value} & ~ ${sql.lit(all)}) = 0 then '"' || substr(${sql.join(list, sql` || `)}, 2) || '"'`
    return sql`case ${value} ${sql.join(names, sql` `)} else
      case ${together} when ${value} is not null then '"' || ${digits} || '"' end end`
  }
}

/** Null stays null. Amounts: |x| < 10^11 with 4 places are 15 digits, which a double holds exactly. */
const fieldExpressions: Record<SqlDialect, Record<Primitive, JsonExpression>> = {
  sqlite: {
    integer: (value) => value,
    text: (value) => sql`json_quote(${value})`,
    decimal: (value) => sql`iif(${value} is null, null, format('%.15g', ${value} / 10000.0))`,
    date: (value, dates) => sql`'"' || ${value} || ${sql.lit(midnight(dates))}`,
    timestamp: (value) =>
      sql`iif(${value} is null, null, format(${sql.lit(timestampPlaceholder)}, ${sql.join(timestampParts(value))}))`,
    timeOfDay: (value) => sql`json_time(${value})`,
    duration: (value) => sql`json_duration(${value})`,
    boolean: (value) => sql`case ${value} when 0 then 'false' when 1 then 'true' end`,
  },
  postgres: {
    integer: (value) => sql`${value}::text`,
    text: (value) => sql`to_json(${value})::text`,
    decimal: (value) => sql`trim_scale(${value}::numeric / 10000)::text`,
    date: (value, dates) => sql`'"' || ${value} || ${sql.lit(midnight(dates))}`,
    timestamp: (value) =>
      sql`'"' || to_char(to_timestamp(${value} / 1000000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || '.' || lpad((${value} % 1000000)::text, 6, '0') || 'Z"'`,
    timeOfDay: (value) =>
      sql`'"' || to_char(time '00:00' + ${value} * interval '1 microsecond', 'HH24:MI:SS.US') || '"'`,
    duration: (value) =>
      sql`case when ${value} < 0 then '"-PT' else '"PT' end || trim_scale(abs(${value})::numeric / 1000000)::text || 'S"'`,
    boolean: (value) => sql`case ${value} when 0 then 'false' when 1 then 'true' end`,
  },
}

/** Differences for computed values: timestamps before 1970, and numbers of sixteen digits. */
const computedExpressions: Record<SqlDialect, Partial<Record<Primitive | 'seconds', JsonExpression>>> = {
  sqlite: {
    // `json_quote` returns the bare word null only for NULL.
    text: (value) => sql`nullif(json_quote(${value}), 'null')`,
    decimal: (value) => sql`json_number(${value}, 10000)`,
    seconds: (value) => sql`json_number(${value}, 1000000)`,
    timestamp: (value) => sql`json_timestamp(${value})`,
  },
  postgres: {
    integer: (value) => sql`(${value})::text`,
    seconds: (value) => sql`trim_scale(${value}::numeric / 1000000)::text`,
    timestamp: (value) =>
      sql`'"' || to_char(timestamp '1970-01-01' + ${value} * interval '1 microsecond', 'YYYY-MM-DD"T"HH24:MI:SS.US') || 'Z"'`,
  },
}
