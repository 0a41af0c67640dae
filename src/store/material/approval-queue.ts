// Material as a manager looks at it: counted in groups, and listed window by window in their order (ADR 0116).
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { State } from '../../model/transaction.ts'
import { namesOf, withNames, type QueueRow } from './material-rows.ts'
import { isWithin, perFilter, type QueueFilter } from './approval-filter.ts'
import { eachOf, statement, type Build, type Statement } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'

export const groupings = ['none', 'project', 'employee', 'department', 'day'] as const

export type Grouping = (typeof groupings)[number]

type GroupedBy = Exclude<Grouping, 'none'>

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

/** How many there are in each group, in the order in which `queueRows` lists them. */
export async function queueGroups(
  reader: Reader,
  companyId: CompanyId,
  filter: QueueFilter,
  grouping: GroupedBy,
): Promise<QueueGroup[]> {
  return (await reader.all(groupStatements[grouping](filter), { companyId, ...filter })).map(
    ({ whole, part, ...group }) => ({ ...group, amount: whole * 10_000 + part }),
  )
}

/** How many there are, their sum, and the day of the oldest, null where there is none. */
export async function queueSum(
  reader: Reader,
  companyId: CompanyId,
  filter: QueueFilter,
): Promise<Pick<QueueGroup, 'count' | 'amount'> & { readonly oldest: string | null }> {
  const sum = await reader.first(sumStatement(filter), { companyId, ...filter })
  if (sum === undefined) throw new Error('a sum without a row')
  const { count, whole, part, oldest } = sum
  return { count, amount: whole * 10_000 + part, oldest }
}

/** A stretch of the list: so many lines behind the first `skip` of the group `at` and all after it. */
export interface QueueWindow {
  /** The key of a group, without any grouping that of a day; null for the beginning of the list. */
  readonly at: string | null
  readonly skip: number
  readonly top: number
}

/**
 * Days are what the index lies in the order of. Of other groups the window's own is looked for first, which takes no
 * sorting; and what the window has of the groups behind it is the beginning of them.
 */
export async function queueRows(
  reader: Reader,
  companyId: CompanyId,
  filter: QueueFilter,
  grouping: Grouping,
  window: QueueWindow,
): Promise<QueueRow[]> {
  const rows = (reach: Reach, { at, skip, top }: QueueWindow) =>
    reader.all(rowStatements[grouping][reach](filter), { companyId, ...filter, at, skip, top })
  if (window.at === null) return rows('all', window)
  if (hasDays(grouping)) return rows('from', window)
  const own = await rows(window.at === '' ? 'without' : 'within', window)
  if (own.length === window.top) return own
  // The group is shorter than it was: the window begins behind it.
  if (own.length === 0) return rows('from', window)
  return [...own, ...(await rows('behind', { ...window, skip: 0, top: window.top - own.length }))]
}

/** Ascending. */
export async function queueIds(
  reader: Reader,
  companyId: CompanyId,
  filter: QueueFilter,
): Promise<number[]> {
  return (await reader.all(idStatement(filter), { companyId, ...filter })).map(({ id }) => id)
}

/** How many transactions are in each state. */
export function countsByState(
  reader: Reader,
  companyId: CompanyId,
  departments: string,
): Awaitable<{ state: State; count: number }[]> {
  return reader.all(departments === '' ? countStatement : countWithinStatement, {
    companyId,
    departments,
  })
}

const columns: Readonly<Record<Grouping, RawBuilder<unknown>>> = {
  none: sql`material.date`,
  project: sql`material."projectId"`,
  employee: sql`cast(material."employeeId" as text)`,
  department: sql`material."departmentId"`,
  day: sql`material.date`,
}

function hasDays(grouping: Grouping): boolean {
  return grouping === 'none' || grouping === 'day'
}

/** What has none stands first; every line has a day, and the index is not asked for an expression. */
export function keyOf(grouping: Grouping): RawBuilder<unknown> {
  return hasDays(grouping) ? columns[grouping] : sql`coalesce(${columns[grouping]}, '')`
}

