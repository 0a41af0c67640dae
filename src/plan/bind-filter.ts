// A filter's syntax meets a resource: names become fields, literals become values, or the filter is refused.
import { Fault } from '#faults.ts'
import { phrase, type PhraseCode, type Says } from '#phrases.ts'
import type { Operator } from '#odata/operators.ts'
import { targetAt, unreadable, unsupported, type Option } from '#odata/option.ts'
import type { Call, Expression, List, Literal, Name, Operation } from '#odata/syntax.ts'
import type { Binding } from '#plan/binding.ts'
import { constant, FieldComparer, isPresent, operandOf } from '#plan/compare-field.ts'
import { holdsBetween } from '#plan/compare-literals.ts'
import { fieldNamed, type NamedField, type View } from '#plan/names.ts'
import type { Comparison, Condition, Operand, TextTest } from '#plan/read-plan.ts'

/**
 * Null is unknown to `and`, `or`, `not` and the text functions, and a record is returned only where the filter
 * is true (OData 4.01 part 2, 5.1.1.1). So each node is bound to "it is true" or to "it is false", and what
 * comes out has two values only: whoever turns it into SQL need not think of the third.
 */
export const bindFilter = (binding: Binding, view: View, expression: Expression): Condition =>
  new FilterBinder(binding, view).truth(expression, true)

class FilterBinder {
  readonly #view: View
  readonly #option: Option
  readonly #fields: FieldComparer

  constructor(binding: Binding, view: View) {
    this.#view = view
    this.#option = binding.option('filter')
    this.#fields = new FieldComparer(binding)
  }

  /** The condition that the expression is true, or that it is false, as `wanted` says. */
  truth(node: Expression, wanted: boolean): Condition {
    if (node.kind === 'operation') return this.#operation(node, wanted)
    if (node.kind === 'call') return this.#textTest(node, wanted)
    if (node.kind === 'name') return this.#flag(node, wanted)
    if (node.kind === 'literal' && node.type === 'null') return constant(false)
    if (node.kind === 'literal' && node.type === 'boolean')
      return constant((node.value === 'true') === wanted)
    throw this.#unbound(node) ?? this.#invalid(node.column, 'expectedCondition')
  }

  #operation(node: Operation, wanted: boolean): Condition {
    const { operator, operands, column } = node
    const meaning = meanings[operator]
    switch (meaning) {
      case 'chain': {
        // Not (a and b) is (not a) or (not b), with null as the third value too.
        const kind = (operator === 'and') === wanted ? 'and' : 'or'
        return { kind, of: operands.map((operand) => this.truth(operand, wanted)) }
      }
      case 'not':
        return this.truth(nth(operands, 0), !wanted)
      case 'in':
        return onlyIf(wanted, this.#membership(nth(operands, 0), nth(operands, 1)))
      case 'unsupported':
        throw this.#notSupported(column, 'theOperator', operator)
    }
    return onlyIf(wanted, this.#comparison(meaning, nth(operands, 0), nth(operands, 1)))
  }

  /** A field that is true or false by itself. */
  #flag(node: Name, wanted: boolean): Condition {
    const field = this.#field(node)
    if (field.type !== 'boolean')
      throw this.#invalid(node.column, 'isNoCondition', { field: field.wire })
    const value = wanted ? 'true' : 'false'
    return this.#fields.compare('eq', field, { ...node, kind: 'literal', type: 'boolean', value })
  }

