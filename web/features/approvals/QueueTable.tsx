// QueueTable: the rows of the approval queue that are in view.
import type { ApprovalOverview, LineGroup, MaterialRow } from '../../../src/app/contract/approvals.ts'
import { useMemo, type Ref } from 'react'
import type { ApprovalListFilter } from '../../api/approvals.ts'
import type { TableOrder } from '../../components/Table.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import type { ListItem, ListLayout } from './list-layout.ts'
import styles from './Queue.module.css'
import { useQueueColumns } from './queue-columns.tsx'
import type { LineStatus } from './QueueCells.tsx'
import { AnomaliesHeader, GroupHeader, LineRow, QueueHeader } from './Rows.tsx'

interface QueueTableProps {
  readonly ref: Ref<HTMLDivElement>
  readonly layout: ListLayout
  readonly first: number
  readonly last: number
  readonly height: number
  /** The current row. */
  readonly at: number
  readonly hasCards: boolean
  readonly filter: ApprovalListFilter
  readonly overview: ApprovalOverview
  readonly openId: number | undefined
  /** Whether the open line takes a part of the width. */
  readonly isNarrowed: boolean
  readonly lineOf: (item: ListItem) => MaterialRow | undefined
  readonly statusOf: (line: MaterialRow) => LineStatus & { readonly isTicked: boolean }
  /** Null when nothing can be decided. */
  readonly onTick: ((line: MaterialRow) => void) | null
  readonly onTickGroup: (group: LineGroup) => void
  readonly onOpen: (id: number) => void
  /** Undefined for a list that is not sorted. */
  readonly sorted: TableOrder | undefined
  readonly onFocus: (position: number) => void
}

export function QueueTable(props: QueueTableProps) {
  const { ref, layout, first, last, height, at, hasCards, filter, overview, openId, isNarrowed } = props
  const { lineOf, statusOf, onTick, onTickGroup, onOpen, sorted, onFocus } = props
  const { t } = useTranslation(approvalText)
  const columns = useQueueColumns(filter, { hasCards, isNarrowed })
  const { anomalies, anomalyCount } = overview
  const anomalyFlagsById = useMemo(
    () => new Map(anomalies.map(({ id, anomalyFlags }) => [id, anomalyFlags])),
    [anomalies],
  )
  return (
    <div
      className={styles.table}
      role="table"
      style={{ gridTemplateColumns: columns.map(({ width }) => width).join(' ') }}
      aria-label={t.screens.godkjenning}
      aria-rowcount={layout.length}
    >
      {!hasCards && <QueueHeader columns={columns} sorted={sorted} />}
      <div
        ref={ref}
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
                onTick={onTick && onTickGroup}
              />
            )
          const line = lineOf(item)
          return (
            <LineRow
              key={item.kind === 'anomaly' ? `anomaly ${item.line.id}` : `line ${item.index}`}
              {...shared}
              {...(line === undefined ? notLoaded : statusOf(line))}
              line={line}
              anomalyFlags={anomalyFlagsById.get(line?.id ?? 0) ?? 0}
              columns={columns}
              isOpen={line !== undefined && line.id === openId}
              onTick={onTick}
              onOpen={onOpen}
              onFocus={onFocus}
            />
          )
        })}
      </div>
    </div>
  )
}

const notLoaded = { isOwn: false, isWaiting: false, newState: undefined, isTicked: false }
