// SQL of `$apply`: one common table expression per step, which selects from an earlier one.
import { sql } from 'kysely'
import type {
  AggregateColumn,
  DerivedStep,
  ApplyPlan,
  ConcatStep,
  GroupStep,
  JoinStep,
  GroupingLevels,
  OrdinalStep,
  CumulativeLimitStep,
  RecordsStep,
  RowsStep,
  ApplyStep,
  PartitionAggregateStep,
  MissingGroupsStep,
} from '../planner/apply/apply-plan.ts'
import type { SortTerm, Value, ValueType } from '../planner/expressions/bound-expression.ts'
import { finalAggregate, isSum, partialColumns, isBelowLimit, runningSums } from './exact-sums.ts'
import { nullOrder } from './order.ts'
import { tableAlias, columnRef, columnOfNumber, fromTable } from './columns.ts'
import type { Sql, SqlDialect } from './dialect.ts'
import { isText, type ExpressionBuilder } from './expressions.ts'
import { typeOf } from '../planner/expressions/typed-value.ts'

/** The condition that restricts the source records to the company and the resource path. */
type SourceCondition = (step: RecordsStep) => Sql

export class ApplyBuilder {
  readonly #expressions: ExpressionBuilder
  readonly #sourceCondition: SourceCondition

  constructor(expressions: ExpressionBuilder, sourceCondition: SourceCondition) {
    this.#expressions = expressions
    this.#sourceCondition = sourceCondition
  }

  /** The `with` clause. */
  withClause({ steps }: ApplyPlan): Sql {
    const queries = steps.map((step) => sql`${stepName(step.number)} as (${this.#query(step)})`)
    return sql`with ${sql.join(queries)} `
  }