const names: Readonly<Record<GroupedBy, (build: Build) => RawBuilder<unknown>>> = {
  project: ({ value }) => sql`(select project.name from project
    where project."companyId" = ${value('companyId')} and project.id = grouped.key)`,
  employee: ({
    value,
  }) => sql`(select employee."firstName" || ' ' || employee."lastName" from employee
    where employee."companyId" = ${value('companyId')}
      and employee.id = cast(nullif(grouped.key, '') as bigint))`,
  department: ({ value }) => sql`(select department.name from department
    where department."companyId" = ${value('companyId')} and department.id = grouped.key)`,
  day: () => sql`cast(null as text)`,
}

interface StoredSum {
  readonly count: number
  readonly whole: number
  readonly part: number
}

type StoredGroup = Omit<QueueGroup, 'amount'> & StoredSum

const sums = sql`cast(count(*) as bigint) as count,
  cast(coalesce(sum(material.amount / 10000), 0) as bigint) as whole,
  cast(coalesce(sum(material.amount % 10000), 0) as bigint) as part`

function groupsBy(grouping: GroupedBy) {
  return perFilter<StoredGroup>(
    (build, isAsked) => sql`
      select grouped.key, ${names[grouping](build)} as name, grouped.count, grouped.whole, grouped.part,
        grouped.first as "from", grouped.last as "to" from (
        select ${keyOf(grouping)} as key, ${sums},
          min(material.date) as first, max(material.date) as last
        from material where ${isAsked} group by ${keyOf(grouping)}
      ) as grouped order by grouped.key`,
  )
}

const groupStatements = {
  project: groupsBy('project'),
  employee: groupsBy('employee'),
  department: groupsBy('department'),
  day: groupsBy('day'),
}

const sumStatement = perFilter<StoredSum & { readonly oldest: string | null }>(
  (_, isAsked) => sql`select ${sums}, min(material.date) as oldest from material where ${isAsked}`,
)

/** All lines; those from a group on, in it alone, in none, or behind it. */
const reaches = {
  all: () => sql`true`,
  from: (grouping, at) => sql`${keyOf(grouping)} >= ${at}`,
  within: (grouping, at) => sql`${columns[grouping]} = ${at}`,
  without: (grouping) => sql`${columns[grouping]} is null`,
  behind: (grouping, at) => sql`${keyOf(grouping)} > ${at}`,
} as const satisfies Readonly<
  Record<string, (grouping: Grouping, at: RawBuilder<unknown>) => RawBuilder<unknown>>
>

type Reach = keyof typeof reaches

/** The index tells which lines it is; what they say and the names are looked up for the window alone. */
function rowsBy(grouping: Grouping, reach: Reach) {
  return perFilter<QueueRow>((build, isAsked) => {
    const { value } = build
    const isOfDays = hasDays(grouping) || reach === 'within' || reach === 'without'
    const ofDay = sql`material.date, material.id`
    const order = isOfDays ? ofDay : sql`${keyOf(grouping)}, ${ofDay}`
    return sql`
      select ${withNames} from (
        select material.id from material where ${isAsked} and ${reaches[reach](grouping, value('at'))}
        order by ${order} limit ${value('top')} offset ${value('skip')}
      ) as picked
      ${eachOf(build, 'material', sql`material."companyId" = ${value('companyId')} and material.id = picked.id`)}
      ${namesOf(build)} order by ${order}`
  })
}

function reachesBy(grouping: Grouping) {
  return {
    all: rowsBy(grouping, 'all'),
    from: rowsBy(grouping, 'from'),
    within: rowsBy(grouping, 'within'),
    without: rowsBy(grouping, 'without'),
    behind: rowsBy(grouping, 'behind'),
  }
}

const rowStatements = {
  none: reachesBy('none'),
  project: reachesBy('project'),
  employee: reachesBy('employee'),
  department: reachesBy('department'),
  day: reachesBy('day'),
}

const idStatement = perFilter<{ id: number }>(
  (_, isAsked) => sql`select material.id from material where ${isAsked} order by material.id`,
)

function countsWhere(
  isAsked: (build: Build) => RawBuilder<unknown>,
): Statement<{ state: State; count: number }> {
  return statement(
    (build) => sql`
    select material.state, cast(count(*) as bigint) as count from material
    where material."companyId" = ${build.value('companyId')} ${isAsked(build)} group by material.state`,
  )
}

const countStatement = countsWhere(() => sql``)

const countWithinStatement = countsWhere((build) => sql`and ${isWithin(build)}`)
