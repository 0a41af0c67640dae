// ShowMore: loads the next page of an infinite query.
import { Button } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

interface ShowMoreProps {
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  readonly children: string
}

export function ShowMore({ query, children }: ShowMoreProps) {
  return query.hasNextPage ? (
    <div className="pager">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {children}
      </Button>
    </div>
  ) : null
}
