// ShowMore: loads the next page of an infinite query.
import { Button } from './Button.tsx'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from '../i18n/translation.ts'

interface ShowMoreProps {
  readonly shown?: number
  readonly count?: number | undefined
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
}

export function ShowMore({ query, shown = 0, count }: ShowMoreProps) {
  const { t, format } = useTranslation()
  return query.hasNextPage ? (
    <div className="pager">
      {count !== undefined && <span className="muted">{t.table.shown(format.count(shown), format.count(count))}</span>}
      <Button label={t.table.more} loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} />
    </div>
  ) : null
}
