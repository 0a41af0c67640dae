// Material lines to approve: queries, and sending decisions.
import type { Session } from '../../src/app/contract/session.ts'
import type {
  AnomalyBits,
  ApprovalAction,
  DecisionBody,
  DecisionResult,
  LineEdit,
  LineGrouping,
  LineState,
  MaterialRow,
  SelectableLines,
  SortName,
} from '../../src/app/contract/approvals.ts'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { get, post } from './client.ts'
import { pollUnlessLive } from './live.ts'
import { sendOrQueue } from './outbox.ts'
import { replyQuery } from './reply-query.ts'
import { splitIds, toRanges } from './id-ranges.ts'

export const groupings = ['none', 'project', 'employee', 'department', 'day'] as const satisfies readonly LineGrouping[]

export interface ApprovalListFilter {
  readonly state: LineState
  readonly group: LineGrouping
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly department?: string | undefined
  readonly project?: string | undefined
  readonly employee?: string | undefined
  readonly source?: string | undefined
  readonly search?: string | undefined
  /** By date unless given. */
  readonly sort?: LineOrder | undefined
}

/** With a minus for the largest first. */
export type LineOrder = `${'' | '-'}${SortName}`

export const everyLine: ApprovalListFilter = { state: 'registered', group: 'none' }

/** Lines that are fetched together: those after the first `skip` of a group, and possibly small groups after it. */
export interface LineRange {
  /** Key of the group; for an ungrouped list, a day. */
  readonly at: string
  readonly skip: number
  readonly count: number
}

/** Without the order, which counts and totals do not depend on. */
function toQuery(filter: ApprovalListFilter) {
  const { sort: _, ...query } = filter
  return query
}

export function approvalsQuery(listFilter: ApprovalListFilter) {
  const filter = toQuery(listFilter)
  return queryOptions({
    queryKey: ['material', 'overview', filter],
    queryFn: () => get('materialOverview', { ...filter, top: firstLines }),
    staleTime: 10_000,
    // The list changes only when its reader asks for it.
    refetchOnWindowFocus: false,
  })
}

/** More than a screen shows: they are drawn before a range of lines is requested. */
const firstLines = 40

/** For counters: cheap, polled often. */
export function countQuery(listFilter: ApprovalListFilter) {
  const filter = { ...toQuery(listFilter), group: 'none' } as const
  return replyQuery(['material', 'count', filter], 'materialCount', {
    params: filter,
    staleTime: 5_000,
    refetchInterval: pollUnlessLive(30_000),
  })
}

export function approvalLinesQuery(filter: ApprovalListFilter, { at, skip, count }: LineRange) {
  return replyQuery(['material', 'lines', filter, at, skip, count], 'materialLines', {
    params: { ...filter, at, skip, top: count },
    staleTime: 10_000,
  })
}

/**
 * Every matching line by date, for a file: each page begins after the last line of the one before, so that none is missing
 * because others were decided meanwhile.
 */
export async function fetchAllLines(filter: ApprovalListFilter): Promise<MaterialRow[]> {
  const lines: MaterialRow[] = []
  for (let last: MaterialRow | undefined; ;) {
    const window = { group: 'none', at: last?.date, after: last?.id, top: filePageRows }
    const { rows } = await get('materialLines', { ...toQuery(filter), ...window })
    lines.push(...rows)
    if (rows.length < filePageRows) return lines
    last = rows.at(-1)
  }
}

/** The largest page of the server. */
export const filePageRows = 2000

/** Refetches everything about material; lines last, when the layout is known. */
export async function refreshMaterial(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ predicate: ({ queryKey: [area, part] }) => area === 'material' && part !== 'lines' })
  await client.invalidateQueries({ queryKey: ['material', 'lines'] })
}

export function lineQuery(id: number) {
  return replyQuery(['material', 'line', id], 'materialLine', { params: { id } })
}

/** The matching lines and their total, as they are now. */
export function fetchSelectableLines(filter: ApprovalListFilter, anomalies?: 'without'): Promise<SelectableLines> {
  return get('materialIds', { ...toQuery(filter), anomalies })
}

export interface DecisionRequest {
  readonly action: ApprovalAction
  readonly ids: readonly number[]
  readonly reason: string | null
  /** When the lines were read, so that one that was changed since is not decided unseen; null decides on all. */
  readonly readAt: number | null
}

/** The replies to the parts of a decision or edit. */
export interface SentLines extends DecisionResult {
  /** Number of lines without a reply: their part failed, or is queued until online. */
  readonly left: number
  /** Why no more parts were sent; null when all were sent or queued. */
  readonly failure: Error | null
}

/** `label` describes it in the outbox. */
export function decide(
  { action, ids, reason, readAt }: DecisionRequest,
  label: string,
  session: Session,
): Promise<SentLines> {
  return sendInParts({ ids, readAt }, (lines, part) => {
    const key = crypto.randomUUID()
    const endpoint = 'materialDecide'
    const body = { action, reason, ...lines }
    return sendOrQueue({ key, label, ids: part, endpoint, body }, session)
  })
}

export type LinesToEdit = Pick<DecisionRequest, 'ids' | 'readAt'>

export function editLines(lines: LinesToEdit, edit: LineEdit): Promise<SentLines> {
  return sendInParts(lines, (part) => post('materialEdit', { ...edit, ...part }))
}

/** Sends as many lines at a time as one request takes; throws if the first part fails, as then nothing is done. */
async function sendInParts(
  { ids, readAt }: LinesToEdit,
  send: (lines: Pick<DecisionBody, 'ids' | 'readAt'>, part: readonly number[]) => Promise<DecisionResult | null>,
): Promise<SentLines> {
  let sent: SentLines = { done: [], others: [], left: ids.length, failure: null }
  for (const [index, part] of splitIds(ids).entries()) {
    const lines = { ids: toRanges(part), readAt: readAt === null ? null : String(readAt) }
    try {
      const reply = await send(lines, part)
      if (reply === null) continue
      sent = {
        ...sent,
        done: [...sent.done, ...reply.done],
        others: [...sent.others, ...reply.others],
        left: sent.left - part.length,
      }
    } catch (error) {
      if (index === 0 || !(error instanceof Error)) throw error
      return { ...sent, failure: error }
    }
  }
  return sent
}

/** In the order in which they are shown. */
export const anomalyBits = {
  noProject: 1,
  unknownProject: 32,
  unknownDepartment: 64,
  noPrice: 2,
  duplicate: 4,
  unusual: 8,
  future: 16,
} as const satisfies AnomalyBits
