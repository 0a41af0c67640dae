// The approval queue: groups, pages, anomalies, and one line with its history.
import { actorNames, type NameActor } from '../actors.ts'
import { dayAt } from '../date-range.ts'
import { json, type Asked } from '../route.ts'
import { words } from '../paths.ts'
import type { Visitor } from '../../auth/sessions/sessions.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { states, type State } from '../../model/transaction.ts'
import { knownParameters, parseQuery, type Query } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import { destinationsIn } from '../../store/export/destinations.ts'
import { entriesOfLine } from '../../store/export/export-log.ts'
import {
  countsByState,
  groupings,
  queueGroups,
  queueIds,
  queueRows,
  queueSum,
  type Grouping,
  type QueueGroup,
} from '../../store/material/approval-queue.ts'
import { revisionsOf, rowsOfIds, type QueueRow } from '../../store/material/material-rows.ts'
import { oddMaterial, type OddMaterial } from '../../store/material/material-anomalies.ts'
import type { QueueFilter } from '../../store/material/approval-filter.ts'

/**
 * Groups with totals, counts by state, and anomalies; amounts are ten-thousandths. An ungrouped list has its days as
 * `steps`, so that a window far down the list knows its date. `odd` has the oldest anomalies; `oddCount` and the groups
 * count all of them.
 */
export async function queueOverview(asked: Asked): Promise<Reply> {
  const { store, visitor, today } = asked
  const { companyId, company } = visitor.caller
  const query = queryOf(asked)
  const filter = filterOf(query, visitor)
  const grouping = groupingOf(query)
  // Finding anomalies is the expensive part; only waiting transactions have any.
  const odd: OddMaterial =
    filter.state === states.registered
      ? await oddMaterial(store, companyId, filter, { grouping, today: today(company.zone) })
      : { rows: [], counts: new Map() }
  const name = await actorNames(store, visitor)
  const oddityById = new Map(odd.rows.map(({ id, oddity }) => [id, oddity]))
  const rows = await rowsOfIds(
    store,
    companyId,
    odd.rows.map(({ id }) => id),
  )
  const isGrouped = grouping !== 'none'
  const groups = await queueGroups(store, companyId, filter, isGrouped ? grouping : 'day')
  const shownGroups = isGrouped ? groups : together(groups)
  return json({
    groups: shownGroups.map((group) => ({ ...group, odd: odd.counts.get(group.key) ?? 0 })),
    steps: isGrouped ? [] : groups.map(({ key, count }) => ({ key, count })),
    counts: await countsByState(store, companyId, filter.departments),
    oddCount: odd.counts.values().reduce((sum, count) => sum + count, 0),
    odd: rows.map((row) => ({ ...shown(row, name), oddity: oddityById.get(row.id) ?? 0 })),
  })
}

/** One group of all days, which are in order. */
function together(days: readonly QueueGroup[]): QueueGroup[] {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const sum = (part: 'count' | 'amount') => days.reduce((sum, day) => sum + day[part], 0)
  const all = { key: '', name: null, count: sum('count'), amount: sum('amount') }
  return [{ ...all, from: first.from, to: last.to }]
}

/** Count, total and oldest date of the matching lines: what a badge polls. */
export async function queueCount(asked: Asked): Promise<Reply> {
  const { store, visitor } = asked
  const filter = filterOf(queryOf(asked), visitor)
  return json(await queueSum(store, visitor.caller.companyId, filter))
}

/** A window of lines in group order: `skip` counts within the group `at`, or within all lines. */
export async function queueLines(asked: Asked): Promise<Reply> {
  const { store, visitor } = asked
  const query = queryOf(asked)
  const skip = countAt(query, 'skip', 0)
  const top = Math.min(countAt(query, 'top', rowsMax), rowsMax)
  const window = { at: query.get('at') ?? null, skip, top }
  const { companyId } = visitor.caller
  const grouping = groupingOf(query)
  const rows = await queueRows(store, companyId, filterOf(query, visitor), grouping, window)
  const name = await actorNames(store, visitor)
  return json({ rows: rows.map((row) => shown(row, name)) })
}

