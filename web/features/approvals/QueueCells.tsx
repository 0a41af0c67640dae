// Cells of the approval queue: what a line shows of itself.
import type { LineGrouping, LineState, MaterialRow } from '../../../src/app/contract/approvals.ts'
import { daysBetween } from '../../api/days.ts'
import { toDay } from '../../api/format.ts'
import type { TableColumn } from '../../components/Table.tsx'
import { useApprovalText } from '../../i18n/approvals.ts'
import { AnomalyTags } from './Anomalies.tsx'
import styles from './Queue.module.css'
import { stateNames } from './use-decisions.ts'

export interface QueuedLineStatus {
  /** Registered by this user: under four-eyes approval somebody else must decide. */
  readonly isOwn: boolean
  /** A decision is queued until the app is online. */
  readonly isWaiting: boolean
  /** The state after a decision just made, until the list is refreshed. */
  readonly newState: LineState | undefined
}

export interface QueuedLine extends QueuedLineStatus {
  readonly line: MaterialRow
  readonly anomalyFlags: number
  readonly isTicked: boolean
  /** Null when nothing can be decided. */
  readonly onTick: ((line: MaterialRow) => void) | null
}

/** Of a line that is not loaded, or in a file. */
export const noStatus = { isOwn: false, isWaiting: false, newState: undefined, isTicked: false } as const

export function SelectCheckbox({ line, isTicked, isOwn, isWaiting, newState, onTick }: QueuedLine) {
  const { t, format } = useApprovalText()
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
function RowStatus({ isOwn, isWaiting, newState }: QueuedLineStatus) {
  const { t } = useApprovalText()
  return (
    <>
      {isOwn && (
        <span className="warning-tag" title={t.approvals.ownLine}>
          {t.approvals.own}
        </span>
      )}
      {isWaiting && <span className="warning-tag">{t.outbox.pending}</span>}
      {newState !== undefined && (
        <span className="warning-tag">{t.approvals.states[stateNames[newState]].toLowerCase()}</span>
      )}
    </>
  )
}

export function Item({ line, anomalyFlags, grouping, ...status }: QueuedLine & { grouping: LineGrouping }) {
  return (
    <>
      {getItemName(line)} <RowStatus {...status} />
      <AnomalyTags anomalyFlags={anomalyFlags} />
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

/** The fields that every card has; each of the other columns that the user shows is a line of its own. */
export function isOnCard(key: string | undefined): boolean {
  return key === undefined || cardFields.has(key)
}

const cardFields: ReadonlySet<string> = new Set(['date', 'employee', 'project', 'quantity', 'amount', 'age'])

export function Card({ columns, ...queued }: QueuedLine & { columns: readonly TableColumn<QueuedLine>[] }) {
  const { t } = useApprovalText()
  const { line, anomalyFlags } = queued
  const field = (key: string) => columns.find((column) => column.key === key)?.show(queued)
  const [date, employee, project] = [field('date'), field('employee'), field('project')]
  return (
    <>
      <span className="card-line">
        <strong>{getItemName(line)}</strong>
        <strong className="number">{field('amount')}</strong>
      </span>
      <span className="card-line muted">
        <span>{project && (line.projectId === null ? t.approvals.without.project : project)}</span>
        <span>{field('quantity')}</span>
      </span>
      <span className="card-line muted">
        <span>
          {date}
          {date && employee && ' · '}
          {employee}
        </span>
        <span className={styles.cardTags}>
          {field('age')}
          <RowStatus {...queued} />
          <AnomalyTags anomalyFlags={anomalyFlags} />
        </span>
      </span>
      {columns
        .filter(({ key }) => !isOnCard(key))
        .map(({ key, title, isNumber, show }) => (
          <span key={key} className="card-line muted">
            <span>{title}</span>
            <span className={isNumber ? 'number' : undefined}>{show(queued)}</span>
          </span>
        ))}
    </>
  )
}

/** Who registered a line in the app; '' for other lines. */
export function getRegistrant({ source, registeredBy }: MaterialRow): string {
  return source === appSource ? registeredBy : ''
}

const appSource = 'app'

/** Days since registration. */
export function getAge({ createdAt }: MaterialRow, today: string, zone: string): number {
  return Math.max(0, daysBetween(toDay(createdAt, zone), today))
}

export function getItemName({ itemName, itemId }: MaterialRow): string {
  return itemName ?? itemId ?? ''
}
