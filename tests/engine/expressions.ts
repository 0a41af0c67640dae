// Random expressions, each with a reference implementation that computes its value as in the standard.
import * as fc from 'fast-check'
import { dayNumber, dayText } from '../../src/lib/calendar.ts'
import type { FieldType, Resource } from '../../src/engine/model/resource.ts'
import { relationsOf, type Relation, type Schema } from '../../src/engine/model/schema.ts'
import { pathOf } from '../../src/engine/planner/expressions/names.ts'
import { leads } from './reader.ts'
import { channels, standing, type Goods, type ShopRecord } from './shop.ts'

/** Decimals in ten-thousandths, timestamps in microseconds. */
export type Held = string | number | boolean | null

/** The records in scope: the expression's own under '', the others by lambda variable. */
export type Around = Readonly<Record<string, ShopRecord>>

export interface Term<T extends Held = Held> {
  readonly text: string
  readonly of: (around: Around) => T | null
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

interface Ground {
  readonly schema: Schema
  readonly goods: Goods
  readonly resource: Resource
  /** The prefix of its fields, and the name of its record in the scope. */
  readonly prefix: string
  readonly depth: number
}

export function termsOf(schema: Schema, goods: Goods, resource: Resource): Terms {
  return terms({ schema, goods, resource, prefix: '', depth: 3 })
}

function terms(ground: Ground): Terms {
  const { depth } = ground
  if (depth === 0) return leaves(ground)
  const inner = terms({ ...ground, depth: depth - 1 })
  const flat = leaves(ground)
  const more = <T extends Held>(
    leaf: fc.Arbitrary<Term<T>>,
    ...others: fc.Arbitrary<Term<T>>[]
  ): fc.Arbitrary<Term<T>> => fc.oneof({ weight: others.length, arbitrary: leaf }, ...others)
  return {
    whole: more(
      flat.whole,
      pair(inner.whole, inner.whole, operators.whole),
      call('length', inner.text, (text) => characters(text).length),
      indexOf(inner.text),
      call('year', inner.date, (date) => Number(date.slice(0, 4))),
      call('day', inner.moment, (stamp) => Number(dayOf(stamp).slice(8))),
      call('second', inner.moment, (stamp) => Math.floor(mod(stamp, 60_000_000) / 1_000_000)),
      choice(inner.bool, inner.whole),
      counted(ground),
    ),
    decimal: more(
      flat.decimal,
      pair(inner.decimal, inner.decimal, operators.decimal),
      pair(inner.whole, inner.whole, [['divby', ratio]]),
      pair(inner.decimal, inner.whole, [['mul', (a, b) => safe(BigInt(a) * BigInt(b))]]),
      call('round', inner.decimal, (value) => Math.sign(value) * floor(Math.abs(value) + 5000) + 0),
      call('floor', inner.decimal, floor),
      call('ceiling', inner.decimal, (value) => -floor(-value) + 0),
      choice(inner.bool, inner.decimal),
    ),
    text: more(
      flat.text,
      call('tolower', inner.text, (text) => text.toLowerCase()),
      call('toupper', inner.text, (text) => text.toUpperCase()),
      call('trim', inner.text, (text) => text.trim()),
      concat(inner.text),
      part(inner.text),
      choice(inner.bool, inner.text),
    ),
    date: more(
      flat.date,
      call('date', inner.moment, dayOf),
      inner.date.map((date) => ({
        text: `(${date.text} add duration'P40DT1H')`,
        of: (around) => onValue(date.of(around), (value) => daysLater(value, 40)),
      })),
    ),
    moment: more(
      flat.moment,
      inner.moment.map((moment) => ({
        text: `(${moment.text} sub duration'PT0.5S')`,
        of: (around) => onValue(moment.of(around), (value) => value - 500_000),
      })),
    ),
    duration: more(
      flat.duration,
      pair(inner.duration, inner.duration, operators.duration),
      call('-', inner.duration, (value) => 0 - value),
      choice(inner.bool, inner.duration),
    ),
    standing: more(flat.standing, choice(inner.bool, inner.standing)),
    channels: more(flat.channels, choice(inner.bool, inner.channels)),
    bool: more(
      flat.bool,
      compared(inner.whole, inner.whole),
      compared(inner.decimal, inner.decimal),
      compared(inner.whole, inner.decimal, true),
      compared(inner.text, inner.text),
      compared(inner.date, inner.date),
      compared(inner.moment, inner.moment),
      compared(inner.duration, inner.duration),
      compared(inner.standing, inner.standing),
      flagged(inner.channels),
      logic(inner.bool),
      fc.tuple(fc.boolean(), inner.bool).map(([isEqual, bool]) => ({
        text: `((${bool.text}) ${isEqual ? 'eq' : 'ne'} true)`,
        of: (around) => (bool.of(around) === true) === isEqual,
      })),
      fc.tuple(inner.bool, inner.bool).map(([one, other]) => ({
        text: `((${one.text}) eq (${other.text}))`,
        of: (around) => one.of(around) === other.of(around),
      })),
      tested(inner.text),
      isNull(fc.oneof<fc.Arbitrary<Term>[]>(inner.text, inner.whole, inner.decimal, inner.date)),
      isAmong(inner.text),
      choice(inner.bool, inner.bool),
      quantified(ground),
    ),
  }
}

/** Fields, fields of single related records, and literals. */
function leaves(ground: Ground): Terms {
  const fields = fieldsOf(ground)
  const of = <T extends Held>(type: FieldType, ...literals: Term<T>[]) =>
    fc.constantFrom<Term<T>[]>(
      ...fields.filter((one) => one.type === type).map(({ term }) => term as Term<T>),
      ...literals,
    )
  const literal = <T extends Held>(text: string, value: T): Term<T> => ({
    text,
    of: () => value,
    isLiteral: true,
  })
  const none: Term<never> = { text: 'null', of: () => null, isLiteral: true }
  return {
    whole: of<number>('integer', none, literal('0', 0), literal('3', 3), literal('-7', -7)),
    decimal: of<number>(
      'decimal',
      literal('0.5', 5000),
      literal('-1.2345', -12_345),
      literal('99999999999.9999', 999_999_999_999_999),
    ),
    text: of<string>(
      'text',
      none,
      ...['', 'a', "'", 'å'].map((text) => literal(quoted(text), text)),
    ),
    date: of<string>('date', literal('2024-02-29', '2024-02-29')),
    moment: of<number>('stamp', { text: 'now()', of: () => now }),
    duration: of<number>('duration', literal("duration'PT1H'", 3_600_000_000)),
    standing: of<number>(standing, none, literal("Shop.Standing'Trusted'", 2)),
    channels: of<number>(
      channels,
      literal("Shop.Channels'Shop,Web'", 5),
      literal("Shop.Channels'2'", 2),
    ),
    bool: of<boolean>('boolean', none, literal('true', true), literal('false', false)),
  }
}

function fieldsOf(ground: Ground): { type: FieldType; term: Term }[] {
  const { schema, goods, resource, prefix } = ground
  const own = Object.entries(resource.fields).map(([name, field]) => ({
    type: field.type,
    term: {
      text: [...(prefix === '' ? [] : [prefix]), ...pathOf(field)].join('/'),
      of: (around: Around) => around[prefix]?.[name] ?? null,
    },
  }))
  const through = relationsOf(schema, resource)
    .filter(({ isMany }) => isMany !== true)
    .flatMap((relation) =>
      Object.entries(relation.to.fields).map(([name, field]) => ({
        type: field.type,
        term: {
          text: `${prefix === '' ? '' : `${prefix}/`}${relation.wire}/${pathOf(field).join('/')}`,
          of: (around: Around) => relatedTo(goods, relation, around[prefix])[0]?.[name] ?? null,
        },
      })),
    )
  return [...own, ...through]
}

export function relatedTo(goods: Goods, relation: Relation, record: ShopRecord | undefined) {
  return record === undefined
    ? []
    : (goods[relation.to.wire] ?? []).filter((other) => leads(relation, record, other))
}

function manyOf({ schema, resource }: Ground) {
  return relationsOf(schema, resource).filter(({ isMany }) => isMany === true)
}

/** A plain leaf where the resource has no collections. */
function counted(ground: Ground): fc.Arbitrary<Term<number>> {
  const many = manyOf(ground)
  if (many.length === 0) return leaves(ground).whole
  const { goods, prefix, depth } = ground
  return fc.constantFrom(...many).chain((relation) => {
    const inner = terms({
      ...ground,
      resource: relation.to,
      prefix: '',
      depth: Math.min(depth - 1, 1),
    })
    return fc.option(inner.bool, { freq: 2 }).map((filter) => ({
      text: `${prefix === '' ? '' : `${prefix}/`}${relation.wire}/$count${filter === null ? '' : `($filter=${filter.text})`}`,
      of: (around) =>
        relatedTo(goods, relation, around[prefix]).filter(
          (other) => filter === null || filter.of({ ...around, '': other }) === true,
        ).length,
    }))
  })
}

function quantified(ground: Ground): fc.Arbitrary<Term<boolean>> {
  const many = manyOf(ground)
  if (many.length === 0) return leaves(ground).bool
  const { goods, prefix, depth } = ground
  const variable = `${prefix}x`
  return fc.tuple(fc.constantFrom(...many), fc.boolean()).chain(([relation, isAny]) => {
    const its = terms({
      ...ground,
      resource: relation.to,
      prefix: variable,
      depth: Math.min(depth - 1, 1),
    })
    const outer = leaves(ground)
    const conditions = fc.oneof(its.bool, compared(its.whole, outer.whole))
    return conditions.map((condition) => ({
      text: `${prefix === '' ? '' : `${prefix}/`}${relation.wire}/${isAny ? 'any' : 'all'}(${variable}:${condition.text})`,
      of: (around) => {
        const holds = (other: ShopRecord) => condition.of({ ...around, [variable]: other }) === true
        const related = relatedTo(goods, relation, around[prefix])
        return isAny ? related.some(holds) : related.every(holds)
      },
    }))
  })
}

type Work<A, B, T> = readonly [string, (one: A, other: B) => T | null]

/** A binary operator and its evaluation. */
function pair<A extends Held, B extends Held, T extends Held>(
  one: fc.Arbitrary<Term<A>>,
  other: fc.Arbitrary<Term<B>>,
  works: readonly Work<A, B, T>[],
): fc.Arbitrary<Term<T>> {
  return fc
    .tuple(fc.constantFrom(...works), one, other)
    .filter(([[name], , b]) => !(/^(div|divby|mod)$/.test(name) && b.text === '0'))
    .map(([[name, work], a, b]) => ({
      text: `(${a.text} ${name} ${b.text})`,
      of: (around) => {
        const [left, right] = [a.of(around), b.of(around)]
        return left === null || right === null ? null : work(left, right)
      },
    }))
}

function call<A extends Held, T extends Held>(
  name: string,
  argument: fc.Arbitrary<Term<A>>,
  work: (value: A) => T,
): fc.Arbitrary<Term<T>> {
  return argument.map((term) => ({
    text: `${name}(${term.text})`,
    of: (around) => onValue(term.of(around), work),
  }))
}

function onValue<A extends Held, T>(value: A | null, work: (value: A) => T): T | null {
  return value === null ? null : work(value)
}

function characters(text: string): string[] {
  return Array.from(text)
}

function indexOf(text: fc.Arbitrary<Term<string>>): fc.Arbitrary<Term<number>> {
  return fc.tuple(text, text).map(([one, other]) => ({
    text: `indexof(${one.text},${other.text})`,
    of: (around) => {
      const [whole, piece] = [one.of(around), other.of(around)]
      if (whole === null || piece === null) return null
      const at = whole.indexOf(piece)
      return at === -1 ? -1 : characters(whole.slice(0, at)).length
    },
  }))
}

function concat(text: fc.Arbitrary<Term<string>>): fc.Arbitrary<Term<string>> {
  return fc.tuple(text, text).map(([one, other]) => ({
    text: `concat(${one.text},${other.text})`,
    of: (around) => {
      const [a, b] = [one.of(around), other.of(around)]
      return a === null || b === null ? null : a + b
    },
  }))
}

function part(text: fc.Arbitrary<Term<string>>): fc.Arbitrary<Term<string>> {
  return fc
    .tuple(text, fc.integer({ min: -3, max: 3 }), fc.option(fc.nat(2)))
    .map(([term, start, length]) => ({
      text: `substring(${term.text},${start}${length === null ? '' : `,${length}`})`,
      of: (around) =>
        onValue(term.of(around), (value) => {
          const all = characters(value)
          const from = start < 0 ? Math.max(all.length + start, 0) : start
          return all.slice(from, length === null ? undefined : from + length).join('')
        }),
    }))
}

function choice<T extends Held>(
  condition: fc.Arbitrary<Term<boolean>>,
  value: fc.Arbitrary<Term<T>>,
): fc.Arbitrary<Term<T>> {
  return fc.tuple(condition, value, value, fc.boolean()).map(([first, one, other, isWhole]) => ({
    text: `case(${first.text}:${one.text}${isWhole ? `,true:${other.text}` : ''})`,
    of: (around) => {
      if (first.of(around) === true) return one.of(around)
      return isWhole ? other.of(around) : null
    },
  }))
}

/** Two nulls are equal; nothing is greater or less than null. */
function compared<T extends string | number>(
  one: fc.Arbitrary<Term<T>>,
  other: fc.Arbitrary<Term<T>>,
  isMixed = false,
): fc.Arbitrary<Term<boolean>> {
  return fc
    .tuple(fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'), one, other)
    .map(([operator, a, b]) => ({
      text: `(${a.text} ${operator} ${b.text})`,
      of: (around) => {
        const whole = a.of(around)
        const right = b.of(around)
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
  return isExact ? whole * 10_000 : safe(BigInt(whole) * 10_000n)
}

function orderOf(one: string | number, other: string | number): number {
  return typeof one === 'string' && typeof other === 'string'
    ? Buffer.compare(Buffer.from(one), Buffer.from(other))
    : Number(one) - Number(other)
}

/** Three-valued logic. */
function logic(bool: fc.Arbitrary<Term<boolean>>): fc.Arbitrary<Term<boolean>> {
  return fc.oneof(
    bool.map((term) => ({
      text: `not (${term.text})`,
      of: (around: Around) => onValue(term.of(around), (value) => !value),
    })),
    fc.tuple(fc.boolean(), bool, bool).map(([isAnd, one, other]) => ({
      text: `(${one.text} ${isAnd ? 'and' : 'or'} ${other.text})`,
      of: (around: Around) => {
        const [a, b] = [one.of(around), other.of(around)]
        if (a === !isAnd || b === !isAnd) return !isAnd
        return a === null || b === null ? null : isAnd
      },
    })),
  )
}

function flagged(channels: fc.Arbitrary<Term<number>>): fc.Arbitrary<Term<boolean>> {
  return fc
    .tuple(channels, fc.constantFrom<[string, number][]>(['Shop', 1], ['Remote', 6], ['None', 0]))
    .map(([one, [name, flags]]) => ({
      text: `(${one.text} has Shop.Channels'${name}')`,
      of: (around) => onValue(one.of(around), (value) => (value & flags) === flags),
    }))
}

function tested(text: fc.Arbitrary<Term<string>>): fc.Arbitrary<Term<boolean>> {
  return fc
    .tuple(fc.constantFrom('contains', 'startswith', 'endswith'), text, text)
    .map(([name, one, other]) => ({
      text: `${name}(${one.text},${other.text})`,
      of: (around) => {
        const [whole, piece] = [one.of(around), other.of(around)]
        if (whole === null || piece === null) return null
        if (name === 'contains') return whole.includes(piece)
        return name === 'startswith' ? whole.startsWith(piece) : whole.endsWith(piece)
      },
    }))
}

function isNull(value: fc.Arbitrary<Term>): fc.Arbitrary<Term<boolean>> {
  return fc.tuple(fc.boolean(), value).map(([isEqual, term]) => ({
    text: `(${term.text} ${isEqual ? 'eq' : 'ne'} null)`,
    of: (around) => (term.of(around) === null) === isEqual,
  }))
}

function isAmong(text: fc.Arbitrary<Term<string>>): fc.Arbitrary<Term<boolean>> {
  return fc.tuple(text, fc.boolean()).map(([term, hasNull]) => ({
    text: `(${term.text} in ('a','%s'${hasNull ? ',null' : ''}))`,
    of: (around) => {
      const value = term.of(around)
      return value === null ? hasNull : ['a', '%s'].includes(value)
    },
  }))
}

/** Null beyond the safe integers. */
function safe(value: bigint): number | null {
  return value >= -BigInt(Number.MAX_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : null
}

function rounded(dividend: bigint, divisor: bigint): number | null {
  const [a, b] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor]
  const half = (a * 2n + b) / (b * 2n)
  return safe(dividend < 0n === divisor < 0n ? half : -half)
}

function ratio(one: number, other: number): number | null {
  return other === 0 ? null : rounded(BigInt(one) * 10_000n, BigInt(other))
}

type Number2 = Work<number, number, number>

const operators: Readonly<Record<'whole' | 'decimal' | 'duration', readonly Number2[]>> = {
  whole: [
    ['add', (a, b) => safe(BigInt(a) + BigInt(b))],
    ['sub', (a, b) => safe(BigInt(a) - BigInt(b))],
    ['mul', (a, b) => safe(BigInt(a) * BigInt(b))],
    ['div', (a, b) => (b === 0 ? null : safe(BigInt(a) / BigInt(b)))],
    ['mod', (a, b) => (b === 0 ? null : safe(BigInt(a) % BigInt(b)))],
  ],
  duration: [
    ['add', (a, b) => safe(BigInt(a) + BigInt(b))],
    ['sub', (a, b) => safe(BigInt(a) - BigInt(b))],
  ],
  decimal: [
    ['add', (a, b) => safe(BigInt(a) + BigInt(b))],
    ['sub', (a, b) => safe(BigInt(a) - BigInt(b))],
    ['mul', (a, b) => rounded(BigInt(a) * BigInt(b), 10_000n)],
    ['div', ratio],
    ['divby', ratio],
    ['mod', (a, b) => (b === 0 ? null : safe(BigInt(a) % BigInt(b)))],
  ],
}

function floor(value: number): number {
  return value - mod(value, 10_000)
}

function mod(value: number, unit: number): number {
  return ((value % unit) + unit) % unit
}

function dayOf(stamp: number): string {
  return dayText(Math.floor(stamp / 86_400_000_000))
}

function daysLater(date: string, days: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return dayText(dayNumber(year, month, day) + days)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
