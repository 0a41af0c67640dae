// Material as a manager looks at it: counted in groups, listed page by page, and what is odd about it.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '#model/resource.ts'
import type { State } from '#model/transaction.ts'
import { statement, type Build } from '#store/statement.ts'
import type { Awaitable, Reader } from '#store/store.ts'
import type { MaterialRevisionTable, MaterialTable } from '#store/tables.ts'

/** Which transactions; '' stands for all of them. */
export interface QueueFilter {
  readonly state: State
  readonly from: string
  readonly to: string
  readonly department: string
  readonly project: string
  readonly employee: string
  readonly source: string
  /** Where the viewer decides: a JSON list of department ids; '' for everywhere. */
  readonly departments: string
}

export const groupings = ['none', 'project', 'employee', 'department', 'day'] as const

export type Grouping = (typeof groupings)[number]

export interface QueueGroup {
  readonly key: string
  readonly name: string | null
  readonly count: number
  /** Ten-thousandths. */
  readonly amount: number
  /** The first and the last day. */
  readonly from: string
  readonly to: string
}

/** A transaction with the names of what it is about. */
export type QueueRow = Omit<MaterialTable, 'companyId' | 'costPrice' | 'exportedAt'> & {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly projectName: string | null
  readonly siteName: string | null
}

/** How many there are in each group, in the order in which `queueRows` lists them. */
export const queueGroups = async (
  reader: Reader,
  companyId: CompanyId,
  filter: QueueFilter,
  grouping: Grouping,
): Promise<QueueGroup[]> =>
  (await reader.all(groupStatements[grouping], { companyId, ...filter })).map(
    ({ whole, part, ...group }) => ({ ...group, amount: whole * 10_000 + part }),
  )

export const queueRows = (
  reader: Reader,
  companyId: CompanyId,
  filter: QueueFilter,
  grouping: Grouping,
  page: { readonly skip: number; readonly top: number },
): Awaitable<QueueRow[]> => reader.all(rowStatements[grouping], { companyId, ...filter, ...page })

export const queueIds = async (
  reader: Reader,
  companyId: CompanyId,
  filter: QueueFilter,
): Promise<number[]> =>
  (await reader.all(idStatement, { companyId, ...filter })).map(({ id }) => id)

/** Of these ids those whose department is among the listed. */
export const idsWithin = async (
  reader: Reader,
  companyId: CompanyId,
  ids: readonly number[],
  departments: string,
): Promise<Set<number>> => {
  const values = { companyId, ids: JSON.stringify(ids), departments }
  return new Set((await reader.all(withinStatement, values)).map(({ id }) => id))
}

/** `oddity` adds up what is odd: 1 no project, 2 no price, 4 the same as another, 8 unusually much, 16 in the future. */
export interface OddRow {
  readonly id: number
  readonly oddity: number
}

/** The first thousand of what is odd among all of a state, whoever may decide on it. `today` is `YYYY-MM-DD`. */
export const oddRows = (
  reader: Reader,
  companyId: CompanyId,
  filter: QueueFilter,
  today: string,
): Awaitable<OddRow[]> => reader.all(oddStatement, { companyId, ...filter, today })

/** Transactions by their ids, with names. */
export const rowsOfIds = (
  reader: Reader,
  companyId: CompanyId,
  ids: readonly number[],
): Awaitable<QueueRow[]> => reader.all(rowsOfIdsStatement, { companyId, ids: JSON.stringify(ids) })

/** What a transaction said before, the latest first. */
export const revisionsOf = (
  reader: Reader,
  companyId: CompanyId,
  id: number,
): Awaitable<Omit<MaterialRevisionTable, 'companyId' | 'materialId'>[]> =>
  reader.all(revisionStatement, { companyId, id })

/** How many transactions are in each state. */
export const countsByState = (
  reader: Reader,
  companyId: CompanyId,
  departments: string,
): Awaitable<{ state: State; count: number }[]> =>
  reader.all(countStatement, { companyId, departments })

