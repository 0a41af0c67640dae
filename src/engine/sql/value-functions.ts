// SQL of OData functions in both dialects: the same results, and no database errors (ADR 0020).
import { sql, type RawBuilder } from 'kysely'
import type { ValueFunction, ValueType } from '../planner/expressions/expression.ts'
import type { DialectName } from './dialect.ts'

type Sql = RawBuilder<unknown>

/** The types of a function call. */
interface Types {
  readonly takes: readonly ValueType[]
  readonly type: ValueType
}

type Write = (args: readonly Sql[], types: Types) => Sql

/** Text with comparison by code point. */
export function sqlText(dialect: DialectName, text: Sql): Sql {
  return dialect === 'sqlite' ? text : sql`(${text} collate "C")`
}

function two(write: (one: Sql, other: Sql) => Sql): Write {
  return ([one = sql`null`, other = sql`null`]) => write(one, other)
}

function one(write: (value: Sql, types: Types) => Sql): Write {
  return ([value = sql`null`], types) => write(value, types)
}

/** What `trim` removes: all Unicode whitespace. */
const blanks =
  '\t\n\v\f\r \u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}'

/** A separator that no stored or requested text contains, so that no search term matches across two texts. */
const between = '\u{1}'

const day = sql.lit(86_400_000_000)

/** A multiple of a day that makes every timestamp positive, so that divisions round down. */
const past = sql.lit(12_960_000_000_000_000)
const pastDays = sql.lit(150_000)

/** The number of units in one, by type. */
function unitOf({ takes }: Types): Sql {
  return sql.lit(takes[0] === 'seconds' ? 1_000_000 : 10_000)
}

function sinceMidnight(stamp: Sql): Sql {
  return sql`((${stamp} + ${past}) % ${day})`
}

/** Functions with the same SQL in both dialects. */
const shared = {
  yearOfDate: one((date) => sql`cast(substr(${date}, 1, 4) as bigint)`),
  monthOfDate: one((date) => sql`cast(substr(${date}, 6, 2) as bigint)`),
  dayOfDate: one((date) => sql`cast(substr(${date}, 9, 2) as bigint)`),
  timeOfStamp: one(sinceMidnight),
  hourOfTime: one((time) => sql`(${time} / 3600000000)`),
  minuteOfTime: one((time) => sql`(${time} / 60000000 % 60)`),
  secondOfTime: one((time) => sql`(${time} / 1000000 % 60)`),
  fractionOfTime: one((time) => sql`(${time} % 1000000)`),
  negated: one((value) => sql`(- ${value})`),
  length: one((text) => sql`cast(length(${text}) as bigint)`),
} satisfies Partial<Record<ValueFunction, Write>>

/** Balances long chains of `and` and `or`: SQLite parses them as a tree as deep as they are long, and allows a thousand levels. */
export function chain(parts: readonly Sql[], word: Sql): Sql {
  if (parts.length <= 8) return sql`(${sql.join(parts, word)})`
  const middle = parts.length >> 1
  return sql`(${chain(parts.slice(0, middle), word)}${word}${chain(parts.slice(middle), word)})`
}

/** Custom SQLite functions (`sqlite/functions.ts`); their numbers are returned as floats. */
function own(name: string, args: readonly Sql[]): Sql {
  return sql`${sql.raw(name)}(${sql.join(args)})`
}

function ownNumber(name: string): Write {
  return (args) => sql`cast(${own(name, args)} as integer)`
}

function ownText(name: string): Write {
  return (args) => own(name, args)
}

function truthText(value: Sql): Sql {
  return sql`(case ${value} when 0 then 'false' when 1 then 'true' end)`
}

