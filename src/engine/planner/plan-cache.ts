// Plan cache: reuses the plans of earlier reads that differ in literals, page and company only.
import { LeastRecentlyUsed } from '../../lib/least-recently-used.ts'
import { memoize } from '../../lib/memoize.ts'
import { scanLiterals, type ScannedLiteral } from '../odata/lexer/literal-scan.ts'
import { literalType } from '../odata/lexer/literals.ts'
import type { Query } from '../odata/options/query.ts'
import type { LiteralNode } from '../odata/expressions/syntax.ts'
import type { ValueSource } from './binding.ts'
import { locateOperand } from './expressions/compare-value.ts'
import type { PlanValue } from './expressions/bound-expression.ts'
import { parseRowCount, type PlanContext } from './plan-read.ts'
import type { ReadPlan } from './read-plan.ts'

/** What all plans of one shape have in common: everything but company, values, top and skip. */
export interface PlanShape {
  readonly plan: ReadPlan
  readonly values: readonly ShapeValue[]
  readonly literalCount: number
}

/** A value of the plan: the same for all requests of the shape, or read from literals of the request. */
type ShapeValue =
  | { readonly constant: PlanValue }
  | { readonly source: ValueSource; readonly positions: readonly number[] }

export class PlanCache {
  /** False: requests of this shape are planned each time, because their plan depends on a literal or on the clock. */
  readonly #shapes = new LeastRecentlyUsed<string, PlanShape | false>(shapesMax)

  /**
   * The plan that `build` makes, from the cache where an earlier request had the same shape. `build` may depend on the
   * query, the context and `path` only, and must leave errors to the planner: they are thrown as without a cache.
   */
  get<Plan extends ReadPlan | null>(
    path: string,
    query: Query,
    context: PlanContext,
    build: (context: PlanContext) => Plan,
  ): Plan | ReadPlan {
    const request = scanRequest(path, query, context)
    if (request === null) return build(context)
    const shape = this.#shapes.get(request.key)
    if (shape === false) return build(context)
    const reused = shape === undefined ? null : planOf(shape, request.literals, query, context)
    if (reused !== null) return reused
    let readsClock = false
    const clock = () => {
      readsClock = true
      return context.clock()
    }
    const plan = build({ ...context, clock })
    if (plan === null || shape !== undefined) return plan
    const found = readsClock ? null : shapeFrom(plan, request.literals)
    this.#shapes.set(request.key, found ?? false)
    if (found !== null) shapesByPlan.set(plan, found)
    return plan
  }
}

/** The shape of a plan from the cache; undefined for any other plan, such as a copy with another filter. */
export function shapeOf(plan: ReadPlan): PlanShape | undefined {
  return shapesByPlan.get(plan)
}

/** Computes once per shape what does not depend on company, values, top and skip. */
export function oncePerShape<Result>(compute: (plan: ReadPlan) => Result): (plan: ReadPlan) => Result {
  const computeForShape = memoize((shape: PlanShape) => compute(shape.plan))
  return (plan) => {
    const shape = shapesByPlan.get(plan)
    return shape === undefined ? compute(plan) : computeForShape(shape)
  }
}

const shapesByPlan = new WeakMap<ReadPlan, PlanShape>()

const shapesMax = 500
/** Longer requests are rare, and would fill the memory. */
const keyLengthMax = 2000

interface ScannedRequest {
  /** Everything that the plan depends on but the literals of `$filter`, top, skip and the company. */
  readonly key: string
  readonly literals: readonly ScannedLiteral[]
}