  get #dialect(): SqlDialect {
    return this.#expressions.context.dialect
  }

  #query(step: ApplyStep): Sql {
    switch (step.kind) {
      case 'records':
        return this.#records(step)
      case 'rows':
        return this.#rows(step)
      case 'group':
        return this.#group(step)
      case 'ordinal':
        return this.#ordinal(step)
      case 'cumulativeLimit':
        return this.#cumulativeLimit(step)
      case 'partitionAggregate':
        return this.#partitionAggregate(step)
      case 'missingGroups':
        return this.#missingGroups(step)
      case 'join':
        return this.#join(step)
    }
    return this.#concat(step)
  }

  #records(step: RecordsStep): Sql {
    const { resource, number, joins } = step
    const table = { resource, alias: tableAlias(number) }
    const columns = ['companyId', ...Object.keys(resource.fields)].map((name) => columnRef(table, name))
    return sql`select ${sql.join(columns)} from ${fromTable(table)} ${this.#expressions.joins(joins)} where ${this.#sourceCondition(step)}`
  }

  #rows(step: RowsStep): Sql {
    const { addedColumns, filter, page } = step
    const columns = [...keptColumns(step), ...this.#addedColumns(addedColumns)]
    const where = filter === null ? sql`` : sql`where ${this.#expressions.condition(filter)}`
    return sql`select ${sql.join(columns)} from ${this.#fromStep(step)} ${where} ${this.#page(page)}`
  }

  #page(page: RowsStep['page']): Sql {
    if (page === null) return sql``
    const { top, skip } = page
    const all = this.#dialect === 'sqlite' ? sql`-1` : sql`all`
    const limit = top === null ? all : this.#expressions.literal(top)
    const offset = skip === null ? sql`0` : this.#expressions.literal(skip)
    return sql`${this.#order(page.order)} limit ${limit} offset ${offset}`
  }

  /** Partial aggregates in a subquery, and the final aggregates of them. */
  #group(step: GroupStep): Sql {
    const { passedColumns, aggregates, levels } = step
    const inside = levels === null ? this.#level(step, passedColumns) : this.#levels(step, levels)
    if (!aggregates.some(isSum) && levels === null) return inside
    const passedOn = levels === null ? passedColumns : [...passedColumns, levels.column]
    return this.#finalAggregates(step, passedOn, inside, levels?.blanks)
  }

  #finalAggregates(
    { number, aggregates }: GroupStep | PartitionAggregateStep,
    passedOn: readonly string[],
    inside: Sql,
    blanks: readonly string[] = [],
  ): Sql {
    const own = tableAlias(number)
    const columns = [
      ...passedOn.map((name) => {
        const column = sql.ref(`${own}.${name}`)
        return blanks.includes(name) ? sql`nullif(${column}, '') as ${sql.id(name)}` : column
      }),
      ...aggregates.map((one) => sql`${finalAggregate(one, own, this.#dialect)} as ${sql.id(one.name)}`),
    ]
    return sql`select ${sql.join(columns)} from (${inside}) as ${sql.table(own)}`
  }

  #level(step: GroupStep, by: readonly string[], more: readonly Sql[] = []): Sql {
    const columns = step.passedColumns.map((name) =>
      by.includes(name) ? columnOfNumber(step.from, name) : sql`null as ${sql.id(name)}`,
    )
    const partial = step.aggregates.flatMap((one) => this.#partialAggregates(one))
    const names = by.map((name) => columnOfNumber(step.from, name))
    const groups = by.length === 0 ? sql`` : sql`group by ${sql.join(names)}`
    return sql`select ${sql.join([...columns, ...partial, ...more])} from ${this.#fromStep(step)} ${groups}`
  }

  /** SQLite has no grouping sets: it goes through the rows once for each level. */
  #levels(step: GroupStep, { column: level, columns }: GroupingLevels): Sql {
    if (this.#dialect === 'sqlite') {
      const queries = columns.map((by, index) => this.#level(step, by, [sql`${sql.lit(index)} as ${sql.id(level)}`]))
      return sql.join(queries, sql` union all `)
    }
    const own = (names: readonly string[]) => sql.join(names.map((name) => columnOfNumber(step.from, name)))
    const partial = step.aggregates.flatMap((one) => this.#partialAggregates(one))
    // A bit for each column, the last of them lowest: set where the column is rolled up.
    const bits = columns.map((by) => step.passedColumns.reduce((sum, name) => sum * 2 + (by.includes(name) ? 0 : 1), 0))
    const cases = bits.map((bit, index) => sql`when ${sql.lit(bit)} then ${sql.lit(index)}`)
    const extra = sql`(case grouping(${own(step.passedColumns)}) ${sql.join(cases, sql` `)} end)::bigint as ${sql.id(level)}`
    const sets = sql.join(columns.map((by) => sql`(${own(by)})`))
    return sql`select ${sql.join([...keptColumns(step), ...partial, extra])} from ${this.#fromStep(step)} group by grouping sets (${sets})`
  }

  #partialAggregates(one: AggregateColumn, over?: Sql): Sql[] {
    const value = one.value === null ? null : this.#write(one.value)
    return partialColumns(one, value, this.#dialect, over)
  }

  /** Aggregates over each partition, added to each of its rows. */
  #partitionAggregate(step: PartitionAggregateStep): Sql {
    const { partitionBy, passedColumns, aggregates } = step
    const over = sql`over (${partitionClause(partitionBy, tableAlias(step.from))})`
    const partial = aggregates.flatMap((one) => this.#partialAggregates(one, over))
    const inside = sql`select ${sql.join([...keptColumns(step), ...partial])} from ${this.#fromStep(step)}`
    return this.#finalAggregates(step, passedColumns, inside)
  }

  /** Adds a row of nulls for every group, and then merges the two rows of a group. */
  #missingGroups(step: MissingGroupsStep): Sql {
    const { passedColumns, columns, groups, number } = step
    const own = tableAlias(number)
    const present = [...passedColumns, ...columns.map(({ name }) => name)].map((name) => sql.id(name))
    const absent = [
      ...passedColumns.map((name) => sql.id(name)),
      ...columns.map(({ name, type }) => sql`${this.#typedNull(type)} as ${sql.id(name)}`),
    ]
    const all = sql`select ${sql.join(present)} from ${stepName(step.from)} union all select ${sql.join(absent)} from ${stepName(groups)}`
    const by = passedColumns.map((name) => sql.ref(`${own}.${name}`))
    const values = columns.map(({ name, isCount }) => {
      const value = sql`max(${sql.ref(`${own}.${name}`)})`
      return sql`${isCount ? sql`coalesce(${value}, 0)` : value} as ${sql.id(name)}`
    })
    return sql`select ${sql.join([...by, ...values])} from (${all}) as ${sql.table(own)} group by ${sql.join(by)}`
  }

  #ordinal(step: OrdinalStep): Sql {
    const ordinal = sql`row_number() over (${this.#window(step)}) as ${sql.id(step.ordinal)}`
    return sql`select ${sql.join([...keptColumns(step), ordinal])} from ${this.#fromStep(step)}`
  }

  /** With negative values a sum may fall below the limit again: rows after the first one to reach it are dropped. */
  #cumulativeLimit(step: CumulativeLimitStep): Sql {
    const dialect = this.#dialect
    const { passedColumns, partitionBy, unit } = step
    const own = (alias: string) => passedColumns.map((name) => sql.ref(`${alias}.${name}`))
    const windows = { all: partitionClause(partitionBy, tableAlias(step.from)), before: this.#window(step) }
    const sums = runningSums(this.#write(step.value), windows, dialect)
    const ordinal = sql`row_number() over (${windows.before}) as ordinal`
    const first = sql`select ${sql.join([...keptColumns(step), ...sums, ordinal])} from ${this.#fromStep(step)}`
    const amount = this.#write(step.amount)
    const below = sql`${isBelowLimit(unit, amount, dialect)} as below`
    const second = sql`select ${sql.join([...own('r'), sql`r.ordinal`, below])} from (${first}) as r`
    const isKept = sql`min(q.below) over (${partitionClause(partitionBy, 'q')} order by q.ordinal) as below`
    const third = sql`select ${sql.join([...own('q'), isKept])} from (${second}) as q`
    return sql`select ${sql.join(own('p'))} from (${third}) as p where p.below = 1`
  }

  #join(step: JoinStep): Sql {
    const { addedColumns, on, isOuter } = step
    const columns = [...keptColumns(step), ...this.#addedColumns(addedColumns)]
    const pairs = on.map(({ left, right }) => sql`${this.#write(left)} = ${this.#write(right)}`)
    const kind = sql.raw(isOuter ? 'left join' : 'join')
    return sql`select ${sql.join(columns)} from ${stepTable(step.from)} ${kind} ${stepTable(step.with)} on ${sql.join(pairs, sql` and `)}`
  }

  #concat(step: ConcatStep): Sql {
    const queries = step.of.map((branch, index) => {
      const columns = step.columns.map(({ name, type }, at) => {
        const value = branch.columns[at] ?? null
        return sql`${value === null ? this.#typedNull(type) : this.#write(value)} as ${sql.id(name)}`
      })
      const ordinal = sql`row_number() over (${this.#order(branch.order)})`
      const rowType = branch.rowType === null ? sql`0` : this.#write(branch.rowType)
      const extra = [
        sql`cast(${sql.lit(index)} as bigint) as ${sql.id(step.branch)}`,
        sql`${ordinal} as ${sql.id(step.ordinal)}`,
        sql`cast(${sql.lit(branch.firstRowType)} + ${rowType} as bigint) as ${sql.id(step.rowType)}`,
      ]
      return sql`select ${sql.join([...columns, ...extra])} from ${stepTable(branch.from)}`
    })
    return sql.join(queries, sql` union all `)
  }

  #addedColumns(columns: RowsStep['addedColumns']): Sql[] {
    return columns.map(({ name, value }) => sql`${this.#write(value)} as ${sql.id(name)}`)
  }

  #typedNull(type: ValueType): Sql {
    if (this.#dialect === 'sqlite') return sql`null`
    return isText(type) ? sql`cast(null as text) collate "C"` : sql`cast(null as bigint)`
  }

  #window({ partitionBy, order, from }: OrdinalStep | CumulativeLimitStep): Sql {
    return sql`${partitionClause(partitionBy, tableAlias(from))} ${this.#order(order)}`
  }

  /** Nulls come first ascending and last descending, which is the default of SQLite. */
  #order(order: readonly SortTerm[]): Sql {
    if (order.length === 0) return sql``
    const isDefault = this.#dialect === 'sqlite'
    const terms = order.map(({ value, descending }) => {
      const direction = descending ? sql`desc` : sql`asc`
      return sql`${this.#write(value)} ${direction} ${isDefault ? sql`` : nullOrder(descending)}`
    })
    return sql`order by ${sql.join(terms)}`
  }

  #fromStep({ from: number, joins }: DerivedStep): Sql {
    return sql`${stepTable(number)} ${this.#expressions.joins(joins)}`
  }

  #write(value: Value): Sql {
    // PostgreSQL wants to know the type of a column that is null in every row.
    return typeOf(value) === null && this.#dialect === 'postgres'
      ? sql`cast(null as text)`
      : this.#expressions.value(value)
  }
}

/** The last step, under the alias of the set's records. */
export function applySource({ steps }: ApplyPlan, set: number): Sql {
  return stepTable(steps.at(-1)?.number ?? 0, set)
}

function stepName(number: number): Sql {
  return sql.table(`s${number}`)
}

/** The rows of a step, under the alias of the record that its columns belong to. */
function stepTable(number: number, as = number): Sql {
  return sql`${stepName(number)} as ${sql.table(tableAlias(as))}`
}

function partitionClause(names: readonly string[], alias: string): Sql {
  if (names.length === 0) return sql``
  return sql`partition by ${sql.join(names.map((name) => sql.ref(`${alias}.${name}`)))}`
}

function keptColumns({ from: number, passedColumns }: DerivedStep | JoinStep): Sql[] {
  return passedColumns.map((name) => columnOfNumber(number, name))
}
