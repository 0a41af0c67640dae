// SQL of OData functions in both dialects: the same results, and no database errors (ADR 0021).
import { sql } from 'kysely'
import type { ValueFunction, ValueType } from '../planner/expressions/bound-expression.ts'
import type { SqlDialect, Sql } from './dialect.ts'

type FunctionBuilder = (args: readonly Sql[], argumentTypes: readonly ValueType[]) => Sql

/** Text with comparison by code point. */
export function sqlText(dialect: SqlDialect, text: Sql): Sql {
  return dialect === 'sqlite' ? text : sql`(${text} collate "C")`
}

function binary(write: (one: Sql, other: Sql) => Sql): FunctionBuilder {
  return ([one = sql`null`, other = sql`null`]) => write(one, other)
}

function unary(write: (value: Sql, type: ValueType | undefined) => Sql): FunctionBuilder {
  return ([value = sql`null`], [type]) => write(value, type)
}

/** What `trim` removes: all Unicode whitespace. */
const whitespace =
  '\t\n\v\f\r \u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}'

/** A separator that no stored or requested text contains, so that no search term matches across two texts. */
const textSeparator = '\u{1}'

const day = sql.lit(86_400_000_000)

/** A multiple of a day that makes every timestamp positive, so that divisions round down. */
const positiveOffset = sql.lit(12_960_000_000_000_000)
const positiveOffsetDays = sql.lit(150_000)

/** The number of units in one, by type. */
function unitOf(type: ValueType | undefined): Sql {
  return sql.lit(type === 'seconds' ? 1_000_000 : 10_000)
}

/** Functions with the same SQL in both dialects. */
const sharedFunctions = {
  yearOfDate: unary((date) => sql`cast(substr(${date}, 1, 4) as bigint)`),
  monthOfDate: unary((date) => sql`cast(substr(${date}, 6, 2) as bigint)`),
  dayOfDate: unary((date) => sql`cast(substr(${date}, 9, 2) as bigint)`),
  timeOfTimestamp: unary((timestamp) => sql`((${timestamp} + ${positiveOffset}) % ${day})`),
  hourOfTime: unary((time) => sql`(${time} / 3600000000)`),
  minuteOfTime: unary((time) => sql`(${time} / 60000000 % 60)`),
  secondOfTime: unary((time) => sql`(${time} / 1000000 % 60)`),
  fractionOfTime: unary((time) => sql`(${time} % 1000000)`),
  negated: unary((value) => sql`(- ${value})`),
  length: unary((text) => sql`cast(length(${text}) as bigint)`),
  concatTexts: (args) => sql`concat_ws(${sql.lit(textSeparator)}, ${sql.join(args)})`,
} satisfies Partial<Record<ValueFunction, FunctionBuilder>>

/** Balances long chains of `and` and `or`: SQLite parses them as a tree as deep as they are long, and allows a thousand levels. */
export function joinBalanced(parts: readonly Sql[], word: Sql): Sql {
  if (parts.length <= 8) return sql`(${sql.join(parts, word)})`
  const middle = parts.length >> 1
  return sql`(${joinBalanced(parts.slice(0, middle), word)}${word}${joinBalanced(parts.slice(middle), word)})`
}

/** Custom SQLite functions (`sqlite/functions.ts`); their numbers are returned as floats. */
function customNumberFunction(name: string): FunctionBuilder {
  return (args) => sql`cast(${sql.raw(name)}(${sql.join(args)}) as integer)`
}

function customTextFunction(name: string): FunctionBuilder {
  return (args) => sql`${sql.raw(name)}(${sql.join(args)})`
}

function booleanText(value: Sql): Sql {
  return sql`(case ${value} when 0 then 'false' when 1 then 'true' end)`
}

