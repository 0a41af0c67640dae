// EmptyApprovals: nothing in the list, or nothing matches the filter.
import { useNavigate } from '@tanstack/react-router'
import type { ApprovalListFilter } from '../../api/approvals.ts'
import { NoRows } from '../../components/NoRows.tsx'
import { EmptyState } from '../../components/QueryStates.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'

interface EmptyApprovalsProps {
  readonly filter: ApprovalListFilter
  readonly showsAnomaliesOnly: boolean
}

export function EmptyApprovals({ filter, showsAnomaliesOnly }: EmptyApprovalsProps) {
  const { t } = useTranslation(approvalText)
  const navigate = useNavigate({ from: '/app/godkjenning' })
  const { state, group: _, sort: __, ...left } = filter
  const isFiltered = showsAnomaliesOnly || Object.values(left).some((value) => value !== undefined)
  if (!isFiltered)
    return (
      <EmptyState title={t.approvals.empty[state]} illustration={state === 'registered' ? 'done' : 'empty'}>
        {t.approvals.emptyText}
      </EmptyState>
    )
  return <NoRows onClear={() => void navigate({ search: ({ liste, gruppe }) => ({ liste, gruppe }), replace: true })} />
}
