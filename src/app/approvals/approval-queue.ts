// The approval queue: groups, pages, anomalies, and one line with its history.
import type {
  ApprovalOverview,
  ApprovalTotals,
  MaterialLineDetails,
  MaterialRow,
  SelectableLines,
} from '../contract/approvals.ts'
import { createActorNames, type NameActor } from '../actors.ts'
import { idsMax } from './decision-fields.ts'
import { parseDay } from '../date-range.ts'
import { searchIn, sortIn } from '../line-query.ts'
import { countIn, idInPath, invalidChoiceError, parseChoice, queryIn } from '../request-values.ts'
import type { AppRequest } from '../route.ts'
import { appPaths } from '../contract/endpoints.ts'
import type { SessionUser } from '../../auth/sessions/sessions.ts'
import { transactionStates, type TransactionState } from '../../model/transaction.ts'
import type { Query } from '../../engine/odata/options/query.ts'
import { message } from '../../errors/messages.ts'
import { getDeltaPosition } from '../../store/delta.ts'
import { listCompanyDestinations } from '../../store/export/destinations.ts'
import { listLedgerEntries } from '../../store/export/export-log.ts'
import {
  areSummed,
  getApprovalTotals,
  listApprovalGroups,
  type ApprovalGroup,
} from '../../store/material/approval-groups.ts'
import { findOwn } from '../../store/material/approvals.ts'
import { listApprovalRows, listLineAmounts } from '../../store/material/approval-rows.ts'
import { groupings, type LineGrouping } from '../../store/material/grouping.ts'
import { countByState } from '../../store/material/state-counts.ts'
import { compareLine } from '../../store/material/line-comparison.ts'
import { listRevisions, listMaterialRows, type NamedMaterial } from '../../store/material/material-rows.ts'
import { listAnomalies, listAnomalyIds } from '../../store/material/material-anomalies.ts'
import type { ApprovalFilter } from '../../store/material/approval-filter.ts'
import type { Reader } from '../../store/store.ts'
import { notFoundError } from '../../errors/api-error.ts'

/**
 * Groups with totals, counts by state, and anomalies; amounts are ten-thousandths. An ungrouped list has its days as
 * `steps`, so that a window far down the list knows its date. `anomalies` has the oldest anomalies; `anomalyCount` and the groups
 * count all of them. `firstLines` has the first `top` lines.
 */
export async function getApprovalOverview(appRequest: AppRequest): Promise<ApprovalOverview> {
  const { store, request, sessionUser, today, companyId, company } = appRequest
  const query = queryOf(appRequest)
  const filter = filterOf(query, sessionUser)
  const grouping = groupingOf(query)
  const day = today(company.zone)
  const { lastStamp: readAt } = await getDeltaPosition(store, companyId)
  const reader = areSummed(filter, grouping) ? store : store.reports(companyId, request)
  const isGrouped = grouping !== 'none'
  const groups = await listApprovalGroups(reader, companyId, filter, {
    grouping: isGrouped ? grouping : 'day',
    today: day,
  })
  const anomalyCount = groups.reduce((sum, group) => sum + group.anomalyCount, 0)
  const anomalies = anomalyCount === 0 ? [] : await listAnomalies(reader, companyId, filter, { today: day })
  const anomalyFlagsById = new Map(anomalies.map(({ id, anomalyFlags }) => [id, anomalyFlags]))
  const ids = anomalies.map(({ id }) => id)
  const rows = await listMaterialRows(store, companyId, ids)
  const firstLines = await listFirstLines(appRequest, filter, grouping, groups)
  const nameActor = await createActorNames(store, companyId)
  const describeRow = await createDescription(appRequest, filter.state, [...rows, ...firstLines], nameActor)
  return {
    readAt,
    groups: isGrouped ? groups : mergeDays(groups),
    steps: isGrouped ? [] : groups.map(({ key, count }) => ({ key, count })),
    counts: await countByState(store, store.reports(companyId, request), companyId, filter.departments),
    anomalyCount,
    anomalies: rows.map((row) => ({ ...describeRow(row), anomalyFlags: anomalyFlagsById.get(row.id) ?? 0 })),
    firstLines: firstLines.map(describeRow),
  }
}