const sqliteFunctions: Record<ValueFunction, FunctionBuilder> = {
  ...sharedFunctions,
  textOf: unary((value, type) => {
    if (type === 'boolean') return booleanText(value)
    if (type === 'decimal') return sql`json_number(${value}, 10000)`
    return type === 'timestamp' ? sql`trim(json_timestamp(${value}), '"')` : sql`cast(${value} as text)`
  }),
  decimalToInteger: unary((value) => sql`(cast(rounded_to(${value}, 10000) as integer) / 10000)`),
  dateToTimestamp: unary((date) => sql`cast(exact_product(unixepoch(${date}), 1000000) as integer)`),
  add: customNumberFunction('exact_sum'),
  subtract: customNumberFunction('exact_difference'),
  multiply: customNumberFunction('exact_product'),
  multiplyDecimals: customNumberFunction('exact_scaled_product'),
  divideIntegers: customNumberFunction('exact_quotient'),
  divideDecimals: customNumberFunction('exact_ratio'),
  modulo: customNumberFunction('exact_remainder'),
  integerToDecimal: unary((value) => sql`cast(exact_product(${value}, 10000) as integer)`),
  decimalToSeconds: unary((value) => sql`cast(exact_product(${value}, 100) as integer)`),
  secondsToDecimal: customNumberFunction('seconds_to_decimal'),
  rounded: unary((value, type) => sql`cast(rounded_to(${value}, ${unitOf(type)}) as integer)`),
  floor: unary((value, type) => sql`cast(floored_to(${value}, ${unitOf(type)}) as integer)`),
  ceiling: unary((value, type) => sql`cast(raised_to(${value}, ${unitOf(type)}) as integer)`),
  and: (args) => joinBalanced(args, sql` and `),
  or: (args) => joinBalanced(args, sql` or `),
  not: unary((value) => sql`(not ${value})`),
  startswith: binary((text, part) => sql`text_starts(${text}, ${part})`),
  endswith: binary((text, part) => sql`text_ends(${text}, ${part})`),
  contains: binary((text, part) => sql`(instr(${text}, ${part}) > 0)`),
  hasFlags: binary((value, flags) => sql`((~ ${value} & ${flags}) = 0)`),
  concat: binary((text, other) => sql`(${text} || ${other})`),
  indexof: binary((text, part) => sql`(instr(${text}, ${part}) - 1)`),
  substring: customTextFunction('text_part'),
  tolower: customTextFunction('text_lower'),
  toupper: customTextFunction('text_upper'),
  trim: unary((text) => sql`trim(${text}, ${sql.lit(whitespace)})`),
  dateOfTimestamp: unary(
    (timestamp) =>
      sql`date(((${timestamp} + ${positiveOffset}) / ${day} - ${positiveOffsetDays}) * 86400, 'unixepoch')`,
  ),
  datePlus: binary((date, duration) => sql`date_plus(${date}, ${duration})`),
  daysBetween: binary(
    (date, other) => sql`cast(exact_product(unixepoch(${date}) - unixepoch(${other}), 1000000) as integer)`,
  ),
}

/** `offset 0` keeps PostgreSQL from inlining the subquery, and so from evaluating it twice. */
function materialized(inside: Sql, outside: Sql): Sql {
  return sql`(select ${outside} from (select ${inside} offset 0) as r)`
}

const x = sql.ref('r.x')
const y = sql.ref('r.y')
const z = sql.ref('r.z')

/** A numeric within the safe integers as bigint; otherwise null. */
function inSafeRange(inside: Sql): Sql {
  return materialized(sql`${inside} as x`, sql`case when abs(${x}) <= 9007199254740991 then ${x}::bigint end`)
}

/** n / d in integer arithmetic, rounded half away from zero; null if d is 0. */
function roundedQuotient(n: Sql, d: Sql): Sql {
  return inSafeRange(
    materialized(
      sql`${n} as x, ${d} as y`,
      sql`case when ${y} <> 0 then sign(${x}) * sign(${y}) * div(2 * abs(${x}) + abs(${y}), 2 * abs(${y})) end`,
    ),
  )
}

function toUnit(write: (value: Sql) => Sql): FunctionBuilder {
  return unary((value, type) => {
    const unit = unitOf(type)
    return inSafeRange(sql`${write(sql`(${value}::numeric / ${unit})`)} * ${unit}`)
  })
}

function isTrue(value: Sql): Sql {
  return sql`(${value}) <> 0`
}

