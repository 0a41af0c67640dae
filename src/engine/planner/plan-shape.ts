// Plan shape: what the plans of requests that differ in literals, page and company have in common.
import { memoize } from '../../lib/memoize.ts'
import type { ScannedLiteral } from '../odata/lexer/literal-scan.ts'
import { literalType } from '../odata/lexer/literals.ts'
import type { Query } from '../odata/options/query.ts'
import type { LiteralNode } from '../odata/expressions/syntax.ts'
import type { ValueSource } from './binding.ts'
import { locateOperand } from './expressions/locate-operand.ts'
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

/** The shape of a plan; null where a literal of the request has no place in the plan by itself, so that the plan may depend on it. */
export function shapeFrom(plan: ReadPlan, literals: readonly ScannedLiteral[]): PlanShape | null {
  const unused = new Set(literals.keys())
  const values = plan.values.map((constant, index): ShapeValue => {
    const source = plan.sources.get(index)
    const positions = source?.literals.map((node) => positionOf(node, literals)) ?? []
    if (source === undefined || positions.includes(-1)) return { constant }
    for (const position of positions) unused.delete(position)
    return { source, positions }
  })
  if (unused.size > 0) return null
  const shape = { plan, values, literalCount: literals.length }
  shapesByPlan.set(plan, shape)
  return shape
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
export function planOf(
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
