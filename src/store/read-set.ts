// A set of records as SQL, with the related records inside their own (ADR 0017).
import { sql, type RawBuilder } from 'kysely'
import type { Relation } from '#model/schema.ts'
import type { Condition, ExpandPlan, Operand, ReadPlan, SetPlan, Start } from '#plan/read-plan.ts'
import { printed, printedInAddress } from '#store/print.ts'
import { column, fieldOf, source, stored, type Table } from '#store/read-columns.ts'
import { ConditionWriter } from '#store/read-conditions.ts'
import {
  memberName,
  membersOf,
  templateName,
  type Member,
  type Printed,
} from '#store/record-members.ts'
import type { Build } from '#store/statement.ts'

type Sql = RawBuilder<unknown>

export class SetWriter {
  readonly #build: Build
  readonly #printed: Printed

  constructor(build: Build, printed: Printed) {
    this.#build = build
    this.#printed = printed
  }

  /** The values of `plan.select`, without relations. */
  valueRows(plan: ReadPlan): Sql {
    const table = tableOf(plan)
    const values = plan.select.map(({ field }) => stored(table, field))
    return sql`select ${sql.join(values)} from ${this.#page(table, plan)}`
  }

  /** Each record as one JSON text, with all that is expanded, and the values beside it. */
  jsonRows(plan: ReadPlan): Sql {
    const table = tableOf(plan)
    const beside = plan.beside.map((name) => stored(table, name))
    const row = sql.join([this.#object(table, plan), ...beside])
    if (plan.expand.length === 0 || isByKey(plan))
      return sql`select ${row} from ${this.#page(table, plan, this.#joins(table, plan))}`
    // What is sorted should be few and slim: the page is cut first, and only its records are related.
    const columns = sql.join(this.#needed(plan).map((name) => column(table, name)))
    return sql`select ${row} from (select ${columns} from ${this.#page(table, plan)}) as ${sql.table(table.alias)}
      ${this.#joins(table, plan)} ${this.#order(table, plan)}`
  }

  count(plan: ReadPlan): Sql {
    const table = tableOf(plan)
    return sql`select count(*) as count from ${source(table)} where ${this.#mine(table, plan)}`
  }

  #page(table: Table, plan: ReadPlan, joins: Sql = sql``): Sql {
    return sql`${source(table)} ${joins} where ${this.#mine(table, plan)} ${this.#order(table, plan)}
      limit ${this.#build.value('limit')} offset ${this.#build.value('skip')}`
  }

  #mine(table: Table, plan: ReadPlan): Sql {
    return this.#where(table, plan, this.#reached(table, plan.start))
  }

  /** In the company, and at the end of the relation that the plan starts with. */
  #reached(table: Table, start: Start | null): Sql {
    const company = sql`${column(table, 'companyId')} = ${this.#build.value('companyId')}`
    if (start === null) return company
    const other: Table = { resource: start.relation.of, alias: `${table.alias}from` }
    const where = this.#where(other, start, this.#reached(other, start.start))
    // The record is found by its key: once for the statement, whatever it leads to.
    const pairs = Object.entries(start.relation.on).map(
      ([theirs, mine]) =>
        sql`${column(table, mine)} = (select ${column(other, theirs)} from ${source(other)} where ${where})`,
    )
    return sql.join([company, ...pairs], sql` and `)
  }

