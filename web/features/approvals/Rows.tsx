// Rows of the approval queue: group header, line, and line as a card on narrow screens.
import { Checkbox } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { memo, type ReactNode } from 'react'
import {
  oddities,
  type Grouping,
  type Line,
  type LineGroup,
  type LineState,
} from '../../api/approvals.ts'
import { daysBetween } from '../../api/days.ts'
import { amountText, countText, dayOf, dayText, quantityText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { Icon } from '../../components/Icon.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { useText } from '../../i18n/translation.tsx'
import { nameOf } from './list-layout.ts'
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

interface Placed {
  readonly position: number
  readonly height: number
  readonly isCurrent: boolean
}

export function Head() {
  const { say } = useText(approvalText)
  const { columns } = say.approvals
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

interface OddHeadProps extends Placed {
  readonly count: number
  /** How many of them are listed. */
  readonly shown: number
}

export function OddHead({ count, shown, ...placed }: OddHeadProps) {
  const { say, language } = useText(approvalText)
  const [all, listed] = [countText(count, language), countText(shown, language)]
  return (
    <HeadRow {...placed} className="anomalies-head">
      <strong>
        <Icon name="warning" size={16} /> {say.approvals.oddCount(all)}
      </strong>
      <span className="muted">
        {shown < count && `${say.approvals.oldestOddOf(listed, all)} `}
        {say.approvals.oddText}
      </span>
    </HeadRow>
  )
}

interface GroupRowProps extends Placed {
  readonly group: LineGroup
  readonly grouping: Grouping
  /** Null when nothing can be decided. */
  readonly onTick: ((group: LineGroup) => void) | null
}

export function GroupRow({ group, grouping, onTick, ...placed }: GroupRowProps) {
  const { say, language } = useText(approvalText)
  return (
    <HeadRow {...placed} className="group-head">
      <strong>
        {grouping === 'day'
          ? dayText(group.key, language, 'long')
          : (group.name ?? (group.key || say.approvals.without[grouping]))}
        {group.name !== null && <span className="muted"> {group.key}</span>}
      </strong>
      <span className="group-sum">
        <span className="muted">{say.approvals.lines(countText(group.count, language))}</span>
        <strong>{amountText(group.amount, language)}</strong>
        {onTick !== null && group.key !== '' && (
          <button
            type="button"
            className="group-tick"
            tabIndex={-1}
            aria-label={`${say.approvals.tickGroup} ${group.name ?? group.key}`}
            onClick={() => onTick(group)}
          >
            {say.approvals.tickGroup}
          </button>
        )}
      </span>
    </HeadRow>
  )
}

function HeadRow({
  children,
  className,
  ...placed
}: Placed & { children: ReactNode; className: string }) {
  return (
    <div
      className={`queue-row ${className}`}
      role="row"
      style={{ height: placed.height }}
      tabIndex={placed.isCurrent ? 0 : -1}
      data-position={placed.position}
      aria-rowindex={placed.position + 1}
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
  readonly became: LineState | undefined
}

interface LineRowProps extends Placed, RowStatusProps {
  /** Undefined until its range is loaded. */
  readonly line: Line | undefined
  readonly oddity: number
  readonly grouping: Grouping
  readonly hasCards: boolean
  readonly isTicked: boolean
  readonly isOpen: boolean
  /** Null when nothing can be decided. */
  readonly onTick: ((line: Line) => void) | null
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
      <Tick {...props} line={line} />
      {hasCards ? <Card {...props} line={line} /> : <Cells {...props} line={line} />}
    </div>
  )
})

type WithLine = LineRowProps & { readonly line: Line }

function Tick({ line, isTicked, isOwn, isWaiting, became, onTick }: WithLine) {
  const { say, language } = useText(approvalText)
  const label = say.approvals.tick(
    itemOf(line),
    dayText(line.date, language),
    line.amount === null ? say.none : amountText(line.amount, language),
  )
  return (
    <span role="cell" className="tick">
      {onTick !== null && !isWaiting && !isOwn && became === undefined && (
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
function Waits({ isOwn, isWaiting, became }: RowStatusProps) {
  const { say } = useText(approvalText)
  return (
    <>
      {isOwn && <span className="warning-tag">{say.approvals.own}</span>}
      {isWaiting && <span className="warning-tag">{say.outbox.waits}</span>}
      {became !== undefined && (
        <span className="warning-tag">{say.approvals.states[stateNames[became]]}</span>
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

function Cells({ line, oddity, grouping, isOwn, isWaiting, became }: WithLine) {
  const { say, language } = useText(approvalText)
  return (
    <>
      <span role="cell" className="day-column">
        {dayText(line.date, language)}
      </span>
      <span role="cell" className="employee-column">
        {nameOf(line)}
      </span>
      <span role="cell" className="project-column">
        {line.projectName ?? line.projectId ?? ''}
        {line.siteName !== null && <span className="muted"> {line.siteName}</span>}
      </span>
      <span role="cell">
        <Waits isOwn={isOwn} isWaiting={isWaiting} became={became} />
        <Oddities oddity={oddity} />
        {itemOf(line)}
        {line.rejectionReason !== null && (
          <span className="reason" title={line.rejectionReason}>
            {' '}
            {line.rejectionReason}
          </span>
        )}
        {oddity !== 0 && grouping === 'project' && (
          <span className="muted">
            {' '}
            {line.projectName ?? line.projectId ?? say.approvals.without.project}
          </span>
        )}
      </span>
      <span role="cell" className="number">
        {quantityText(line.quantity, language)} <span className="unit muted">{line.unit}</span>
      </span>
      <span role="cell" className="number">
        {line.salesPrice === null ? say.none : amountText(line.salesPrice, language, 2)}
      </span>
      <span role="cell" className="number strong">
        {line.amount === null ? say.none : amountText(line.amount, language, 2)}
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

function Card({ line, oddity, isOwn, isWaiting, became }: WithLine) {
  const { say, language } = useText(approvalText)
  return (
    <span role="cell" className="card">
      <span className="card-line">
        <strong>{itemOf(line)}</strong>
        <strong className="number">
          {line.amount === null ? say.none : amountText(line.amount, language, 2)}
        </strong>
      </span>
      <span className="card-line muted">
        <span>{line.projectName ?? line.projectId ?? say.approvals.without.project}</span>
        <span>
          {quantityText(line.quantity, language)} {line.unit}
        </span>
      </span>
      <span className="card-line muted">
        <span>
          {dayText(line.date, language)} · {nameOf(line)}
        </span>
        <span>
          <Age line={line} />
          <Waits isOwn={isOwn} isWaiting={isWaiting} became={became} />
          <Oddities oddity={oddity} />
        </span>
      </span>
    </span>
  )
}

/** Days since registration, for undecided lines. */
function Age({ line }: { line: Line }) {
  const { say } = useText(approvalText)
  const { today, zone } = useSession()
  if (line.state !== 'Registrert') return null
  return say.approvals.days(Math.max(0, daysBetween(dayOf(line.createdAt, zone), today)))
}

function itemOf({ itemName, itemId }: Line): string {
  return itemName ?? itemId ?? ''
}

/** Anomalies as text, so that colour is not the only signal. */
function Oddities({ oddity }: { oddity: number }) {
  const { say } = useText(approvalText)
  if (oddity === 0) return null
  return (
    <>
      {names
        .filter((name) => (oddity & oddities[name]) !== 0)
        .map((name) => (
          <span key={name} className="warning-tag">
            {say.approvals.oddities[name]}
          </span>
        ))}
    </>
  )
}

const names = [
  'noProject',
  'unknownProject',
  'unknownDepartment',
  'noPrice',
  'repeated',
  'unusual',
  'future',
] as const
