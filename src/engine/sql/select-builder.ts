// SQL select statements of a read plan, with nested related records (ADR 0020).
import { sql } from 'kysely'
import type { Resource } from '../model/resource.ts'
import type { RecordsStep } from '../planner/apply/apply-plan.ts'
import type { ExpandPlan, ReadPlan, SetPlan } from '../planner/read-plan.ts'
import type { ParentRecord, Value } from '../planner/expressions/bound-expression.ts'
import { ApplyBuilder, applySource } from './apply.ts'
import { tableAlias, columnRef, fromTable, nullableColumn, ofCompany, type Table } from './columns.ts'
import { ExpressionBuilder, joinCondition } from './expressions.ts'
import { isInClusteredOrder, isInKeyOrder, orderBy, orderTerm } from './order.ts'
import { boundsOf, isChangeLogOrder, isOwnField, readsChangeLog } from './index-selection.ts'
import { changedRecord, changeLogEntries, changeLogOrder } from './change-log.ts'
import { controlColumns, type TemplateContext } from './record-template.ts'
import { rowTypeAlias, rowTypePlans } from './template-parameters.ts'
import { RecordJsonBuilder } from './record-json.ts'
import { chainedKeys, inChain, skipScan, skipScanDays } from './scans.ts'
import type { Sql, SqlContext } from './dialect.ts'

export class SelectStatementBuilder {
  readonly #context: SqlContext
  readonly #templates: TemplateContext
  readonly #expressions: ExpressionBuilder
  readonly #records: RecordJsonBuilder

