// Rows of the approval queue: group header, line, and line as a card on narrow screens.
import { Checkbox } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { memo, type ReactNode } from 'react'
import {
  anomalyFlags,
  type Grouping,
  type MaterialLine,
  type LineGroup,
  type LineState,
} from '../../api/approvals.ts'
import { daysBetween } from '../../api/days.ts'
import { formatAmount, formatCount, toDay, formatDay, formatQuantity } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { Icon } from '../../components/Icon.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { getEmployeeName } from './list-layout.ts'
import './Rows.css'

export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 48rem)') ?? false
}

/** Lines are cards: beside the navigation, a tablet is too narrow for a table without truncated numbers. */
export function useHasCards(): boolean {
  return useMediaQuery('(max-width: 64rem)') ?? false
}

/** Pixels; equal for all rows, so that an index gives a scroll position. */
export function rowHeight(hasCards: boolean): number {
  return hasCards ? 92 : 36
}

interface RowPlacement {
  readonly position: number
  readonly height: number
  readonly isCurrent: boolean
}

export function QueueHeader() {
  const { t } = useTranslation(approvalText)
  const { columns } = t.approvals
  return (
    <div className="queue-row queue-head" role="row">
      <span role="columnheader" aria-label={columns.tick} />
      <span role="columnheader" className="day-column">
        {columns.date}
      </span>
      <span role="columnheader" className="employee-column">
        {columns.employee}
      </span>
      <span role="columnheader" className="project-column">
        {columns.project}
      </span>
      <span role="columnheader">{columns.item}</span>
      <span role="columnheader" className="number">
        {columns.quantity}
      </span>
      <span role="columnheader" className="number">
        {columns.price}
      </span>
      <span role="columnheader" className="number">
        {columns.amount}
      </span>
      <span role="columnheader" className="source-column">
        {columns.source}
      </span>
      <span role="columnheader" className="number age-column">
        {columns.age}
      </span>
    </div>
  )
}

interface AnomaliesHeaderProps extends RowPlacement {
  readonly count: number
  /** How many of them are listed. */
  readonly shown: number
}

export function AnomaliesHeader({ count, shown, ...placement }: AnomaliesHeaderProps) {
  const { t, language } = useTranslation(approvalText)
  const [all, listed] = [formatCount(count, language), formatCount(shown, language)]
  return (
    <HeaderRow {...placement} className="anomalies-head">
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
  readonly grouping: Grouping
  /** Null when nothing can be decided. */
  readonly onTick: ((group: LineGroup) => void) | null
}

export function GroupHeader({ group, grouping, onTick, ...placement }: GroupHeaderProps) {
  const { t, language } = useTranslation(approvalText)
  return (
    <HeaderRow {...placement} className="group-head">
      <strong>
        {grouping === 'day'
          ? formatDay(group.key, language, 'long')
          : (group.name ?? (group.key || t.approvals.without[grouping]))}
        {group.name !== null && <span className="muted"> {group.key}</span>}
      </strong>
      <span className="group-sum">
        <span className="muted">{t.approvals.lines(formatCount(group.count, language))}</span>
        <strong>{formatAmount(group.amount, language)}</strong>
        {onTick !== null && group.key !== '' && (
          <button
            type="button"
            className="group-tick"
            tabIndex={-1}
            aria-label={`${t.approvals.tickGroup} ${group.name ?? group.key}`}
            onClick={() => onTick(group)}
          >
            {t.approvals.tickGroup}
          </button>
        )}
      </span>
    </HeaderRow>
  )
}

function HeaderRow({
  children,
  className,
  ...placement
}: RowPlacement & { children: ReactNode; className: string }) {
  return (
    <div
      className={`queue-row ${className}`}
      role="row"
      style={{ height: placement.height }}
      tabIndex={placement.isCurrent ? 0 : -1}
      data-position={placement.position}
      aria-rowindex={placement.position + 1}
    >
      <span role="cell" className="head-cell">
        {children}
      </span>
    </div>
  )
}

interface RowStatusProps {
  /** Registered by this user: under four-eyes approval somebody else must decide. */
  readonly isOwn: boolean
  /** A decision is queued until the app is online. */
  readonly isWaiting: boolean
  /** The state after a decision just made, until the list is refreshed. */
  readonly newState: LineState | undefined
}

interface LineRowProps extends RowPlacement, RowStatusProps {
  /** Undefined until its range is loaded. */
  readonly line: MaterialLine | undefined
  readonly oddity: number
  readonly grouping: Grouping
  readonly hasCards: boolean
  readonly isTicked: boolean
  readonly isOpen: boolean
  /** Null when nothing can be decided. */
  readonly onTick: ((line: MaterialLine) => void) | null
  readonly onOpen: (id: number) => void
  readonly onFocus: (position: number) => void
}

export const LineRow = memo((props: LineRowProps) => {
  const { line, isTicked, isOpen, hasCards, onOpen, onFocus } = props
  if (line === undefined)
    return (
      <div className="queue-row" role="row" style={{ height: props.height }}>
        <span className="skeleton" role="cell" />
      </div>
    )
  const className = `queue-row line${isTicked ? ' ticked' : ''}${isOpen ? ' open' : ''}`
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
        const isTick = event.target instanceof HTMLElement && event.target.closest('.tick') !== null
        if (!isTick) onOpen(line.id)
      }}
    >
      <SelectCheckbox {...props} line={line} />
      {hasCards ? <Card {...props} line={line} /> : <Cells {...props} line={line} />}
    </div>
  )
})

