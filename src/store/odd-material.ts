// What is odd about material that waits: worked out from every line of it, and from what was decided lately.
import { sql } from 'kysely'
import type { CompanyId } from '#model/resource.ts'
import { states } from '#model/transaction.ts'
import { perFilter, type QueueFilter } from '#store/queue-filter.ts'
import type { Awaitable, Reader } from '#store/store.ts'

/** `oddity` adds up what is odd: 1 no project, 2 no price, 4 the same as another, 8 unusually much, 16 in the future. */
export interface OddRow {
  readonly id: number
  readonly oddity: number
}

/** The first thousand of what is odd among all that waits, whoever may decide on it. `today` is `YYYY-MM-DD`. */
export const oddRows = (
  reader: Reader,
  companyId: CompanyId,
  filter: QueueFilter,
  today: string,
): Awaitable<OddRow[]> => reader.all(oddStatement(filter), { companyId, ...filter, today })

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

/**
 * Ten times what the others of the same item are on average, where there are three others to compare with. All that waits
 * is compared, and what was approved lately with it: else what is odd would look usual once the rest of it is approved.
 * What is asked for is picked from that, under the same name, so that no line is looked up again.
 */
const oddStatement = perFilter<OddRow>(
  (build, isAsked) => sql`
    select odd.id, odd.oddity from (
      select material.id, material.date,
        (case when material."projectId" is null then 1 else 0 end)
        + (case when material."salesPrice" is null then 2 else 0 end)
        + (case when material.repeats > 1 then 4 else 0 end)
        + (case when material.others >= 3 and material.size * material.others >= 10 * material.rest then 8 else 0 end)
        + (case when material.date > ${build.value('today')} then 16 else 0 end) as oddity
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
    ) as odd where odd.oddity > 0 order by odd.date, odd.id limit 1000`,
)
