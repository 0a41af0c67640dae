// Feed of received revenue, newest first.
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { get, type QueryParams } from '../../api/client.ts'
import { pollUnlessLive } from '../../api/live.ts'

export const feedActions = ['insert', 'set', 'add', 'delete', 'import'] as const

export type RevenueFeedAction = (typeof feedActions)[number]

/** For the screen, which begins with one page, or for a file of all, in larger pages. */
export function feedQuery(filter: QueryParams, use: 'screen' | 'file' = 'screen') {
  return infiniteQueryOptions({
    queryKey: ['revenue', 'feed', use, filter],
    queryFn: ({ pageParam }) =>
      get('revenueFeed', {
        ...filter,
        before: pageParam === 0 ? undefined : pageParam,
        top: use === 'file' ? filePageRows : undefined,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ before }) => before,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: pollUnlessLive(30_000),
  })
}

/** The largest page of the server. */
const filePageRows = 5000
