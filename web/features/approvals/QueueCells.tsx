// Cells of the approval queue: what a line shows of itself.
import type { LineState, MaterialRow } from '../../../src/app/contract/approvals.ts'
import type { Grouping } from '../../api/approvals.ts'
import { daysBetween } from '../../api/days.ts'
import { toDay } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { AnomalyTags } from './Anomalies.tsx'
import { getEmployeeName } from './list-layout.ts'
import styles from './Queue.module.css'
import { stateNames } from './use-decisions.ts'

export interface LineStatus {
  /** Registered by this user: under four-eyes approval somebody else must decide. */
  readonly isOwn: boolean
  /** A decision is queued until the app is online. */
  readonly isWaiting: boolean
  /** The state after a decision just made, until the list is refreshed. */
  readonly newState: LineState | undefined
}

/** A line, with what this list knows about it. */
export interface QueuedLine extends LineStatus {
  readonly line: MaterialRow
  readonly anomalyFlags: number
  readonly isTicked: boolean
  /** Null when nothing can be decided. */
  readonly onTick: ((line: MaterialRow) => void) | null
}

export function SelectCheckbox({ line, isTicked, isOwn, isWaiting, newState, onTick }: QueuedLine) {
  const { t, format } = useTranslation(approvalText)
  const label = t.approvals.tick(getItemName(line), format.day(line.date), format.amount(line.amount, 2))
  if (onTick === null || isWaiting || isOwn || newState !== undefined) return null
  // That of the browser: a component in each row of a long list is slow.
  return (
    <input
      type="checkbox"
      className={styles.checkbox}
      tabIndex={-1}
      checked={isTicked}
      aria-label={label}
      onChange={() => onTick(line)}
    />
  )
}

/** Why the line cannot be selected. */
function RowStatus({ isOwn, isWaiting, newState }: LineStatus) {
  const { t } = useTranslation(approvalText)
  return (
    <>
      {isOwn && <span className="warning-tag">{t.approvals.own}</span>}
      {isWaiting && <span className="warning-tag">{t.outbox.pending}</span>}
      {newState !== undefined && <span className="warning-tag">{t.approvals.states[stateNames[newState]]}</span>}
    </>
  )
}

export function Item({ line, anomalyFlags, grouping, ...status }: QueuedLine & { grouping: Grouping }) {
  return (
    <>
      <RowStatus {...status} />
      <AnomalyTags anomalyFlags={anomalyFlags} />
      {getItemName(line)}
      {line.rejectionReason !== null && (
        <span className="reason" title={line.rejectionReason}>
          {' '}
          {line.rejectionReason}
        </span>
      )}
      {anomalyFlags !== 0 && grouping === 'project' && (
        <span className="muted"> {line.projectName ?? line.projectId}</span>
      )}
    </>
  )
}

export function Card({ line, anomalyFlags, ...status }: QueuedLine) {
  const { t, format } = useTranslation(approvalText)
  return (
    <>
      <span className="card-line">
        <strong>{getItemName(line)}</strong>
        <strong className="number">{format.amount(line.amount, 2)}</strong>
      </span>
      <span className="card-line muted">
        <span>{line.projectName ?? line.projectId ?? t.approvals.without.project}</span>
        <span>
          {format.quantity(line.quantity)} {line.unit}
        </span>
      </span>
      <span className="card-line muted">
        <span>
          {format.day(line.date)} · <EmployeeOrRegistrant line={line} />
        </span>
        <span>
          <Age line={line} />
          <RowStatus {...status} />
          <AnomalyTags anomalyFlags={anomalyFlags} />
        </span>
      </span>
    </>
  )
}

/** Lines registered in the app have no employee. */
export function EmployeeOrRegistrant({ line }: { line: MaterialRow }) {
  const { format } = useTranslation()
  const name = getEmployeeName(line)
  if (name !== '' || line.source !== appSource) return name
  return <span className="muted">{format.actor(line.registeredBy)}</span>
}

const appSource = 'app'

/** Days since registration, for undecided lines. */
export function Age({ line }: { line: MaterialRow }) {
  const { t } = useTranslation(approvalText)
  const { today, zone } = useSession()
  if (line.state !== 'Registrert') return null
  return t.approvals.days(Math.max(0, daysBetween(toDay(line.createdAt, zone), today)))
}

function getItemName({ itemName, itemId }: MaterialRow): string {
  return itemName ?? itemId ?? ''
}
