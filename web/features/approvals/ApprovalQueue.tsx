// ApprovalQueue: a windowed list of lines, with its total, and the decisions on the selected ones.
import { Button } from '../../components/Button.tsx'
import { decisionIdsMax } from '../../api/id-ranges.ts'
import { ColumnMenu } from '../../components/ColumnMenu.tsx'
import { CsvButton } from '../../components/CsvButton.tsx'
import { NoRows } from '../../components/NoRows.tsx'
import { EmptyState, ErrorState } from '../../components/QueryStates.tsx'
import { useApprovalText } from '../../i18n/approvals.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { ActionBar } from './ActionBar.tsx'
import { noFilter } from './ApprovalFilters.tsx'
import type { ApprovalQueueProps } from './approval-queue-props.ts'
import { DecisionOutcome } from './DecisionOutcome.tsx'
import styles from './Queue.module.css'
import { QueueTable } from './QueueTable.tsx'
import { useApprovalQueue, type ApprovalQueueState } from './use-approval-queue.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { countQuery, refreshMaterial, type ApprovalListFilter } from '../../api/approvals.ts'

export function ApprovalQueue(props: ApprovalQueueProps) {
  const { filter, isFetching, showsAnomaliesOnly, decisions, showsOutcome } = props
  const queue = useApprovalQueue(props)
  const { layout, total, failed, mayDecide, selection } = queue
  const outcome = showsOutcome && <DecisionOutcome decisions={decisions} />
  if (layout.length === 0)
    return (
      <>
        {outcome}
        <StaleListNotice filter={filter} shown={{ count: 0, amount: 0 }} isFetching={isFetching} />
        <EmptyApprovals filter={filter} showsAnomaliesOnly={showsAnomaliesOnly} />
      </>
    )
  return (
    <>
      {outcome}
      {!showsAnomaliesOnly && (
        <StaleListNotice filter={filter} shown={{ count: layout.lines, amount: total }} isFetching={isFetching} />
      )}
      <QueueSummary {...queue} />
      {failed !== undefined && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      <QueueTable {...queue} />
      {mayDecide && selection.ids.size > 0 && <ActionBar {...queue} />}
    </>
  )
}

/** Count and total of the list, selecting all of its lines, its columns and its file. */
function QueueSummary(queue: ApprovalQueueState) {
  const { overview, count, total, usualCount, mayDecide, chooseAll, chooseUsual, choice, sorted, loadFile, selection } =
    queue
  const { anomalyCount } = overview
  const { t, format } = useApprovalText()
  return (
    <div className={styles.summary}>
      <p className="summary" aria-live="polite">
        {t.approvals.summary(
          format.count(count),
          format.amount(total, 2),
          anomalyCount === 0 ? null : t.approvals.anomalyCount(format.count(anomalyCount)),
        )}
        {mayDecide && usualCount > 0 && (
          <Button label={t.approvals.chooseUsual(format.count(usualCount))} variant="subtle" onClick={chooseUsual} />
        )}
        {mayDecide && (
          <Button
            label={
              count <= decisionIdsMax
                ? t.approvals.chooseAll(format.count(count))
                : t.approvals.chooseFirst(format.count(decisionIdsMax), format.count(count))
            }
            variant="subtle"
            onClick={chooseAll}
          />
        )}
        {selection.ownCount > 0 && <strong>{t.approvals.ownLeft(format.count(selection.ownCount))}</strong>}
      </p>
      <div className="list-tools">
        <ColumnMenu {...choice} sorted={sorted} />
        <CsvButton name="godkjenning" columns={choice.inFile} load={loadFile} />
      </div>
    </div>
  )
}

/** Nothing in the list, or nothing matches the filter. */
function EmptyApprovals({ filter, showsAnomaliesOnly }: Pick<ApprovalQueueProps, 'filter' | 'showsAnomaliesOnly'>) {
  const { t } = useApprovalText()
  const [, change] = useSearchParams('/app/godkjenning')
  const { state, group: _, sort: __, ...left } = filter
  if (showsAnomaliesOnly || Object.values(left).some((value) => value !== undefined))
    return <NoRows onClear={() => change(noFilter)} />
  return (
    <EmptyState title={t.approvals.empty[state]} illustration={state === 'registered' ? 'done' : 'empty'}>
      {t.approvals.emptyText[state]}
    </EmptyState>
  )
}

interface StaleListNoticeProps {
  readonly filter: ApprovalListFilter
  /** Totals of the list as shown. */
  readonly shown: { readonly count: number; readonly amount: number }
  readonly isFetching: boolean
}

function StaleListNotice({ filter, shown, isFetching }: StaleListNoticeProps) {
  const { t, format } = useApprovalText()
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
          <Button label={staleList.show} onClick={() => void refreshMaterial(client)} />
        </p>
      )}
    </div>
  )
}
