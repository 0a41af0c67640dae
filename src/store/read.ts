// A read plan becomes SQL whose text depends on the plan's shape alone: every literal is a value (ADR 0014).
import { sql, type RawBuilder } from 'kysely'
import { LeastRecentlyUsed } from '#lib/least-recently-used.ts'
import type { Field } from '#model/resource.ts'
import type { Comparison, Condition, Operand, ReadPlan, TextTest } from '#plan/read-plan.ts'
import { shapeOf } from '#plan/shape.ts'
import { jsonObject } from '#store/print.ts'
import { statement, type Build, type SqlValue, type Statement } from '#store/statement.ts'

/** What a row of an answer is: the values of `plan.select`, or one text, the record as JSON. */
export type RowForm = 'values' | 'json'

/** The rows of a plan; `limit` is a value of its own. */
export const rowStatement = (plan: ReadPlan, form: RowForm): Statement<SqlValue[]> =>
  cached(form, plan, (build) => {
    const columns = plan.select.map(({ field: name, as }) => {
      const field = fieldOf(plan, name)
      return { as, field, value: stored(plan, name) }
    })
    const row =
      form === 'json'
        ? jsonObject(columns, build.dialect, plan.dates)
        : sql.join(columns.map(({ value }) => value))
    return sql`select ${row}
    from ${sql.table(plan.resource.table)}
    where ${where(build, plan)}
    order by ${sql.join(plan.orderBy.map(({ field, descending }) => orderTerm(build, plan, field, descending)))}
    limit ${build.value('limit')} offset ${build.value('skip')}`
  })

export const countStatement = (plan: ReadPlan): Statement<{ count: number }> =>
  cached(
    'count',
    plan,
    (build) =>
      sql`select count(*) as count from ${sql.table(plan.resource.table)} where ${where(build, plan)}`,
  )

/** What a read statement is run with, but for `limit`. */
export const readValues = (plan: ReadPlan): Record<string, SqlValue> => {
  const values: Record<string, SqlValue> = { companyId: plan.companyId, skip: plan.skip }
  plan.values.forEach((value, index) => {
    values[valueName(index)] =
      typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
  })
  return values
}

const statements = new LeastRecentlyUsed<string, Statement<never>>(1000)

const cached = <Row>(
  kind: string,
  plan: ReadPlan,
  build: (build: Build) => RawBuilder<unknown>,
): Statement<Row> => {
  const shape = `${kind} ${shapeOf(plan)}`
  let found = statements.get(shape)
  if (found === undefined) statements.set(shape, (found = statement(build)))
  return found
}

const fieldOf = (plan: ReadPlan, name: string): Field => {
  const field = plan.resource.fields[name]
  if (field === undefined) throw new Error(`${plan.resource.table} has no field ${name}`)
  return field
}

/** Named with its table, because an answer may call a column by another column's name. */
const column = (plan: ReadPlan, name: string) => sql.ref(`${plan.resource.table}.${name}`)

/** A blank that stands for null comes out as null. */
const stored = (plan: ReadPlan, name: string): RawBuilder<unknown> =>
  fieldOf(plan, name).blankWhenNull ? sql`nullif(${column(plan, name)}, '')` : column(plan, name)

/**
 * Nulls come first ascending and last descending (OData 4.01 part 1, 11.2.6.2); SQLite does so by itself.
 * Where the filter says which part of the clustered table is wanted, the `+` keeps SQLite from walking
 * through all of the company in the wanted order instead: it knows nothing of how few will match.
 */
const orderTerm = (build: Build, plan: ReadPlan, name: string, descending: boolean) => {
  const direction = descending ? sql`desc` : sql`asc`
  const field = fieldOf(plan, name)
  const ordered = column(plan, name)
  if (build.dialect === 'sqlite')
    return sql`${isInCluster(plan) ? sql`+` : sql``}${ordered} ${direction}`
  if (!field.optional || field.blankWhenNull) return sql`${ordered} ${direction}`
  return sql`${ordered} ${direction} ${descending ? sql`nulls last` : sql`nulls first`}`
}

/** Whether every match has a bound on the field that the table lies in the order of. */
const isInCluster = ({ filter, resource, orderBy }: ReadPlan): boolean => {
  // The order of the table itself is a gift that is not refused.
  if (orderBy[0]?.field === resource.clusteredBy) return false
  const isBound = (condition: Condition): boolean => {
    if (condition.kind === 'and') return condition.of.some(isBound)
    if (condition.kind === 'or') return condition.of.every(isBound)
    if (condition.kind === 'compare') return condition.operator !== 'ne' && isOn(condition.left)
    return condition.kind === 'in' && isOn(condition.left)
  }
  const isOn = (operand: Operand) =>
    operand.kind === 'field' && operand.field === resource.clusteredBy
  return filter !== null && resource.clusteredBy !== undefined && isBound(filter)
}

const where = (build: Build, plan: ReadPlan): RawBuilder<unknown> => {
  const mine = sql`${sql.ref('companyId')} = ${build.value('companyId')}`
  return plan.filter === null
    ? mine
    : sql`${mine} and ${new ConditionWriter(build, plan).write(plan.filter)}`
}

const valueName = (index: number) => `v${index}`

/** Conditions as SQL; what is null holds no more than what is false, inside a `not` too. */
class ConditionWriter {
  readonly #build: Build
  readonly #plan: ReadPlan

  constructor(build: Build, plan: ReadPlan) {
    this.#build = build
    this.#plan = plan
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
    if (fieldOf(this.#plan, other.field).blankWhenNull)
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
    return operand.kind === 'field' && fieldOf(this.#plan, operand.field).blankWhenNull === true
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
    if (operand.kind === 'field') return column(this.#plan, operand.field)
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
