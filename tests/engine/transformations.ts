// Random `$apply` transformations, each with a reference implementation that scans all rows.
import { applyLimits } from '../../src/engine/planner/apply/step-builder.ts'
import type { SeededRandom } from '../support/random.ts'
import type { ShopRecord } from './shop.ts'

export type RowValue = ShopRecord[string]

/** Values by path; paths that the row lacks are missing. */
export type Row = Readonly<Record<string, RowValue>>

type Type = 'integer' | 'decimal' | 'text'

/** The rows and their columns after the transformations so far. */
export interface RowsState {
  readonly rows: readonly Row[]
  readonly types: Readonly<Record<string, Type>>
  /** Paths that expressions can use, but that are not returned. */
  readonly relatedTypes: Readonly<Record<string, Type>>
  /** The rows that were grouped, before any was removed. */
  readonly groups?: readonly Row[]
  /** The number of row copies in the statement; the planner allows `applyLimits.rowsPerRecord`. */
  readonly copies: number
}

/** A transformation as text, and its output. */
interface GeneratedStep {
  readonly text: string
  readonly state: RowsState
}

type StepGenerator = (state: RowsState, partitionBy: readonly string[], random: RandomNames) => GeneratedStep | null

export class RandomNames {
  readonly source: SeededRandom
  #names = 0

  constructor(source: SeededRandom) {
    this.source = source
  }

  name(): string {
    return `N${this.#names++}`
  }
}

export function randomSequence(
  start: RowsState,
  random: RandomNames,
  partitionBy: readonly string[] = [],
  depth = 0,
): GeneratedStep {
  let state = start
  const texts: string[] = []
  const count = 1 + random.source.below(3)
  for (let index = 0; index < count; index++) {
    const made = random.source.pick(partitionBy.length > 0 ? inGroups : depth > 1 ? flat : all)
    const step = made(state, partitionBy, random)
    if (step === null || hasLargeNumber(step.state)) continue
    texts.push(step.text)
    state = step.state
  }
  return { text: texts.length === 0 ? 'identity' : texts.join('/'), state }
}

/** Whether a sum could overflow a decimal, which only the database detects. */
function hasLargeNumber({ rows }: RowsState): boolean {
  return rows.some((row) => Object.values(row).some((held) => typeof held === 'number' && Math.abs(held) > 1e12))
}

function columnsOf({ types, relatedTypes }: RowsState): readonly [string, Type][] {
  return Object.entries({ ...types, ...relatedTypes })
}

function numbersOf(state: RowsState) {
  return columnsOf(state).filter(([, type]) => type !== 'text')
}

function valueOf(row: Row, path: string): RowValue {
  return row[path] ?? null
}

/** Null first, then by code point. */
function compared(one: RowValue, other: RowValue): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
  return Number(one) - Number(other)
}

function sortedBy(rows: readonly Row[], paths: readonly string[], direction = 1): Row[] {
  return [...rows].sort((one, other) => {
    for (const path of paths) {
      const difference = compared(valueOf(one, path), valueOf(other, path))
      if (difference !== 0) return difference * direction
    }
    return 0
  })
}

function groupsOf(rows: readonly Row[], paths: readonly string[]): (readonly Row[])[] {
  return [...Map.groupBy(rows, (row) => JSON.stringify(paths.map((path) => valueOf(row, path)))).values()]
}

/** The rows of each group that `keep` returns, in their original order. */
function filterGroups(
  rows: readonly Row[],
  partitionBy: readonly string[],
  keep: (group: readonly Row[]) => readonly Row[],
): Row[] {
  const kept = new Set(groupsOf(rows, partitionBy).flatMap(keep))
  return rows.filter((row) => kept.has(row))
}