const sqlite: Record<ValueFunction, Write> = {
  ...shared,
  textOf: one((value, { takes: [type] }) => {
    if (type === 'boolean') return truthText(value)
    if (type === 'decimal') return sql`printed_number(${value}, 10000)`
    return type === 'stamp' ? sql`trim(printed_stamp(${value}), '"')` : sql`cast(${value} as text)`
  }),
  decimalToWhole: one((value) => sql`(cast(rounded_to(${value}, 10000) as integer) / 10000)`),
  dateToStamp: one((date) => sql`cast(exact_product(unixepoch(${date}), 1000000) as integer)`),
  sum: ownNumber('exact_sum'),
  difference: ownNumber('exact_difference'),
  product: ownNumber('exact_product'),
  scaledProduct: ownNumber('exact_scaled_product'),
  quotient: ownNumber('exact_quotient'),
  ratio: ownNumber('exact_ratio'),
  remainder: ownNumber('exact_remainder'),
  wholeToDecimal: one((value) => sql`cast(exact_product(${value}, 10000) as integer)`),
  decimalToSeconds: one((value) => sql`cast(exact_product(${value}, 100) as integer)`),
  secondsToDecimal: ownNumber('seconds_to_decimal'),
  rounded: (args, types) => ownNumber('rounded_to')([...args, unitOf(types)], types),
  floor: (args, types) => ownNumber('floored_to')([...args, unitOf(types)], types),
  ceiling: (args, types) => ownNumber('raised_to')([...args, unitOf(types)], types),
  and: (args) => chain(args, sql` and `),
  or: (args) => chain(args, sql` or `),
  not: one((value) => sql`(not ${value})`),
  startswith: two((text, part) => sql`text_starts(${text}, ${part})`),
  endswith: two((text, part) => sql`text_ends(${text}, ${part})`),
  contains: two((text, part) => sql`(instr(${text}, ${part}) > 0)`),
  hasFlags: two((value, flags) => sql`((~ ${value} & ${flags}) = 0)`),
  texts: (args) => sql`concat_ws(${sql.lit(between)}, ${sql.join(args)})`,
  concat: two((text, other) => sql`(${text} || ${other})`),
  indexof: two((text, part) => sql`(instr(${text}, ${part}) - 1)`),
  substring: ownText('text_part'),
  tolower: ownText('text_lower'),
  toupper: ownText('text_upper'),
  trim: one((text) => sql`trim(${text}, ${sql.lit(blanks)})`),
  dateOfStamp: one(
    (stamp) => sql`date(((${stamp} + ${past}) / ${day} - ${pastDays}) * 86400, 'unixepoch')`,
  ),
  datePlus: two((date, duration) => sql`date_plus(${date}, ${duration})`),
  daysBetween: two(
    (date, other) =>
      sql`cast(exact_product(unixepoch(${date}) - unixepoch(${other}), 1000000) as integer)`,
  ),
}

/** `offset 0` keeps PostgreSQL from inlining the subquery, and so from evaluating it twice. */
function fenced(inside: Sql, outside: Sql): Sql {
  return sql`(select ${outside} from (select ${inside} offset 0) as r)`
}

const x = sql.ref('r.x')
const y = sql.ref('r.y')
const z = sql.ref('r.z')

/** A numeric within the safe integers as bigint; otherwise null. */
function within(inside: Sql): Sql {
  return fenced(
    sql`${inside} as x`,
    sql`case when abs(${x}) <= 9007199254740991 then ${x}::bigint end`,
  )
}

/** n / d in integer arithmetic, rounded half away from zero; null if d is 0. */
function roundedQuotient(n: Sql, d: Sql): Sql {
  return within(
    fenced(
      sql`${n} as x, ${d} as y`,
      sql`case when ${y} <> 0 then sign(${x}) * sign(${y}) * div(2 * abs(${x}) + abs(${y}), 2 * abs(${y})) end`,
    ),
  )
}

function toUnit(write: (value: Sql) => Sql): Write {
  return one((value, types) => {
    const unit = unitOf(types)
    return sql`(${write(sql`(${value}::numeric / ${unit})`)} * ${unit})::bigint`
  })
}

function isSo(value: Sql): Sql {
  return sql`(${value}) <> 0`
}

