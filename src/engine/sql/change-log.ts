// Change log reads on SQLite: the records that changed, found by the entries of their change log (ADR 0062).
import { sql } from 'kysely'
import type { ChangeLog } from '../model/resource.ts'
import type { SetPlan } from '../planner/read-plan.ts'
import { columnRef, type Table } from './columns.ts'
import type { Sql, SqlContext } from './dialect.ts'
import { boundsOf, type CompareCondition } from './index-selection.ts'
import type { ValueBuilder } from './values.ts'

export class ChangeLogBuilder {
  readonly #context: SqlContext
  readonly #values: ValueBuilder

  constructor(context: SqlContext, values: ValueBuilder) {
    this.#context = context
    this.#values = values
  }

  /** The entries within the bounds of the filter. */
  entries(plan: SetPlan): Sql {
    const changeLog = changeLogOf(plan)
    const bounds = boundsOf(plan).terms.filter(({ field }) => field === changeLog.field)
    const conditions = bounds.flatMap(({ condition }) => this.#bounds(changeLog, condition))
    return sql`(select * from ${sql.table(changeLog.table)} where ${sql.join([this.#ofCompany, ...conditions], sql` and `)}) as entry`
  }

  /** Joins the record of each entry, if that is its last one: the others are superseded. */
  record({ resource, alias }: Table): Sql {
    const { last, recordKey } = changeLogOf({ resource })
    const table: Table = { resource, alias }
    const [key = ''] = resource.key
    return sql`cross join ${sql.table(resource.table)} as ${sql.table(alias)} on ${columnRef(table, 'companyId')} = entry."companyId"
      and ${columnRef(table, key)} = ${sql.ref(`entry.${recordKey}`)} and ${columnRef(table, last)} = entry.id`
  }

  order({ orderBy: [first] }: SetPlan): Sql {
    return sql`order by entry.id ${first?.descending === true ? sql`desc` : sql`asc`}`
  }

  get #ofCompany(): Sql {
    return sql`"companyId" = ${this.#context.value('companyId')}`
  }

  /** The same bounds on the ids of the entries. */
  #bounds(changeLog: ChangeLog, { operator, right }: CompareCondition): Sql[] {
    if (right.kind !== 'literal') return []
    const stamp = this.#values.literal(right)
    const from = this.#firstIdAfter(changeLog, sql`< ${stamp}`)
    const after = this.#firstIdAfter(changeLog, sql`<= ${stamp}`)
    if (operator === 'gt') return [sql`id >= ${after}`]
    if (operator === 'lt') return [sql`id < ${from}`]
    return [...(operator === 'le' ? [] : [sql`id >= ${from}`]), ...(operator === 'ge' ? [] : [sql`id < ${after}`])]
  }

  /** The id after the last entry with such a timestamp, by bisection: it is one of the `size` ids after `base`. */
  #firstIdAfter({ table, at }: ChangeLog, isBefore: Sql): Sql {
    const entries = sql`${sql.table(table)} where ${this.#ofCompany}`
    const middle = sql`(select ${sql.id(at)} from ${entries} and id >= base + size / 2 order by id limit 1)`
    return sql`(
      with recursive half(base, size) as (
        select 0, coalesce((select max(id) from ${entries} and id > 0), 0) + 1
        union all
        select base + iif(${middle} ${isBefore}, size / 2, 0), size - size / 2 from half where size > 1
      )
      select max(base) + 1 from half
    )`
  }
}

function changeLogOf({ resource }: Pick<SetPlan, 'resource'>): ChangeLog {
  if (resource.changeLog === undefined) throw new Error(`${resource.table} has no change log`)
  return resource.changeLog
}
