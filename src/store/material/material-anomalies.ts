// What is odd about material that waits: worked out from every line of it, and from what was decided lately.
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { states } from '../../model/transaction.ts'
import { keyOf, type Grouping } from './approval-queue.ts'
import { perFilter, type QueueFilter } from './approval-filter.ts'
import type { Build } from '../statement.ts'
import type { Reader } from '../store.ts'

/**
 * `oddity` adds up what is odd: 1 no project, 2 no price, 4 the same as another, 8 unusually much, 16 in the future,
 * 32 a project and 64 a department that the directory does not have.
 */
export interface OddRow {
  readonly id: number
  readonly oddity: number
}

export interface OddMaterial {
  /** The oldest of them, at most `oddRowsMax`. */
  readonly rows: readonly OddRow[]
  /** How many there are in each group that has any, by its key; all under '' where nothing is grouped. */
  readonly counts: ReadonlyMap<string, number>
}

const oddRowsMax = 1000

/** What is odd among all that waits, whoever may decide on it. `today` is `YYYY-MM-DD`. */
export async function oddMaterial(
  reader: Reader,
  companyId: CompanyId,
  filter: QueueFilter,
  { grouping, today }: { readonly grouping: Grouping; readonly today: string },
): Promise<OddMaterial> {
  const told = await reader.all(oddStatements[grouping](filter), { companyId, ...filter, today })
  return {
    rows: told.flatMap(({ id, oddity }) => (id === null ? [] : { id, oddity })),
    counts: new Map(told.flatMap(({ id, key, count }) => (id === null ? [[key, count]] : []))),
  }
}

const item = sql`coalesce(material."itemId", material."itemName")`

/** What is compared and asked for: a line carries much more, which would be sorted along. */
const judgedColumns = sql.join(
  [
    'companyId',
    'id',
    'state',
    'date',
    'employeeId',
    'departmentId',
    'projectId',
    'salesPrice',
    'source',
    'quantity',
    'itemId',
    'itemName',
  ].map((name) => sql.ref(`material.${name}`)),
)

/** How many of the latest lines tell what is usual: their ids are a range of the key, however many there are before. */
const lately = 5_000

/** Where a company has no records of the kind, no code is known or unknown. */
function isUnknownIn({ value }: Build, table: string, column: string) {
  return sql`
  ${sql.ref(`material.${column}`)} is not null
  and exists (select 1 from ${sql.table(table)} as any_one where any_one."companyId" = ${value('companyId')})
  and not exists (select 1 from ${sql.table(table)} as known
    where known."companyId" = ${value('companyId')} and known.id = ${sql.ref(`material.${column}`)})`
}

/** A line, or a group with its count, whose `id` is null. */
interface ToldOdd extends Omit<OddRow, 'id'> {
  readonly id: number | null
  readonly key: string
  readonly count: number
}

/**
 * Ten times what the others of the same item are on average, where there are three others to compare with. All that waits
 * is compared, and what was approved lately with it: else what is odd would look usual once the rest of it is approved.
 * What is asked for is picked from that, under the same name, so that no line is looked up again. Comparing costs most of
 * it: it is done once, for the lines and for their number.
 */
function oddStatement(grouping: Grouping) {
  return perFilter<ToldOdd>(
    (build, isAsked) => sql`
    with odd as materialized (
      select * from (
        select material.id, material.date, ${grouping === 'none' ? sql`''` : keyOf(grouping)} as key,
          (case when material."projectId" is null then 1 else 0 end)
          + (case when material."salesPrice" is null then 2 else 0 end)
          + (case when material.repeats > 1 then 4 else 0 end)
          + (case when material.others >= 3 and material.size * material.others >= 10 * material.rest then 8 else 0 end)
          + (case when material.date > ${build.value('today')} then 16 else 0 end)
          + (case when ${isUnknownIn(build, 'project', 'projectId')} then 32 else 0 end)
          + (case when ${isUnknownIn(build, 'department', 'departmentId')} then 64 else 0 end) as oddity
        from (
          select ${judgedColumns}, abs(material.quantity) as size,
            count(*) over (partition by material.date, material."employeeId", ${item}, material.quantity,
              material."projectId") as repeats,
            count(*) over (partition by ${item}) - 1 as others,
            sum(abs(material.quantity)) over (partition by ${item}) - abs(material.quantity) as rest
          from (
            select ${judgedColumns} from material
            where material."companyId" = ${build.value('companyId')} and material.state = ${build.value('state')}
            union all
            select ${judgedColumns} from material
            where material."companyId" = ${build.value('companyId')}
              and material.state in (${sql.lit(states.approved)}, ${sql.lit(states.exported)})
              and material.id > (select max(latest.id) from material as latest
                where latest."companyId" = ${build.value('companyId')}) - ${sql.lit(lately)}
          ) as material
        ) as material
        where ${isAsked}
      ) as judged where judged.oddity > 0
    )
    select * from (
      select odd.id, odd.oddity, '' as key, 0 as count from odd order by odd.date, odd.id limit ${sql.lit(oddRowsMax)}
    ) as oldest
    union all
    select null, 0, odd.key, cast(count(*) as bigint) from odd group by odd.key`,
  )
}

const oddStatements = {
  none: oddStatement('none'),
  project: oddStatement('project'),
  employee: oddStatement('employee'),
  department: oddStatement('department'),
  day: oddStatement('day'),
}