  #textTest(node: Call, wanted: boolean): Condition {
    const row = textTests.get(node.name)
    if (row === undefined) throw this.#notSupported(node.column, 'theFunction', node.name)
    const [text, part] = row.isReversed ? node.args.toReversed() : node.args
    const present: Condition[] = []
    const left = this.#textOperand(text, present)
    const right = this.#textOperand(part, present)
    // A test of null is unknown: neither true nor false.
    if (left.kind === 'null' || right.kind === 'null') return constant(false)
    const test = onlyIf(wanted, { kind: 'text', test: row.test, left, right })
    return present.length === 0 ? test : { kind: 'and', of: [...present, test] }
  }

  #textOperand(node: Expression | undefined, present: Condition[]): Operand {
    if (node?.kind === 'name') {
      const field = this.#field(node)
      if (field.type !== 'text') throw this.#invalid(node.column, 'isNoText', { field: field.wire })
      if (field.optional) present.push(isPresent(field))
      return operandOf(field)
    }
    if (node?.kind === 'literal' && node.type === 'null') return { kind: 'null' }
    if (node?.kind === 'literal' && node.type === 'text')
      return this.#fields.value(node.value, 'text')
    if (node?.kind === 'call') throw this.#notSupported(node.column, 'theFunction', node.name)
    if (node === undefined) throw new Error('a function has too few arguments')
    throw this.#unbound(node) ?? this.#invalid(node.column, 'expectedFieldOrText')
  }

  #membership(left: Expression, right: Expression): Condition {
    if (left.kind !== 'name') throw this.#notComparable(left)
    if (right.kind !== 'list')
      throw this.#unbound(right) ?? this.#invalid(right.column, 'expectedList')
    return this.#fields.isAmong(this.#field(left), literalsOf(right))
  }

  #comparison(operator: Comparison, left: Expression, right: Expression): Condition {
    if (isCondition(left)) return this.#conditionIs(operator, left, right)
    if (isCondition(right)) return this.#conditionIs(turned[operator], right, left)
    if (left.kind === 'name' && right.kind === 'literal')
      return this.#fields.compare(operator, this.#field(left), right)
    if (left.kind === 'literal' && right.kind === 'name')
      return this.#fields.compare(turned[operator], this.#field(right), left)
    if (left.kind === 'name' && right.kind === 'name')
      return this.#betweenFields(operator, left, right)
    if (left.kind !== 'literal') throw this.#notComparable(left)
    if (right.kind !== 'literal') throw this.#notComparable(right)
    const holds = holdsBetween(operator, left, right)
    if (holds === undefined) throw this.#invalid(right.column, 'sidesDiffer')
    return constant(holds)
  }

  /** `startswith(name,'x') eq true`, as OData 2 taught clients to write it. */
  #conditionIs(operator: Comparison, condition: Expression, other: Expression): Condition {
    const isTruth = other.kind === 'literal' && other.type === 'boolean'
    if (!isTruth && condition.kind === 'operation' && condition.operator === 'not')
      throw this.#invalid(condition.column, 'notBindsTighter')
    if (!isTruth || (operator !== 'eq' && operator !== 'ne'))
      throw this.#invalid(other.column, 'conditionIsCompared')
    // What comes out has two values, so that null, which is not equal to either, passes `ne`.
    return onlyIf(operator === 'eq', this.truth(condition, other.value === 'true'))
  }

  #betweenFields(operator: Comparison, left: Name, right: Name): Condition {
    const [one, other] = [this.#field(left), this.#field(right)]
    if (one.type !== other.type)
      throw this.#invalid(right.column, 'fieldsDiffer', { one: one.wire, other: other.wire })
    return { kind: 'compare', operator, left: operandOf(one), right: operandOf(other) }
  }

  #field(node: Name): NamedField {
    return fieldNamed(this.#view, node, this.#option)
  }

  /** Why an operand is neither a field nor a literal. */
  #notComparable(node: Expression): Fault {
    if (node.kind === 'call') return this.#notSupported(node.column, 'theFunction', node.name)
    if (node.kind === 'operation')
      return this.#notSupported(node.column, 'theOperator', node.operator)
    return this.#unbound(node) ?? this.#invalid(node.column, 'expectedField')
  }

  /** The refusal of what is read, and cannot be answered. */
  #unbound({ kind, column }: Expression): Fault | undefined {
    const feature = unboundKinds.get(kind)
    return feature === undefined ? undefined : unsupported(this.#option, column, phrase(feature))
  }

  #invalid(column: number, problem: PhraseCode, says?: Says): Fault {
    return unreadable(this.#option, column, phrase(problem, says))
  }

  #notSupported(column: number, feature: 'theFunction' | 'theOperator', name: string): Fault {
    const target = targetAt(this.#option, column)
    return new Fault('NotSupported', { target, says: { feature: phrase(feature, { name }) } })
  }
}

/** What an operator does in a filter; a comparison stands for itself. */
const meanings: Record<Operator, Comparison | 'chain' | 'not' | 'in' | 'unsupported'> = {
  or: 'chain',
  and: 'chain',
  not: 'not',
  in: 'in',
  eq: 'eq',
  ne: 'ne',
  gt: 'gt',
  ge: 'ge',
  lt: 'lt',
  le: 'le',
  add: 'unsupported',
  sub: 'unsupported',
  mul: 'unsupported',
  div: 'unsupported',
  divby: 'unsupported',
  mod: 'unsupported',
  '-': 'unsupported',
  has: 'unsupported',
}

/** The same comparison with its sides exchanged. */
const turned: Record<Comparison, Comparison> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'lt',
  ge: 'le',
  lt: 'gt',
  le: 'ge',
}

interface TextTestRow {
  readonly test: TextTest
  /** The part comes before the text. */
  readonly isReversed?: true
}

const textTests: ReadonlyMap<string, TextTestRow> = new Map([
  ['startswith', { test: 'startswith' }],
  ['endswith', { test: 'endswith' }],
  ['contains', { test: 'contains' }],
  ['substringof', { test: 'contains', isReversed: true }],
])

const unboundKinds: ReadonlyMap<Expression['kind'], PhraseCode> = new Map([
  ['path', 'aPath'],
  ['lambda', 'aLambda'],
  ['count', 'countingRelated'],
  ['items', 'anArray'],
  ['members', 'anObject'],
  ['choice', 'aChoice'],
])

const isCondition = (node: Expression): boolean =>
  node.kind === 'operation'
    ? meanings[node.operator] !== 'unsupported'
    : node.kind === 'call' && textTests.has(node.name)

const literalsOf = (list: List): Literal[] => list.items.filter((item) => item.kind === 'literal')

/** The condition, or that it is not so. */
const onlyIf = (wanted: boolean, condition: Condition): Condition => {
  if (wanted) return condition
  if (condition.kind === 'constant') return constant(!condition.is)
  return condition.kind === 'not' ? condition.of : { kind: 'not', of: condition }
}

/** The table of operators says how many operands there are. */
const nth = (operands: readonly Expression[], index: number): Expression => {
  const operand = operands[index]
  if (operand === undefined) throw new Error(`an operator has no operand ${index}`)
  return operand
}
