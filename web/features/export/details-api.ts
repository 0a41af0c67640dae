// Details of lines and retrievals, and reconciliation.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { act, addressOf, ask, sendFile } from '../../api/client.ts'

/** A line as last approved; quantities and amounts are ten-thousandths, timestamps microseconds. */
export interface StoryLine {
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

export interface LineStory {
  readonly thread: readonly StoryLine[]
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

export function lineStoryQuery(destination: number, id: number) {
  return queryOptions({
    queryKey: ['material', 'export', 'line', destination, id],
    queryFn: () => ask<LineStory>('/app/data/eksport/linje', { destination, id }),
  })
}

export interface HandOutStory {
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
  readonly lines: readonly StoryLine[]
}

export function handOutQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ['material', 'export', 'hand-out', id],
    queryFn: ({ pageParam }) => askHandOut(id, pageParam === 0 ? undefined : pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ lines }) => (lines.length < linesOfPage ? null : lines.at(-1)?.id),
  })
}

/** All lines, fetched page by page. */
export async function wholeHandOut(id: number): Promise<HandOutStory> {
  const lines: StoryLine[] = []
  for (let before: number | undefined; ;) {
    const page = await askHandOut(id, before)
    lines.push(...page.lines)
    before = page.lines.at(-1)?.id
    if (page.lines.length < linesOfPage) return { handOut: page.handOut, lines }
  }
}

function askHandOut(id: number, before: number | undefined) {
  return ask<HandOutStory>('/app/data/eksport/uthenting', { id, before })
}

const linesOfPage = 1000

export type Naming = 'id' | 'external' | 'key'

export interface Reconciled {
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
    readonly state: StoryLine['state'] | null
  }[]
  readonly onlyTheirsCount: number
}

export interface Compared {
  readonly file: Blob
  readonly destination: number
  readonly by: Naming
  readonly from: string | undefined
  readonly to: string | undefined
}

export async function reconcileWith({ file, ...query }: Compared): Promise<Reconciled> {
  return (await sendFile(`/app/data/eksport/avstem${addressOf(query)}`, file)).json()
}

export interface Marked {
  readonly done: readonly number[]
  readonly others: readonly { readonly id: number; readonly code: string }[]
}

export function markLines(
  destination: number,
  lines: readonly { readonly id: number; readonly externalId: string | null }[],
) {
  return act<Marked>(
    'POST',
    `/app/data/eksport/meld?destination=${destination}`,
    lines.map(({ id, externalId }) => ({ id: String(id), externalId })),
  )
}
