// EmptyApprovals: nothing in the list, or nothing matches the filter.
import { Link } from '@tanstack/react-router'
import type { Filter } from '../../api/approvals.ts'
import { NoMatch, State } from '../../components/QueryStates.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { useText } from '../../i18n/translation.tsx'

interface EmptyProps {
  readonly filter: Filter
  readonly isOddOnly: boolean
}

export function Empty({ filter, isOddOnly }: EmptyProps) {
  const { say } = useText(approvalText)
  const { state, group: _, ...left } = filter
  const isFiltered = isOddOnly || Object.values(left).some((value) => value !== undefined)
  if (!isFiltered)
    return <State title={say.approvals.empty[state]}>{say.approvals.emptyText}</State>
  return (
    <NoMatch
      clear={
        <Link
          from="/app/godkjenning"
          to="/app/godkjenning"
          search={({ liste, gruppe }) => ({ liste, gruppe })}
        >
          {say.states.clearFilter}
        </Link>
      }
    />
  )
}
