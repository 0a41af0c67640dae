// usePages: the rows of a list that is loaded page by page, and all of them for a file.
import {
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query'

/** `file` reads for the file, under another key: the screen goes on with the pages that it has. */
export function usePages<Page extends { readonly rows: readonly unknown[] }, Key extends QueryKey>(
  screen: UseInfiniteQueryOptions<Page, Error, InfiniteData<Page>, Key, number>,
  file: UseInfiniteQueryOptions<Page, Error, InfiniteData<Page>, Key, number>,
) {
  const client = useQueryClient()
  const query = useInfiniteQuery(screen)
  const rowsOf = (pages: readonly Page[] = []): Page['rows'][number][] => pages.flatMap(({ rows }) => rows)
  return {
    query,
    rows: rowsOf(query.data?.pages),
    loadAll: async () => rowsOf((await client.fetchInfiniteQuery({ ...file, pages: Infinity, gcTime: 0 })).pages),
  }
}