const text = ({ value, dialect }: Build, name: string): RawBuilder<unknown> =>
  dialect === 'sqlite' ? value(name) : sql`cast(${value(name)} as text)`

const elements = (build: Build, name: string): RawBuilder<unknown> =>
  build.dialect === 'sqlite'
    ? sql`(select value from json_each(case when ${build.value(name)} = '' then '[]' else ${build.value(name)} end))`
    : sql`(select element from json_array_elements_text(
        (case when ${text(build, name)} = '' then '[]' else ${text(build, name)} end)::json) as element)`

const isWithin = (build: Build) => sql`
  (${text(build, 'departments')} = '' or material."departmentId" in ${elements(build, 'departments')})`

const isAsked = (build: Build) => {
  const { value } = build
  const either = (name: string, column: RawBuilder<unknown>) =>
    sql`(${text(build, name)} = '' or ${column} = ${text(build, name)})`
  return sql`material."companyId" = ${value('companyId')} and material.state = ${value('state')}
    and (${text(build, 'from')} = '' or material.date >= ${text(build, 'from')})
    and (${text(build, 'to')} = '' or material.date <= ${text(build, 'to')})
    and ${either('department', sql`material."departmentId"`)}
    and ${either('project', sql`material."projectId"`)}
    and ${either('employee', sql`cast(material."employeeId" as text)`)}
    and ${either('source', sql`material.source`)}
    and ${isWithin(build)}`
}

const keys: Readonly<Record<Grouping, RawBuilder<unknown>>> = {
  // PostgreSQL takes no bare constant to group or order by.
  none: sql`cast('' as text)`,
  project: sql`coalesce(material."projectId", '')`,
  employee: sql`coalesce(cast(material."employeeId" as text), '')`,
  department: sql`coalesce(material."departmentId", '')`,
  day: sql`material.date`,
}

const names: Readonly<Record<Grouping, RawBuilder<unknown>>> = {
  none: sql`cast(null as text)`,
  project: sql`(select project.name from project where project."companyId" = grouped."companyId"
    and project.id = grouped.key)`,
  employee: sql`(select employee."firstName" || ' ' || employee."lastName" from employee
    where employee."companyId" = grouped."companyId" and cast(employee.id as text) = grouped.key)`,
  department: sql`(select department.name from department
    where department."companyId" = grouped."companyId" and department.id = grouped.key)`,
  day: sql`cast(null as text)`,
}

interface StoredGroup {
  readonly key: string
  readonly name: string | null
  readonly count: number
  readonly whole: number
  readonly part: number
  readonly from: string
  readonly to: string
}

const perGrouping = <T>(make: (grouping: Grouping) => T): Readonly<Record<Grouping, T>> => ({
  none: make('none'),
  project: make('project'),
  employee: make('employee'),
  department: make('department'),
  day: make('day'),
})

const groupStatements = perGrouping((grouping) =>
  statement<StoredGroup>(
    (build) => sql`
      select grouped.key, ${names[grouping]} as name, grouped.count, grouped.whole, grouped.part,
        grouped.first as "from", grouped.last as "to" from (
        select material."companyId", ${keys[grouping]} as key, cast(count(*) as bigint) as count,
          cast(coalesce(sum(material.amount / 10000), 0) as bigint) as whole,
          cast(coalesce(sum(material.amount % 10000), 0) as bigint) as part,
          min(material.date) as first, max(material.date) as last
        from material where ${isAsked(build)} group by material."companyId", ${keys[grouping]}
      ) as grouped order by grouped.key`,
  ),
)

const columns = sql.join(
  [
    'id',
    'revision',
    'date',
    'employeeId',
    'departmentId',
    'projectId',
    'siteId',
    'itemId',
    'itemName',
    'quantity',
    'unit',
    'salesPrice',
    'amount',
    'isBillable',
    'remark',
    'source',
    'externalId',
    'state',
    'rejectionReason',
    'approvedAt',
    'approvedBy',
    'registeredBy',
    'decidedAt',
    'decidedBy',
    'changedAt',
    'createdAt',
  ].map((name) => sql.ref(`material.${name}`)),
)

