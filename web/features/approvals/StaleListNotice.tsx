// StaleListNotice: tells that the list has changed, and refreshes it on request.
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { countQuery, refreshMaterial, type ApprovalListFilter } from '../../api/approvals.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'

interface StaleListNoticeProps {
  readonly filter: ApprovalListFilter
  /** Totals of the list as shown. */
  readonly shown: { readonly count: number; readonly amount: number }
  readonly isFetching: boolean
}

export function StaleListNotice({ filter, shown, isFetching }: StaleListNoticeProps) {
  const { t, format } = useTranslation(approvalText)
  const client = useQueryClient()
  const now = useQuery(countQuery(filter))
  const isSame = now.data === undefined || (now.data.count === shown.count && now.data.amount === shown.amount)
  const hasChanged = !isSame && !isFetching && !now.isFetching
  const isEmpty = shown.count === 0
  useEffect(() => {
    // An empty list can be refreshed at once.
    if (hasChanged && isEmpty) void client.invalidateQueries({ queryKey: ['material', 'overview'] })
  }, [client, hasChanged, isEmpty])
  const { staleList } = t.approvals
  const more = (now.data?.count ?? 0) - shown.count
  const count = format.count(Math.abs(more))
  return (
    <div role="status">
      {hasChanged && !isEmpty && (
        <p className="alert">
          <span>{more === 0 ? staleList.other : more > 0 ? staleList.more(count) : staleList.fewer(count)}</span>
          <Button variant="default" onClick={() => void refreshMaterial(client)}>
            {staleList.show}
          </Button>
        </p>
      )}
    </div>
  )
}
