// Filter binding: turns an expression into a condition that is either true or false, never null.
import type { Fault } from '../../../errors/catalog.ts'
import { phrase, type PhraseCode, type Says } from '../../../errors/messages.ts'
import type { Operator } from '../../odata/expressions/operators.ts'
import { unreadable } from '../../odata/options/option.ts'
import type {
  AggregatedMany,
  Call,
  Count,
  Expression,
  List,
  Literal,
  Operation,
} from '../../odata/expressions/syntax.ts'
import { allAlike, call, typeOf } from './arithmetic.ts'
import { bindAggregatedMany } from '../apply/bind-aggregated.ts'
import { bindCount, bindLambda } from './bind-lambda.ts'
import { ValueBinder, type Conditions } from './bind-value.ts'
import { Comparer, constant, isPresent, type Compared } from './compare-value.ts'
import { areAlike, isNullComposite, isObject } from './compare-complex.ts'
import { holdsBetween } from './compare-literals.ts'
import { fieldValue } from './field-expression.ts'
import { meaningOf, recordAt, type Frame, type Meaning } from './scope.ts'
import { fieldsOf } from './names.ts'
import type { Comparison, Condition, Related, TextTest, Value, ValueType } from './expression.ts'

/**
 * Null is unknown to `and`, `or`, `not` and the string functions, and a record is returned only where the filter is
 * true (OData 4.01 part 2, 5.1.1.1). So each node is bound to "it is true" or to "it is false". The bound condition
 * has two values only, and the SQL writer need not handle three-valued logic.
 */
export function bindFilter(frame: Frame, expression: Expression): Condition {
  return new FilterBinder(frame).truth(expression, true)
}

/**
 * Binds an expression to a value, to sort by or to return; `expectedType` is the type for literals that fit several.
 */
export function bindValue(frame: Frame, expression: Expression, wanted?: ValueType): Value {
  return new ValueBinder(frame, new FilterBinder(frame)).value(expression, wanted)
}

class FilterBinder implements Conditions {
  readonly #scope: Frame
  readonly #comparer: Comparer
  readonly #values: ValueBinder

  constructor(frame: Frame) {
    this.#scope = frame
    this.#comparer = new Comparer(frame.binding, frame.option)
    this.#values = new ValueBinder(frame, this)
  }

  /** The condition that the expression is true, or that it is false, as `expected` says. */
  truth(node: Expression, wanted: boolean): Condition {
    switch (node.kind) {
      case 'operation':
        return this.#bindOperation(node, wanted)
      case 'lambda':
        return onlyIf(wanted, bindLambda(this.#scope, node, bindFilter))
      case 'call': {
        const test = textTests.get(node.name)
        if (test !== undefined) return this.#bindTextTest(node, test, wanted)
        break
      }
      case 'literal':
        if (node.type === 'null') return constant(false)
        if (node.type === 'boolean') return constant((node.value === 'true') === wanted)
        break
      case 'name':
      case 'path':
        return this.#bindBooleanField(node, wanted)
    }
    return this.#bindBoolean(node, wanted)
  }

  related(count: Count): Related {
    return bindCount(this.#scope, count, bindFilter)
  }

  aggregated(node: AggregatedMany): Value {
    return bindAggregatedMany(this.#scope, node, bindValue)
  }

  #bindOperation(node: Operation, wanted: boolean): Condition {
    const { operator, operands } = node
    const meaning = meanings[operator]
    switch (meaning) {
      case 'chain': {
        // not (a and b) is (not a) or (not b), also in three-valued logic.
        const kind = (operator === 'and') === wanted ? 'and' : 'or'
        return { kind, of: operands.map((operand) => this.truth(operand, wanted)) }
      }
      case 'not':
        return this.truth(nth(operands, 0), !wanted)
      case 'in':
        return onlyIf(wanted, this.#bindIn(nth(operands, 0), nth(operands, 1)))
      case 'value':
        return this.#bindBoolean(node, wanted)
    }
    return onlyIf(wanted, this.#bindComparison(meaning, nth(operands, 0), nth(operands, 1)))
  }

  /** A boolean value as a condition. */
  #bindBoolean(node: Expression, wanted: boolean): Condition {
    const value = this.#values.boolean(node)
    if (value.kind === 'truth') return onlyIf(wanted, value.of)
    return value.kind === 'null' ? constant(false) : { kind: 'is', value, truth: wanted }
  }

  /** A boolean field as a condition. */
  #bindBooleanField(node: Expression, wanted: boolean): Condition {
    const meaning = this.#resolve(node)
    if (meaning?.kind !== 'field') return this.#bindBoolean(node, wanted)
    const { field } = meaning
    if (field.type !== 'boolean')
      throw this.#invalid(node.column, 'isNoCondition', { field: field.wire })
    const value = wanted ? 'true' : 'false'
    const literal = { kind: 'literal', type: 'boolean', value, column: node.column } as const
    return this.#comparer.compare('eq', comparedOf(meaning), literal)
  }

  #bindTextTest(node: Call, { test, isReversed }: TextTestRow, wanted: boolean): Condition {
    const [text, part] = (isReversed ? node.args.toReversed() : node.args).map((arg) =>
      this.#bindTextOperand(arg),
    )
    if (text === undefined || part === undefined)
      throw new Error('a function has too few arguments')
    // A string function of null is unknown: neither true nor false.
    if (text.kind === 'null' || part.kind === 'null') return constant(false)
    if (!isSimple(text) || !isSimple(part))
      return { kind: 'is', value: call(test, 'boolean', text, part), truth: wanted }
    const present = [text, part].map(isPresent).filter(({ kind }) => kind !== 'constant')
    const condition = onlyIf(wanted, { kind: 'text', test, left: text, right: part })
    return present.length === 0 ? condition : { kind: 'and', of: [...present, condition] }
  }

  #bindTextOperand(node: Expression): Value {
    const value = this.#values.value(node)
    const type = typeOf(value)
    if (type === null || type === 'text') return value
    const meaning = this.#resolve(node)
    throw meaning?.kind === 'field'
      ? this.#invalid(node.column, 'isNoText', { field: meaning.field.wire })
      : this.#invalid(node.column, 'expectedFieldOrText')
  }

  #bindIn(left: Expression, right: Expression): Condition {
    if (right.kind !== 'list' && right.kind !== 'array')
      throw this.#invalid(right.column, 'expectedList')
    const compared = this.#bindCompared(left)
    if (compared === null) return constant(literalsOf(right).some(({ type }) => type === 'null'))
    return this.#comparer.isAmong(compared, literalsOf(right))
  }