/** Null for a request whose plan is not kept. */
function scanRequest(path: string, query: Query, context: PlanContext): ScannedRequest | null {
  const { zone, naming, dates, grantedScopes, recordFormat } = context
  let key = `${path}${end}${zone}${end}${naming}${end}${dates}${end}${namesIn(grantedScopes)}`
  if (recordFormat !== undefined)
    key += `${end}${recordFormat.version}${end}${recordFormat.metadata}${end}${recordFormat.decimals}${end}${recordFormat.nulls}${end}${recordFormat.etags}${end}${recordFormat.root}`
  let literals: readonly ScannedLiteral[] = noLiterals
  for (const [name, value] of query) {
    // Credentials decide nothing here: `grantedScopes` says what they may read.
    if (!name.startsWith('$')) {
      if (name.startsWith('@')) return null
      continue
    }
    if (value.includes(end) || name === '$skiptoken' || name === '$deltatoken') return null
    key += `${end}${name}`
    if (name === '$top' || name === '$skip') continue
    const scan = name === '$filter' ? scanLiterals(value) : { literals, shape: value }
    if (scan === null) return null
    literals = scan.literals
    key += `=${scan.shape}`
  }
  return key.length > keyLengthMax ? null : { key, literals }
}

/** Separates the parts of a key; a request with one in an option is planned each time. */
const end = '\n'
const noLiterals: readonly ScannedLiteral[] = []

const namesIn = memoize((grantedScopes: ReadonlySet<string>) => [...grantedScopes].toSorted().join(' '))

/** Null where a literal of the request has no place in the plan by itself, so that the plan may depend on it. */
function shapeFrom(plan: ReadPlan, literals: readonly ScannedLiteral[]): PlanShape | null {
  const unused = new Set(literals.keys())
  const values = plan.values.map((constant, index): ShapeValue => {
    const source = plan.sources.get(index)
    const positions = source?.literals.map((node) => positionOf(node, literals)) ?? []
    if (source === undefined || positions.includes(-1)) return { constant }
    for (const position of positions) unused.delete(position)
    return { source, positions }
  })
  return unused.size > 0 ? null : { plan, values, literalCount: literals.length }
}

/** -1 where the node is no scanned literal: a keyword, or one that a clause other than `$filter` wrote. */
function positionOf(node: LiteralNode, literals: readonly ScannedLiteral[]): number {
  const position = literals.findIndex(({ column }) => column >= node.column)
  const literal = literals[position]
  return literal !== undefined && literal.value === node.value && hasTypeOf(literal, node) ? position : -1
}

function hasTypeOf({ isQuoted, type, value }: ScannedLiteral, node: LiteralNode): boolean {
  if (node.type === 'text') return isQuoted
  return (isQuoted ? (type ?? literalType(value)) : type) === node.type
}

/** Null where a literal has no value of the type that the plan compares: the planner decides what that means. */
function planOf(
  shape: PlanShape,
  literals: readonly ScannedLiteral[],
  query: Query,
  context: PlanContext,
): ReadPlan | null {
  if (literals.length !== shape.literalCount) return null
  const values: PlanValue[] = []
  for (const value of shape.values) {
    const read = 'constant' in value ? value.constant : readValue(value, literals, context)
    if (read === null) return null
    values.push(read)
  }
  const plan: ReadPlan = {
    ...shape.plan,
    companyId: context.companyId,
    values,
    top: parseRowCount(query, '$top'),
    skip: parseRowCount(query, '$skip') ?? 0,
  }
  shapesByPlan.set(plan, shape)
  return plan
}

function readValue(
  { source, positions }: Extract<ShapeValue, { readonly source: ValueSource }>,
  literals: readonly ScannedLiteral[],
  context: PlanContext,
): PlanValue | null {
  const members: (string | number)[] = []
  for (const [index, position] of positions.entries()) {
    const [literal, node] = [literals[position], source.literals[index]]
    if (literal === undefined || node === undefined || !hasTypeOf(literal, node)) return null
    const { dialect, zone, schema } = context
    const location = locateOperand({ dialect, zone, namespace: schema.namespace }, source.type, {
      ...node,
      value: literal.value,
    })
    if (typeof location === 'string' || location.at !== 'value') return null
    if (!source.isList) return location.value
    if (typeof location.value === 'boolean') return null
    members.push(location.value)
  }
  return members
}
