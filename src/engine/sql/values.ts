// SQL of a plan's values: fields, literals and function calls.
import { sql } from 'kysely'
import type {
  AggregateValue,
  CallValue,
  Condition,
  LiteralValue,
  RelatedRecords,
  Value,
  ValueType,
} from '../planner/expressions/bound-expression.ts'
import { columnOfNumber } from './columns.ts'
import type { Sql, SqlContext } from './dialect.ts'
import { sqlFunctions, sqlText } from './value-functions.ts'
import { typeOf } from '../planner/expressions/typed-value.ts'

/** The parameter name of a literal of the plan. */
export function parameterName(index: number) {
  return `v${index}`
}

/** SQL of the conditions and subqueries inside values. */
export interface ConditionSql {
  build(condition: Condition): Sql
  count(related: RelatedRecords): Sql
  aggregate(value: AggregateValue): Sql
}

export class ValueBuilder {
  readonly #context: SqlContext
  readonly #conditions: ConditionSql

  constructor(context: SqlContext, conditions: ConditionSql) {
    this.#context = context
    this.#conditions = conditions
  }

  /** The internal value; null is NULL. */
  build(value: Value): Sql {
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
        return sql`(case when ${this.#conditions.build(value.of)} then 1 else 0 end)`
      case 'count':
        return this.#conditions.count(value.of)
      case 'aggregate':
        return this.#conditions.aggregate(value)
    }
    const branches = value.branches.map(
      (one) => sql`when ${this.#conditions.build(one.condition)} then ${this.build(one.value)}`,
    )
    return sql`(case ${sql.join(branches, sql` `)} end)`
  }

  /** A literal that is compared with a column, whose type decides. */
  literal({ index, type }: LiteralValue): Sql {
    const value = this.#context.value(parameterName(index))
    // PostgreSQL needs the type of a parameter without context.
    if (this.#context.dialect === 'sqlite') return value
    return isText(type) ? sql`${value}::text` : sql`${value}::bigint`
  }

  /** JavaScript numbers reach SQLite as floats, whose division would not be integer division. */
  #typedLiteral(literal: LiteralValue): Sql {
    const value = this.literal(literal)
    if (isText(literal.type)) return sqlText(this.#context.dialect, value)
    return this.#context.dialect === 'sqlite' ? sql`cast(${value} as integer)` : value
  }

  #call({ name, args, type }: CallValue): Sql {
    const written = args.map((arg) => this.build(arg))
    const types = args.map((arg) => typeOf(arg) ?? type)
    return sqlFunctions[this.#context.dialect][name](written, types)
  }
}

/** Whether the database stores values of the type as text. */
export function isText(type: ValueType): boolean {
  return type === 'text' || type === 'date'
}
