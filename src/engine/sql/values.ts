// A value of a plan as SQL: fields, literals, and what is worked out of them.
import { sql, type RawBuilder } from 'kysely'
import type {
  AggregateValue,
  CallValue,
  Condition,
  LiteralValue,
  Related,
  Value,
  ValueType,
} from '../planner/expressions/expression.ts'
import { typeOf } from '../planner/expressions/arithmetic.ts'
import { numbered } from './columns.ts'
import type { SqlContext } from './dialect.ts'
import { functions, sqlText } from './value-functions.ts'

type Sql = RawBuilder<unknown>

/** The name that a literal of the plan has among the values of a run. */
export function valueName(index: number) {
  return `v${index}`
}

/** What is not a value, and stands inside of one. */
export interface Conditions {
  write(condition: Condition): Sql
  count(related: Related): Sql
  aggregate(value: AggregateValue): Sql
}

export class ValueWriter {
  readonly #build: SqlContext
  readonly #conditions: Conditions

  constructor(build: SqlContext, conditions: Conditions) {
    this.#build = build
    this.#conditions = conditions
  }

  /** As the house holds it: null is NULL. */
  write(value: Value): Sql {
    switch (value.kind) {
      case 'field': {
        const column = numbered(value.of, value.field)
        return value.blank === undefined ? column : sql`nullif(${column}, '')`
      }
      case 'literal':
        return this.#whole(value)
      case 'null':
        return sql`null`
      case 'call':
        return this.#call(value)
      case 'truth':
        return sql`(case when ${this.#conditions.write(value.of)} then 1 else 0 end)`
      case 'count':
        return this.#conditions.count(value.of)
      case 'aggregate':
        return this.#conditions.aggregate(value)
    }
    const branches = value.branches.map(
      (one) => sql`when ${this.#conditions.write(one.condition)} then ${this.write(one.value)}`,
    )
    return sql`(case ${sql.join(branches, sql` `)} end)`
  }

  /** As it is compared with a column: the type of the column decides. */
  literal({ index, type }: LiteralValue): Sql {
    const value = this.#build.value(valueName(index))
    // PostgreSQL wants to know the type of a lone parameter.
    if (this.#build.dialect === 'sqlite') return value
    return isText(type) ? sql`${value}::text` : sql`${value}::bigint`
  }

  /** Our numbers reach SQLite as floats, whose halves a division would keep. */
  #whole(literal: LiteralValue): Sql {
    const value = this.literal(literal)
    if (isText(literal.type)) return sqlText(this.#build.dialect, value)
    return this.#build.dialect === 'sqlite' ? sql`cast(${value} as integer)` : value
  }

  #call({ name, args, type }: CallValue): Sql {
    const of = { type, takes: args.map((arg) => typeOf(arg) ?? type) }
    const written = args.map((arg) => this.write(arg))
    return functions[this.#build.dialect][name](written, of)
  }
}

function isText(type: ValueType): boolean {
  return type === 'text' || type === 'date'
}