const filter: StepGenerator = (state, _within, { source }) => {
  const [path, type] = source.pick(columnsOf(state))
  const isNull = source.below(3) === 0
  if (isNull || type === 'text') {
    const rows = state.rows.filter((row) => valueOf(row, path) !== null)
    return { text: `filter(${path} ne null)`, state: { ...state, rows } }
  }
  const bound = source.below(40) - 10
  const held = type === 'decimal' ? bound * 10_000 : bound
  const rows = state.rows.filter((row) => {
    const value = valueOf(row, path)
    return value !== null && Number(value) <= held
  })
  return { text: `filter(${path} le ${bound})`, state: { ...state, rows } }
}

const compute: StepGenerator = (state, _within, random) => {
  const numbers = numbersOf(state)
  if (numbers.length === 0) return null
  const [path, type] = random.source.pick(numbers)
  const name = random.name()
  const rows = state.rows.map((row): Row => {
    const value = valueOf(row, path)
    return { ...row, [name]: value === null ? null : Number(value) * 2 }
  })
  const types = { ...state.types, [name]: type }
  return { text: `compute(${path} mul 2 as ${name})`, state: { ...state, rows, types } }
}

const these: StepGenerator = (state, partitionBy, random) => {
  const numbers = numbersOf(state).filter(([path]) => !(path in state.relatedTypes))
  if (numbers.length === 0) return null
  const [path, type] = random.source.pick(numbers)
  const name = random.name()
  const isCount = random.source.below(3) === 0
  const method = isCount ? 'count' : random.source.pick(['sum', 'min', 'max', 'average'])
  const item = itemFrom(state, isCount ? `$count as ${name}` : `${path} with ${method} as ${name}`)
  const groups = new Map(groupsOf(state.rows, partitionBy).flatMap((group) => group.map((row) => [row, group])))
  const rows = state.rows.map((row): Row => ({ ...row, [name]: item.evaluate(groups.get(row) ?? []) }))
  const of = isCount ? '$these/$count' : `$these/aggregate(${path} with ${method})`
  const types = { ...state.types, [name]: isCount || type === 'integer' ? item.type : type }
  return { text: `compute(${of} as ${name})`, state: { ...state, rows, types } }
}

const orderby: StepGenerator = (state, _within, { source }) => {
  const [path] = source.pick(columnsOf(state))
  const isDown = source.below(2) === 0
  const rows = sortedBy(state.rows, [path], isDown ? -1 : 1)
  return { text: `orderby(${path}${isDown ? ' desc' : ''})`, state: { ...state, rows } }
}

const top: StepGenerator = (state, partitionBy, { source }) => {
  const count = 1 + source.below(6)
  const rows = filterGroups(state.rows, partitionBy, (group) => group.slice(0, count))
  return { text: `top(${count})`, state: { ...state, rows } }
}

const skip: StepGenerator = (state, partitionBy, { source }) => {
  const count = source.below(4)
  const rows = filterGroups(state.rows, partitionBy, (group) => group.slice(count))
  return { text: `skip(${count})`, state: { ...state, rows } }
}

const rank: StepGenerator = (state, partitionBy, { source }) => {
  const [path] = source.pick(columnsOf(state))
  const count = 1 + source.below(4)
  const isTop = source.below(2) === 0
  const rows = filterGroups(state.rows, partitionBy, (group) => sortedBy(group, [path], isTop ? -1 : 1).slice(0, count))
  return { text: `${isTop ? 'top' : 'bottom'}count(${count},${path})`, state: { ...state, rows } }
}

const cumulativeLimit: StepGenerator = (state, partitionBy, { source }) => {
  const numbers = numbersOf(state)
  if (numbers.length === 0) return null
  const [path, type] = source.pick(numbers)
  const isTop = source.below(2) === 0
  const isPart = source.below(2) === 0
  const amount = 1 + source.below(isPart ? 100 : 60)
  const unit = type === 'decimal' ? 1 : 10_000
  const held = (row: Row) => BigInt(Number(valueOf(row, path) ?? 0) * unit)
  const rows = filterGroups(state.rows, partitionBy, (group) => {
    const total = group.reduce((sum, row) => sum + held(row), 0n)
    const isEnough = (sum: bigint) => (isPart ? sum * 100n >= total * BigInt(amount) : sum >= BigInt(amount) * 10_000n)
    const kept: Row[] = []
    let sum = 0n
    for (const row of sortedBy(group, [path], isTop ? -1 : 1)) {
      if (isEnough(sum)) break
      sum += held(row)
      kept.push(row)
    }
    return kept
  })
  const kind = `${isTop ? 'top' : 'bottom'}${isPart ? 'percent' : 'sum'}`
  return { text: `${kind}(${amount},${path})`, state: { ...state, rows } }
}

