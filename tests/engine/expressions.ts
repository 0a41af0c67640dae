// Random expressions, each with a reference implementation that computes its value as in the standard.
import * as fc from 'fast-check'
import { dayNumber, formatDay } from '../../src/lib/calendar.ts'
import type { FieldType, Resource } from '../../src/engine/model/resource.ts'
import { relationsOf, type Relation, type Schema } from '../../src/engine/model/schema.ts'
import { pathOf } from '../../src/engine/planner/expressions/resource-fields.ts'
import { isRelated } from './reader.ts'
import { channels, trustLevels, type ShopData, type ShopRecord } from './shop.ts'

/** Decimals in ten-thousandths, timestamps in microseconds. */
export type ExpressionValue = string | number | boolean | null

/** The records in scope: the expression's own under '', the others by lambda variable. */
export type RecordsInScope = Readonly<Record<string, ShopRecord>>

export interface Term<T extends ExpressionValue = ExpressionValue> {
  readonly text: string
  readonly evaluate: (records: RecordsInScope) => T | null
  readonly isLiteral?: true
}

export interface Terms {
  readonly bool: fc.Arbitrary<Term<boolean>>
  readonly whole: fc.Arbitrary<Term<number>>
  readonly decimal: fc.Arbitrary<Term<number>>
  readonly text: fc.Arbitrary<Term<string>>
  readonly date: fc.Arbitrary<Term<string>>
  readonly moment: fc.Arbitrary<Term<number>>
  readonly duration: fc.Arbitrary<Term<number>>
  readonly standing: fc.Arbitrary<Term<number>>
  readonly channels: fc.Arbitrary<Term<number>>
}

/** The value of `now()`. */
export const now = 1_700_000_000_123_456

interface TermContext {
  readonly schema: Schema
  readonly goods: ShopData
  readonly resource: Resource
  /** The prefix of its fields, and the name of its record in the scope. */
  readonly prefix: string
  readonly depth: number
}

export function randomTerms(schema: Schema, goods: ShopData, resource: Resource): Terms {
  return createTerms({ schema, goods, resource, prefix: '', depth: 3 })
}