  /** The value that is compared with literals; null where it is the null literal. */
  #bindCompared(node: Expression): Compared | null {
    const meaning = this.#resolve(node)
    if (meaning?.kind === 'field') return comparedOf(meaning)
    const value = this.#values.value(node)
    const type = typeOf(value)
    return type === null ? null : { value, type, name: null }
  }

  #bindComparison(operator: Comparison, one: Expression, other: Expression): Condition {
    const [left, right] = [signed(one), signed(other)]
    if (isLiteral(left) && isLiteral(right)) {
      const holds = holdsBetween(operator, left, right)
      if (holds !== undefined) return constant(holds)
      if (left.type !== right.type) throw this.#invalid(right.column, 'sidesDiffer')
    } else if (isLiteral(right)) return this.#compareWithLiteral(operator, left, right)
    else if (isLiteral(left)) return this.#compareWithLiteral(turned[operator], right, left)
    const alike = this.#bindComplexEquality(left, right) ?? this.#bindComplexEquality(right, left)
    if (alike !== undefined) return this.#requireEquality(operator, alike, right)
    for (const side of [left, right]) this.#rejectLooseNot(side)
    const values = this.#values.pair(left, right)
    const [first, second] = allAlike(values) ?? []
    if (first === undefined || second === undefined) throw this.#typesDiffer(left, right)
    return { kind: 'compare', operator, left: first, right: second }
  }

  /** Equality of two complex values; undefined where the first is not complex. */
  #bindComplexEquality(one: Expression, other: Expression): Condition | undefined {
    const meaning = this.#resolve(one)
    if (meaning?.kind !== 'complex') return undefined
    if (other.kind === 'object') return isObject(this.#scope, this.#comparer, meaning, other)
    const another = this.#resolve(other)
    if (another?.kind !== 'complex') throw this.#invalid(other.column, 'sidesDiffer')
    return areAlike(this.#scope, [meaning, another], other)
  }

  /** Complex values can be compared for equality only. */
  #requireEquality(operator: Comparison, alike: Condition, { column }: Expression): Condition {
    if (operator !== 'eq' && operator !== 'ne') throw this.#invalid(column, 'hasNoOrder')
    return onlyIf(operator === 'eq', alike)
  }

  /** `not name eq …` means `(not name) eq …`; where the name is not boolean, the caller meant something else. */
  #rejectLooseNot(node: Expression): void {
    if (node.kind !== 'operation' || node.operator !== 'not') return
    const meaning = this.#resolve(nth(node.operands, 0))
    if (meaning?.kind === 'field' && meaning.field.type !== 'boolean')
      throw this.#invalid(node.column, 'notBindsTighter')
  }

  #compareWithLiteral(operator: Comparison, node: Expression, literal: Literal): Condition {
    if (isCondition(node)) return this.#compareCondition(operator, node, literal)
    if (literal.type === 'null') {
      const meaning = this.#resolve(node)
      if (meaning?.kind === 'complex')
        return this.#requireEquality(operator, isNullComposite(this.#scope, meaning, node), literal)
      const related = this.#relatedKeyField(meaning, node)
      if (related !== undefined) return this.#comparer.compare(operator, related, literal)
    }
    const compared = this.#bindCompared(node)
    if (compared === null) return constant(nullAgainst(operator, literal))
    return this.#comparer.compare(operator, compared, literal)
  }

  /** `startswith(name,'x') eq true`, the syntax of OData 2 clients. */
  #compareCondition(operator: Comparison, condition: Expression, other: Literal): Condition {
    if (other.type !== 'boolean' && other.type !== 'null' && isNot(condition))
      throw this.#invalid(condition.column, 'notBindsTighter')
    if (other.type !== 'boolean' && other.type !== 'null')
      throw this.#invalid(other.column, 'conditionIsCompared')
    if (other.type === 'boolean' && (operator === 'eq' || operator === 'ne'))
      // The condition is never null, so that null, which equals neither value, passes `ne`.
      return onlyIf(operator === 'eq', this.truth(condition, other.value === 'true'))
    const value = this.#values.boolean(condition)
    return this.#comparer.compare(operator, { value, type: 'boolean', name: null }, other)
  }

  /** Comparison of a single related record with null (4.01, 5.1.1.1.1): its key is null where there is no record. */
  #relatedKeyField(meaning: Meaning | undefined, node: Expression): Compared | undefined {
    if (meaning?.kind !== 'relation' || meaning.relation.isMany) return undefined
    const record = recordAt(this.#scope, meaning.from, meaning.relation, node)
    const [key = ''] = record.view.resource.key
    const field = fieldsOf(record.view.resource).all.find(({ name }) => name === key)
    if (field === undefined) throw new Error(`a resource without its key ${key}`)
    return { value: fieldValue(record, field), type: field.type, name: field.wire }
  }

  #resolve(node: Expression): Meaning | undefined {
    if (node.kind === 'name') return meaningOf(this.#scope, [node])
    return node.kind === 'path' ? meaningOf(this.#scope, node.names) : undefined
  }

  #typesDiffer(left: Expression, right: Expression): Fault {
    const [one, other] = [this.#resolve(left), this.#resolve(right)]
    if (one?.kind !== 'field' || other?.kind !== 'field')
      return this.#invalid(right.column, 'sidesDiffer')
    const says = { one: one.field.wire, other: other.field.wire }
    return this.#invalid(right.column, 'fieldsDiffer', says)
  }

  #invalid(column: number, problem: PhraseCode, says?: Says): Fault {
    return unreadable(this.#scope.option, column, phrase(problem, says))
  }
}

