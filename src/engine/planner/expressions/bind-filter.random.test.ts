import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { serviceSchema } from '../../../model/service-schema.ts'
import { revenue } from '../../../model/revenue.ts'
import { odata2Dialect } from '../../odata/dialect.ts'
import { parseFilter } from '../../odata/options/filter.ts'
import { filterOption } from '../../odata/options/option.ts'
import type { Expression } from '../../odata/expressions/syntax.ts'
import { bindFilter, createScope } from './bind-filter.ts'
import { createBinding } from '../binding.ts'
import type { ComparisonOperator, Condition, PlanValue, TextTest, Value } from './bound-expression.ts'

type Held = PlanValue | null
type Fields = Readonly<Record<string, Held>>

const comparisons: Record<ComparisonOperator, (a: Held | bigint, b: Held | bigint) => boolean> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  gt: (a, b) => a !== null && b !== null && a > b,
  ge: (a, b) => a !== null && b !== null && a >= b,
  lt: (a, b) => a !== null && b !== null && a < b,
  le: (a, b) => a !== null && b !== null && a <= b,
}

const textTests: Record<TextTest, (text: string, part: string) => boolean> = {
  startswith: (text, part) => text.startsWith(part),
  endswith: (text, part) => text.endsWith(part),
  contains: (text, part) => text.includes(part),
}

/** Evaluates a condition for one record, as a database does. A text test of null is a bug: its result would be null. */
function holds(condition: Condition, values: readonly PlanValue[], fields: Fields): boolean {
  const read = (one: Value): Held => {
    if (one.kind === 'literal') return values[one.index] ?? null
    return one.kind === 'field' ? (fields[one.field] ?? null) : null
  }
  switch (condition.kind) {
    case 'constant':
      return condition.is
    case 'not':
      return !holds(condition.of, values, fields)
    case 'and':
      return condition.of.every((one) => holds(one, values, fields))
    case 'or':
      return condition.of.some((one) => holds(one, values, fields))
    case 'search':
    case 'is':
    case 'any':
      throw new Error('fields and literals need no more than comparisons')
  }
  const [left, right] = [read(condition.left), read(condition.right)]
  if (condition.kind === 'compare') return comparisons[condition.operator](left, right)
  if (condition.kind === 'in') return Array.isArray(right) && left !== null && right.includes(left)
  if (typeof left !== 'string' || typeof right !== 'string') throw new Error('a text test met null')
  return textTests[condition.test](left, right)
}

function bound(text: string) {
  const interpretation = { dialect: odata2Dialect, namespace: 'Test', zone: 'Europe/Oslo', naming: 'declared' } as const
  const binding = createBinding({ ...interpretation, clock: () => 0 })
  const view = { schema: serviceSchema, resource: revenue, grantedScopes: new Set<string>() }
  const record = { view, number: 0, joins: [], isJoined: false }
  const scope = { ...createScope(binding, record, record), option: filterOption }
  return { condition: bindFilter(scope, parseFilter(text, odata2Dialect)), values: binding.values }
}

function returns(text: string, fields: Fields): boolean {
  const { condition, values } = bound(text)
  return holds(condition, values, fields)
}

/** The number times 10^9, without floating point. */
function exactly(text: string): bigint {
  const [whole = '', places = ''] = text.split('.')
  return BigInt(whole + places.padEnd(9, '0'))
}

test.each([
  ['Omsetning', /^-?\d{1,3}(\.\d{1,7})?$/, 100_000n],
  ['InntektsPlanId', /^-?\d{1,2}(\.\d{1,2})?$/, 1_000_000_000n],
])('a number literal of any precision is compared exactly with %s', (name, pattern, unit) => {
  const operator = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le')
  const nearby = fc.integer({ min: -2, max: 2 })
  fc.assert(
    fc.property(fc.stringMatching(pattern), operator, nearby, (text, operator, offset) => {
      const literal = exactly(text)
      const stored = literal / unit + BigInt(offset)
      const fields = { amount: Number(stored), id: Number(stored) }
      const expected = comparisons[operator](stored * unit, literal)
      expect(returns(`${name} ${operator} ${text}`, fields)).toBe(expected)
      const turned = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' }[operator]
      expect(returns(`${text} ${turned} ${name}`, fields)).toBe(expected)
    }),
    { numRuns: 1000 },
  )
})

/** Three-valued logic as in the standard (OData 4.01 part 2, 5.1.1.1). */
function truthOf(node: Expression, fields: Fields): boolean | null {
  if (node.kind === 'literal') return node.type === 'null' ? null : node.value === 'true'
  if (node.kind === 'call') {
    const [text, part] = node.args.map((one) => valueOf(one, fields))
    if (typeof text !== 'string' || typeof part !== 'string') return null
    return node.name === 'substringof' ? textTests.contains(part, text) : textTests.contains(text, part)
  }
  if (node.kind !== 'operation') throw new Error(`${node.kind} is no condition`)
  const { operator, operands } = node
  if (operator === 'and' || operator === 'or') {
    const truths = operands.map((one) => truthOf(one, fields))
    if (truths.includes(operator === 'or')) return operator === 'or'
    return truths.includes(null) ? null : operator === 'and'
  }
  if (operator === 'not') {
    const [truth = null] = operands.map((one) => truthOf(one, fields))
    return truth === null ? null : !truth
  }
  const [left = null, right = null] = operands.map((one) => valueOf(one, fields))
  return operator === 'eq' ? left === right : left !== right
}

function valueOf(node: Expression, fields: Fields): Held {
  if (node.kind === 'name') return fields[node.name] ?? null
  if (node.kind === 'literal' && node.type === 'text') return node.value
  return truthOf(node, fields)
}

const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    fc.constantFrom('true', 'false', 'null'),
    fc.constantFrom("Merknad eq 'a'", "Merknad ne 'a'", 'Merknad eq null', 'ipType ne AvdelingID'),
    fc.constantFrom("contains(Merknad,'a')", "substringof('a',AvdelingID)", 'contains(ipType,null)'),
    tie('condition').map((one) => `not (${one})`),
    fc
      .tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition'))
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    fc
      .tuple(tie('condition'), fc.constantFrom('eq true', 'eq false', 'ne true', 'ne false'))
      .map(([one, comparison]) => `(${one}) ${comparison}`),
  ),
}))

test('a record is returned where the filter is true in three-valued logic', () => {
  const text = fc.constantFrom('a', 'b', null)
  fc.assert(
    fc.property(condition, text, text, (filter, remark, departmentId) => {
      const expected = truthOf(parseFilter(filter, odata2Dialect), {
        Merknad: remark,
        AvdelingID: departmentId,
        ipType: 'a',
      })
      expect(returns(filter, { remark, departmentId, kind: 'a' })).toBe(expected === true)
    }),
    { numRuns: 3000 },
  )
})