  #where(table: Table, { filter }: Pick<SetPlan, 'filter'>, first: Sql): Sql {
    if (filter === null) return first
    return sql`${first} and ${new ConditionWriter(this.#build, table).write(filter)}`
  }

  /**
   * One JSON object. The names of its members are values of the statement, so that its text does not depend on how a
   * caller spells them. Where members come and go, each begins with a comma, and the first of them is cut off.
   */
  #object(table: Table, plan: SetPlan): Sql {
    const { dialect, value } = this.#build
    const template = value(templateName(table.alias))
    const members = membersOf(plan, this.#printed).map((member, index) =>
      this.#member(table, member, value(memberName(table.alias, index))),
    )
    const object = sql`format(${sql.join([dialect === 'sqlite' ? template : sql`${template}::text`, ...members])})`
    return this.#printed.form.nulls === 'omitted' ? sql`'{' || substr(${object}, 2) || '}'` : object
  }

  #member(table: Table, { of, isOptional }: Member, name: Sql): Sql {
    if (of.kind === 'key') return this.#key(table)
    if (of.kind === 'count') return this.#total(table, of.expand)
    if (of.kind === 'records')
      return of.expand.relation.isMany ? this.#list(table, of.expand) : this.#one(of.expand)
    const { dialect } = this.#build
    const { dates, form } = this.#printed
    const field = fieldOf(table, of.name)
    const value = printed(field, stored(table, of.name), { ...form, dialect, dates })
    if (!field.optional) return value
    if (!isOptional) return sql`coalesce(${value}, 'null')`
    return sql`case when ${stored(table, of.name)} is null then '' else ${name} || ${value} end`
  }

  /** As it stands in the brackets of an address. */
  #key(table: Table): Sql {
    const { key } = table.resource
    const values = key.map((name) => {
      const field = fieldOf(table, name)
      const value = printedInAddress(field, column(table, name), this.#build.dialect)
      return key.length === 1 ? value : sql`${sql.lit(`${field.wire}=`)} || ${value}`
    })
    return sql.join(values, sql` || ',' || `)
  }

  /** Its key tells whether there is a record. */
  #one(expand: ExpandPlan): Sql {
    const table = tableOf(expand)
    const [key = ''] = table.resource.key
    return sql`case when ${column(table, key)} is null then 'null' else ${this.#object(table, expand)} end`
  }

  #joins(table: Table, plan: SetPlan): Sql {
    const joins = plan.expand
      .filter(({ relation }) => !relation.isMany)
      .map((expand) => {
        const other = tableOf(expand)
        return sql`left join ${source(other)} on ${related(table, other, expand.relation)} ${this.#joins(other, expand)}`
      })
    return joins.length === 0 ? sql`` : sql.join(joins, sql` `)
  }

  #total(from: Table, expand: ExpandPlan): Sql {
    const table = tableOf(expand)
    return sql`(select count(*) from ${source(table)} where ${this.#related(from, table, expand)})`
  }

  #related(from: Table, table: Table, expand: ExpandPlan): Sql {
    return this.#where(table, expand, related(from, table, expand.relation))
  }

  #list(from: Table, expand: ExpandPlan): Sql {
    const table = tableOf(expand)
    const where = this.#related(from, table, expand)
    const rows = sql`select ${this.#object(table, expand)} as record from ${source(table)} ${this.#joins(table, expand)}
      where ${where} ${this.#order(table, expand)} ${this.#part(expand)}`
    return sql`(select '[' || coalesce(string_agg(record, ','), '') || ']' from (${rows}) as ${sql.table(`${table.alias}list`)})`
  }

  #part({ top, skip, number }: ExpandPlan): Sql {
    if (top === null && skip === 0) return sql``
    const value = (name: string) => this.#build.value(`${name}${number}`)
    return sql`limit ${value('top')} offset ${value('skip')}`
  }

  /** The columns that a page is cut with: what is selected, ordered by, leads on, or stands in addresses. */
  #needed({ select, beside, orderBy, expand, resource }: ReadPlan): string[] {
    return [
      ...new Set([
        'companyId',
        ...select.map(({ field }) => field),
        ...beside,
        ...orderBy.map(({ field }) => field),
        ...expand.flatMap(({ relation }) => Object.keys(relation.on)),
        ...(this.#printed.form.metadata === 'full' ? resource.key : []),
      ]),
    ]
  }

  #order(table: Table, plan: SetPlan): Sql {
    const terms = plan.orderBy.map(({ field, descending }) =>
      this.#orderTerm(table, plan, field, descending),
    )
    return sql`order by ${sql.join(terms)}`
  }

  /**
   * Nulls come first ascending and last descending (OData 4.01 part 1, 11.2.6.2); SQLite does so by itself.
   * Where the filter says which part of the clustered table is wanted, the `+` keeps SQLite from walking
   * through all of the company in the wanted order instead: it knows nothing of how few will match.
   */
  #orderTerm(table: Table, plan: SetPlan, name: string, descending: boolean): Sql {
    const direction = descending ? sql`desc` : sql`asc`
    const field = fieldOf(table, name)
    const ordered = column(table, name)
    if (this.#build.dialect === 'sqlite')
      return sql`${isInCluster(plan) ? sql`+` : sql``}${ordered} ${direction}`
    if (!field.optional || field.blankWhenNull) return sql`${ordered} ${direction}`
    return sql`${ordered} ${direction} ${descending ? sql`nulls last` : sql`nulls first`}`
  }
}

const tableOf = (plan: ReadPlan | ExpandPlan): Table => ({
  resource: plan.resource,
  alias: `t${'number' in plan ? plan.number : 0}`,
})

/** Nothing leads from one company to another. */
const related = (table: Table, other: Table, { on }: Relation): Sql =>
  sql.join(
    [['companyId', 'companyId'] as const, ...Object.entries(on)].map(
      ([mine, theirs]) => sql`${column(other, theirs)} = ${column(table, mine)}`,
    ),
    sql` and `,
  )

/** The order of the key is the order of an index: nothing is sorted. */
const isByKey = ({ orderBy, resource }: SetPlan): boolean => orderBy.length === resource.key.length

/** Whether every match has a bound on the field that the table lies in the order of. */
const isInCluster = ({ filter, resource, orderBy }: SetPlan): boolean => {
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