/** All matching ids, so that a bulk approval applies to the lines that were there when it was chosen. */
export async function queueIdList(asked: Asked): Promise<Reply> {
  const { store, visitor } = asked
  const ids = await queueIds(store, visitor.caller.companyId, filterOf(queryOf(asked), visitor))
  return json({ ids })
}

/** One line with its revisions, its export history, and other lines of the same project. */
export async function queueLine({ store, request, visitor }: Asked): Promise<Reply> {
  const { companyId } = visitor.caller
  const id = Number(request.path.slice(words.materialLine.indexOf(':')))
  const [row] = Number.isSafeInteger(id) ? await rowsOfIds(store, companyId, [id]) : []
  if (row === undefined || !isSeen(visitor, row.departmentId))
    throw new Fault('NotFound', { says: { what: phrase('theRecord') } })
  const name = await actorNames(store, visitor)
  const revisions = await revisionsOf(store, companyId, id)
  const destinations = await destinationsIn(store, companyId)
  const received = await Promise.all(
    destinations.map(async ({ id: destinationId }) =>
      // An original has the id of its transaction.
      (await entriesOfLine(store, { companyId, destinationId }, id)).map((entry) => ({
        destinationId,
        act: entry.act,
        at: entry.at,
        actor: name(entry.actor),
        externalId: entry.externalId,
        reason: entry.reason,
      })),
    ),
  )
  const near = { ...everything(row.state, visitor), project: row.projectId ?? '' }
  const neighbours =
    row.projectId === null
      ? []
      : await queueRows(store, companyId, near, 'day', { at: null, skip: 0, top: neighboursMax })
  return json({
    row: shown(row, name),
    revisions: revisions.map(({ content, replacedBy, ...one }) => ({
      ...one,
      replacedBy: name(replacedBy),
      content: parsed(content),
    })),
    received: received.flat(),
    neighbours: neighbours.filter((one) => one.id !== id).map((one) => shown(one, name)),
  })
}

/** Lines of departments that the user does not approve are reported as not found. */
function isSeen({ departments }: Visitor, departmentId: string | null): boolean {
  return departments === null || (departmentId !== null && departments.includes(departmentId))
}

function parsed(content: string): unknown {
  return JSON.parse(content)
}

const rowsMax = 500
const neighboursMax = 12

function shown(row: QueueRow, name: NameActor) {
  return {
    ...row,
    registeredBy: name(row.registeredBy),
    approvedBy: name(row.approvedBy),
    decidedBy: name(row.decidedBy),
  }
}

const parameters = knownParameters(
  [
    'state',
    'from',
    'to',
    'department',
    'project',
    'employee',
    'source',
    'group',
    'at',
    'skip',
    'top',
  ],
  'refused',
)

function queryOf({ request }: Asked): Query {
  return parseQuery(request.search, parameters)
}

function filterOf(query: Query, visitor: Visitor): QueueFilter {
  const day = (name: 'from' | 'to') => (query.has(name) ? dayAt(query.get(name), name) : '')
  return {
    ...everything(stateOf(query), visitor),
    from: day('from'),
    to: day('to'),
    department: query.get('department') ?? '',
    project: query.get('project') ?? '',
    employee: query.get('employee') ?? '',
    source: query.get('source') ?? '',
  }
}

function everything(state: State, { departments }: Visitor): QueueFilter {
  return {
    state,
    from: '',
    to: '',
    department: '',
    project: '',
    employee: '',
    source: '',
    departments: departments === null ? '' : JSON.stringify(departments),
  }
}

function stateOf(query: Query): State {
  const asked = query.get('state') ?? 'registered'
  const found = Object.entries(states).find(([name]) => name === asked)?.[1]
  if (found === undefined) throw unknownValue('state')
  return found
}

function groupingOf(query: Query): Grouping {
  const asked = query.get('group') ?? 'none'
  const found = groupings.find((one) => one === asked)
  if (found === undefined) throw unknownValue('group')
  return found
}

function countAt(query: Query, name: 'skip' | 'top', absent: number): number {
  const text = query.get(name)
  if (text === undefined) return absent
  if (!/^\d{1,9}$/.test(text)) throw new Fault('InvalidTop', { target: name, says: { name } })
  return Number(text)
}

function unknownValue(field: string): Fault {
  return new Fault('InvalidValue', {
    target: field,
    says: { field, problem: phrase('noSuchChoice') },
  })
}
