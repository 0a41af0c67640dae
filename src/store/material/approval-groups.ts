// Approval groups: material counted and summed by group, from waiting days where they have what the filter depends on.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { dayStatementPerFilter, isOfDays, statementPerFilter, type ApprovalFilter } from './approval-filter.ts'
import { groupKey, type GroupedBy, type Grouping } from './grouping.ts'
import { anomalyDayOf } from './material-anomalies.ts'
import { withAmount, type AmountParts } from '../amount-parts.ts'
import type { Build } from '../statement.ts'
import type { Reader } from '../store.ts'

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
export function areSummed(filter: ApprovalFilter, grouping: Grouping): boolean {
  return isOfDays(filter) && grouping !== 'employee'
}

/** The count and amount of each group, in the order of `listApprovalRows`. `today` is `YYYY-MM-DD`. */
export async function listApprovalGroups(
  reader: Reader,
  companyId: CompanyId,
  filter: ApprovalFilter,
  { grouping, today }: { readonly grouping: GroupedBy; readonly today: string },
): Promise<ApprovalGroup[]> {
  const statements = areSummed(filter, grouping) ? daysStatements : groupStatements
  const values = { companyId, ...filter, today: anomalyDayOf(filter, today) }
  return (await reader.all(statements[grouping](filter), values)).map(withAmount)
}

/** The counts, the amount and the oldest date; that is null where there are none. `today` is `YYYY-MM-DD`. */
export async function getApprovalTotals(
  reader: Reader,
  companyId: CompanyId,
  filter: ApprovalFilter,
  today: string,
): Promise<Pick<ApprovalGroup, 'count' | 'amount' | 'anomalyCount'> & { readonly oldest: string | null }> {
  const totals = isOfDays(filter) ? daysSumStatement : sumStatement
  const sum = await reader.first(totals(filter), { companyId, ...filter, today: anomalyDayOf(filter, today) })
  if (sum === undefined) throw new Error('a sum without a row')
  return withAmount(sum)
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

interface StoredSum extends AmountParts {
  readonly count: number
  readonly anomalyCount: number
}

type StoredGroup = Omit<ApprovalGroup, 'amount'> & StoredSum

/** Where groups and totals are read from: the table, as `material`, and what a row of it adds. */
interface SumSource {
  readonly perFilter: typeof statementPerFilter
  readonly from: RawBuilder<unknown>
  readonly lines: RawBuilder<unknown>
  readonly whole: RawBuilder<unknown>
  readonly part: RawBuilder<unknown>
  readonly anomalies: RawBuilder<unknown>
}

const ofLines: SumSource = {
  perFilter: statementPerFilter,
  from: sql`material`,
  lines: sql`1`,
  whole: sql`material.amount / 10000`,
  part: sql`material.amount % 10000`,
  anomalies: sql`case when material."anomalyFlags" > 0 then 1 else 0 end`,
}

export const ofDays: SumSource = {
  perFilter: dayStatementPerFilter,
  from: sql`"waitingDay" as material`,
  lines: sql`material.lines`,
  whole: sql`material.whole`,
  part: sql`material.part`,
  anomalies: sql`material.anomalies`,
}

export function sum(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cast(coalesce(sum(${value}), 0) as bigint)`
}

/** All lines of a day in the future are anomalies. */
function sumsOf({ value }: Build, { lines, whole, part, anomalies }: SumSource): RawBuilder<unknown> {
  const anomalous = sql`case when material.date > ${value('today')} then ${lines} else ${anomalies} end`
  return sql`${sum(lines)} as count, ${sum(whole)} as whole, ${sum(part)} as part, ${sum(anomalous)} as "anomalyCount"`
}

function groupStatement(source: SumSource, grouping: GroupedBy) {
  return source.perFilter<StoredGroup>(
    (build, matches) => sql`
      select grouped.key, ${names[grouping](build)} as name, grouped.count, grouped.whole, grouped.part,
        grouped.first as "from", grouped.last as "to", grouped."anomalyCount" from (
        select ${groupKey(grouping)} as key, ${sumsOf(build, source)},
          min(material.date) as first, max(material.date) as last
        from ${source.from} where ${matches} group by ${groupKey(grouping)}
      ) as grouped order by grouped.key`,
  )
}

function groupStatementsOf(source: SumSource) {
  return {
    project: groupStatement(source, 'project'),
    employee: groupStatement(ofLines, 'employee'),
    department: groupStatement(source, 'department'),
    day: groupStatement(source, 'day'),
  }
}

const groupStatements = groupStatementsOf(ofLines)

const daysStatements = groupStatementsOf(ofDays)

function sumStatementOf(source: SumSource) {
  return source.perFilter<StoredSum & { readonly oldest: string | null }>(
    (build, matches) =>
      sql`select ${sumsOf(build, source)}, min(material.date) as oldest from ${source.from} where ${matches}`,
  )
}

const sumStatement = sumStatementOf(ofLines)

const daysSumStatement = sumStatementOf(ofDays)