function createTerms(context: TermContext): Terms {
  const { depth } = context
  if (depth === 0) return leafTerms(context)
  const inner = createTerms({ ...context, depth: depth - 1 })
  const flat = leafTerms(context)
  const more = <T extends ExpressionValue>(
    leaf: fc.Arbitrary<Term<T>>,
    ...others: fc.Arbitrary<Term<T>>[]
  ): fc.Arbitrary<Term<T>> => fc.oneof({ weight: others.length, arbitrary: leaf }, ...others)
  return {
    whole: more(
      flat.whole,
      binaryTerm(inner.whole, inner.whole, operators.whole),
      callTerm('length', inner.text, (text) => characters(text).length),
      indexOf(inner.text),
      callTerm('year', inner.date, (date) => Number(date.slice(0, 4))),
      callTerm('day', inner.moment, (stamp) => Number(dayOf(stamp).slice(8))),
      callTerm('second', inner.moment, (stamp) => Math.floor(mod(stamp, 60_000_000) / 1_000_000)),
      caseTerm(inner.bool, inner.whole),
      countTerm(context),
    ),
    decimal: more(
      flat.decimal,
      binaryTerm(inner.decimal, inner.decimal, operators.decimal),
      binaryTerm(inner.whole, inner.whole, [['divby', ratio]]),
      binaryTerm(inner.decimal, inner.whole, [['mul', (a, b) => safeOrNull(BigInt(a) * BigInt(b))]]),
      callTerm('round', inner.decimal, (value) => Math.sign(value) * floor(Math.abs(value) + 5000) + 0),
      callTerm('floor', inner.decimal, floor),
      callTerm('ceiling', inner.decimal, (value) => -floor(-value) + 0),
      caseTerm(inner.bool, inner.decimal),
    ),
    text: more(
      flat.text,
      callTerm('tolower', inner.text, (text) => text.toLowerCase()),
      callTerm('toupper', inner.text, (text) => text.toUpperCase()),
      callTerm('trim', inner.text, (text) => text.trim()),
      concat(inner.text),
      part(inner.text),
      caseTerm(inner.bool, inner.text),
    ),
    date: more(
      flat.date,
      callTerm('date', inner.moment, dayOf),
      inner.date.map((date) => ({
        text: `(${date.text} add duration'P40DT1H')`,
        evaluate: (records) => onValue(date.evaluate(records), (value) => daysLater(value, 40)),
      })),
    ),
    moment: more(
      flat.moment,
      inner.moment.map((moment) => ({
        text: `(${moment.text} sub duration'PT0.5S')`,
        evaluate: (records) => onValue(moment.evaluate(records), (value) => value - 500_000),
      })),
    ),
    duration: more(
      flat.duration,
      binaryTerm(inner.duration, inner.duration, operators.duration),
      callTerm('-', inner.duration, (value) => 0 - value),
      caseTerm(inner.bool, inner.duration),
    ),
    standing: more(flat.standing, caseTerm(inner.bool, inner.standing)),
    channels: more(flat.channels, caseTerm(inner.bool, inner.channels)),
    bool: more(
      flat.bool,
      comparisonTerm(inner.whole, inner.whole),
      comparisonTerm(inner.decimal, inner.decimal),
      comparisonTerm(inner.whole, inner.decimal, true),
      comparisonTerm(inner.text, inner.text),
      comparisonTerm(inner.date, inner.date),
      comparisonTerm(inner.moment, inner.moment),
      comparisonTerm(inner.duration, inner.duration),
      comparisonTerm(inner.standing, inner.standing),
      hasTerm(inner.channels),
      logicTerm(inner.bool),
      fc
        .tuple(fc.boolean(), inner.bool)
        .map(([isEqual, bool]) => ({
          text: `((${bool.text}) ${isEqual ? 'eq' : 'ne'} true)`,
          evaluate: (records) => (bool.evaluate(records) === true) === isEqual,
        })),
      fc
        .tuple(inner.bool, inner.bool)
        .map(([one, other]) => ({
          text: `((${one.text}) eq (${other.text}))`,
          evaluate: (records) => one.evaluate(records) === other.evaluate(records),
        })),
      textTestTerm(inner.text),
      nullTerm(fc.oneof<fc.Arbitrary<Term>[]>(inner.text, inner.whole, inner.decimal, inner.date)),
      inTerm(inner.text),
      caseTerm(inner.bool, inner.bool),
      lambdaTerm(context),
    ),
  }
}

/** Fields, fields of single related records, and literals. */
function leafTerms(context: TermContext): Terms {
  const fields = fieldsOf(context)
  const of = <T extends ExpressionValue>(type: FieldType, ...literals: Term<T>[]) =>
    fc.constantFrom<Term<T>[]>(
      ...fields.filter((one) => one.type === type).map(({ term }) => term as Term<T>),
      ...literals,
    )
  const literal = <T extends ExpressionValue>(text: string, value: T): Term<T> => ({
    text,
    evaluate: () => value,
    isLiteral: true,
  })
  const none: Term<never> = { text: 'null', evaluate: () => null, isLiteral: true }
  return {
    whole: of<number>('integer', none, literal('0', 0), literal('3', 3), literal('-7', -7)),
    decimal: of<number>(
      'decimal',
      literal('0.5', 5000),
      literal('-1.2345', -12_345),
      literal('99999999999.9999', 999_999_999_999_999),
    ),
    text: of<string>('text', none, ...['', 'a', "'", 'å'].map((text) => literal(quoted(text), text))),
    date: of<string>('date', literal('2024-02-29', '2024-02-29')),
    moment: of<number>('timestamp', { text: 'now()', evaluate: () => now }),
    duration: of<number>('duration', literal("duration'PT1H'", 3_600_000_000)),
    standing: of<number>(trustLevels, none, literal("Shop.Standing'Trusted'", 2)),
    channels: of<number>(channels, literal("Shop.Channels'Shop,Web'", 5), literal("Shop.Channels'2'", 2)),
    bool: of<boolean>('boolean', none, literal('true', true), literal('false', false)),
  }
}

