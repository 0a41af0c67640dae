// Random `$apply` transformations, each with a reference implementation that scans all rows.
import { expressionLimits } from '../../src/engine/odata/expressions/complexity.ts'
import type { Dice } from '../support/random.ts'
import type { ShopRecord } from './shop.ts'

export type Held = ShopRecord[string]

/** Values by path; paths that the row lacks are missing. */
export type Row = Readonly<Record<string, Held>>

type Type = 'integer' | 'decimal' | 'text'

/** The rows and their columns after the transformations so far. */
export interface State {
  readonly rows: readonly Row[]
  readonly types: Readonly<Record<string, Type>>
  /** Paths that expressions can use, but that are not returned. */
  readonly ways: Readonly<Record<string, Type>>
  /** The rows that were grouped, before any was removed. */
  readonly groups?: readonly Row[]
  /** The number of row copies in the statement; the planner allows `expressionLimits.copies`. */
  readonly copies: number
}

/** A transformation as text, and its output. */
interface Step {
  readonly text: string
  readonly state: State
}

type Make = (state: State, within: readonly string[], random: Random) => Step | null

export class Random {
  readonly dice: Dice
  #names = 0

  constructor(dice: Dice) {
    this.dice = dice
  }

  name(): string {
    return `N${this.#names++}`
  }
}

export function sequenceOf(
  start: State,
  random: Random,
  within: readonly string[] = [],
  depth = 0,
): Step {
  let state = start
  const texts: string[] = []
  const count = 1 + random.dice.below(3)
  for (let index = 0; index < count; index++) {
    const made = random.dice.pick(within.length > 0 ? inGroups : depth > 1 ? flat : all)
    const step = made(state, within, random)
    if (step === null || hasLargeNumber(step.state)) continue
    texts.push(step.text)
    state = step.state
  }
  return { text: texts.length === 0 ? 'identity' : texts.join('/'), state }
}

/** Whether a sum could overflow a decimal, which only the database detects. */
function hasLargeNumber({ rows }: State): boolean {
  return rows.some((row) =>
    Object.values(row).some((held) => typeof held === 'number' && Math.abs(held) > 1e12),
  )
}

function columnsOf({ types, ways }: State): readonly [string, Type][] {
  return Object.entries({ ...types, ...ways })
}

function numbersOf(state: State) {
  return columnsOf(state).filter(([, type]) => type !== 'text')
}

function valueOf(row: Row, way: string): Held {
  return row[way] ?? null
}

/** Null first, then by code point. */
function compared(one: Held, other: Held): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
  return Number(one) - Number(other)
}

function sortedBy(rows: readonly Row[], ways: readonly string[], direction = 1): Row[] {
  return [...rows].sort((one, other) => {
    for (const way of ways) {
      const difference = compared(valueOf(one, way), valueOf(other, way))
      if (difference !== 0) return difference * direction
    }
    return 0
  })
}

function groupsOf(rows: readonly Row[], ways: readonly string[]): (readonly Row[])[] {
  return [
    ...Map.groupBy(rows, (row) => JSON.stringify(ways.map((way) => valueOf(row, way)))).values(),
  ]
}

/** The rows of each group that `keep` returns, in their original order. */
function inEach(
  rows: readonly Row[],
  within: readonly string[],
  keep: (group: readonly Row[]) => readonly Row[],
): Row[] {
  const kept = new Set(groupsOf(rows, within).flatMap(keep))
  return rows.filter((row) => kept.has(row))
}

const filter: Make = (state, _within, { dice }) => {
  const [way, type] = dice.pick(columnsOf(state))
  const isNull = dice.below(3) === 0
  if (isNull || type === 'text') {
    const rows = state.rows.filter((row) => valueOf(row, way) !== null)
    return { text: `filter(${way} ne null)`, state: { ...state, rows } }
  }
  const bound = dice.below(40) - 10
  const held = type === 'decimal' ? bound * 10_000 : bound
  const rows = state.rows.filter((row) => {
    const value = valueOf(row, way)
    return value !== null && Number(value) <= held
  })
  return { text: `filter(${way} le ${bound})`, state: { ...state, rows } }
}

const compute: Make = (state, _within, random) => {
  const numbers = numbersOf(state)
  if (numbers.length === 0) return null
  const [way, type] = random.dice.pick(numbers)
  const name = random.name()
  const rows = state.rows.map((row): Row => {
    const value = valueOf(row, way)
    return { ...row, [name]: value === null ? null : Number(value) * 2 }
  })
  const types = { ...state.types, [name]: type }
  return { text: `compute(${way} mul 2 as ${name})`, state: { ...state, rows, types } }
}