const postgres: Record<ValueFunction, Write> = {
  ...shared,
  hasFlags: two((value, flags) => sql`((~ ${value} & ${flags}) = 0)::int`),
  textOf: one((value, { takes: [type] }) => {
    if (type === 'boolean') return sqlText('postgres', truthText(value))
    if (type === 'decimal')
      return sqlText('postgres', sql`trim_scale(${value}::numeric / 10000)::text`)
    if (type !== 'stamp') return sqlText('postgres', sql`(${value})::text`)
    const moment = sql`timestamp '1970-01-01' + ${value} * interval '1 microsecond'`
    return sqlText('postgres', sql`to_char(${moment}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
  }),
  decimalToWhole: one((value) => sql`round(${value}::numeric / 10000)::bigint`),
  dateToStamp: one((date) => within(sql`(${date}::date - date '1970-01-01')::numeric * ${day}`)),
  sum: two((a, b) => within(sql`${a}::numeric + ${b}::numeric`)),
  difference: two((a, b) => within(sql`${a}::numeric - ${b}::numeric`)),
  product: two((a, b) => within(sql`${a}::numeric * ${b}::numeric`)),
  scaledProduct: two((a, b) => within(sql`round(${a}::numeric * ${b}::numeric / 10000)`)),
  quotient: two((a, b) => sql`(${a} / nullif(${b}, 0))`),
  ratio: two((a, b) => roundedQuotient(sql`${a}::numeric * 10000`, sql`${b}::numeric`)),
  remainder: two((a, b) => sql`(${a} % nullif(${b}, 0))`),
  wholeToDecimal: one((value) => within(sql`${value}::numeric * 10000`)),
  decimalToSeconds: one((value) => within(sql`${value}::numeric * 100`)),
  secondsToDecimal: one((value) => sql`round(${value}::numeric / 100)::bigint`),
  rounded: toUnit((value) => sql`round(${value})`),
  floor: toUnit((value) => sql`floor(${value})`),
  ceiling: toUnit((value) => sql`ceil(${value})`),
  and: (args) => sql`${chain(args.map(isSo), sql` and `)}::int`,
  or: (args) => sql`${chain(args.map(isSo), sql` or `)}::int`,
  not: one((value) => sql`(${value} = 0)::int`),
  startswith: two((text, part) => sql`starts_with(${text}, ${part})::int`),
  endswith: two((text, part) =>
    fenced(sql`${text} as x, ${part} as y`, sql`(right(${x}, length(${y})) = ${y})::int`),
  ),
  contains: two((text, part) => sql`(strpos(${text}, ${part}) > 0)::int`),
  texts: (args) => sql`concat_ws(${sql.lit(between)}, ${sql.join(args)})`,
  concat: two((text, other) => sqlText('postgres', sql`(${text} || ${other})`)),
  indexof: two((text, part) => sql`(strpos(${text}, ${part}) - 1)::bigint`),
  substring: (args) => sqlText('postgres', part(args)),
  tolower: one((text) => sqlText('postgres', sql`lower(${text} collate "und-x-icu")`)),
  toupper: one((text) => sqlText('postgres', sql`upper(${text} collate "und-x-icu")`)),
  trim: one((text) => sqlText('postgres', sql`btrim(${text}, ${sql.lit(blanks)})`)),
  dateOfStamp: one((stamp) =>
    isoDate(sql`date '1970-01-01' + ((${stamp} + ${past}) / ${day} - ${pastDays})::int`),
  ),
  datePlus: two((date, duration) =>
    isoDate(sql`${date}::date + ((${duration} + ${past}) / ${day} - ${pastDays})::int`),
  ),
  daysBetween: two((date, other) =>
    within(sql`(${date}::date - ${other}::date)::numeric * ${day}`),
  ),
}

/** Null outside the years 0001 to 9999. */
function isoDate(date: Sql): Sql {
  return fenced(
    sql`${date} as x`,
    sqlText(
      'postgres',
      sql`case when ${x} between '0001-01-01' and '9999-12-31' then to_char(${x}, 'YYYY-MM-DD') end`,
    ),
  )
}

/** `substring` from a zero-based position, or from the end if negative; a negative length counts as 0. */
function part([text = sql`null`, start = sql`null`, length]: readonly Sql[]): Sql {
  const from = sql`case when ${y} < 0 then greatest(length(${x}) + ${y}, 0) else least(${y}, 2147483646) end`
  if (length === undefined)
    return fenced(sql`${text} as x, ${start} as y`, sql`substr(${x}, 1 + (${from})::int)`)
  return fenced(
    sql`${text} as x, ${start} as y, ${length} as z`,
    sql`substr(${x}, 1 + (${from})::int, least(greatest(${z}, 0), 1000000000)::int)`,
  )
}

export const functions: Readonly<Record<DialectName, Readonly<Record<ValueFunction, Write>>>> = {
  sqlite,
  postgres,
}
