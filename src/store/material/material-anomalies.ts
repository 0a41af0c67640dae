// Material anomalies: unusual lines of the approval queue, compared with recent decisions.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { transactionStates } from '../../model/transaction.ts'
import { groupKey, type Grouping } from './approval-queue.ts'
import { statementPerFilter, type ApprovalFilter } from './approval-filter.ts'
import type { Build } from '../statement.ts'
import type { Reader } from '../store.ts'

/**
 * `anomalyFlags` is a bit field: 1 no project, 2 no price, 4 a duplicate, 8 an unusually large quantity, 16 a date in the
 * future, 32 an unknown project, 64 an unknown department.
 */
export interface AnomalyRow {
  readonly id: number
  readonly anomalyFlags: number
}

export interface MaterialAnomalies {
  /** The oldest anomalies, at most `anomalyRowsMax`. */
  readonly rows: readonly AnomalyRow[]
  /** The number of anomalies by group key; all under '' where nothing is grouped. */
  readonly counts: ReadonlyMap<string, number>
}

const anomalyRowsMax = 1000

/** The anomalies among the lines of the filter. `today` is `YYYY-MM-DD`. */
export async function findAnomalies(
  reader: Reader,
  companyId: CompanyId,
  filter: ApprovalFilter,
  { grouping, today }: { readonly grouping: Grouping; readonly today: string },
): Promise<MaterialAnomalies> {
  const found = await reader.all(anomalyStatements[grouping](filter), { companyId, ...filter, today })
  return {
    rows: found.flatMap((row): AnomalyRow[] =>
      row.id === null ? [] : [{ id: row.id, anomalyFlags: row.anomalyFlags }],
    ),
    counts: new Map(found.flatMap(({ id, key, count }) => (id === null ? [[key, count]] : []))),
  }
}

/** The ids of all anomalies among the lines of the filter. `today` is `YYYY-MM-DD`. */
export async function listAnomalyIds(
  reader: Reader,
  companyId: CompanyId,
  filter: ApprovalFilter,
  today: string,
): Promise<number[]> {
  const found = await reader.all(anomalyIdStatement(filter), { companyId, ...filter, today })
  return found.map(({ id }) => id)
}

/** What lines of the same item have in common. */
export const item = sql`coalesce(material."itemId", material."itemName")`

/** The columns that are compared and filtered; the others would make the sort slower. */
const comparedColumns = sql.join(
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

/** How many of the latest lines are compared with: a range of the key, however many lines there are. */
export const recentLines = 5_000

/** How many other lines an item needs for a usual quantity. */
export const othersMin = 3

/** False where the company has no records of the kind. */
function isUnknownIn({ value }: Build, table: string, column: string) {
  return sql`
  ${sql.ref(`material.${column}`)} is not null
  and exists (select 1 from ${sql.table(table)} as any_one where any_one."companyId" = ${value('companyId')})
  and not exists (select 1 from ${sql.table(table)} as known
    where known."companyId" = ${value('companyId')} and known.id = ${sql.ref(`material.${column}`)})`
}

/**
 * A quantity is unusual at ten times the average of the other lines of the same item, if there are `othersMin` of them. All
 * lines in the queue are compared, and recently approved ones with them, so that an anomaly does not look usual once the
 * other lines are approved. The filter applies to the result, in a table of the same name, so that no line is read twice.
 */
function selectAnomalies(build: Build, matches: RawBuilder<unknown>, grouping: Grouping) {
  return sql`
      select * from (
        select material.id, material.date, ${grouping === 'none' ? sql`''` : groupKey(grouping)} as key,
          (case when material."projectId" is null then 1 else 0 end)
          + (case when material."salesPrice" is null then 2 else 0 end)
          + (case when material.repeats > 1 then 4 else 0 end)
          + (case when material.others >= ${sql.lit(othersMin)} and material.size * material.others >= 10 * material.rest then 8 else 0 end)
          + (case when material.date > ${build.value('today')} then 16 else 0 end)
          + (case when ${isUnknownIn(build, 'project', 'projectId')} then 32 else 0 end)
          + (case when ${isUnknownIn(build, 'department', 'departmentId')} then 64 else 0 end) as "anomalyFlags"
        from (
          select ${comparedColumns}, abs(material.quantity) as size,
            count(*) over (partition by material.date, material."employeeId", ${item}, material.quantity,
              material."projectId") as repeats,
            count(*) over (partition by ${item}) - 1 as others,
            sum(abs(material.quantity)) over (partition by ${item}) - abs(material.quantity) as rest
          from (
            select ${comparedColumns} from material
            where material."companyId" = ${build.value('companyId')} and material.state = ${build.value('state')}
            union all
            select ${comparedColumns} from material
            where material."companyId" = ${build.value('companyId')}
              and material.state in (${sql.lit(transactionStates.approved)}, ${sql.lit(transactionStates.exported)})
              and material.id > (select max(latest.id) from material as latest
                where latest."companyId" = ${build.value('companyId')}) - ${sql.lit(recentLines)}
          ) as material
        ) as material
        where ${matches}
      ) as compared where compared."anomalyFlags" > 0`
}

/** An anomaly, or, with null as `id`, the count of a group. */
interface AnomalyOrCount extends Omit<AnomalyRow, 'id'> {
  readonly id: number | null
  readonly key: string
  readonly count: number
}

/** The comparison costs most, so it runs once, for the lines and for their counts. */
function anomalyStatement(grouping: Grouping) {
  return statementPerFilter<AnomalyOrCount>(
    (build, matches) => sql`
    with anomaly as materialized (${selectAnomalies(build, matches, grouping)})
    select * from (
      select anomaly.id, anomaly."anomalyFlags", '' as key, 0 as count from anomaly order by anomaly.date, anomaly.id limit ${sql.lit(anomalyRowsMax)}
    ) as oldest
    union all
    select null, 0, anomaly.key, cast(count(*) as bigint) from anomaly group by anomaly.key`,
  )
}

const anomalyStatements = {
  none: anomalyStatement('none'),
  project: anomalyStatement('project'),
  employee: anomalyStatement('employee'),
  department: anomalyStatement('department'),
  day: anomalyStatement('day'),
}

const anomalyIdStatement = statementPerFilter<{ id: number }>(
  (build, matches) => sql`
    select anomaly.id from (${selectAnomalies(build, matches, 'none')}) as anomaly`,
)
