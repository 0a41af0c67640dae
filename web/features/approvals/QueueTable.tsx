// QueueTable: the rows of the approval queue that are in view.
import { useMemo } from 'react'
import { useApprovalText } from '../../i18n/approvals.ts'
import styles from './Queue.module.css'
import { noStatus } from './QueueCells.tsx'
import { AnomaliesHeader, GroupHeader, LineRow, QueueHeader } from './Rows.tsx'
import type { ApprovalQueueState } from './use-approval-queue.ts'

export function QueueTable(queue: ApprovalQueueState) {
  const { layout, first, last, height, at, hasCards, filter, overview, mayDecide, selection, lineOf } = queue
  const { columns, isWide } = queue
  const onTick = mayDecide ? selection.toggle : null
  const { t } = useApprovalText()
  const { anomalies, anomalyCount } = overview
  const anomalyFlagsById = useMemo(
    () => new Map(anomalies.map(({ id, anomalyFlags }) => [id, anomalyFlags])),
    [anomalies],
  )
  return (
    <div
      className={`${styles.table} ${isWide ? styles.wide : ''}`}
      role="table"
      style={{ gridTemplateColumns: columns.map(({ width }) => width).join(' ') }}
      aria-label={t.screens.godkjenning}
      aria-rowcount={layout.length}
    >
      {!hasCards && <QueueHeader columns={columns} sorted={queue.sorted} />}
      <div
        ref={queue.list}
        className={styles.rows}
        role="rowgroup"
        style={{ height: layout.length * height, paddingTop: first * height }}
      >
        {Array.from({ length: Math.max(0, last - first) }, (_, index) => {
          const position = first + index
          const item = layout.at(position)
          const shared = { position, height, isCurrent: position === at }
          if (item.kind === 'anomalies-header')
            return <AnomaliesHeader key="anomalies" {...shared} count={anomalyCount} shown={anomalies.length} />
          if (item.kind === 'group')
            return (
              <GroupHeader
                key={`group ${item.group.key}`}
                {...shared}
                group={item.group}
                grouping={filter.group}
                onTick={onTick && queue.chooseGroup}
              />
            )
          const line = lineOf(item)
          return (
            <LineRow
              key={item.kind === 'anomaly' ? `anomaly ${item.line.id}` : `line ${item.index}`}
              {...shared}
              {...(line === undefined ? noStatus : queue.statusOf(line))}
              line={line}
              anomalyFlags={anomalyFlagsById.get(line?.id ?? 0) ?? 0}
              columns={columns}
              isOpen={line !== undefined && line.id === queue.openId}
              onTick={onTick}
              onOpen={queue.onOpen}
              onFocus={queue.setAt}
            />
          )
        })}
      </div>
    </div>
  )
}