  constructor(context: SqlContext, templateContext: TemplateContext) {
    this.#context = context
    this.#templates = templateContext
    this.#expressions = new ExpressionBuilder(context)
    this.#records = new RecordJsonBuilder(context, templateContext, ({ kind, expand }) => {
      if (kind === 'count') return this.#relatedCount(expand)
      return expand.relation.isMany ? this.#collectionJson(expand) : this.#singleJson(expand)
    })
  }

  /** Selects the values of `plan.select`, without relations. */
  valueRows(plan: ReadPlan): Sql {
    const table = tableOf(plan)
    const values = plan.select.map(({ field }) => nullableColumn(table, field))
    return sql`${this.#stepQueries(plan)} select ${sql.join(values)} from ${this.#page(table, plan)}`
  }

  /** Selects each record as one JSON string with its expanded relations, and the extra columns. */
  jsonRows(plan: ReadPlan): Sql {
    const table = tableOf(plan)
    const isUnsorted = isInKeyOrder(plan) || isInClusteredOrder(plan, boundsOf(plan))
    if (plan.apply !== null || plan.expand.length === 0 || isUnsorted) {
      const row = [this.#record(table, plan), ...this.#write(plan.extraColumns)]
      return sql`${this.#stepQueries(plan)} select ${sql.join(row)} from ${this.#page(table, plan, this.#joins(plan))}`
    }
    // Sorts few and narrow rows: limits the page first, and joins relations only for its records.
    const columns = sql.join([
      ...this.#neededColumns(plan).map((name) => columnRef(table, name)),
      ...this.#computedColumns(plan),
    ])
    const outerColumn = (name: string) => columnRef(table, name)
    const computed = plan.computed.map((_, index) => outerColumn(`computed${index}`))
    const extra = plan.extraColumns.map((value, index) =>
      isOwnField(plan, value) ? this.#expressions.value(value) : outerColumn(`extra${index}`),
    )
    const row = [this.#records.object(table, plan, computed), ...extra]
    const order = plan.orderBy.map((one, index) =>
      orderTerm(this.#expressions, plan, one, isOwnField(plan, one.value) ? null : outerColumn(`order${index}`)),
    )
    return sql`select ${sql.join(row)} from (select ${columns} from ${this.#page(table, plan)}) as ${sql.table(table.alias)}
      ${this.#joins(plan)} order by ${sql.join(order)}`
  }

  count(plan: ReadPlan): Sql {
    const table = tableOf(plan)
    return sql`${this.#stepQueries(plan)} select count(*) as count from ${this.#source(table, plan)} ${this.#expressions.joins(plan.joins)}
      where ${this.#ownCondition(table, plan)}`
  }

  countUpTo(plan: ReadPlan): Sql {
    const table = tableOf(plan)
    const limit = sql`limit ${this.#context.value('limit')}`
    const found = this.#readsChangeLog(plan)
      ? sql`select 1 from ${changeLogEntries(this.#expressions, plan)}`
      : (chainedKeys(this.#expressions, table, plan, limit) ??
        sql`select 1 from ${fromTable(table)} where ${this.#ownCondition(table, plan)}`)
    return sql`select count(*) as count from (${found} ${limit}) as found`
  }

  skipScanDays(plan: ReadPlan): Sql {
    return skipScanDays(this.#expressions, tableOf(plan), plan)
  }

  /** Counts the records, up to `limit`, of the first `entries` entries of the change log. */
  countInChangeLog(plan: ReadPlan): Sql {
    const { value } = this.#context
    const table = tableOf(plan)
    const entries = sql`(select * from ${changeLogEntries(this.#expressions, plan)} ${changeLogOrder(plan)} limit ${value('entries')}) as entry`
    return sql`select count(*) as count from (
      select 1 from ${entries} ${changedRecord(table)} where ${this.#ownCondition(table, plan)} limit ${value('limit')}) as found`
  }

  /** The common table expressions of `$apply`. */
  #stepQueries({ apply }: ReadPlan): Sql {
    return this.#with(apply, (step) =>
      this.#where(step, this.#parentCondition({ ...step, alias: tableAlias(step.number) }, step.parent)),
    )
  }

  /** The same for the related records of an expanded relation. */
  #nestedStepQueries({ apply, from, relation }: ExpandPlan): Sql {
    return this.#with(apply, (step) =>
      this.#where(step, joinCondition({ number: step.number, from, relation }, this.#context)),
    )
  }

  #with(apply: SetPlan['apply'], conditionOf: (step: RecordsStep) => Sql): Sql {
    if (apply === null) return sql``
    return new ApplyBuilder(this.#expressions, conditionOf).withClause(apply)
  }

  /** Rows of several types have a template each. */
  #record(table: Table, plan: SetPlan): Sql {
    const rowTypes = plan.apply?.rowTypes ?? null
    if (rowTypes === null) return this.#records.object(table, plan, this.#computedValues(plan))
    const objects = rowTypePlans(plan).map((rowPlan, index) => {
      const object = this.#records.object(table, rowPlan, this.#computedValues(rowPlan), rowTypeAlias(plan, index))
      return sql`when ${sql.lit(index)} then ${object}`
    })
    return sql`case ${columnRef(table, rowTypes.column)} ${sql.join(objects, sql` `)} end`
  }

  #page(table: Table, plan: ReadPlan, joins: Sql = sql``): Sql {
    const order =
      this.#readsChangeLog(plan) && isChangeLogOrder(plan) ? changeLogOrder(plan) : orderBy(this.#expressions, plan)
    return sql`${this.#source(table, plan)} ${this.#expressions.joins(plan.joins)} ${joins} where ${this.#ownCondition(table, plan)} ${order}
      ${this.#limitClause(plan)}`
  }

  /**
   * Without `$skip` there is no offset: PostgreSQL assumes that one it does not know yet skips a tenth of the records, so that it
   * would keep no plan of a lookup by key.
   */
  #limitClause({ skip }: ReadPlan): Sql {
    const { value } = this.#context
    const limit = sql`limit ${value('limit')}`
    return skip === 0 ? limit : sql`${limit} offset ${value('skip')}`
  }

  /** The entries of the change log come first, and each leads to its record, if it is its last one. */
  #source(table: Table, plan: ReadPlan): Sql {
    return this.#readsChangeLog(plan)
      ? sql`${changeLogEntries(this.#expressions, plan)} ${changedRecord(table)}`
      : sourceOf(table, plan)
  }

  #readsChangeLog(plan: ReadPlan): boolean {
    return this.#context.dialect === 'sqlite' && readsChangeLog(plan, boundsOf(plan))
  }

  #ownCondition(table: Table, plan: ReadPlan): Sql {
    if (plan.apply !== null) return this.#where(plan, sql`1 = 1`)
    return sql`${this.#where(plan, this.#parentCondition(table, plan.parent))} ${skipScan(this.#expressions, table, plan)} ${inChain(this.#expressions, table, plan)}`
  }

  /** Restricts to the company, and to the related records of the parent. */
  #parentCondition(table: Table, parent: ParentRecord | null): Sql {
    const company = ofCompany(table, this.#context)
    if (parent === null) return company
    const { relation, number } = parent
    const other: Table = { resource: relation.of, alias: tableAlias(number) }
    const where = this.#where(parent, this.#parentCondition(other, parent.parent))
    // The parent record is found by its key, once per statement.
    const pairs = Object.entries(relation.on).map(
      ([sourceField, targetField]) =>
        sql`${columnRef(table, targetField)} = (select ${columnRef(other, sourceField)} from ${fromTable(other)} where ${where})`,
    )
    return sql.join([company, ...pairs], sql` and `)
  }

  #where({ filter }: Pick<SetPlan, 'filter'>, first: Sql): Sql {
    return filter === null ? first : sql`${first} and ${this.#expressions.condition(filter)}`
  }

  #write(values: readonly Value[]): Sql[] {
    return values.map((value) => this.#expressions.value(value))
  }

  /** The computed values, as inline expressions. */
  #computedValues({ computed }: SetPlan): Sql[] {
    return this.#write(computed.map(({ value }) => value))
  }

  /** The columns computed once per record of the page: computed values, order terms and extra columns. */
  #computedColumns(plan: ReadPlan): Sql[] {
    const named = (name: string, value: Value) => sql`${this.#expressions.value(value)} as ${sql.id(name)}`
    const namedUnlessOwn = (name: string, value: Value) => (isOwnField(plan, value) ? [] : [named(name, value)])
    return [
      ...plan.computed.map(({ value }, index) => named(`computed${index}`, value)),
      ...plan.orderBy.flatMap(({ value }, index) => namedUnlessOwn(`order${index}`, value)),
      ...plan.extraColumns.flatMap((value, index) => namedUnlessOwn(`extra${index}`, value)),
    ]
  }

  /** The record is missing if its key is null. */
  #singleJson(expand: ExpandPlan): Sql {
    const table = tableOf(expand)
    const [key = ''] = table.resource.key
    return sql`case when ${columnRef(table, key)} is null then 'null' else ${this.#records.object(table, expand, this.#computedValues(expand))} end`
  }

  #joins(plan: SetPlan): Sql {
    const joins = plan.expand
      .filter(({ relation }) => !relation.isMany)
      .map((expand) => {
        const { number, relation } = expand
        const join = this.#expressions.joins([{ number, relation, from: plan.number }, ...expand.joins])
        return sql`${join} ${this.#joins(expand)}`
      })
    return joins.length === 0 ? sql`` : sql.join(joins, sql` `)
  }

  #relatedCount(expand: ExpandPlan): Sql {
    return sql`(${this.#nestedStepQueries(expand)} select count(*) from ${this.#fromExpanded(expand)} where ${this.#relatedCondition(expand)})`
  }

  #fromExpanded(expand: ExpandPlan): Sql {
    return sql`${sourceOf(tableOf(expand), expand)} ${this.#expressions.joins(expand.joins)}`
  }

  #relatedCondition(expand: ExpandPlan): Sql {
    const { number, from, relation } = expand
    if (expand.apply !== null) return this.#where(expand, sql`1 = 1`)
    return this.#where(expand, joinCondition({ number, from, relation }, this.#context))
  }

  #collectionJson(expand: ExpandPlan): Sql {
    const table = tableOf(expand)
    const rows = sql`${this.#nestedStepQueries(expand)} select ${this.#record(table, expand)} as record from ${this.#fromExpanded(expand)} ${this.#joins(expand)}
      where ${this.#relatedCondition(expand)} ${orderBy(this.#expressions, expand)} ${this.#limit(expand)}`
    return sql`(select '[' || coalesce(string_agg(record, ','), '') || ']' from (${rows}) as ${sql.table(`${table.alias}list`)})`
  }

  #limit({ top, skip, number }: ExpandPlan): Sql {
    if (top === null && skip === 0) return sql``
    const value = (name: string) => this.#context.value(`${name}${number}`)
    return sql`limit ${value('top')} offset ${value('skip')}`
  }

  /** The columns of the inner page query that the outer query uses. */
  #neededColumns(plan: ReadPlan): string[] {
    const values = [...plan.orderBy.map(({ value }) => value), ...plan.extraColumns]
    return [
      ...new Set([
        'companyId',
        ...plan.select.flatMap(({ field }) => complexSiblings(plan.resource, field)),
        ...values.flatMap((value) => (isOwnField(plan, value) ? [value.field] : [])),
        ...plan.expand.flatMap(({ relation }) => Object.keys(relation.on)),
        ...plan.outerFields,
        ...controlColumns(plan, this.#templates.recordFormat),
      ]),
    ]
  }
}

function tableOf({ resource, number }: SetPlan): Table {
  return { resource, alias: tableAlias(number) }
}

/** The source of the plan's own records. */
function sourceOf(table: Table, { apply, number }: SetPlan): Sql {
  return apply === null ? fromTable(table) : applySource(apply, number)
}

/** All fields of the same complex property, which together decide whether it is null. */
function complexSiblings({ fields }: Resource, name: string): string[] {
  const outermost = fields[name]?.within?.[0]?.wire
  if (outermost === undefined) return [name]
  return Object.keys(fields).filter((other) => fields[other]?.within?.[0]?.wire === outermost)
}
