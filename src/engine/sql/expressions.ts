// SQL of a plan's conditions and values; every literal is a parameter.
import { sql } from 'kysely'
import { finalAggregate, partialColumns } from './exact-sums.ts'
import type {
  AggregateValue,
  CallValue,
  ComparisonOperator,
  Condition,
  RecordJoin,
  LiteralValue,
  RelatedRecords,
  SearchCondition,
  TextTest,
  Value,
  ValueType,
} from '../planner/expressions/bound-expression.ts'
import { tableAlias, columnOfNumber } from './columns.ts'
import type { Sql, SqlContext } from './dialect.ts'
import { joinBalanced, sqlFunctions, sqlText } from './value-functions.ts'
import { typeOf } from '../planner/expressions/typed-value.ts'

export class ExpressionBuilder {
  readonly context: SqlContext

  constructor(context: SqlContext) {
    this.context = context
  }

  /** The internal value; null is NULL. */
  value(value: Value): Sql {
    switch (value.kind) {
      case 'field': {
        const column = columnOfNumber(value.recordNumber, value.field)
        return value.blankWhenNull ? sql`nullif(${column}, '')` : column
      }
      case 'literal':
        return this.#typedLiteral(value)
      case 'null':
        return sql`null`
      case 'call':
        return this.#call(value)
      case 'condition':
        return sql`(case when ${this.condition(value.of)} then 1 else 0 end)`
      case 'count':
        return sql`(select count(*) ${this.#fromRelated(value.of)})`
      case 'aggregate':
        return this.#aggregate(value)
    }
    const branches = value.branches.map(
      (one) => sql`when ${this.condition(one.condition)} then ${this.value(one.value)}`,
    )
    return sql`(case ${sql.join(branches, sql` `)} end)`
  }

  /** A literal that is compared with a column, whose type decides. */
  literal({ index, type }: LiteralValue): Sql {
    const value = this.context.value(parameterName(index))
    // PostgreSQL needs the type of a parameter without context.
    if (this.context.dialect === 'sqlite') return value
    return isText(type) ? sql`${value}::text` : sql`${value}::bigint`
  }

  /** JavaScript numbers reach SQLite as floats, whose division would not be integer division. */
  #typedLiteral(literal: LiteralValue): Sql {
    const value = this.literal(literal)
    if (isText(literal.type)) return sqlText(this.context.dialect, value)
    return this.context.dialect === 'sqlite' ? sql`cast(${value} as integer)` : value
  }

  #call({ name, args, type }: CallValue): Sql {
    const written = args.map((arg) => this.value(arg))
    const types = args.map((arg) => typeOf(arg) ?? type)
    return sqlFunctions[this.context.dialect][name](written, types)
  }

  /** Null counts as false, inside `not` too. */
  condition(condition: Condition): Sql {
    switch (condition.kind) {
      case 'constant':
        return condition.is ? sql`(1 = 1)` : sql`(1 = 0)`
      case 'not':
        return sql`(${this.condition(condition.of)} is not true)`
      case 'compare':
        return this.#compare(condition.operator, condition.left, condition.right)
      case 'in':
        return this.#in(condition.left, condition.right)
      case 'text':
        return this.#textTest(condition.test, condition.left, condition.right)
      case 'search':
        return this.#search(this.value(condition.text), condition.terms)
      case 'is':
        return sql`(${this.value(condition.value)} = ${sql.lit(condition.expected ? 1 : 0)})`
      case 'any':
        return sql`(exists (select 1 ${this.#fromRelated(condition.of)}))`
    }
    const parts = condition.of.map((part) => this.condition(part))
    return joinBalanced(parts, condition.kind === 'and' ? sql` and ` : sql` or `)
  }

  /** Left joins of single related records. */
  joins(joins: readonly RecordJoin[]): Sql {
    if (joins.length === 0) return sql``
    const written = joins.map((join) => {
      const { key } = join
      const onRelation = joinCondition(join, this.context)
      const on = key === undefined ? onRelation : sql`${onRelation} and ${this.condition(key)}`
      return sql`left join ${tableOfNumber(join)} on ${on}`
    })
    return sql.join(written, sql` `)
  }

  /** A sum consists of partial sums, which are combined outside of the subquery. */
  #aggregate({ of, method, value, type }: AggregateValue): Sql {
    const { dialect } = this.context
    const one = { name: 'x', method, value, type }
    const inside = sql`select ${sql.join(partialColumns(one, value === null ? null : this.value(value), dialect))} ${this.#fromRelated(of)}`
    return sql`(select ${finalAggregate(one, 'r', dialect)} from (${inside}) as r)`
  }

  /** `from` and `where`: the related records that pass. */
  #fromRelated(related: RelatedRecords): Sql {
    const { number, from, relation, joins, filter } = related
    const onRelation = joinCondition({ number, from, relation }, this.context)
    const where = filter === null ? onRelation : sql`${onRelation} and ${this.condition(filter)}`
    return sql`from ${tableOfNumber(related)} ${this.joins(joins)} where ${where}`
  }

  #compare(operator: ComparisonOperator, left: Value, right: Value): Sql {
    if (left.kind === 'null' || right.kind === 'null')
      return this.#compareNull(operator, left.kind === 'null' ? right : left)
    if (operator === 'ne') return this.#differs(left, right)
    if (operator === 'eq' && left.kind !== 'literal' && right.kind !== 'literal')
      return sql`(${this.value(left)} is not distinct from ${this.value(right)})`
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
    return value.kind === 'literal' && other.kind === 'field' ? this.literal(value) : this.value(value)
  }

  /** '' that represents null differs from every value, the empty string too. */
  #differs(left: Value, right: Value): Sql {
    const isBetweenValues = left.kind !== 'literal' && right.kind !== 'literal'
    if (isBetweenValues) return sql`(${this.value(left)} is distinct from ${this.value(right)})`
    const [a, b] = this.#operands(left, right)
    const isBlank = [left, right]
      .filter(isOwnBlank)
      .map(({ recordNumber, field }) => sql`${columnOfNumber(recordNumber, field)} = ''`)
    return sql`(${sql.join([sql`${a} is distinct from ${b}`, ...isBlank], sql` or `)})`
  }

  #in(left: Value, right: LiteralValue): Sql {
    const value = isOwnBlank(left) ? columnOfNumber(left.recordNumber, left.field) : this.value(left)
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
    const value = this.value(other)
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
      if (one.kind === 'term') return sql`(${textTests[dialect].contains(foldedText, this.value(one.term))})`
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

/** Whether the database stores values of the type as text. */
export function isText(type: ValueType): boolean {
  return type === 'text' || type === 'date'
}

const foldedText = sql.ref('r.x')

/** The parameter name of a literal of the plan. */
export function parameterName(index: number) {
  return `v${index}`
}

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
