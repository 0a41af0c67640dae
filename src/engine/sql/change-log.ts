// Change log reads on SQLite: the records that changed, found by the entries of their change log (ADR 0010).
import { sql } from 'kysely'
import type { ChangeLog } from '../model/resource.ts'
import type { SetPlan } from '../planner/read-plan.ts'
import { columnRef, type Table } from './columns.ts'
import type { ExpressionBuilder } from './expressions.ts'
import type { Sql } from './dialect.ts'
import { boundsOf, type CompareCondition } from './index-selection.ts'

/** The entries within the bounds of the filter. */
export function changeLogEntries(builder: ExpressionBuilder, plan: SetPlan): Sql {
  const changeLog = changeLogOf(plan)
  const bounds = boundsOf(plan).terms.filter(({ field }) => field === changeLog.field)
  const conditions = bounds.flatMap(({ condition }) => entryBounds(builder, changeLog, condition))
  return sql`(select * from ${sql.table(changeLog.table)} where ${sql.join([entryOfCompany(builder), ...conditions], sql` and `)}) as entry`
}

/** Joins the record of each entry, if that is its last one: the others are superseded. */
export function changedRecord({ resource, alias }: Table): Sql {
  const { last, recordKey } = changeLogOf({ resource })
  const table: Table = { resource, alias }
  const [key = ''] = resource.key
  return sql`cross join ${sql.table(resource.table)} as ${sql.table(alias)} on ${columnRef(table, 'companyId')} = entry."companyId"
    and ${columnRef(table, key)} = ${sql.ref(`entry.${recordKey}`)} and ${columnRef(table, last)} = entry.id`
}

export function changeLogOrder({ orderBy: [first] }: SetPlan): Sql {
  return sql`order by entry.id ${first?.descending === true ? sql`desc` : sql`asc`}`
}

/** The same bounds on the ids of the entries. */
function entryBounds(builder: ExpressionBuilder, changeLog: ChangeLog, { operator, right }: CompareCondition): Sql[] {
  if (right.kind !== 'literal') return []
  const stamp = builder.literal(right)
  const from = firstIdAfter(builder, changeLog, sql`< ${stamp}`)
  const after = firstIdAfter(builder, changeLog, sql`<= ${stamp}`)
  if (operator === 'gt') return [sql`id >= ${after}`]
  if (operator === 'lt') return [sql`id < ${from}`]
  return [...(operator === 'le' ? [] : [sql`id >= ${from}`]), ...(operator === 'ge' ? [] : [sql`id < ${after}`])]
}

/** The id after the last entry with such a timestamp, by bisection: it is one of the `size` ids after `base`. */
function firstIdAfter(builder: ExpressionBuilder, { table, at }: ChangeLog, isBefore: Sql): Sql {
  const entries = sql`${sql.table(table)} where ${entryOfCompany(builder)}`
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

function entryOfCompany({ context }: ExpressionBuilder): Sql {
  return sql`"companyId" = ${context.value('companyId')}`
}

function changeLogOf({ resource }: Pick<SetPlan, 'resource'>): ChangeLog {
  if (resource.changeLog === undefined) throw new Error(`${resource.table} has no change log`)
  return resource.changeLog
}
