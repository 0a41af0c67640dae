// Material lines to approve: queries, and sending decisions.
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { get } from './client.ts'
import { pollUnlessLive } from './live.ts'
import { sendOrQueue } from './outbox.ts'
import { toRanges } from './id-ranges.ts'
import type { Session } from './session.ts'

export type LineState = 'registered' | 'approved' | 'rejected' | 'exported'

export const groupings = ['none', 'project', 'employee', 'department', 'day'] as const

export type Grouping = (typeof groupings)[number]

export interface ApprovalListFilter {
  readonly state: LineState
  readonly group: Grouping
  readonly from: string | undefined
  readonly to: string | undefined
  readonly department: string | undefined
  readonly project: string | undefined
  readonly employee: string | undefined
  readonly source: string | undefined
}

/** Matches every registered line. */
export const everyLine: ApprovalListFilter = {
  state: 'registered',
  group: 'none',
  from: undefined,
  to: undefined,
  department: undefined,
  project: undefined,
  employee: undefined,
  source: undefined,
}

export interface MaterialLine {
  readonly id: number
  readonly revision: number
  readonly date: string
  readonly employeeId: number | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly departmentId: string | null
  readonly projectId: string | null
  readonly projectName: string | null
  readonly siteName: string | null
  readonly itemId: string | null
  readonly itemName: string | null
  /** Ten-thousandths, as all quantities and amounts. */
  readonly quantity: number
  readonly unit: string | null
  readonly salesPrice: number | null
  readonly amount: number | null
  readonly isBillable: number | null
  readonly remark: string | null
  readonly source: string
  readonly externalId: string | null
  readonly state: string
  readonly rejectionReason: string | null
  readonly approvedAt: number | null
  readonly approvedBy: string | null
  readonly registeredBy: string
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  readonly changedAt: number
  readonly createdAt: number
}

export interface AnomalousLine extends MaterialLine {
  readonly oddity: number
}

export interface LineGroup {
  readonly key: string
  readonly name: string | null
  readonly count: number
  readonly amount: number
  readonly from: string
  readonly to: string
  /** Number of anomalous lines. */
  readonly odd: number
}

export interface ApprovalOverview {
  readonly groups: readonly LineGroup[]
  /** For an ungrouped list: the number of lines per day. */
  readonly steps: readonly Pick<LineGroup, 'key' | 'count'>[]
  readonly counts: readonly { readonly state: string; readonly count: number }[]
  /** The oldest anomalous lines; `oddCount` counts all. */
  readonly odd: readonly AnomalousLine[]
  readonly oddCount: number
}

export interface MaterialLineDetails {
  readonly row: MaterialLine
  readonly revisions: readonly {
    readonly revision: number
    readonly replacedAt: number
    readonly replacedBy: string | null
    readonly content: Readonly<Record<string, unknown>>
  }[]
  /** What destinations did with it. */
  readonly received: readonly {
    readonly destinationId: number
    readonly act: string
    readonly at: number
    readonly actor: string
    readonly externalId: string | null
    readonly reason: string | null
  }[]
  readonly neighbours: readonly MaterialLine[]
}

export interface DecisionResult {
  readonly done: readonly number[]
  readonly others: readonly {
    readonly id: number
    readonly code: string
    readonly by: string | null
    readonly at: number | null
  }[]
}

/** Lines that are fetched together: those after the first `skip` of a group, and possibly small groups after it. */
export interface LineRange {
  /** Key of the group; for an ungrouped list, a day. */
  readonly at: string
  readonly skip: number
  readonly count: number
}

function toQuery(filter: ApprovalListFilter) {
  return { ...filter }
}

export function approvalsQuery(filter: ApprovalListFilter) {
  return queryOptions({
    queryKey: ['material', 'overview', filter],
    queryFn: () => get<ApprovalOverview>('/app/data/uttak/oversikt', toQuery(filter)),
    staleTime: 10_000,
    // The list changes only when its reader asks for it.
    refetchOnWindowFocus: false,
  })
}

/** Number of anomalies among all waiting lines. Computed from every line, and therefore polled rarely. */
export const anomalyCountQuery = queryOptions({
  queryKey: ['material', 'odd'],
  queryFn: async () =>
    (await get<ApprovalOverview>('/app/data/uttak/oversikt', toQuery(everyLine))).oddCount,
  staleTime: 60_000,
  refetchInterval: 120_000,
})

/** For counters: cheap, polled often. */
export function countQuery(lineFilter: ApprovalListFilter) {
  const filter: ApprovalListFilter = { ...lineFilter, group: 'none' }
  return queryOptions({
    queryKey: ['material', 'count', filter],
    queryFn: () =>
      get<{ count: number; amount: number; oldest: string | null }>(
        '/app/data/uttak/antall',
        toQuery(filter),
      ),
    staleTime: 5_000,
    refetchInterval: pollUnlessLive(30_000),
  })
}

export function approvalLinesQuery(filter: ApprovalListFilter, { at, skip, count }: LineRange) {
  return queryOptions({
    queryKey: ['material', 'lines', filter, at, skip, count],
    queryFn: async () =>
      (
        await get<{ rows: MaterialLine[] }>('/app/data/uttak/linjer', {
          ...toQuery(filter),
          at,
          skip,
          top: count,
        })
      ).rows,
    staleTime: 10_000,
  })
}

/** Refetches everything about material; lines last, when the layout is known. */
export async function refreshMaterial(client: QueryClient): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey: [area, part] }) => area === 'material' && part !== 'lines',
  })
  await client.invalidateQueries({ queryKey: ['material', 'lines'] })
}

export function lineQuery(id: number) {
  return queryOptions({
    queryKey: ['material', 'line', id],
    queryFn: () => get<MaterialLineDetails>(`/app/data/uttak/linje/${id}`),
  })
}

export async function fetchIds(filter: ApprovalListFilter): Promise<readonly number[]> {
  return (await get<{ ids: number[] }>('/app/data/uttak/ider', toQuery(filter))).ids
}

export type ApprovalAction = 'approve' | 'reject' | 'withdraw'

export interface DecisionRequest {
  readonly act: ApprovalAction
  readonly ids: readonly number[]
  readonly reason: string | null
}

/** Null when queued until online; `label` describes it in the outbox. */
export function decide(
  { act, ids, reason }: DecisionRequest,
  label: string,
  session: Session,
): Promise<DecisionResult | null> {
  return sendOrQueue<DecisionResult>(
    {
      key: crypto.randomUUID(),
      kind: 'decision',
      label,
      ids,
      path: '/app/data/uttak/beslutt',
      body: { act, ids: toRanges(ids), reason },
    },
    session,
  )
}

/** The bits of `oddity`. */
export const anomalyFlags = {
  noProject: 1,
  noPrice: 2,
  repeated: 4,
  unusual: 8,
  future: 16,
  unknownProject: 32,
  unknownDepartment: 64,
} as const
