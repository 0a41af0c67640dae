// A condition of a plan as SQL; every literal is a value of its own.
import { sql, type RawBuilder } from 'kysely'
import type { Comparison, Condition, Operand, TextTest } from '#plan/read-plan.ts'
import type { Build } from '#store/statement.ts'
import { column, fieldOf, type Table } from '#store/read-columns.ts'

/** The name that a literal of the plan has among the values of a run. */
export const valueName = (index: number) => `v${index}`

/** Conditions as SQL; what is null holds no more than what is false, inside a `not` too. */
export class ConditionWriter {
  readonly #build: Build
  readonly #table: Table

  /** `table` is where the fields of the condition are found. */
  constructor(build: Build, table: Table) {
    this.#build = build
    this.#table = table
  }

  write(condition: Condition): RawBuilder<unknown> {
    if (condition.kind === 'constant') return condition.is ? sql`(1 = 1)` : sql`(1 = 0)`
    if (condition.kind === 'not') return sql`(${this.write(condition.of)} is not true)`
    if (condition.kind === 'compare')
      return this.#compare(condition.operator, condition.left, condition.right)
    if (condition.kind === 'in') return this.#in(condition.left, condition.right.index)
    if (condition.kind === 'text')
      return this.#textTest(condition.test, condition.left, condition.right)
    const parts = condition.of.map((part) => this.write(part))
    return chain(parts, condition.kind === 'and' ? sql` and ` : sql` or `)
  }

  #compare(operator: Comparison, left: Operand, right: Operand): RawBuilder<unknown> {
    if (left.kind === 'null' || right.kind === 'null')
      return this.#compareNull(operator, left.kind === 'null' ? right : left)
    const [a, b] = [this.#operand(left), this.#operand(right)]
    const isBetweenFields = left.kind === 'field' && right.kind === 'field'
    if (isBetweenFields && operator === 'eq') return sql`(${a} is not distinct from ${b})`
    if (operator === 'ne') return this.#differs(left, right)
    const holds = operator === 'eq' ? sql`${a} = ${b}` : sql`${a} ${orders[operator]} ${b}`
    const present = [left, right].flatMap((operand) => this.#isPresent(operand))
    return sql`(${sql.join([holds, ...present], sql` and `)})`
  }

  /** A blank that stands for null differs from every value, the empty text too. */
  #differs(left: Operand, right: Operand): RawBuilder<unknown> {
    const differs = sql`${this.#operand(left)} is distinct from ${this.#operand(right)}`
    const isBlank = [left, right]
      .filter((operand) => this.#isBlankWhenNull(operand))
      .map((operand) => sql`${this.#operand(operand)} = ''`)
    const isBetweenFields = left.kind === 'field' && right.kind === 'field'
    return isBetweenFields
      ? sql`(${differs})`
      : sql`(${sql.join([differs, ...isBlank], sql` or `)})`
  }

  #in(left: Operand, index: number): RawBuilder<unknown> {
    const among = sql`${this.#operand(left)} in ${this.#list(index, left)}`
    return sql`(${sql.join([among, ...this.#isPresent(left)], sql` and `)})`
  }

  /** Only equality can hold against null. */
  #compareNull(operator: Comparison, other: Operand): RawBuilder<unknown> {
    if (operator !== 'eq' && operator !== 'ne') return sql`(1 = 0)`
    const isEqual = operator === 'eq'
    if (other.kind !== 'field')
      return (other.kind === 'null') === isEqual ? sql`(1 = 1)` : sql`(1 = 0)`
    if (fieldOf(this.#table, other.field).blankWhenNull)
      return isEqual ? sql`(${this.#operand(other)} = '')` : sql`(${this.#operand(other)} <> '')`
    return isEqual
      ? sql`(${this.#operand(other)} is null)`
      : sql`(${this.#operand(other)} is not null)`
  }

  /** A blank that stands for null equals nothing and is below nothing. */
  #isPresent(operand: Operand): RawBuilder<unknown>[] {
    return this.#isBlankWhenNull(operand) ? [sql`${this.#operand(operand)} <> ''`] : []
  }

  #isBlankWhenNull(operand: Operand): boolean {
    return operand.kind === 'field' && fieldOf(this.#table, operand.field).blankWhenNull === true
  }

  #textTest(test: TextTest, left: Operand, right: Operand): RawBuilder<unknown> {
    const [text, part] = [this.#textOperand(left), this.#textOperand(right)]
    return sql`(${textTests[this.#build.dialect][test](text, part)})`
  }

  #textOperand(operand: Operand): RawBuilder<unknown> {
    const written = this.#operand(operand)
    return this.#isBlankWhenNull(operand) ? sql`nullif(${written}, '')` : written
  }

  #list(index: number, left: Operand): RawBuilder<unknown> {
    const list = this.#build.value(valueName(index))
    if (this.#build.dialect === 'sqlite') return sql`(select value from json_each(${list}))`
    const isText = left.kind === 'field' && ['text', 'date'].includes(left.type)
    const element = sql`json_array_elements_text(${list}::json) as element`
    return isText
      ? sql`(select element from ${element})`
      : sql`(select element::bigint from ${element})`
  }

  #operand(operand: Operand): RawBuilder<unknown> {
    if (operand.kind === 'field') return column(this.#table, operand.field)
    if (operand.kind === 'null') return sql`null`
    const value = this.#build.value(valueName(operand.index))
    // PostgreSQL wants to know the type of a lone parameter.
    if (this.#build.dialect === 'sqlite') return value
    return operand.type === 'text' || operand.type === 'date'
      ? sql`${value}::text`
      : sql`${value}::bigint`
  }
}

/** SQLite reads `a or b or c` as a tree as deep as it is long, and takes a thousand levels: long chains are halved. */
const chain = (
  parts: readonly RawBuilder<unknown>[],
  word: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  if (parts.length <= 8) return sql`(${sql.join(parts, word)})`
  const middle = parts.length >> 1
  return sql`(${chain(parts.slice(0, middle), word)}${word}${chain(parts.slice(middle), word)})`
}

const orders = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` }

type TextTestSql = (text: RawBuilder<unknown>, part: RawBuilder<unknown>) => RawBuilder<unknown>

/** Compared character by character, letter case included, and alike in both databases. */
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
