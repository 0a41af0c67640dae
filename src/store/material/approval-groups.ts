// Approval groups: material counted and summed by group, from waiting days where they have what the filter depends on.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { dayQueryPerFilter, isOfDays, queryPerFilter, type ApprovalFilter } from './approval-filter.ts'
import { groupKey, type GroupedBy, type LineGrouping } from './grouping.ts'
import { anomalyDayOf } from './material-anomalies.ts'
import { sumAmount } from '../amount-sum.ts'
import type { Build } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'

export interface ApprovalGroup {
  readonly key: string
  readonly name: string | null
  readonly count: number
  /** Ten-thousandths. */
  readonly amount: number
  /** The first and the last date. */
  readonly from: string
  readonly to: string
  /** The number of anomalous lines. */
  readonly anomalyCount: number
}

/** Whether groups and totals are read from waiting days; otherwise every matching line is visited. */
export function areSummed(filter: ApprovalFilter, grouping: LineGrouping): boolean {
  return isOfDays(filter) && grouping !== 'employee'
}

/** The count and amount of each group, in the order of `listApprovalRows`. `today` is `YYYY-MM-DD`. */
export function listApprovalGroups(
  reader: Reader,
  companyId: CompanyId,
  filter: ApprovalFilter,
  { grouping, today }: { readonly grouping: GroupedBy; readonly today: string },
): Awaitable<ApprovalGroup[]> {
  const queries = areSummed(filter, grouping) ? groupsOfDays : groupsOfLines
  return queries[grouping](reader, companyId, filter, { today: anomalyDayOf(filter, today) })
}

interface ApprovalSums extends Pick<ApprovalGroup, 'count' | 'amount' | 'anomalyCount'> {
  readonly oldest: string | null
}

/** The counts, the amount and the oldest date; that is null where there are none. `today` is `YYYY-MM-DD`. */
export async function getApprovalTotals(
  reader: Reader,
  companyId: CompanyId,
  filter: ApprovalFilter,
  today: string,
): Promise<ApprovalSums> {
  const query = isOfDays(filter) ? sumOfDays : sumOfLines
  const [sum] = await query(reader, companyId, filter, { today: anomalyDayOf(filter, today) })
  if (sum === undefined) throw new Error('a sum without a row')
  return sum
}

const names: Readonly<Record<GroupedBy, (build: Build) => RawBuilder<unknown>>> = {
  project: ({ value }) => sql`(select project.name from project
    where project."companyId" = ${value('companyId')} and project.id = grouped.key)`,
  employee: ({ value }) => sql`(select employee."firstName" || ' ' || employee."lastName" from employee
    where employee."companyId" = ${value('companyId')}
      and employee.id = cast(nullif(grouped.key, '') as bigint))`,
  department: ({ value }) => sql`(select department.name from department
    where department."companyId" = ${value('companyId')} and department.id = grouped.key)`,
  day: () => sql`cast(null as text)`,
}

/** Where groups and totals are read from: the table, as `material`, and what a row of it adds. */
interface SumSource {
  readonly perFilter: typeof queryPerFilter
  readonly from: RawBuilder<unknown>
  readonly lines: RawBuilder<unknown>
  readonly amount: RawBuilder<unknown>
  readonly anomalies: RawBuilder<unknown>
}

const ofLines: SumSource = {
  perFilter: queryPerFilter,
  from: sql`material`,
  lines: sql`1`,
  amount: sql`material.amount`,
  anomalies: sql`case when material."anomalyFlags" > 0 then 1 else 0 end`,
}

export const ofDays: SumSource = {
  perFilter: dayQueryPerFilter,
  from: sql`"waitingDay" as material`,
  lines: sql`material.lines`,
  amount: sql`material.whole * 10000.0 + material.part`,
  anomalies: sql`material.anomalies`,
}

export function sum(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cast(coalesce(sum(${value}), 0) as bigint)`
}

/** All lines of a day in the future are anomalies. */
function sumsOf(build: Build, { lines, amount, anomalies }: SumSource): RawBuilder<unknown> {
  const anomalous = sql`case when material.date > ${build.value('today')} then ${lines} else ${anomalies} end`
  return sql`${sum(lines)} as count, ${sumAmount(build, amount)} as amount, ${sum(anomalous)} as "anomalyCount"`
}

function groupQuery(source: SumSource, grouping: GroupedBy) {
  return source.perFilter<ApprovalGroup, { today: string }>(
    (build, matches) => sql`
      select grouped.key, ${names[grouping](build)} as name, grouped.count, grouped.amount,
        grouped.first as "from", grouped.last as "to", grouped."anomalyCount" from (
        select ${groupKey(grouping)} as key, ${sumsOf(build, source)},
          min(material.date) as first, max(material.date) as last
        from ${source.from} where ${matches} group by ${groupKey(grouping)}
      ) as grouped order by grouped.key`,
  )
}

function groupQueriesOf(source: SumSource) {
  return {
    project: groupQuery(source, 'project'),
    employee: groupQuery(ofLines, 'employee'),
    department: groupQuery(source, 'department'),
    day: groupQuery(source, 'day'),
  }
}

const groupsOfLines = groupQueriesOf(ofLines)

const groupsOfDays = groupQueriesOf(ofDays)

function sumQueryOf(source: SumSource) {
  return source.perFilter<ApprovalSums, { today: string }>(
    (build, matches) =>
      sql`select ${sumsOf(build, source)}, min(material.date) as oldest from ${source.from} where ${matches}`,
  )
}

const sumOfLines = sumQueryOf(ofLines)

const sumOfDays = sumQueryOf(ofDays)
