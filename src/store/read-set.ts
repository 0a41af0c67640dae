// A set of records as SQL, with the related records inside their own (ADR 0017).
import { sql, type RawBuilder } from 'kysely'
import type {
  Condition,
  ExpandPlan,
  FieldValue,
  Order,
  ReadPlan,
  SetPlan,
  Value,
} from '#plan/read-plan.ts'
import { jsonObject, printed, printedValue, reference } from '#store/print.ts'
import {
  aliasOf,
  column,
  fieldOf,
  numbered,
  source,
  stored,
  type Table,
} from '#store/read-columns.ts'
import { ConditionWriter, joined, leadsTo } from '#store/read-conditions.ts'
import type { Build } from '#store/statement.ts'

type Sql = RawBuilder<unknown>

export class SetWriter {
  readonly #build: Build
  readonly #dates: ReadPlan['dates']
  readonly #conditions: ConditionWriter

  constructor(build: Build, dates: ReadPlan['dates']) {
    this.#build = build
    this.#dates = dates
    this.#conditions = new ConditionWriter(build)
  }

  /** The values of `plan.select`, without relations. */
  valueRows(plan: ReadPlan): Sql {
    const table = tableOf(plan)
    const values = plan.select.map(({ field }) => stored(table, field))
    return sql`select ${sql.join(values)} from ${this.#page(table, plan)}`
  }

  /** Each record as one JSON text, with all that is expanded. */
  jsonRows(plan: ReadPlan): Sql {
    const table = tableOf(plan)
    if (plan.expand.length === 0 || isByKey(plan)) {
      const object = this.#object(table, plan, this.#worked(plan))
      return sql`select ${object} from ${this.#page(table, plan, this.#joins(plan))}`
    }
    // What is sorted should be few and slim: the page is cut first, and only its records are related.
    const columns = sql.join([
      ...neededOf(plan).map((name) => column(table, name)),
      ...this.#workedColumns(plan),
    ])
    const made = (name: string) => column(table, name)
    const object = this.#object(
      table,
      plan,
      plan.computed.map((_, index) => made(computedName(index))),
    )
    const order = plan.orderBy.map((one, index) =>
      this.#orderTerm(plan, one, isOwnField(plan, one.value) ? null : made(orderName(index))),
    )
    return sql`select ${object} from (select ${columns} from ${this.#page(table, plan)}) as ${sql.table(table.alias)}
      ${this.#joins(plan)} order by ${sql.join(order)}`
  }

  count(plan: ReadPlan): Sql {
    const table = tableOf(plan)
    return sql`select count(*) as count from ${source(table)} ${joined(plan.joins)} where ${this.#mine(table, plan)}`
  }

  #page(table: Table, plan: ReadPlan, joins: Sql = sql``): Sql {
    return sql`${source(table)} ${joined(plan.joins)} ${joins} where ${this.#mine(table, plan)} ${this.#order(plan)}
      limit ${this.#build.value('limit')} offset ${this.#build.value('skip')}`
  }

  #mine(table: Table, plan: SetPlan): Sql {
    const company = sql`${column(table, 'companyId')} = ${this.#build.value('companyId')}`
    return this.#where(plan, company)
  }

  #where({ filter }: SetPlan, first: Sql): Sql {
    return filter === null ? first : sql`${first} and ${this.#conditions.write(filter)}`
  }

  /** What is computed, worked out where it stands. */
  #worked({ computed }: SetPlan): Sql[] {
    return computed.map(({ value }) => this.#conditions.values.write(value))
  }

  /** What is worked out once for a record of the page: what is returned, and what is ordered by. */
  #workedColumns(plan: SetPlan): Sql[] {
    const write = (value: Value) => this.#conditions.values.write(value)
    return [
      ...plan.computed.map(
        ({ value }, index) => sql`${write(value)} as ${sql.id(computedName(index))}`,
      ),
      ...plan.orderBy.flatMap(({ value }, index) =>
        isOwnField(plan, value) ? [] : [sql`${write(value)} as ${sql.id(orderName(index))}`],
      ),
    ]
  }

  /** The members stand in the order of `namesOf`, which are a value of the statement. */
  #object(table: Table, plan: SetPlan, computed: readonly Sql[]): Sql {
    const { dialect } = this.#build
    const printing = { dialect, dates: this.#dates }
    const members = [
      ...plan.select.map(({ field }) =>
        printed(fieldOf(table, field), stored(table, field), printing),
      ),
      ...plan.computed.map(({ value }, index) =>
        printedValue(value, computed[index] ?? sql`null`, printing),
      ),
      ...plan.expand.flatMap((expand) =>
        expand.relation.isMany ? this.#many(expand) : [this.#one(expand)],
      ),
    ]
    return jsonObject(this.#build, table.alias, members)
  }

  #record(table: Table, expand: ExpandPlan): Sql {
    return expand.wants === 'references'
      ? reference(this.#build, table)
      : this.#object(table, expand, this.#worked(expand))
  }

  /** Its key tells whether there is a record. */
  #one(expand: ExpandPlan): Sql {
    const table = tableOf(expand)
    const [key = ''] = table.resource.key
    return sql`case when ${column(table, key)} is null then 'null' else ${this.#record(table, expand)} end`
  }

  #joins(plan: SetPlan): Sql {
    const joins = plan.expand
      .filter(({ relation }) => !relation.isMany)
      .map((expand) => {
        const { number, relation } = expand
        const join = joined([{ number, relation, from: plan.number }, ...expand.joins])
        return sql`${join} ${this.#joins(expand)}`
      })
    return joins.length === 0 ? sql`` : sql.join(joins, sql` `)
  }

  #many(expand: ExpandPlan): Sql[] {
    const table = tableOf(expand)
    const { number, from, relation } = expand
    const where = this.#where(expand, leadsTo({ number, from, relation }))
    const among = sql`${source(table)} ${joined(expand.joins)}`
    const count = sql`(select count(*) from ${among} where ${where})`
    if (expand.wants === 'count') return [count]
    const rows = sql`select ${this.#record(table, expand)} as record from ${among} ${this.#joins(expand)}
      where ${where} ${this.#order(expand)} ${this.#part(expand)}`
    const list = sql`(select '[' || coalesce(string_agg(record, ','), '') || ']' from (${rows}) as ${sql.table(`${table.alias}list`)})`
    return expand.count ? [count, list] : [list]
  }

  #part({ top, skip, number }: ExpandPlan): Sql {
    if (top === null && skip === 0) return sql``
    const value = (name: string) => this.#build.value(`${name}${number}`)
    return sql`limit ${value('top')} offset ${value('skip')}`
  }

  #order(plan: SetPlan): Sql {
    return sql`order by ${sql.join(plan.orderBy.map((one) => this.#orderTerm(plan, one, null)))}`
  }

  /**
   * Nulls come first ascending and last descending (OData 4.01 part 1, 11.2.6.2); SQLite does so by itself.
   * Where the filter says which part of the clustered table is wanted, the `+` keeps SQLite from walking
   * through all of the company in the wanted order instead: it knows nothing of how few will match. `made` is
   * what was worked out before.
   */
  #orderTerm(plan: SetPlan, { value, descending }: Order, made: Sql | null): Sql {
    const direction = descending ? sql`desc` : sql`asc`
    const isField = value.kind === 'field' && value.blank !== 'joined'
    const ordered =
      made ?? (isField ? numbered(value.of, value.field) : this.#conditions.values.write(value))
    if (this.#build.dialect === 'sqlite')
      return sql`${isField && isInCluster(plan) ? sql`+` : sql``}${ordered} ${direction}`
    if (isField && (!value.isOptional || value.blank === 'own')) return sql`${ordered} ${direction}`
    return sql`${ordered} ${direction} ${descending ? sql`nulls last` : sql`nulls first`}`
  }
}