const withNames = sql`${columns}, employee."firstName", employee."lastName",
  project.name as "projectName", site.name as "siteName"`

const joins = sql`
  left join employee on employee."companyId" = material."companyId" and employee.id = material."employeeId"
  left join project on project."companyId" = material."companyId" and project.id = material."projectId"
  left join site on site."companyId" = material."companyId" and site.id = material."siteId"`

/** The names are looked up for the page alone. */
const rowStatements = perGrouping((grouping) =>
  statement<QueueRow>((build) => {
    const order = sql`${keys[grouping]}, material.date, material.id`
    return sql`
      select ${withNames} from (
        select material.* from material where ${isAsked(build)}
        order by ${order} limit ${build.value('top')} offset ${build.value('skip')}
      ) as material ${joins} order by ${order}`
  }),
)

const idStatement = statement<{ id: number }>(
  (build) => sql`select material.id from material where ${isAsked(build)} order by material.id`,
)

const idElements = ({ value, dialect }: Build) =>
  dialect === 'sqlite'
    ? sql`(select value from json_each(${value('ids')}))`
    : sql`(select element::bigint from json_array_elements_text(${value('ids')}::json) as element)`

const withinStatement = statement<{ id: number }>(
  (build) => sql`
    select material.id from material where material."companyId" = ${build.value('companyId')}
      and material.id in ${idElements(build)} and ${isWithin(build)}`,
)

const rowsOfIdsStatement = statement<QueueRow>(
  (build) => sql`
    select ${withNames} from material ${joins}
    where material."companyId" = ${build.value('companyId')} and material.id in ${idElements(build)}
    order by material.date, material.id`,
)

const item = sql`coalesce(material."itemId", material."itemName")`

/**
 * Ten times what the others of the same item are on average, where there are three others to compare with. All that is in
 * the state is compared, and what is asked for is picked from it: under the same name, so that no line is looked up again.
 */
const oddStatement = statement<OddRow>(
  (build) => sql`
    select odd.id, odd.oddity from (
      select material.id, material.date,
        (case when material."projectId" is null then 1 else 0 end)
        + (case when material."salesPrice" is null then 2 else 0 end)
        + (case when material.repeats > 1 then 4 else 0 end)
        + (case when material.others >= 3 and material.size * material.others >= 10 * material.rest then 8 else 0 end)
        + (case when material.date > ${text(build, 'today')} then 16 else 0 end) as oddity
      from (
        select ${judgedColumns}, abs(material.quantity) as size,
          count(*) over (partition by material.date, material."employeeId", ${item}, material.quantity,
            material."projectId") as repeats,
          count(*) over (partition by ${item}) - 1 as others,
          sum(abs(material.quantity)) over (partition by ${item}) - abs(material.quantity) as rest
        from material
        where material."companyId" = ${build.value('companyId')} and material.state = ${build.value('state')}
      ) as material
      where ${isAsked(build)}
    ) as odd where odd.oddity > 0 order by odd.date, odd.id limit 1000`,
)

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
  ].map((name) => sql.ref(`material.${name}`)),
)

const revisionStatement = statement<Omit<MaterialRevisionTable, 'companyId' | 'materialId'>>(
  ({ db, value }) =>
    db
      .selectFrom('materialRevision')
      .select(['revision', 'content', 'replacedAt', 'replacedBy', 'requestId'])
      .where('companyId', '=', value('companyId'))
      .where('materialId', '=', value('id'))
      .orderBy('revision', 'desc')
      .limit(100),
)

const countStatement = statement<{ state: State; count: number }>(
  (build) => sql`
    select material.state, cast(count(*) as bigint) as count from material
    where material."companyId" = ${build.value('companyId')} and ${isWithin(build)}
    group by material.state`,
)
