// Feed of received revenue, newest first.
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { pollUnlessLive } from '../../api/live.ts'

export const feedActions = ['insert', 'set', 'add', 'delete', 'import'] as const

export type RevenueFeedAction = (typeof feedActions)[number]

/** Amounts are ten-thousandths, timestamps microseconds. */
export interface FeedRow {
  readonly id: number
  readonly at: number
  readonly actor: string
  readonly act: RevenueFeedAction
  /** Name of the imported file; null otherwise. */
  readonly file: string | null
  readonly date: string
  readonly departmentId: string
  readonly kind: string
  readonly before: number | null
  readonly after: number | null
  readonly reference: string | null
  readonly remark: string | null
  readonly requestId: string
}

interface FeedPage {
  readonly rows: readonly FeedRow[]
  /** Cursor of the next page; null at the end. */
  readonly before: number | null
  /** On the first page: everybody who ever sent revenue. */
  readonly sources: readonly {
    readonly source: string
    readonly actor: string
    readonly lastAt: number
  }[]
}

export interface FeedFilter {
  readonly source: string | undefined
  readonly department: string | undefined
  readonly act: RevenueFeedAction | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

export function feedQuery(filter: FeedFilter) {
  return infiniteQueryOptions({
    queryKey: ['revenue', 'feed', filter],
    queryFn: ({ pageParam }) =>
      get<FeedPage>('/app/data/omsetning/mottatt', {
        ...filter,
        before: pageParam === 0 ? undefined : pageParam,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ before }) => before,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: pollUnlessLive(30_000),
  })
}