const these: Make = (state, within, random) => {
  const numbers = numbersOf(state).filter(([way]) => !(way in state.ways))
  if (numbers.length === 0) return null
  const [way, type] = random.dice.pick(numbers)
  const name = random.name()
  const isCount = random.dice.below(3) === 0
  const method = isCount ? 'count' : random.dice.pick(['sum', 'min', 'max', 'average'])
  const item = itemFrom(state, isCount ? `$count as ${name}` : `${way} with ${method} as ${name}`)
  const groups = new Map(
    groupsOf(state.rows, within).flatMap((group) => group.map((row) => [row, group])),
  )
  const rows = state.rows.map((row): Row => ({ ...row, [name]: item.of(groups.get(row) ?? []) }))
  const of = isCount ? '$these/$count' : `$these/aggregate(${way} with ${method})`
  const types = { ...state.types, [name]: isCount || type === 'integer' ? item.type : type }
  return { text: `compute(${of} as ${name})`, state: { ...state, rows, types } }
}

const orderby: Make = (state, _within, { dice }) => {
  const [way] = dice.pick(columnsOf(state))
  const isDown = dice.below(2) === 0
  const rows = sortedBy(state.rows, [way], isDown ? -1 : 1)
  return { text: `orderby(${way}${isDown ? ' desc' : ''})`, state: { ...state, rows } }
}

const top: Make = (state, within, { dice }) => {
  const count = 1 + dice.below(6)
  const rows = inEach(state.rows, within, (group) => group.slice(0, count))
  return { text: `top(${count})`, state: { ...state, rows } }
}

const skip: Make = (state, within, { dice }) => {
  const count = dice.below(4)
  const rows = inEach(state.rows, within, (group) => group.slice(count))
  return { text: `skip(${count})`, state: { ...state, rows } }
}

const rank: Make = (state, within, { dice }) => {
  const [way] = dice.pick(columnsOf(state))
  const count = 1 + dice.below(4)
  const isTop = dice.below(2) === 0
  const rows = inEach(state.rows, within, (group) =>
    sortedBy(group, [way], isTop ? -1 : 1).slice(0, count),
  )
  return { text: `${isTop ? 'top' : 'bottom'}count(${count},${way})`, state: { ...state, rows } }
}

const reach: Make = (state, within, { dice }) => {
  const numbers = numbersOf(state)
  if (numbers.length === 0) return null
  const [way, type] = dice.pick(numbers)
  const isTop = dice.below(2) === 0
  const isPart = dice.below(2) === 0
  const amount = 1 + dice.below(isPart ? 100 : 60)
  const unit = type === 'decimal' ? 1 : 10_000
  const held = (row: Row) => BigInt(Number(valueOf(row, way) ?? 0) * unit)
  const rows = inEach(state.rows, within, (group) => {
    const total = group.reduce((sum, row) => sum + held(row), 0n)
    const isEnough = (sum: bigint) =>
      isPart ? sum * 100n >= total * BigInt(amount) : sum >= BigInt(amount) * 10_000n
    const kept: Row[] = []
    let sum = 0n
    for (const row of sortedBy(group, [way], isTop ? -1 : 1)) {
      if (isEnough(sum)) break
      sum += held(row)
      kept.push(row)
    }
    return kept
  })
  const kind = `${isTop ? 'top' : 'bottom'}${isPart ? 'percent' : 'sum'}`
  return { text: `${kind}(${amount},${way})`, state: { ...state, rows } }
}

interface Item {
  readonly text: string
  readonly name: string
  readonly type: Type
  readonly of: (rows: readonly Row[]) => Held
}

function itemOf(state: State, random: Random): Item {
  const { dice } = random
  const name = random.name()
  const [way, type] = dice.pick(columnsOf(state))
  const isAdded = type !== 'text'
  const methods = ['countdistinct', 'min', 'max', ...(isAdded ? ['sum', 'average'] : [])]
  const text = dice.below(6) === 0 ? '$count' : `${way} with ${dice.pick(methods)}`
  return itemFrom(state, `${text} as ${name}`)
}

function itemFrom(state: State, text: string): Item {
  const name = text.slice(text.lastIndexOf(' ') + 1)
  if (text.startsWith('$count')) return { text, name, type: 'integer', of: (rows) => rows.length }
  const [way = '', , method = ''] = text.split(' ')
  const type = typeOf(state, way)
  const of = (rows: readonly Row[]): Held => {
    const isOnce = way in state.ways && (method === 'sum' || method === 'average')
    const counted = isOnce ? onceEach(rows, way) : rows
    const values = counted.map((row) => valueOf(row, way)).filter((value) => value !== null)
    if (method === 'countdistinct') return new Set(values).size
    if (values.length === 0) return null
    if (method === 'min') return values.sort(compared).at(0) ?? null
    if (method === 'max') return values.sort(compared).at(-1) ?? null
    const sum = sumOf(values)
    if (method === 'sum') return Number(sum)
    return rounded(sum * (type === 'integer' ? 10_000n : 1n), BigInt(values.length))
  }
  const given: Readonly<Record<string, Type>> = {
    countdistinct: 'integer',
    average: 'decimal',
  }
  return { text, name, type: given[method] ?? type, of }
}

/** Counts each related record once, by its key, which is an internal column. */
function onceEach(rows: readonly Row[], way: string): Row[] {
  const key = `${way.slice(0, way.lastIndexOf('/'))}#`
  const seen = new Set<Held>()
  return rows.filter((row) => {
    const isFirst = !seen.has(valueOf(row, key))
    seen.add(valueOf(row, key))
    return isFirst
  })
}

