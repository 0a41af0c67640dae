// Plan shape: what the plans of requests that differ in literals, page and company have in common.
import type { ScannedLiteral } from '../odata/lexer/literal-scan.ts'
import { literalType } from '../odata/lexer/literals.ts'
import type { Query } from '../odata/options/query.ts'
import type { LiteralNode } from '../odata/expressions/syntax.ts'
import type { ValueSource } from './binding.ts'
import { locateOperand } from './expressions/literal-location.ts'
import type { PlanValue } from './expressions/bound-expression.ts'
import { parseRowCount, type PlanContext } from './plan-read.ts'
import type { ReadPlan } from './read-plan.ts'

/** What all plans of one shape have in common: everything but company, values, top and skip, which is 0 in all of them or in none. */
export interface PlanShape {
  readonly plan: ReadPlan
  readonly values: readonly ShapeValue[]
  readonly literalCount: number
  /** The results of the functions of `oncePerShape`, by their number. */
  readonly results: { readonly value: unknown }[]
}

/** A plan that was made from a shape. A copy of it is another plan, which may have another filter. */
interface ShapedPlan extends ReadPlan {
  readonly origin: { readonly shape: PlanShape; plan: ReadPlan | null }
}

/** A value of the plan: the same for all requests of the shape, or read from literals of the request. */
type ShapeValue =
  | { readonly constant: PlanValue }
  | { readonly source: ValueSource; readonly positions: readonly number[] }

/** The shape of a plan from the cache; undefined for any other plan, such as a copy with another filter. */
export function shapeOf(plan: ReadPlan): PlanShape | undefined {
  const { origin } = plan as Partial<ShapedPlan>
  return origin?.plan === plan ? origin.shape : undefined
}

/** Computes once per shape what depends on nothing that differs within a shape (`PlanShape`). */
export function oncePerShape<Result>(compute: (plan: ReadPlan) => Result): (plan: ReadPlan) => Result {
  const number = functionCount++
  return (plan) => {
    const shape = shapeOf(plan)
    if (shape === undefined) return compute(plan)
    const known = (shape.results[number] ??= { value: compute(shape.plan) })
    return known.value as Result
  }
}

let functionCount = 0

/** The shape of a plan; null where a literal of the request has no place in the plan by itself, so that the plan may depend on it. */
export function createShape(plan: ReadPlan, literals: readonly ScannedLiteral[]): PlanShape | null {
  const unused = new Set(literals.keys())
  const values = plan.values.map((constant, index): ShapeValue => {
    const source = plan.sources.get(index)
    const positions = source?.literals.map((node) => positionOf(node, literals)) ?? []
    if (source === undefined || positions.includes(-1)) return { constant }
    for (const position of positions) unused.delete(position)
    return { source, positions }
  })
  if (unused.size > 0) return null
  return { plan, values, literalCount: literals.length, results: [] }
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

/** The plan of a request of this shape. Null where a literal has no value of the type that the plan compares: the planner decides what that means. */
export function planFromShape(
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
  const origin: ShapedPlan['origin'] = { shape, plan: null }
  const plan: ShapedPlan = {
    ...shape.plan,
    companyId: context.companyId,
    values,
    top: parseRowCount(query, '$top'),
    skip: parseRowCount(query, '$skip') ?? 0,
    origin,
  }
  origin.plan = plan
  return plan
}

function readValue(
  { source, positions }: Extract<ShapeValue, { readonly source: ValueSource }>,
  literals: readonly ScannedLiteral[],
  context: PlanContext,
): PlanValue | null {
  const [first = -1] = positions
  if (!source.isList) return readLiteral(literals[first], source, source.literals[0], context)
  const members: (string | number)[] = []
  for (const [index, position] of positions.entries()) {
    const member = readLiteral(literals[position], source, source.literals[index], context)
    if (member === null || typeof member === 'boolean') return null
    members.push(member)
  }
  return members
}

function readLiteral(
  literal: ScannedLiteral | undefined,
  { type }: ValueSource,
  node: LiteralNode | undefined,
  { dialect, zone, schema }: PlanContext,
): string | number | boolean | null {
  if (literal === undefined || node === undefined || !hasTypeOf(literal, node)) return null
  const written = { ...node, value: literal.value }
  const location = locateOperand({ dialect, zone, namespace: schema.namespace }, type, written)
  return typeof location === 'string' || location.at !== 'value' ? null : location.value
}
