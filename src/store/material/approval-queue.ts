// Approval queue: material counted by group, and listed window by window in order (ADR 0049).
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { transactionStates, type TransactionState } from '../../model/transaction.ts'
import { joinNames, materialRowColumns, type MaterialRow } from './material-rows.ts'
import {
  dayStatementPerFilter,
  inDepartments,
  isOfDays,
  statementPerFilter,
  type ApprovalFilter,
} from './approval-filter.ts'
import { anomalyDayOf } from './material-anomalies.ts'
import { orderTerms, type LineSort } from './line-order.ts'
import { joinEach, statement, type Build, type Statement } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'

export const groupings = ['none', 'project', 'employee', 'department', 'day'] as const

export type Grouping = (typeof groupings)[number]

type GroupedBy = Exclude<Grouping, 'none'>

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
  return (await reader.all(statements[grouping](filter), values)).map(({ whole, part, ...group }) => ({
    ...group,
    amount: whole * 10_000 + part,
  }))
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
  const { count, anomalyCount, whole, part, oldest } = sum
  return { count, anomalyCount, amount: whole * 10_000 + part, oldest }
}

/** A window of the list: `top` lines after the first `skip`, counted from the group `at`. */
export interface ApprovalWindow {
  /** The key of a group, or a date where nothing is grouped; null for the beginning of the list. */
  readonly at: string | null
  readonly skip: number
  readonly top: number
  /** What the lines of a group are sorted by, or all where nothing is grouped; by date unless given. */
  readonly sort?: LineSort | undefined
}

/**
 * The index is in the order of dates. For other groupings the rest of the group `at` is read first, which needs no sort,
 * and then the beginning of the following groups.
 */
export async function listApprovalRows(
  reader: Reader,
  companyId: CompanyId,
  filter: ApprovalFilter,
  grouping: Grouping,
  window: ApprovalWindow,
): Promise<MaterialRow[]> {
  const rows = (range: GroupRange, { at, skip, top, sort }: ApprovalWindow) =>
    reader.all(rowStatement(grouping, range, sort)(filter), { companyId, ...filter, at, skip, top })
  if (window.at === null) return rows('all', window)
  if (isOrderedByDate(grouping)) return rows('from', window)
  const inGroup = await rows(window.at === '' ? 'null' : 'equal', window)
  if (inGroup.length === window.top) return inGroup
  // The group has become shorter: the window begins after it.
  if (inGroup.length === 0) return rows('from', window)
  return [...inGroup, ...(await rows('after', { ...window, skip: 0, top: window.top - inGroup.length }))]
}

export type LineAmount = Pick<MaterialRow, 'id' | 'amount'>

/** Every matching line, by ascending id. */
export function listLineAmounts(reader: Reader, companyId: CompanyId, filter: ApprovalFilter): Awaitable<LineAmount[]> {
  return reader.all(lineAmountStatement(filter), { companyId, ...filter })
}

/** How many transactions are in each state. `reports` counts long lists of decided ones, and `reader` all others. */
export async function countByState(
  reader: Reader,
  reports: Reader,
  companyId: CompanyId,
  departments: string,
): Promise<{ state: TransactionState; count: number }[]> {
  // The lines of a department are found among all others.
  if (departments !== '') return reports.all(countWithinStatement, { companyId, departments })
  const some = await reader.all(fewStatement, { companyId })
  if (some.some(({ state, count }) => state !== transactionStates.registered && count > countedMax))
    return reports.all(countStatement, { companyId })
  return some.filter(({ count }) => count > 0)
}

/** So many entries of an index are counted in a fraction of a millisecond. */
const countedMax = 2000

const columns: Readonly<Record<Grouping, RawBuilder<unknown>>> = {
  none: sql`material.date`,
  project: sql`material."projectId"`,
  employee: sql`cast(material."employeeId" as text)`,
  department: sql`material."departmentId"`,
  day: sql`material.date`,
}

function isOrderedByDate(grouping: Grouping): boolean {
  return grouping === 'none' || grouping === 'day'
}