type LoadedLineProps = LineRowProps & { readonly line: MaterialLine }

function SelectCheckbox({ line, isTicked, isOwn, isWaiting, newState, onTick }: LoadedLineProps) {
  const { t, language } = useTranslation(approvalText)
  const label = t.approvals.tick(
    getItemName(line),
    formatDay(line.date, language),
    line.amount === null ? t.none : formatAmount(line.amount, language),
  )
  return (
    <span role="cell" className="tick">
      {onTick !== null && !isWaiting && !isOwn && newState === undefined && (
        <Checkbox
          size="xs"
          tabIndex={-1}
          checked={isTicked}
          aria-label={label}
          onChange={() => onTick(line)}
        />
      )}
    </span>
  )
}

/** Why the line cannot be selected. */
function RowStatus({ isOwn, isWaiting, newState }: RowStatusProps) {
  const { t } = useTranslation(approvalText)
  return (
    <>
      {isOwn && <span className="warning-tag">{t.approvals.own}</span>}
      {isWaiting && <span className="warning-tag">{t.outbox.pending}</span>}
      {newState !== undefined && (
        <span className="warning-tag">{t.approvals.states[stateNames[newState]]}</span>
      )}
    </>
  )
}

const stateNames = {
  registered: 'Registrert',
  approved: 'Godkjent',
  rejected: 'Avvist',
  exported: 'Eksportert',
} as const satisfies Record<LineState, string>

function Cells({ line, oddity, grouping, isOwn, isWaiting, newState }: LoadedLineProps) {
  const { t, language } = useTranslation(approvalText)
  return (
    <>
      <span role="cell" className="day-column">
        {formatDay(line.date, language)}
      </span>
      <span role="cell" className="employee-column">
        {getEmployeeName(line)}
      </span>
      <span role="cell" className="project-column">
        {line.projectName ?? line.projectId ?? ''}
        {line.siteName !== null && <span className="muted"> {line.siteName}</span>}
      </span>
      <span role="cell">
        <RowStatus isOwn={isOwn} isWaiting={isWaiting} newState={newState} />
        <AnomalyTags oddity={oddity} />
        {getItemName(line)}
        {line.rejectionReason !== null && (
          <span className="reason" title={line.rejectionReason}>
            {' '}
            {line.rejectionReason}
          </span>
        )}
        {oddity !== 0 && grouping === 'project' && (
          <span className="muted">
            {' '}
            {line.projectName ?? line.projectId ?? t.approvals.without.project}
          </span>
        )}
      </span>
      <span role="cell" className="number">
        {formatQuantity(line.quantity, language)} <span className="unit muted">{line.unit}</span>
      </span>
      <span role="cell" className="number">
        {line.salesPrice === null ? t.none : formatAmount(line.salesPrice, language, 2)}
      </span>
      <span role="cell" className="number strong">
        {line.amount === null ? t.none : formatAmount(line.amount, language, 2)}
      </span>
      <span role="cell" className="muted source-column">
        {line.source}
      </span>
      <span role="cell" className="number muted age-column">
        <Age line={line} />
      </span>
    </>
  )
}

function Card({ line, oddity, isOwn, isWaiting, newState }: LoadedLineProps) {
  const { t, language } = useTranslation(approvalText)
  return (
    <span role="cell" className="card">
      <span className="card-line">
        <strong>{getItemName(line)}</strong>
        <strong className="number">
          {line.amount === null ? t.none : formatAmount(line.amount, language, 2)}
        </strong>
      </span>
      <span className="card-line muted">
        <span>{line.projectName ?? line.projectId ?? t.approvals.without.project}</span>
        <span>
          {formatQuantity(line.quantity, language)} {line.unit}
        </span>
      </span>
      <span className="card-line muted">
        <span>
          {formatDay(line.date, language)} · {getEmployeeName(line)}
        </span>
        <span>
          <Age line={line} />
          <RowStatus isOwn={isOwn} isWaiting={isWaiting} newState={newState} />
          <AnomalyTags oddity={oddity} />
        </span>
      </span>
    </span>
  )
}

/** Days since registration, for undecided lines. */
function Age({ line }: { line: MaterialLine }) {
  const { t } = useTranslation(approvalText)
  const { today, zone } = useSession()
  if (line.state !== 'Registrert') return null
  return t.approvals.days(Math.max(0, daysBetween(toDay(line.createdAt, zone), today)))
}

function getItemName({ itemName, itemId }: MaterialLine): string {
  return itemName ?? itemId ?? ''
}

/** Anomalies as text, so that colour is not the only signal. */
function AnomalyTags({ oddity }: { oddity: number }) {
  const { t } = useTranslation(approvalText)
  if (oddity === 0) return null
  return (
    <>
      {anomalyNames
        .filter((name) => (oddity & anomalyFlags[name]) !== 0)
        .map((name) => (
          <span key={name} className="warning-tag">
            {t.approvals.anomalies[name]}
          </span>
        ))}
    </>
  )
}

const anomalyNames = [
  'noProject',
  'unknownProject',
  'unknownDepartment',
  'noPrice',
  'repeated',
  'unusual',
  'future',
] as const
