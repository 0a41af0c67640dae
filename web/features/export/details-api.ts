// Details of lines and retrievals, and reconciliation.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { request, queryString, get, sendFile } from '../../api/client.ts'

/** A line as last approved; quantities and amounts are ten-thousandths, timestamps microseconds. */
export interface LineSnapshot {
  readonly id: number
  readonly revision: number
  readonly materialId: number
  readonly lineKind: 'Original' | 'Reversering' | 'Erstatning'
  readonly reversesId: number | null
  readonly replacesId: number | null
  readonly date: string
  readonly departmentId: string | null
  readonly projectId: string | null
  readonly itemId: string | null
  readonly itemName: string | null
  readonly quantity: number
  readonly unit: string | null
  readonly amount: number | null
  readonly remark: string | null
  readonly source: string
  readonly sourceExternalId: string | null
  readonly generation: number
  readonly state: 'ready' | 'exported' | 'closed' | 'withdrawn'
  readonly readyAt: number
  readonly postingDate: string
  readonly approvedAt: number
  readonly approvedBy: string
  readonly markedAt: number | null
  readonly markedBy: string | null
  readonly externalId: string | null
  readonly exportKey: string
}

export interface ExportLineDetails {
  readonly thread: readonly LineSnapshot[]
  readonly origin: {
    readonly createdAt: number
    readonly registeredBy: string
  } | null
  readonly retrievals: readonly {
    readonly id: number
    readonly at: number
    readonly actor: string
    readonly count: number
  }[]
  readonly entries: readonly {
    readonly id: number
    readonly act: string
    readonly at: number
    readonly actor: string
    readonly requestId: string
    readonly externalId: string | null
    readonly externalUrl: string | null
    readonly code: string | null
    readonly reason: string | null
  }[]
}

export function exportLineQuery(destination: number, id: number) {
  return queryOptions({
    queryKey: ['material', 'export', 'line', destination, id],
    queryFn: () => get<ExportLineDetails>('/app/data/eksport/linje', { destination, id }),
  })
}

export interface RetrievalPage {
  readonly handOut: {
    readonly id: number
    readonly destinationId: number
    readonly actor: string
    readonly at: number
    readonly query: string | null
    readonly count: number
    /** Decimal text. */
    readonly quantity: string
    readonly amount: string
    readonly hash: string
    readonly requestId: string
    readonly batchId: number | null
    readonly batchState: string | null
    readonly expiresAt: number | null
  }
  readonly lines: readonly LineSnapshot[]
}

export function retrievalQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ['material', 'export', 'hand-out', id],
    queryFn: ({ pageParam }) => fetchRetrievalPage(id, pageParam === 0 ? undefined : pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ lines }) => (lines.length < linesPerPage ? null : lines.at(-1)?.id),
  })
}

/** All lines, fetched page by page. */
export async function fetchWholeRetrieval(id: number): Promise<RetrievalPage> {
  const lines: LineSnapshot[] = []
  for (let before: number | undefined; ;) {
    const page = await fetchRetrievalPage(id, before)
    lines.push(...page.lines)
    before = page.lines.at(-1)?.id
    if (page.lines.length < linesPerPage) return { handOut: page.handOut, lines }
  }
}

function fetchRetrievalPage(id: number, before: number | undefined) {
  return get<RetrievalPage>('/app/data/eksport/uthenting', { id, before })
}

const linesPerPage = 1000

export type IdentifierKind = 'id' | 'external' | 'key'

export interface ReconcileReport {
  readonly listed: number
  readonly both: number
  readonly onlyOurs: readonly {
    readonly lineId: number
    readonly exportKey: string
    readonly externalId: string | null
    readonly markedAt: number | null
  }[]
  readonly onlyOursCount: number
  readonly onlyTheirs: readonly {
    readonly id: number | null
    readonly exportKey: string | null
    readonly externalId: string | null
    /** Null when it was never ready for this destination. */
    readonly state: LineSnapshot['state'] | null
  }[]
  readonly onlyTheirsCount: number
}

export interface ReconcileRequest {
  readonly file: Blob
  readonly destination: number
  readonly by: IdentifierKind
  readonly from: string | undefined
  readonly to: string | undefined
}

export async function reconcile({ file, ...query }: ReconcileRequest): Promise<ReconcileReport> {
  return (await sendFile(`/app/data/eksport/avstem${queryString(query)}`, file)).json()
}

export interface ReportExportedResult {
  readonly done: readonly number[]
  readonly others: readonly { readonly id: number; readonly code: string }[]
}

export function reportExported(
  destination: number,
  lines: readonly { readonly id: number; readonly externalId: string | null }[],
) {
  return request<ReportExportedResult>(
    'POST',
    `/app/data/eksport/meld?destination=${destination}`,
    lines.map(({ id, externalId }) => ({ id: String(id), externalId })),
  )
}
