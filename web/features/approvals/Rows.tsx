// Rows of the approval queue: heading, group header and line.
import type { LineGroup, LineGrouping } from '../../../src/app/contract/approvals.ts'
import { memo, type ReactNode } from 'react'
import { Icon } from '../../components/Icon.tsx'
import { cellClass, ColumnTitle, getDirection, headingClass, type TableOrder } from '../../components/Table.tsx'
import { useApprovalText } from '../../i18n/approvals.ts'
import type { QueueColumn } from './queue-columns.tsx'
import type { QueuedLine } from './QueueCells.tsx'
import styles from './Queue.module.css'

interface RowPlacement {
  readonly position: number
  readonly height: number
  readonly isCurrent: boolean
}

export function QueueHeader({ columns, sorted }: { columns: readonly QueueColumn[]; sorted: TableOrder | undefined }) {
  return (
    <div className={`${styles.row} ${styles.head}`} role="row">
      {columns.map((column) => (
        <span
          key={column.title}
          role="columnheader"
          className={headingClass(column)}
          style={{ minWidth: column.minWidth }}
          aria-sort={getDirection(column, sorted)}
        >
          <ColumnTitle column={column} sorted={sorted} />
        </span>
      ))}
    </div>
  )
}

interface AnomaliesHeaderProps extends RowPlacement {
  readonly count: number
  /** How many of them are listed. */
  readonly shown: number
}

export function AnomaliesHeader({ count, shown, ...placement }: AnomaliesHeaderProps) {
  const { t, format } = useApprovalText()
  const [all, listed] = [format.count(count), format.count(shown)]
  return (
    <HeaderRow {...placement} className={styles.anomaliesHead}>
      <strong>
        <Icon name="warning" size={16} /> {t.approvals.anomalyCount(all)}
      </strong>
      <span className="muted">
        {shown < count && `${t.approvals.oldestAnomaliesOf(listed, all)} `}
        {t.approvals.anomaliesHint}
      </span>
    </HeaderRow>
  )
}

interface GroupHeaderProps extends RowPlacement {
  readonly group: LineGroup
  readonly grouping: LineGrouping
  /** Null when nothing can be decided. */
  readonly onTick: ((group: LineGroup) => void) | null
}

export function GroupHeader({ group, grouping, onTick, ...placement }: GroupHeaderProps) {
  const { t, format } = useApprovalText()
  return (
    <HeaderRow {...placement} className={styles.groupHead}>
      <strong>
        {grouping === 'day'
          ? format.day(group.key, 'long')
          : (group.name ?? (group.key || t.approvals.without[grouping]))}
        {group.name !== null && <span className="muted"> {group.key}</span>}
      </strong>
      {onTick !== null && group.key !== '' && (
        <button
          type="button"
          className={styles.groupTick}
          tabIndex={-1}
          aria-label={`${t.approvals.tickGroup} ${group.name ?? group.key}`}
          onClick={() => onTick(group)}
        >
          {t.approvals.tickGroup}
        </button>
      )}
      <span className={styles.groupSum}>
        <span className="muted">{t.approvals.lines(format.count(group.count))}</span>
        <strong>{format.amount(group.amount, 2)}</strong>
      </span>
    </HeaderRow>
  )
}

function HeaderRow({
  children,
  className,
  ...placement
}: RowPlacement & { children: ReactNode; className: string | undefined }) {
  return (
    <div
      className={`${styles.row} ${className}`}
      role="row"
      style={{ height: placement.height }}
      tabIndex={placement.isCurrent ? 0 : -1}
      data-position={placement.position}
      aria-rowindex={placement.position + 1}
    >
      <span role="cell" className={styles.headCell}>
        {children}
      </span>
    </div>
  )
}

interface LineRowProps extends RowPlacement, Omit<QueuedLine, 'line'> {
  /** Undefined until its range is loaded. */
  readonly line: QueuedLine['line'] | undefined
  readonly columns: readonly QueueColumn[]
  readonly isOpen: boolean
  readonly onOpen: (id: number) => void
  readonly onFocus: (position: number) => void
}

export const LineRow = memo((props: LineRowProps) => {
  const { line, columns, isTicked, isOpen, onOpen, onFocus } = props
  if (line === undefined)
    return (
      <div className={styles.row} role="row" style={{ height: props.height }}>
        <span className="skeleton" role="cell" />
      </div>
    )
  const className = [styles.row, styles.line, isTicked && styles.ticked, isOpen && styles.open]
    .filter(Boolean)
    .join(' ')
  return (
    <div
      className={className}
      role="row"
      style={{ height: props.height }}
      tabIndex={props.isCurrent ? 0 : -1}
      data-position={props.position}
      aria-rowindex={props.position + 1}
      aria-selected={isTicked}
      onFocus={() => onFocus(props.position)}
      onClick={(event) => {
        const isTick = event.target instanceof HTMLElement && event.target.closest(`.${styles.tick}`) !== null
        if (!isTick) onOpen(line.id)
      }}
    >
      {columns.map((column) => (
        <span key={column.title} role="cell" className={cellClass(column)} style={{ minWidth: column.minWidth }}>
          {column.show({ ...props, line })}
        </span>
      ))}
    </div>
  )
})