/** So that the list can be shown before a window of it is requested: of the first groups, each a range of the index. */
async function listFirstLines(
  appRequest: AppRequest,
  filter: ApprovalFilter,
  grouping: LineGrouping,
  groups: readonly ApprovalGroup[],
): Promise<NamedMaterial[]> {
  const { store, request, companyId } = appRequest
  const top = Math.min(countIn(queryOf(appRequest), 'top', 0), rowsMax)
  const reader = filter.search === '' ? store : store.reports(companyId, request)
  const rows: NamedMaterial[] = []
  for (const { key, count } of groups.slice(0, firstGroupsMax)) {
    const left = Math.min(count, top - rows.length)
    if (left > 0)
      rows.push(...(await listApprovalRows(reader, companyId, filter, grouping, { at: key, skip: 0, top: left })))
  }
  return rows
}

const firstGroupsMax = 4

/** One group of all days, which are in order. */
function mergeDays(days: readonly ApprovalGroup[]): ApprovalGroup[] {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const sum = (part: 'count' | 'amount' | 'anomalyCount') => days.reduce((sum, day) => sum + day[part], 0)
  const all = { key: '', name: null, count: sum('count'), amount: sum('amount'), anomalyCount: sum('anomalyCount') }
  return [{ ...all, from: first.from, to: last.to }]
}

/** Counts, total and oldest date of the matching lines: what a badge polls. */
export async function countApprovals(appRequest: AppRequest): Promise<ApprovalTotals> {
  const { store, request, sessionUser, today, companyId, company } = appRequest
  const filter = filterOf(queryOf(appRequest), sessionUser)
  const reader = filter.search === '' ? store : store.reports(companyId, request)
  return await getApprovalTotals(reader, companyId, filter, today(company.zone))
}

/**
 * A window of lines in group order: `skip` counts within the group `at`, or within all lines. In order of dates, the window
 * begins after the line `after` of the day `at`.
 */
export async function listApprovalLines(appRequest: AppRequest): Promise<{ rows: MaterialRow[] }> {
  const { store, request, sessionUser, companyId } = appRequest
  const query = queryOf(appRequest)
  const skip = countIn(query, 'skip', 0)
  const top = Math.min(countIn(query, 'top', rowsMax), pageRowsMax)
  const filter = filterOf(query, sessionUser)
  const window = {
    at: query.get('at') ?? null,
    skip,
    after: countIn(query, 'after', undefined),
    top,
    sort: sortIn(query, lengthOf(filter.state)),
  }
  // A search and a sort visit every line of the state, where an index has the window otherwise.
  const isIndexed = filter.search === '' && window.sort === undefined && top <= rowsMax
  const reader = isIndexed ? store : store.reports(companyId, request)
  const rows = await listApprovalRows(reader, companyId, filter, groupingOf(query), window)
  const nameActor = await createActorNames(store, companyId)
  return { rows: rows.map(await createDescription(appRequest, filter.state, rows, nameActor)) }
}

/**
 * The ids and amounts at one time, so that a bulk decision applies to the lines and amounts that its user sees;
 * `anomalies=without` leaves out the anomalies.
 */
export async function listSelectableLines(appRequest: AppRequest): Promise<SelectableLines> {
  const { store, request, sessionUser, today, companyId, company } = appRequest
  const query = queryOf(appRequest)
  const filter = filterOf(query, sessionUser)
  const excludes = query.has('anomalies')
  if (excludes) parseChoice(query.get('anomalies') ?? '', ['without'], 'anomalies')
  const { lastStamp: readAt } = await getDeltaPosition(store, companyId)
  const reports = store.reports(companyId, request)
  // Before the anomalies, so that a line that comes in between is not selected without being judged.
  const lines = await listLineAmounts(reports, companyId, filter)
  // Only waiting transactions have anomalies.
  const excludesAnomalies = excludes && filter.state === transactionStates.registered
  const anomalies = excludesAnomalies
    ? await listAnomalyIds(reports, companyId, filter, { today: today(company.zone) })
    : []
  const excluded = new Set(anomalies.map(({ id }) => id))
  const chosen = lines.filter(({ id }) => !excluded.has(id)).slice(0, idsMax)
  const own = await listOwn(appRequest, filter.state, chosen, reports)
  const selected = chosen.filter(({ id }) => !own.has(id))
  return {
    readAt,
    ids: selected.map(({ id }) => id),
    amounts: selected.map(({ amount }) => amount),
    ownCount: chosen.length - selected.length,
  }
}