function fieldsOf(context: TermContext): { type: FieldType; term: Term }[] {
  const { schema, goods, resource, prefix } = context
  const own = Object.entries(resource.fields).map(([name, field]) => ({
    type: field.type,
    term: {
      text: [...(prefix === '' ? [] : [prefix]), ...pathOf(field)].join('/'),
      evaluate: (records: RecordsInScope) => records[prefix]?.[name] ?? null,
    },
  }))
  const through = relationsOf(schema, resource)
    .filter(({ isMany }) => isMany !== true)
    .flatMap((relation) =>
      Object.entries(relation.to.fields).map(([name, field]) => ({
        type: field.type,
        term: {
          text: `${prefix === '' ? '' : `${prefix}/`}${relation.wire}/${pathOf(field).join('/')}`,
          evaluate: (records: RecordsInScope) => relatedTo(goods, relation, records[prefix])[0]?.[name] ?? null,
        },
      })),
    )
  return [...own, ...through]
}

export function relatedTo(goods: ShopData, relation: Relation, record: ShopRecord | undefined) {
  return record === undefined
    ? []
    : (goods[relation.to.wire] ?? []).filter((other) => isRelated(relation, record, other))
}

function collectionsOf({ schema, resource }: TermContext) {
  return relationsOf(schema, resource).filter(({ isMany }) => isMany === true)
}

/** A plain leaf where the resource has no collections. */
function countTerm(context: TermContext): fc.Arbitrary<Term<number>> {
  const many = collectionsOf(context)
  if (many.length === 0) return leafTerms(context).whole
  const { goods, prefix, depth } = context
  return fc.constantFrom(...many).chain((relation) => {
    const inner = createTerms({ ...context, resource: relation.to, prefix: '', depth: Math.min(depth - 1, 1) })
    return fc
      .option(inner.bool, { freq: 2 })
      .map((filter) => ({
        text: `${prefix === '' ? '' : `${prefix}/`}${relation.wire}/$count${filter === null ? '' : `($filter=${filter.text})`}`,
        evaluate: (records) =>
          relatedTo(goods, relation, records[prefix]).filter(
            (other) => filter === null || filter.evaluate({ ...records, '': other }) === true,
          ).length,
      }))
  })
}

function lambdaTerm(context: TermContext): fc.Arbitrary<Term<boolean>> {
  const many = collectionsOf(context)
  if (many.length === 0) return leafTerms(context).bool
  const { goods, prefix, depth } = context
  const variable = `${prefix}x`
  return fc.tuple(fc.constantFrom(...many), fc.boolean()).chain(([relation, isAny]) => {
    const its = createTerms({ ...context, resource: relation.to, prefix: variable, depth: Math.min(depth - 1, 1) })
    const outer = leafTerms(context)
    const conditions = fc.oneof(its.bool, comparisonTerm(its.whole, outer.whole))
    return conditions.map((condition) => ({
      text: `${prefix === '' ? '' : `${prefix}/`}${relation.wire}/${isAny ? 'any' : 'all'}(${variable}:${condition.text})`,
      evaluate: (records) => {
        const holds = (other: ShopRecord) => condition.evaluate({ ...records, [variable]: other }) === true
        const related = relatedTo(goods, relation, records[prefix])
        return isAny ? related.some(holds) : related.every(holds)
      },
    }))
  })
}

type Evaluation<A, B, T> = readonly [string, (one: A, other: B) => T | null]

/** A binary operator and its evaluation. */
function binaryTerm<A extends ExpressionValue, B extends ExpressionValue, T extends ExpressionValue>(
  one: fc.Arbitrary<Term<A>>,
  other: fc.Arbitrary<Term<B>>,
  evaluations: readonly Evaluation<A, B, T>[],
): fc.Arbitrary<Term<T>> {
  return fc
    .tuple(fc.constantFrom(...evaluations), one, other)
    .filter(([[name], , b]) => !(/^(div|divby|mod)$/.test(name) && b.text === '0'))
    .map(([[name, compute], a, b]) => ({
      text: `(${a.text} ${name} ${b.text})`,
      evaluate: (records) => {
        const [left, right] = [a.evaluate(records), b.evaluate(records)]
        return left === null || right === null ? null : compute(left, right)
      },
    }))
}

function callTerm<A extends ExpressionValue, T extends ExpressionValue>(
  name: string,
  argument: fc.Arbitrary<Term<A>>,
  compute: (value: A) => T,
): fc.Arbitrary<Term<T>> {
  return argument.map((term) => ({
    text: `${name}(${term.text})`,
    evaluate: (records) => onValue(term.evaluate(records), compute),
  }))
}

function onValue<A extends ExpressionValue, T>(value: A | null, compute: (value: A) => T): T | null {
  return value === null ? null : compute(value)
}

