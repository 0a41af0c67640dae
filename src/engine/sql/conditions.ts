// SQL of a plan's conditions; every literal is a parameter.
import { sql } from 'kysely'
import { finalAggregate, partialColumns } from './exact-sums.ts'
import type {
  AggregateValue,
  ComparisonOperator,
  Condition,
  RecordJoin,
  LiteralValue,
  RelatedRecords,
  SearchCondition,
  TextTest,
  Value,
} from '../planner/expressions/bound-expression.ts'
import { tableAlias, columnOfNumber } from './columns.ts'
import { isText, ValueBuilder, parameterName, type ConditionSql } from './values.ts'
import type { Sql, SqlContext } from './dialect.ts'
import { joinBalanced } from './value-functions.ts'

/** Builds conditions; null counts as false, inside `not` too. */
export class ConditionBuilder implements ConditionSql {
  readonly context: SqlContext
  readonly values: ValueBuilder

  constructor(context: SqlContext) {
    this.context = context
    this.values = new ValueBuilder(context, this)
  }

  build(condition: Condition): Sql {
    switch (condition.kind) {
      case 'constant':
        return condition.is ? sql`(1 = 1)` : sql`(1 = 0)`
      case 'not':
        return sql`(${this.build(condition.of)} is not true)`
      case 'compare':
        return this.#compare(condition.operator, condition.left, condition.right)
      case 'in':
        return this.#in(condition.left, condition.right)
      case 'text':
        return this.#textTest(condition.test, condition.left, condition.right)
      case 'search':
        return this.#search(this.values.build(condition.text), condition.terms)
      case 'is':
        return sql`(${this.values.build(condition.value)} = ${sql.lit(condition.expected ? 1 : 0)})`
      case 'any':
        return sql`(exists (select 1 ${this.#fromRelated(condition.of)}))`
    }
    const parts = condition.of.map((part) => this.build(part))
    return joinBalanced(parts, condition.kind === 'and' ? sql` and ` : sql` or `)
  }

  /** Left joins of single related records. */
  joins(joins: readonly RecordJoin[]): Sql {
    if (joins.length === 0) return sql``
    const written = joins.map((join) => {
      const { key } = join
      const onRelation = joinCondition(join, this.context)
      const on = key === undefined ? onRelation : sql`${onRelation} and ${this.build(key)}`
      return sql`left join ${tableOfNumber(join)} on ${on}`
    })
    return sql.join(written, sql` `)
  }

  count(related: RelatedRecords): Sql {
    return sql`(select count(*) ${this.#fromRelated(related)})`
  }

  /** A sum consists of partial sums, which are combined outside of the subquery. */
  aggregate({ of, method, value, type }: AggregateValue): Sql {
    const { dialect } = this.context
    const one = { name: 'x', method, value, type }
    const inside = sql`select ${sql.join(partialColumns(one, value === null ? null : this.values.build(value), dialect))} ${this.#fromRelated(of)}`
    return sql`(select ${finalAggregate(one, 'r', dialect)} from (${inside}) as r)`
  }