function comparedOf({ field, value }: Meaning & { readonly kind: 'field' }): Compared {
  return {
    value,
    type: field.type,
    name: field.wire,
  }
}

/** How a filter binds each operator; comparison operators map to themselves. */
const meanings: Record<Operator, Comparison | 'chain' | 'not' | 'in' | 'value'> = {
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
  add: 'value',
  sub: 'value',
  mul: 'value',
  div: 'value',
  divby: 'value',
  mod: 'value',
  '-': 'value',
  has: 'value',
}

/** The same comparison with its sides swapped. */
const turned: Record<Comparison, Comparison> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'lt',
  ge: 'le',
  lt: 'gt',
  le: 'ge',
}

/** Only equality can be true for null. */
function nullAgainst(operator: Comparison, literal: Literal): boolean {
  return operator === 'eq' ? literal.type === 'null' : operator === 'ne' && literal.type !== 'null'
}

interface TextTestRow {
  readonly test: TextTest
  /** The substring is the first argument. */
  readonly isReversed?: true
}

const textTests: ReadonlyMap<string, TextTestRow> = new Map([
  ['startswith', { test: 'startswith' }],
  ['endswith', { test: 'endswith' }],
  ['contains', { test: 'contains' }],
  ['substringof', { test: 'contains', isReversed: true }],
])

/** Values that are cheap enough to appear twice in the SQL. */
function isSimple({ kind }: Value): boolean {
  return kind === 'field' || kind === 'literal'
}

function isLiteral(node: Expression): node is Literal {
  return node.kind === 'literal'
}

/** `-INF` and `-(5)` are literals too. */
function signed(node: Expression): Expression {
  if (node.kind !== 'operation' || node.operator !== '-') return node
  const of = nth(node.operands, 0)
  if (!isLiteral(of) || of.type !== 'number') return node
  const value = of.value.startsWith('-') ? of.value.slice(1) : `-${of.value.replace('+', '')}`
  return { ...of, value, column: node.column }
}

function isNot(node: Expression): boolean {
  return node.kind === 'operation' && node.operator === 'not'
}

function isCondition(node: Expression): boolean {
  if (node.kind === 'operation') return meanings[node.operator] !== 'value'
  return node.kind === 'lambda' || (node.kind === 'call' && textTests.has(node.name))
}

function literalsOf({ items }: Pick<List, 'items'>): Literal[] {
  return items.filter(isLiteral)
}

/** The condition, or its negation. */
function onlyIf(wanted: boolean, condition: Condition): Condition {
  if (wanted) return condition
  if (condition.kind === 'constant') return constant(!condition.is)
  return condition.kind === 'not' ? condition.of : { kind: 'not', of: condition }
}

/** The operator table guarantees the number of operands. */
function nth(operands: readonly Expression[], index: number): Expression {
  const operand = operands[index]
  if (operand === undefined) throw new Error(`an operator has no operand ${index}`)
  return operand
}