function characters(text: string): string[] {
  return Array.from(text)
}

function indexOf(text: fc.Arbitrary<Term<string>>): fc.Arbitrary<Term<number>> {
  return fc.tuple(text, text).map(([one, other]) => ({
    text: `indexof(${one.text},${other.text})`,
    evaluate: (records) => {
      const [whole, piece] = [one.evaluate(records), other.evaluate(records)]
      if (whole === null || piece === null) return null
      const at = whole.indexOf(piece)
      return at === -1 ? -1 : characters(whole.slice(0, at)).length
    },
  }))
}

function concat(text: fc.Arbitrary<Term<string>>): fc.Arbitrary<Term<string>> {
  return fc.tuple(text, text).map(([one, other]) => ({
    text: `concat(${one.text},${other.text})`,
    evaluate: (records) => {
      const [a, b] = [one.evaluate(records), other.evaluate(records)]
      return a === null || b === null ? null : a + b
    },
  }))
}

function part(text: fc.Arbitrary<Term<string>>): fc.Arbitrary<Term<string>> {
  return fc.tuple(text, fc.integer({ min: -3, max: 3 }), fc.option(fc.nat(2))).map(([term, start, length]) => ({
    text: `substring(${term.text},${start}${length === null ? '' : `,${length}`})`,
    evaluate: (records) =>
      onValue(term.evaluate(records), (value) => {
        const all = characters(value)
        const from = start < 0 ? Math.max(all.length + start, 0) : start
        return all.slice(from, length === null ? undefined : from + length).join('')
      }),
  }))
}

function caseTerm<T extends ExpressionValue>(
  condition: fc.Arbitrary<Term<boolean>>,
  value: fc.Arbitrary<Term<T>>,
): fc.Arbitrary<Term<T>> {
  return fc.tuple(condition, value, value, fc.boolean()).map(([first, one, other, isWhole]) => ({
    text: `case(${first.text}:${one.text}${isWhole ? `,true:${other.text}` : ''})`,
    evaluate: (records) => {
      if (first.evaluate(records) === true) return one.evaluate(records)
      return isWhole ? other.evaluate(records) : null
    },
  }))
}

/** Two nulls are equal; nothing is greater or less than null. */
function comparisonTerm<T extends string | number>(
  one: fc.Arbitrary<Term<T>>,
  other: fc.Arbitrary<Term<T>>,
  isMixed = false,
): fc.Arbitrary<Term<boolean>> {
  return fc.tuple(fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'), one, other).map(([operator, a, b]) => ({
    text: `(${a.text} ${operator} ${b.text})`,
    evaluate: (records) => {
      const whole = a.evaluate(records)
      const right = b.evaluate(records)
      const isExact = a.isLiteral === true || b.isLiteral === true
      const left = isMixed && typeof whole === 'number' ? asDecimal(whole, isExact) : whole
      if (operator === 'eq') return left === right
      if (operator === 'ne') return left !== right
      if (left === null || right === null) return false
      const order = orderOf(left, right)
      if (operator === 'gt') return order > 0
      if (operator === 'ge') return order >= 0
      return operator === 'lt' ? order < 0 : order <= 0
    },
  }))
}

function asDecimal(whole: number, isExact: boolean): number | null {
  return isExact ? whole * 10_000 : safeOrNull(BigInt(whole) * 10_000n)
}

function orderOf(one: string | number, other: string | number): number {
  return typeof one === 'string' && typeof other === 'string'
    ? Buffer.compare(Buffer.from(one), Buffer.from(other))
    : Number(one) - Number(other)
}

/** Three-valued logic. */
function logicTerm(bool: fc.Arbitrary<Term<boolean>>): fc.Arbitrary<Term<boolean>> {
  return fc.oneof(
    bool.map((term) => ({
      text: `not (${term.text})`,
      evaluate: (records: RecordsInScope) => onValue(term.evaluate(records), (value) => !value),
    })),
    fc.tuple(fc.boolean(), bool, bool).map(([isAnd, one, other]) => ({
      text: `(${one.text} ${isAnd ? 'and' : 'or'} ${other.text})`,
      evaluate: (records: RecordsInScope) => {
        const [a, b] = [one.evaluate(records), other.evaluate(records)]
        if (a === !isAnd || b === !isAnd) return !isAnd
        return a === null || b === null ? null : isAnd
      },
    })),
  )
}

