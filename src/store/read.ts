// A read plan becomes SQL: the page first, then its JSON, every literal a parameter (ADR 0014).
import { sql, type RawBuilder } from 'kysely'
import { LeastRecentlyUsed } from '#lib/least-recently-used.ts'
import type { Field } from '#model/resource.ts'
import type { Comparison, Condition, Operand, ReadPlan, TextTest } from '#plan/read-plan.ts'
import { shapeOf } from '#plan/shape.ts'
import { statement, type Build, type SqlValue, type Statement } from '#store/statement.ts'

/** One page: how many records it has, and all of them as one JSON array. */
export interface Page {
  readonly count: number
  readonly json: Buffer | string
}

/** `limit` is a value of its own, so that a page and a probe share their text. */
export const pageStatement = (plan: ReadPlan): Statement<Page> =>
  cached('page', plan, (build) => {
    const page = sql`(${selection(build, plan)}) as page`
    return build.dialect === 'sqlite'
      ? sql`select count(*) as count, cast(json_group_array(${jsonObject(plan)}) as blob) as json from ${page}`
      : sql`select count(*) as count, '[' || coalesce(string_agg(row_to_json(page)::text, ','), '') || ']' as json from ${page}`
  })

/** The same records one row each: as JSON text, or as the printed values of `plan.select`. */
export const rowStatement = (plan: ReadPlan, as: 'json' | 'values'): Statement<unknown> =>
  cached(as, plan, (build) => {
    if (as === 'values') return selection(build, plan)
    const page = sql`(${selection(build, plan)}) as page`
    return build.dialect === 'sqlite'
      ? sql`select ${jsonObject(plan)} from ${page}`
      : sql`select row_to_json(page)::text from ${page}`
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
  if (found === undefined) statements.set(shape, (found = statement<never>(build)))
  return found
}

/** Filter, order, skip and limit; the columns come out printed, under the names the caller gets. */
const selection = (build: Build, plan: ReadPlan): RawBuilder<unknown> => {
  const print = printers[build.dialect]
  const columns = plan.select.map(({ field, as }) => {
    const printed = print(column(plan, field), fieldOf(plan, field), plan.dates)
    return sql`${printed} as ${sql.id(as)}`
  })
  const order = plan.orderBy.map(({ field, descending }) =>
    orderTerm(build, plan, field, descending),
  )
  return sql`select ${sql.join(columns)} from ${sql.table(plan.resource.table)}
    where ${where(build, plan)} order by ${sql.join(order)}
    limit ${build.value('limit')} offset ${build.value('skip')}`
}

const fieldOf = (plan: ReadPlan, name: string): Field => {
  const field = plan.resource.fields[name]
  if (field === undefined) throw new Error(`${plan.resource.table} has no field ${name}`)
  return field
}

/** Named with its table, because an answer may call a column by another column's name. */
const column = (plan: ReadPlan, name: string) => sql.ref(`${plan.resource.table}.${name}`)

const jsonObject = (plan: ReadPlan) =>
  sql`json_object(${sql.join(
    plan.select.map(({ field, as }) => {
      const isNumber = fieldOf(plan, field).type === 'decimal'
      // A printed amount is text that is JSON already.
      return sql`${sql.lit(as)}, ${isNumber ? sql`json(${sql.id(as)})` : sql.id(as)}`
    }),
  )})`

type Printer = (
  column: RawBuilder<unknown>,
  field: Field,
  dates: ReadPlan['dates'],
) => RawBuilder<unknown>

/** A blank that stands for null comes out as null. */
const stored: Printer = (column, field) =>
  field.blankWhenNull ? sql`nullif(${column}, '')` : column

/** How a stored value is written in JSON. Amounts: |x| < 10^11 with 4 places fits 15 digits exactly. */
const printers: Record<'sqlite' | 'postgres', Printer> = {
  sqlite: (column, field, dates) => {
    if (field.type === 'decimal')
      return sql`iif(${column} is null, null, printf('%.15g', ${column} / 10000.0))`
    if (field.type === 'stamp')
      return sql`strftime('%Y-%m-%dT%H:%M:%S', ${column} / 1000000, 'unixepoch') || printf('.%06dZ', ${column} % 1000000)`
    if (field.type === 'date' && dates === 'midnight')
      return sql`nullif(${column}, '') || 'T00:00:00'`
    return stored(column, field, dates)
  },
  postgres: (column, field, dates) => {
    if (field.type === 'decimal') return sql`trim_scale(${column}::numeric / 10000)`
    if (field.type === 'stamp')
      return sql`to_char(to_timestamp(${column} / 1000000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || '.' || lpad((${column} % 1000000)::text, 6, '0') || 'Z'`
    if (field.type === 'date' && dates === 'midnight')
      return sql`nullif(${column}, '') || 'T00:00:00'`
    return stored(column, field, dates)
  },
}

/** Nulls come first ascending and last descending (OData 4.01 part 1, 11.2.6.2); SQLite does so by itself. */
const orderTerm = (build: Build, plan: ReadPlan, name: string, descending: boolean) => {
  const direction = descending ? sql`desc` : sql`asc`
  const field = fieldOf(plan, name)
  if (build.dialect === 'sqlite' || !field.optional || field.blankWhenNull)
    return sql`${column(plan, name)} ${direction}`
  return sql`${column(plan, name)} ${direction} ${descending ? sql`nulls last` : sql`nulls first`}`
}

const where = (build: Build, plan: ReadPlan): RawBuilder<unknown> => {
  const mine = sql`${sql.ref('companyId')} = ${build.value('companyId')}`
  return plan.filter === null
    ? mine
    : sql`${mine} and ${new ConditionWriter(build, plan).write(plan.filter, false)}`
}

const valueName = (index: number) => `v${index}`

/** Conditions as SQL. Inside a `not` an order against null must be false, not null: `(…) is true`. */
class ConditionWriter {
  readonly #build: Build
  readonly #plan: ReadPlan

  constructor(build: Build, plan: ReadPlan) {
    this.#build = build
    this.#plan = plan
  }

  write(condition: Condition, isNegated: boolean): RawBuilder<unknown> {
    switch (condition.kind) {
      case 'and':
      case 'or': {
        const parts = condition.of.map((part) => this.write(part, isNegated))
        return sql`(${sql.join(parts, condition.kind === 'and' ? sql` and ` : sql` or `)})`
      }
      case 'not':
        return sql`not ${this.write(condition.of, true)}`
      case 'constant':
        return condition.is ? sql`(1 = 1)` : sql`(1 = 0)`
      case 'compare': {
        const compared = this.#compare(condition.operator, condition.left, condition.right)
        return isNegated ? sql`(${compared} is true)` : compared
      }
      case 'in':
        return sql`(${this.#operand(condition.left)} in ${this.#list(condition.right.index, condition.left)})`
      case 'text':
        return this.#textTest(condition.test, condition.left, condition.right)
    }
  }

  #compare(operator: Comparison, left: Operand, right: Operand): RawBuilder<unknown> {
    if (left.kind === 'null' || right.kind === 'null')
      return this.#compareNull(operator, left.kind === 'null' ? right : left)
    const [a, b] = [this.#operand(left), this.#operand(right)]
    const isBetweenFields = left.kind === 'field' && right.kind === 'field'
    if (operator === 'eq')
      return isBetweenFields ? sql`(${a} is not distinct from ${b})` : sql`(${a} = ${b})`
    if (operator === 'ne') return sql`(${a} is distinct from ${b})`
    const ordered = sql`${a} ${orders[operator]} ${b}`
    const present = [left, right].flatMap((operand) => this.#isPresent(operand))
    return sql`(${sql.join([ordered, ...present], sql` and `)})`
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

  /** A blank that stands for null sorts before everything, yet is below nothing. */
  #isPresent(operand: Operand): RawBuilder<unknown>[] {
    if (operand.kind !== 'field' || !fieldOf(this.#plan, operand.field).blankWhenNull) return []
    return [sql`${this.#operand(operand)} <> ''`]
  }

  #textTest(test: TextTest, left: Operand, right: Operand): RawBuilder<unknown> {
    const [text, part] = [this.#textOperand(left), this.#textOperand(right)]
    return sql`(${textTests[this.#build.dialect][test](text, part)})`
  }

  #textOperand(operand: Operand): RawBuilder<unknown> {
    const written = this.#operand(operand)
    const isBlank = operand.kind === 'field' && fieldOf(this.#plan, operand.field).blankWhenNull
    return isBlank ? sql`nullif(${written}, '')` : written
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