const tableOf = ({ resource, number }: SetPlan): Table => ({ resource, alias: aliasOf(number) })

const computedName = (index: number): string => `computed${index}`
const orderName = (index: number): string => `order${index}`

/** The order of the key is the order of an index: nothing is sorted. */
const isByKey = ({ orderBy, resource, number }: SetPlan): boolean =>
  orderBy.length === resource.key.length &&
  orderBy.every(({ value }) => isOwnField({ number }, value))

const isOwnField = ({ number }: Pick<SetPlan, 'number'>, value: Value): value is FieldValue =>
  value.kind === 'field' && value.of === number

/** The columns that a page is cut with: what is selected, ordered by, leads on, or is spoken of inside. */
const neededOf = (plan: ReadPlan): string[] => [
  ...new Set([
    'companyId',
    ...plan.select.map(({ field }) => field),
    ...plan.orderBy.flatMap(({ value }) => (isOwnField(plan, value) ? [value.field] : [])),
    ...plan.expand.flatMap(({ relation }) => Object.keys(relation.on)),
    ...plan.lent,
  ]),
]

/** Whether every match has a bound on the field that the table lies in the order of. */
const isInCluster = ({ filter, resource, orderBy, number }: SetPlan): boolean => {
  const isOn = (value: Value | undefined): boolean =>
    value?.kind === 'field' && value.of === number && value.field === resource.clusteredBy
  // The order of the table itself is a gift that is not refused.
  if (isOn(orderBy[0]?.value)) return false
  const isBound = (condition: Condition): boolean => {
    if (condition.kind === 'and') return condition.of.some(isBound)
    if (condition.kind === 'or') return condition.of.every(isBound)
    if (condition.kind === 'compare') return condition.operator !== 'ne' && isOn(condition.left)
    return condition.kind === 'in' && isOn(condition.left)
  }
  return filter !== null && resource.clusteredBy !== undefined && isBound(filter)
}