function typeOf({ types, ways }: State, way: string): Type {
  return types[way] ?? ways[way] ?? 'text'
}

function sumOf(values: readonly Held[]): bigint {
  return values.reduce((sum: bigint, value) => sum + BigInt(Number(value)), 0n)
}

/** Rounds half away from zero. */
function rounded(sum: bigint, count: bigint): number {
  const magnitude = Number(((sum < 0n ? -sum : sum) * 2n + count) / (2n * count))
  return sum < 0n ? 0 - magnitude : magnitude
}

const aggregate: Make = (state, within, random) => {
  const count = 1 + random.dice.below(3)
  const items = Array.from({ length: count }, () => itemOf(state, random))
  return {
    text: `aggregate(${items.map(({ text }) => text).join(',')})`,
    state: aggregated(state, within, items),
  }
}

function aggregated(state: State, by: readonly string[], items: readonly Item[]): State {
  // A group without rows is still a group.
  const whole = by.length === 0 ? [state.rows] : groupsOf(state.groups ?? state.rows, by)
  const rows = whole.map((group): Row => {
    const key = alikeIn(group[0] ?? {}, by)
    const left = state.rows.filter((row) => by.length === 0 || alikeIn(row, by) === key)
    const alike = by.map((way) => [way, valueOf(group[0] ?? {}, way)])
    return Object.fromEntries([...alike, ...items.map(({ name, of }) => [name, of(left)])])
  })
  const types = Object.fromEntries([
    ...by.map((way) => [way, typeOf(state, way)]),
    ...items.map(({ name, type }) => [name, type]),
  ])
  const copies = by.length === 0 ? 1 : state.copies
  return { rows: sortedBy(rows, by), types, ways: {}, copies }
}

function alikeIn(row: Row, by: readonly string[]): string {
  return JSON.stringify(by.map((way) => valueOf(row, way)))
}

function someOf(state: State, { dice }: Random): string[] {
  const columns = columnsOf(state).map(([way]) => way)
  return [...new Set(Array.from({ length: 1 + dice.below(3) }, () => dice.pick(columns)))]
}

const groupby: Make = (state, _within, random) => {
  const by = someOf(state, random)
  if (random.dice.below(4) === 0)
    return { text: `groupby((${by.join(',')}))`, state: aggregated(state, by, []) }
  const shown = Object.fromEntries(by.map((way) => [way, typeOf(state, way)]))
  const start = { ...state, types: { ...state.types, ...shown }, groups: state.rows }
  const inner = sequenceOf(start, random, by)
  const step = aggregate(inner.state, by, random)
  if (step === null) return null
  return { text: `groupby((${by.join(',')}),${inner.text}/${step.text})`, state: step.state }
}

const rollup: Make = (state, _within, random) => {
  const levels = someOf(state, random)
  const copies = levels.length * state.copies
  if (levels.length < 2 || copies > expressionLimits.copies) return null
  const items = [itemOf(state, random), itemOf(state, random)]
  const parts = levels.map((_, index) =>
    aggregated(state, levels.slice(0, levels.length - index), items),
  )
  const [finest] = parts
  if (finest === undefined) return null
  const text = `groupby((rollup(${levels.join(',')})),aggregate(${items.map((item) => item.text).join(',')}))`
  return { text, state: { ...finest, rows: parts.flatMap(({ rows }) => rows), copies } }
}

const concat: Make = (state, within, random) => {
  const branches = [0, 1].map(() => sequenceOf(state, random, within, 2))
  const copies = branches.reduce((sum, branch) => sum + branch.state.copies, 0)
  if (copies > expressionLimits.copies) return null
  const rows = branches.flatMap((branch) =>
    branch.state.rows.map((row): Row => {
      const entries = Object.entries(row).filter(([way]) => way in branch.state.types)
      return Object.fromEntries(entries)
    }),
  )
  const types = Object.assign({}, ...branches.map((branch) => branch.state.types))
  return {
    text: `concat(${branches.map(({ text }) => text).join(',')})`,
    state: { rows, types, ways: {}, copies },
  }
}

const flat: readonly Make[] = [
  filter,
  compute,
  these,
  orderby,
  top,
  skip,
  rank,
  reach,
  aggregate,
  groupby,
]
const all: readonly Make[] = [...flat, groupby, groupby, rollup, concat]
const inGroups: readonly Make[] = [compute, orderby, top, rank, filter, skip, reach, these]

/** A row as an object, nested by its paths. */
export function objectOf({ types }: State, row: Row): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const way of Object.keys(row)) {
    const type = types[way]
    if (type === undefined) continue
    const held = valueOf(row, way)
    const value = type === 'decimal' && held !== null ? Number(held) / 10_000 : held
    const names = way.split('/')
    let inside = object
    for (const name of names.slice(0, -1)) inside = (inside[name] ??= {}) as Record<string, unknown>
    inside[names.at(-1) ?? ''] = value
  }
  return object
}