interface ReferenceAggregate {
  readonly text: string
  readonly name: string
  readonly type: Type
  readonly evaluate: (rows: readonly Row[]) => RowValue
}

function itemOf(state: RowsState, random: RandomNames): ReferenceAggregate {
  const { source } = random
  const name = random.name()
  const [path, type] = source.pick(columnsOf(state))
  const isAdded = type !== 'text'
  const methods = ['countdistinct', 'min', 'max', ...(isAdded ? ['sum', 'average'] : [])]
  const text = source.below(6) === 0 ? '$count' : `${path} with ${source.pick(methods)}`
  return itemFrom(state, `${text} as ${name}`)
}

function itemFrom(state: RowsState, text: string): ReferenceAggregate {
  const name = text.slice(text.lastIndexOf(' ') + 1)
  if (text.startsWith('$count')) return { text, name, type: 'integer', evaluate: (rows) => rows.length }
  const [path = '', , method = ''] = text.split(' ')
  const type = typeOf(state, path)
  const of = (rows: readonly Row[]): RowValue => {
    const isOnce = path in state.relatedTypes && (method === 'sum' || method === 'average')
    const counted = isOnce ? distinctRelated(rows, path) : rows
    const values = counted.map((row) => valueOf(row, path)).filter((value) => value !== null)
    if (method === 'countdistinct') return new Set(values).size
    if (values.length === 0) return null
    if (method === 'min') return values.sort(compared).at(0) ?? null
    if (method === 'max') return values.sort(compared).at(-1) ?? null
    const sum = sumOf(values)
    if (method === 'sum') return Number(sum)
    return rounded(sum * (type === 'integer' ? 10_000n : 1n), BigInt(values.length))
  }
  const given: Readonly<Record<string, Type>> = { countdistinct: 'integer', average: 'decimal' }
  return { text, name, type: given[method] ?? type, evaluate: of }
}

/** Counts each related record once, by its key, which is an internal column. */
function distinctRelated(rows: readonly Row[], path: string): Row[] {
  const key = `${path.slice(0, path.lastIndexOf('/'))}#`
  const seen = new Set<RowValue>()
  return rows.filter((row) => {
    const isFirst = !seen.has(valueOf(row, key))
    seen.add(valueOf(row, key))
    return isFirst
  })
}

function typeOf({ types, relatedTypes }: RowsState, path: string): Type {
  return types[path] ?? relatedTypes[path] ?? 'text'
}

function sumOf(values: readonly RowValue[]): bigint {
  return values.reduce((sum: bigint, value) => sum + BigInt(Number(value)), 0n)
}

/** Rounds half away from zero. */
function rounded(sum: bigint, count: bigint): number {
  const magnitude = Number(((sum < 0n ? -sum : sum) * 2n + count) / (2n * count))
  return sum < 0n ? 0 - magnitude : magnitude
}

const aggregate: StepGenerator = (state, partitionBy, random) => {
  const count = 1 + random.source.below(3)
  const items = Array.from({ length: count }, () => itemOf(state, random))
  return { text: `aggregate(${items.map(({ text }) => text).join(',')})`, state: aggregated(state, partitionBy, items) }
}