/** The group key; lines without one come first. Every line has a date, so the index column is used as it is. */
function groupKey(grouping: Grouping): RawBuilder<unknown> {
  return isOrderedByDate(grouping) ? columns[grouping] : sql`coalesce(${columns[grouping]}, '')`
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

interface StoredSum {
  readonly count: number
  readonly anomalyCount: number
  readonly whole: number
  readonly part: number
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

const ofDays: SumSource = {
  perFilter: dayStatementPerFilter,
  from: sql`"waitingDay" as material`,
  lines: sql`material.lines`,
  whole: sql`material.whole`,
  part: sql`material.part`,
  anomalies: sql`material.anomalies`,
}

function sum(value: RawBuilder<unknown>): RawBuilder<unknown> {
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

/** All lines; those from a group on, those of the group, those without a group, and those after it. */
const groupRanges = {
  all: () => sql`true`,
  from: (grouping, at) => sql`${groupKey(grouping)} >= ${at}`,
  equal: (grouping, at) => sql`${columns[grouping]} = ${at}`,
  null: (grouping) => sql`${columns[grouping]} is null`,
  after: (grouping, at) => sql`${groupKey(grouping)} > ${at}`,
} as const satisfies Readonly<Record<string, (grouping: Grouping, at: RawBuilder<unknown>) => RawBuilder<unknown>>>

type GroupRange = keyof typeof groupRanges

/** Reads the ids of the window from the index, and looks up rows and names for the window only. */
function rowsBy(grouping: Grouping, range: GroupRange, sort: LineSort | undefined) {
  return statementPerFilter<MaterialRow>((build, matches) => {
    const { value } = build
    const isInGroup = range === 'equal' || range === 'null'
    const isByDate = isInGroup || (sort === undefined ? isOrderedByDate(grouping) : grouping === 'none')
    const order = sql.join([
      ...(isByDate ? [] : [groupKey(grouping)]),
      ...(sort === undefined ? [] : [orderTerms(build, sort)]),
      sql`material.date, material.id`,
    ])
    return sql`
      select ${materialRowColumns} from (
        select material.id from material where ${matches} and ${groupRanges[range](grouping, value('at'))}
        order by ${order} limit ${value('top')} offset ${value('skip')}
      ) as picked
      ${joinEach(build, 'material', sql`material."companyId" = ${value('companyId')} and material.id = picked.id`)}
      ${joinNames(build)} order by ${order}`
  })
}

const rowStatements = new Map<string, ReturnType<typeof rowsBy>>()

function rowStatement(grouping: Grouping, range: GroupRange, sort: LineSort | undefined) {
  const key = JSON.stringify([grouping, range, sort?.by, sort?.isDescending])
  const found = rowStatements.get(key) ?? rowsBy(grouping, range, sort)
  rowStatements.set(key, found)
  return found
}

const lineAmountStatement = statementPerFilter<LineAmount>(
  (_, matches) => sql`select material.id, material.amount from material where ${matches} order by material.id`,
)

/** Waiting lines are counted by day, all others one by one. */
function countsWhere(
  matches: (build: Build) => RawBuilder<unknown>,
): Statement<{ state: TransactionState; count: number }> {
  const { registered, ...decided } = transactionStates
  return statement((build) => {
    const ofCompany = sql`material."companyId" = ${build.value('companyId')} ${matches(build)}`
    return sql`
      select ${sql.lit(registered)} as state, ${sum(ofDays.lines)} as count from ${ofDays.from}
      where ${ofCompany} having sum(${ofDays.lines}) > 0
      union all
      select material.state, cast(count(*) as bigint) as count from material
      where ${ofCompany} and material.state in (${sql.join(Object.values(decided).map((state) => sql.lit(state)))})
      group by material.state`
  })
}

/** The same, up to one more than `countedMax` of each decided state. */
const fewStatement = statement<{ state: TransactionState; count: number }>((build) => {
  const { registered, ...decided } = transactionStates
  const ofCompany = sql`material."companyId" = ${build.value('companyId')}`
  const few = Object.values(decided).map(
    (state) => sql`
      select ${sql.lit(state)} as state, cast(count(*) as bigint) as count from (select 1 from material
        where ${ofCompany} and material.state = ${sql.lit(state)} limit ${sql.lit(countedMax + 1)}) as few`,
  )
  const waiting = sql`
    select ${sql.lit(registered)} as state, ${sum(ofDays.lines)} as count from ${ofDays.from} where ${ofCompany}`
  return sql.join([waiting, ...few], sql` union all `)
})

const countStatement = countsWhere(() => sql``)

const countWithinStatement = countsWhere((build) => sql`and ${inDepartments(build)}`)