function hasTerm(channels: fc.Arbitrary<Term<number>>): fc.Arbitrary<Term<boolean>> {
  return fc
    .tuple(channels, fc.constantFrom<[string, number][]>(['Shop', 1], ['Remote', 6], ['None', 0]))
    .map(([one, [name, flags]]) => ({
      text: `(${one.text} has Shop.Channels'${name}')`,
      evaluate: (records) => onValue(one.evaluate(records), (value) => (value & flags) === flags),
    }))
}

function textTestTerm(text: fc.Arbitrary<Term<string>>): fc.Arbitrary<Term<boolean>> {
  return fc.tuple(fc.constantFrom('contains', 'startswith', 'endswith'), text, text).map(([name, one, other]) => ({
    text: `${name}(${one.text},${other.text})`,
    evaluate: (records) => {
      const [whole, piece] = [one.evaluate(records), other.evaluate(records)]
      if (whole === null || piece === null) return null
      if (name === 'contains') return whole.includes(piece)
      return name === 'startswith' ? whole.startsWith(piece) : whole.endsWith(piece)
    },
  }))
}

function nullTerm(value: fc.Arbitrary<Term>): fc.Arbitrary<Term<boolean>> {
  return fc
    .tuple(fc.boolean(), value)
    .map(([isEqual, term]) => ({
      text: `(${term.text} ${isEqual ? 'eq' : 'ne'} null)`,
      evaluate: (records) => (term.evaluate(records) === null) === isEqual,
    }))
}

function inTerm(text: fc.Arbitrary<Term<string>>): fc.Arbitrary<Term<boolean>> {
  return fc.tuple(text, fc.boolean()).map(([term, hasNull]) => ({
    text: `(${term.text} in ('a','%s'${hasNull ? ',null' : ''}))`,
    evaluate: (records) => {
      const value = term.evaluate(records)
      return value === null ? hasNull : ['a', '%s'].includes(value)
    },
  }))
}

/** Null beyond the safe integers. */
function safeOrNull(value: bigint): number | null {
  return value >= -BigInt(Number.MAX_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null
}

function roundedQuotient(dividend: bigint, divisor: bigint): number | null {
  const [a, b] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor]
  const half = (a * 2n + b) / (b * 2n)
  return safeOrNull(dividend < 0n === divisor < 0n ? half : -half)
}

function ratio(one: number, other: number): number | null {
  return other === 0 ? null : roundedQuotient(BigInt(one) * 10_000n, BigInt(other))
}

type NumberEvaluation = Evaluation<number, number, number>

const operators: Readonly<Record<'whole' | 'decimal' | 'duration', readonly NumberEvaluation[]>> = {
  whole: [
    ['add', (a, b) => safeOrNull(BigInt(a) + BigInt(b))],
    ['sub', (a, b) => safeOrNull(BigInt(a) - BigInt(b))],
    ['mul', (a, b) => safeOrNull(BigInt(a) * BigInt(b))],
    ['div', (a, b) => (b === 0 ? null : safeOrNull(BigInt(a) / BigInt(b)))],
    ['mod', (a, b) => (b === 0 ? null : safeOrNull(BigInt(a) % BigInt(b)))],
  ],
  duration: [
    ['add', (a, b) => safeOrNull(BigInt(a) + BigInt(b))],
    ['sub', (a, b) => safeOrNull(BigInt(a) - BigInt(b))],
  ],
  decimal: [
    ['add', (a, b) => safeOrNull(BigInt(a) + BigInt(b))],
    ['sub', (a, b) => safeOrNull(BigInt(a) - BigInt(b))],
    ['mul', (a, b) => roundedQuotient(BigInt(a) * BigInt(b), 10_000n)],
    ['div', ratio],
    ['divby', ratio],
    ['mod', (a, b) => (b === 0 ? null : safeOrNull(BigInt(a) % BigInt(b)))],
  ],
}

function floor(value: number): number {
  return value - mod(value, 10_000)
}

function mod(value: number, unit: number): number {
  return ((value % unit) + unit) % unit
}

function dayOf(stamp: number): string {
  return formatDay(Math.floor(stamp / 86_400_000_000))
}

function daysLater(date: string, days: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return formatDay(dayNumber(year, month, day) + days)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