const postgresFunctions: Record<ValueFunction, FunctionBuilder> = {
  ...sharedFunctions,
  hasFlags: binary((value, flags) => sql`((~ ${value} & ${flags}) = 0)::int`),
  textOf: unary((value, type) => {
    if (type === 'boolean') return sqlText('postgres', booleanText(value))
    if (type === 'decimal') return sqlText('postgres', sql`trim_scale(${value}::numeric / 10000)::text`)
    if (type !== 'timestamp') return sqlText('postgres', sql`(${value})::text`)
    const moment = sql`timestamp '1970-01-01' + ${value} * interval '1 microsecond'`
    return sqlText('postgres', sql`to_char(${moment}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
  }),
  decimalToInteger: unary((value) => sql`round(${value}::numeric / 10000)::bigint`),
  dateToTimestamp: unary((date) => inSafeRange(sql`(${date}::date - date '1970-01-01')::numeric * ${day}`)),
  add: binary((a, b) => inSafeRange(sql`${a}::numeric + ${b}::numeric`)),
  subtract: binary((a, b) => inSafeRange(sql`${a}::numeric - ${b}::numeric`)),
  multiply: binary((a, b) => inSafeRange(sql`${a}::numeric * ${b}::numeric`)),
  multiplyDecimals: binary((a, b) => inSafeRange(sql`round(${a}::numeric * ${b}::numeric / 10000)`)),
  divideIntegers: binary((a, b) => sql`(${a} / nullif(${b}, 0))`),
  divideDecimals: binary((a, b) => roundedQuotient(sql`${a}::numeric * 10000`, sql`${b}::numeric`)),
  modulo: binary((a, b) => sql`(${a} % nullif(${b}, 0))`),
  integerToDecimal: unary((value) => inSafeRange(sql`${value}::numeric * 10000`)),
  decimalToSeconds: unary((value) => inSafeRange(sql`${value}::numeric * 100`)),
  secondsToDecimal: unary((value) => sql`round(${value}::numeric / 100)::bigint`),
  rounded: toUnit((value) => sql`round(${value})`),
  floor: toUnit((value) => sql`floor(${value})`),
  ceiling: toUnit((value) => sql`ceil(${value})`),
  and: (args) => sql`${joinBalanced(args.map(isTrue), sql` and `)}::int`,
  or: (args) => sql`${joinBalanced(args.map(isTrue), sql` or `)}::int`,
  not: unary((value) => sql`(${value} = 0)::int`),
  startswith: binary((text, part) => sql`starts_with(${text}, ${part})::int`),
  endswith: binary((text, part) =>
    materialized(sql`${text} as x, ${part} as y`, sql`(right(${x}, length(${y})) = ${y})::int`),
  ),
  contains: binary((text, part) => sql`(strpos(${text}, ${part}) > 0)::int`),
  concat: binary((text, other) => sqlText('postgres', sql`(${text} || ${other})`)),
  indexof: binary((text, part) => sql`(strpos(${text}, ${part}) - 1)::bigint`),
  substring: (args) => sqlText('postgres', substringSql(args)),
  tolower: unary((text) => sqlText('postgres', sql`lower(${text} collate "und-x-icu")`)),
  toupper: unary((text) => sqlText('postgres', sql`upper(${text} collate "und-x-icu")`)),
  trim: unary((text) => sqlText('postgres', sql`btrim(${text}, ${sql.lit(whitespace)})`)),
  dateOfTimestamp: unary((timestamp) =>
    isoDate(sql`date '1970-01-01' + ((${timestamp} + ${positiveOffset}) / ${day} - ${positiveOffsetDays})::int`),
  ),
  datePlus: binary((date, duration) =>
    isoDate(sql`${date}::date + ((${duration} + ${positiveOffset}) / ${day} - ${positiveOffsetDays})::int`),
  ),
  daysBetween: binary((date, other) => inSafeRange(sql`(${date}::date - ${other}::date)::numeric * ${day}`)),
}

/** Null outside the years 0001 to 9999. */
function isoDate(date: Sql): Sql {
  return materialized(
    sql`${date} as x`,
    sqlText('postgres', sql`case when ${x} between '0001-01-01' and '9999-12-31' then to_char(${x}, 'YYYY-MM-DD') end`),
  )
}

/**
 * `substring` from a zero-based position, or from the end if negative; a negative length counts as 0. Written with `case`,
 * because `least` and `greatest` ignore null.
 */
function substringSql([text = sql`null`, start = sql`null`, length]: readonly Sql[]): Sql {
  const from = sql`case when ${y} < 0 then greatest(length(${x}) + ${y}, 0) when ${y} > 2147483646 then 2147483646 else ${y} end`
  if (length === undefined) return materialized(sql`${text} as x, ${start} as y`, sql`substr(${x}, 1 + (${from})::int)`)
  return materialized(
    sql`${text} as x, ${start} as y, ${length} as z`,
    sql`substr(${x}, 1 + (${from})::int, (case when ${z} < 0 then 0 when ${z} > 1000000000 then 1000000000 else ${z} end)::int)`,
  )
}

export const sqlFunctions: Readonly<Record<SqlDialect, Readonly<Record<ValueFunction, FunctionBuilder>>>> = {
  sqlite: sqliteFunctions,
  postgres: postgresFunctions,
}