  /** `from` and `where`: the related records that pass. */
  #fromRelated(related: RelatedRecords): Sql {
    const { number, from, relation, joins, filter } = related
    const onRelation = joinCondition({ number, from, relation }, this.context)
    const where = filter === null ? onRelation : sql`${onRelation} and ${this.build(filter)}`
    return sql`from ${tableOfNumber(related)} ${this.joins(joins)} where ${where}`
  }

  #compare(operator: ComparisonOperator, left: Value, right: Value): Sql {
    if (left.kind === 'null' || right.kind === 'null')
      return this.#compareNull(operator, left.kind === 'null' ? right : left)
    if (operator === 'ne') return this.#differs(left, right)
    if (operator === 'eq' && left.kind !== 'literal' && right.kind !== 'literal')
      return sql`(${this.values.build(left)} is not distinct from ${this.values.build(right)})`
    const [a, b] = this.#operands(left, right)
    const holds = operator === 'eq' ? sql`${a} = ${b}` : sql`${a} ${comparisonOperators[operator]} ${b}`
    const present = [left, right].flatMap((value) => this.#isPresent(value))
    return sql`(${sql.join([holds, ...present], sql` and `)})`
  }

  /** A bare column, so that an index can be used, and a literal with the type of the column. */
  #operands(left: Value, right: Value): readonly [Sql, Sql] {
    const side = (value: Value, other: Value): Sql => {
      if (isOwnBlank(value)) return columnOfNumber(value.recordNumber, value.field)
      return this.#typedOperand(value, other)
    }
    return [side(left, right), side(right, left)]
  }

  /** A literal beside a column gets its type from it. */
  #typedOperand(value: Value, other: Value): Sql {
    return value.kind === 'literal' && other.kind === 'field' ? this.values.literal(value) : this.values.build(value)
  }

  /** '' that represents null differs from every value, the empty string too. */
  #differs(left: Value, right: Value): Sql {
    const isBetweenValues = left.kind !== 'literal' && right.kind !== 'literal'
    if (isBetweenValues) return sql`(${this.values.build(left)} is distinct from ${this.values.build(right)})`
    const [a, b] = this.#operands(left, right)
    const isBlank = [left, right]
      .filter(isOwnBlank)
      .map(({ recordNumber, field }) => sql`${columnOfNumber(recordNumber, field)} = ''`)
    return sql`(${sql.join([sql`${a} is distinct from ${b}`, ...isBlank], sql` or `)})`
  }

  #in(left: Value, right: LiteralValue): Sql {
    const value = isOwnBlank(left) ? columnOfNumber(left.recordNumber, left.field) : this.values.build(left)
    const among = sql`${value} in ${this.#listValues(right)}`
    return sql`(${sql.join([among, ...this.#isPresent(left)], sql` and `)})`
  }

  /** Only `eq` and `ne` can be true against null. */
  #compareNull(operator: ComparisonOperator, other: Value): Sql {
    if (operator !== 'eq' && operator !== 'ne') return sql`(1 = 0)`
    const isEqual = operator === 'eq'
    if (other.kind === 'null' || other.kind === 'literal')
      return (other.kind === 'null') === isEqual ? sql`(1 = 1)` : sql`(1 = 0)`
    if (isOwnBlank(other)) {
      const column = columnOfNumber(other.recordNumber, other.field)
      return isEqual ? sql`(${column} = '')` : sql`(${column} <> '')`
    }
    const value = this.values.build(other)
    return isEqual ? sql`(${value} is null)` : sql`(${value} is not null)`
  }

  /** '' that represents null is neither equal to nor below any value. */
  #isPresent(value: Value): Sql[] {
    return isOwnBlank(value) ? [sql`${columnOfNumber(value.recordNumber, value.field)} <> ''`] : []
  }

  #textTest(test: TextTest, left: Value, right: Value): Sql {
    const [text, part] = [this.#typedOperand(left, right), this.#typedOperand(right, left)]
    return sql`(${textTests[this.context.dialect][test](text, part)})`
  }

  /** Case folding happens once, for any number of search terms. */
  #search(text: Sql, terms: SearchCondition): Sql {
    const { dialect } = this.context
    const test = (one: SearchCondition): Sql => {
      if (one.kind === 'term') return sql`(${textTests[dialect].contains(foldedText, this.values.build(one.term))})`
      const [first = sql`null`, ...others] = one.of.map(test)
      if (one.kind === 'not') return sql`(not ${first})`
      return joinBalanced([first, ...others], one.kind === 'and' ? sql` and ` : sql` or `)
    }
    const fence = dialect === 'sqlite' ? sql`limit 1` : sql`offset 0`
    return sql`(select ${test(terms)} from (select ${text} as x ${fence}) as r)`
  }

  #listValues({ index, type }: LiteralValue): Sql {
    const list = this.context.value(parameterName(index))
    if (this.context.dialect === 'sqlite') return sql`(select value from json_each(${list}))`
    const element = sql`json_array_elements_text(${list}::json) as element`
    return isText(type) ? sql`(select element from ${element})` : sql`(select element::bigint from ${element})`
  }
}

const foldedText = sql.ref('r.x')

/** Joins stay within the company; a relation without fields leads to all records of the company. */
export function joinCondition({ number, from, relation }: RecordJoin, { value }: SqlContext): Sql {
  const pairs = Object.entries(relation.on)
  if (pairs.length === 0) return sql`${columnOfNumber(number, 'companyId')} = ${value('companyId')}`
  return sql.join(
    [['companyId', 'companyId'] as const, ...pairs].map(
      ([sourceField, targetField]) =>
        sql`${columnOfNumber(number, targetField)} = ${columnOfNumber(from, sourceField)}`,
    ),
    sql` and `,
  )
}

function tableOfNumber({ number, relation }: RecordJoin): Sql {
  return sql`${sql.table(relation.to.table)} as ${sql.table(tableAlias(number))}`
}

/** A field whose column stores '' for null; an index contains the column itself. */
function isOwnBlank(value: Value): value is Value & { readonly kind: 'field' } {
  return value.kind === 'field' && value.blankWhenNull === true && !value.isJoined
}

const comparisonOperators = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` }

type TextTestSql = (text: Sql, part: Sql) => Sql

/** Case-sensitive comparison by code point, the same in both databases. */
const textTests: Record<'sqlite' | 'postgres', Record<TextTest, TextTestSql>> = {
  sqlite: {
    startswith: (text, part) => sql`substr(${text}, 1, length(${part})) = ${part}`,
    endswith: (text, part) => sql`${part} = '' or substr(${text}, -length(${part})) = ${part}`,
    contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  },
  postgres: {
    startswith: (text, part) => sql`starts_with(${text}, ${part})`,
    endswith: (text, part) => sql`right(${text}, length(${part})) = ${part}`,
    contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  },
}