function aggregated(state: RowsState, by: readonly string[], items: readonly ReferenceAggregate[]): RowsState {
  // A group without rows is still a group.
  const whole = by.length === 0 ? [state.rows] : groupsOf(state.groups ?? state.rows, by)
  const rows = whole.map((group): Row => {
    const key = groupKey(group[0] ?? {}, by)
    const left = state.rows.filter((row) => by.length === 0 || groupKey(row, by) === key)
    const alike = by.map((path) => [path, valueOf(group[0] ?? {}, path)])
    return Object.fromEntries([...alike, ...items.map(({ name, evaluate }) => [name, evaluate(left)])])
  })
  const types = Object.fromEntries([
    ...by.map((path) => [path, typeOf(state, path)]),
    ...items.map(({ name, type }) => [name, type]),
  ])
  const copies = by.length === 0 ? 1 : state.copies
  return { rows: sortedBy(rows, by), types, relatedTypes: {}, copies }
}

function groupKey(row: Row, by: readonly string[]): string {
  return JSON.stringify(by.map((path) => valueOf(row, path)))
}

function randomPaths(state: RowsState, { source }: RandomNames): string[] {
  const columns = columnsOf(state).map(([path]) => path)
  return [...new Set(Array.from({ length: 1 + source.below(3) }, () => source.pick(columns)))]
}

const groupby: StepGenerator = (state, _within, random) => {
  const by = randomPaths(state, random)
  if (random.source.below(4) === 0) return { text: `groupby((${by.join(',')}))`, state: aggregated(state, by, []) }
  const shown = Object.fromEntries(by.map((path) => [path, typeOf(state, path)]))
  const start = { ...state, types: { ...state.types, ...shown }, groups: state.rows }
  const inner = randomSequence(start, random, by)
  const step = aggregate(inner.state, by, random)
  if (step === null) return null
  return { text: `groupby((${by.join(',')}),${inner.text}/${step.text})`, state: step.state }
}

const rollup: StepGenerator = (state, _within, random) => {
  const levels = randomPaths(state, random)
  const copies = levels.length * state.copies
  if (levels.length < 2 || copies > applyLimits.rowsPerRecord) return null
  const items = [itemOf(state, random), itemOf(state, random)]
  const parts = levels.map((_, index) => aggregated(state, levels.slice(0, levels.length - index), items))
  const [finest] = parts
  if (finest === undefined) return null
  const text = `groupby((rollup(${levels.join(',')})),aggregate(${items.map((item) => item.text).join(',')}))`
  return { text, state: { ...finest, rows: parts.flatMap(({ rows }) => rows), copies } }
}

const concat: StepGenerator = (state, partitionBy, random) => {
  const branches = [0, 1].map(() => randomSequence(state, random, partitionBy, 2))
  const copies = branches.reduce((sum, branch) => sum + branch.state.copies, 0)
  if (copies > applyLimits.rowsPerRecord) return null
  const rows = branches.flatMap((branch) =>
    branch.state.rows.map((row): Row => {
      const entries = Object.entries(row).filter(([path]) => path in branch.state.types)
      return Object.fromEntries(entries)
    }),
  )
  const types = Object.assign({}, ...branches.map((branch) => branch.state.types))
  return {
    text: `concat(${branches.map(({ text }) => text).join(',')})`,
    state: { rows, types, relatedTypes: {}, copies },
  }
}

const flat: readonly StepGenerator[] = [
  filter,
  compute,
  these,
  orderby,
  top,
  skip,
  rank,
  cumulativeLimit,
  aggregate,
  groupby,
]
const all: readonly StepGenerator[] = [...flat, groupby, groupby, rollup, concat]
const inGroups: readonly StepGenerator[] = [compute, orderby, top, rank, filter, skip, cumulativeLimit, these]

/** A row as an object, nested by its paths. */
export function objectOf({ types }: RowsState, row: Row): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const path of Object.keys(row)) {
    const type = types[path]
    if (type === undefined) continue
    const held = valueOf(row, path)
    const value = type === 'decimal' && held !== null ? Number(held) / 10_000 : held
    const names = path.split('/')
    let inside = object
    for (const name of names.slice(0, -1)) inside = (inside[name] ??= {}) as Record<string, unknown>
    inside[names.at(-1) ?? ''] = value
  }
  return object
}