/** One line with its revisions, its export history, other lines of the same project, and those that it is compared with. */
export async function getApprovalLine(appRequest: AppRequest): Promise<MaterialLineDetails> {
  const { store, request, sessionUser, companyId } = appRequest
  const id = idInPath(request, appPaths.materialLine)
  const { lastStamp: readAt } = await getDeltaPosition(store, companyId)
  const [row] = await listMaterialRows(store, companyId, [id])
  if (row === undefined || !isVisible(sessionUser, row.departmentId)) throw notFoundError(message('theRecord'))
  const nameActor = await createActorNames(store, companyId)
  const revisions = await listRevisions(store, { companyId, id })
  const destinations = await listCompanyDestinations(store, { companyId })
  const received = await Promise.all(
    destinations.map(async ({ id: destinationId }) =>
      // An original has the id of its transaction.
      (await listLedgerEntries(store, { companyId, destinationId, lineId: id })).map((entry) => ({
        destinationId,
        action: entry.action,
        at: entry.at,
        actor: nameActor(entry.actor),
        externalId: entry.externalId,
        reason: entry.reason,
      })),
    ),
  )
  const near = { ...unfiltered, ...visibleTo(sessionUser), state: row.state, project: row.projectId ?? '' }
  const linesOfProject =
    row.projectId === null
      ? []
      : await listApprovalRows(store, companyId, near, 'day', { at: null, skip: 0, top: linesOfProjectMax })
  const describeRow = await createDescription(appRequest, row.state, [row, ...linesOfProject], nameActor)
  return {
    readAt,
    row: describeRow(row),
    revisions: revisions.map(({ content, replacedBy, ...one }): MaterialLineDetails['revisions'][number] => ({
      ...one,
      replacedBy: nameActor(replacedBy),
      content: JSON.parse(content),
    })),
    received: received.flat(),
    linesOfProject: linesOfProject.filter((one) => one.id !== id).map(describeRow),
    ...(await compareLine(store.reports(companyId, request), companyId, row)),
  }
}

/** Lines of departments that the user does not approve are reported as not found. */
export function isVisible({ departments }: SessionUser, departmentId: string | null): boolean {
  return departments === null || (departmentId !== null && departments.includes(departmentId))
}

const rowsMax = 500
/** Of a file. */
const pageRowsMax = 2_000
const linesOfProjectMax = 12

/** What describes each of these lines, which have this state, to the user. */
async function createDescription(
  appRequest: AppRequest,
  state: TransactionState,
  rows: readonly NamedMaterial[],
  nameActor: NameActor,
): Promise<(row: NamedMaterial) => MaterialRow> {
  const own = await listOwn(appRequest, state, rows, appRequest.store)
  return (row) => ({
    ...row,
    registeredBy: nameActor(row.registeredBy),
    approvedBy: nameActor(row.approvedBy),
    decidedBy: nameActor(row.decidedBy),
    isOwn: own.has(row.id),
  })
}

/** The lines that the user may not approve under four-eyes approval. */
async function listOwn(
  { sessionUser, companyId, company }: AppRequest,
  state: TransactionState,
  rows: readonly { readonly id: number }[],
  reader: Reader,
): Promise<ReadonlySet<number>> {
  if (!company.settings.requiresFourEyes || state !== transactionStates.registered || rows.length === 0)
    return new Set()
  const ids = rows.map(({ id }) => id)
  return findOwn(reader, companyId, ids, sessionUser.caller.actor)
}

const unfiltered = { from: '', to: '', department: '', project: '', employee: '', source: '', search: '' } as const

/** The filter, and the window of the list. */
const parameters = ['state', ...Object.keys(unfiltered), 'group', 'sort', 'at', 'skip', 'after', 'top', 'anomalies']

function queryOf({ request }: AppRequest): Query {
  return queryIn(request, parameters)
}

function filterOf(query: Query, sessionUser: SessionUser): ApprovalFilter {
  const day = (name: 'from' | 'to') => (query.has(name) ? parseDay(query.get(name), name) : '')
  const state = stateOf(query)
  return {
    state,
    ...visibleTo(sessionUser),
    search: searchIn(query, lengthOf(state)),
    from: day('from'),
    to: day('to'),
    department: query.get('department') ?? '',
    project: query.get('project') ?? '',
    employee: query.get('employee') ?? '',
    source: query.get('source') ?? '',
  }
}

function visibleTo({ departments }: SessionUser): Pick<ApprovalFilter, 'departments'> {
  return { departments: departments === null ? '' : JSON.stringify(departments) }
}

function stateOf(query: Query): TransactionState {
  const requested = query.get('state') ?? 'registered'
  const found = Object.entries(transactionStates).find(([name]) => name === requested)?.[1]
  if (found === undefined) throw invalidChoiceError('state')
  return found
}

function groupingOf(query: Query): LineGrouping {
  return parseChoice(query.get('group') ?? 'none', groupings, 'group')
}

function lengthOf(state: TransactionState) {
  return { isUnbounded: state === transactionStates.exported }
}
