// Columns of the approval queue: heading, width and content of each.
import type { LineState, MaterialRow } from '../../../src/app/contract/approvals.ts'
import { Checkbox } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'
import { anomalyBits, type Grouping } from '../../api/approvals.ts'
import { daysBetween } from '../../api/days.ts'
import { toDay } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { formatActor } from '../../components/format-actor.ts'
import type { Column } from '../../components/Table.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { getEmployeeName } from './list-layout.ts'

interface LineStatus {
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

export interface QueueColumn extends Column<QueuedLine> {
  /** Track of the grid that all rows share. */
  readonly width: string
  /** Wide enough that common numbers and dates do not move the columns. */
  readonly minWidth?: string
}

/** No column for what the group header states, nor age for decided lines. */
export function useQueueColumns(grouping: Grouping, state: LineState, hasCards: boolean): readonly QueueColumn[] {
  const { t, language, format } = useTranslation(approvalText)
  const isMedium = useMediaQuery('(max-width: 75rem)') ?? false
  return useMemo(() => {
    const { columns } = t.approvals
    const tick: QueueColumn = {
      title: columns.tick,
      isTitleHidden: true,
      className: 'tick',
      width: hasCards ? '3rem' : '2.5rem',
      show: (queued) => <SelectCheckbox {...queued} />,
    }
    if (hasCards)
      return [
        tick,
        { title: columns.item, className: 'card', width: 'minmax(0, 1fr)', show: (queued) => <Card {...queued} /> },
      ]
    const number = { isNumber: true, width: 'max-content', minWidth: '5rem' } as const
    const money = (amount: number | null) => (amount === null ? t.none : format.amount(amount, 2))
    const all: readonly (QueueColumn & { readonly isOmitted?: boolean })[] = [
      tick,
      {
        title: columns.date,
        isOmitted: grouping === 'day',
        width: 'max-content',
        minWidth: '7rem',
        show: ({ line }) => format.day(line.date),
      },
      {
        title: columns.employee,
        isOmitted: grouping === 'employee',
        width: 'minmax(3.5rem, 1fr)',
        show: ({ line }) => <EmployeeOrRegistrant line={line} />,
      },
      {
        title: columns.project,
        isOmitted: grouping === 'project',
        width: 'minmax(3.5rem, 1.4fr)',
        show: ({ line }) => (
          <>
            {line.projectName ?? line.projectId ?? ''}
            {line.siteName !== null && <span className="muted"> {line.siteName}</span>}
          </>
        ),
      },
      { title: columns.item, width: 'minmax(3.5rem, 2fr)', show: (queued) => <Item {...queued} grouping={grouping} /> },
      {
        title: columns.quantity,
        ...number,
        show: ({ line }) => (
          <>
            {format.quantity(line.quantity)} <span className="unit muted">{line.unit}</span>
          </>
        ),
      },
      { title: columns.price, ...number, show: ({ line }) => money(line.salesPrice) },
      { title: columns.amount, ...number, className: 'strong', show: ({ line }) => money(line.amount) },
      {
        title: columns.source,
        isOmitted: isMedium,
        width: 'minmax(3rem, 5rem)',
        className: 'muted',
        show: ({ line }) => line.source,
      },
      {
        title: columns.age,
        isOmitted: state !== 'registered',
        ...number,
        minWidth: '3.5rem',
        className: 'muted',
        show: ({ line }) => <Age line={line} />,
      },
    ]
    return all.filter(({ isOmitted }) => !isOmitted)
  }, [t, language, grouping, state, hasCards, isMedium])
}

function SelectCheckbox({ line, isTicked, isOwn, isWaiting, newState, onTick }: QueuedLine) {
  const { t, format } = useTranslation(approvalText)
  const label = t.approvals.tick(
    getItemName(line),
    format.day(line.date),
    line.amount === null ? t.none : format.amount(line.amount, 2),
  )
  if (onTick === null || isWaiting || isOwn || newState !== undefined) return null
  return <Checkbox size="xs" tabIndex={-1} checked={isTicked} aria-label={label} onChange={() => onTick(line)} />
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

export const stateNames = {
  registered: 'Registrert',
  approved: 'Godkjent',
  rejected: 'Avvist',
  exported: 'Eksportert',
} as const satisfies Record<LineState, string>

function Item({ line, anomalyFlags, grouping, ...status }: QueuedLine & { grouping: Grouping }) {
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

function Card({ line, anomalyFlags, ...status }: QueuedLine) {
  const { t, format } = useTranslation(approvalText)
  return (
    <>
      <span className="card-line">
        <strong>{getItemName(line)}</strong>
        <strong className="number">{line.amount === null ? t.none : format.amount(line.amount, 2)}</strong>
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
function EmployeeOrRegistrant({ line }: { line: MaterialRow }) {
  const { t } = useTranslation(auditText, revenueText)
  const name = getEmployeeName(line)
  if (name !== '' || line.source !== appSource) return name
  return <span className="muted">{formatActor(line.registeredBy, t)}</span>
}

const appSource = 'app'

/** Days since registration, for undecided lines. */
function Age({ line }: { line: MaterialRow }) {
  const { t } = useTranslation(approvalText)
  const { today, zone } = useSession()
  if (line.state !== 'Registrert') return null
  return t.approvals.days(Math.max(0, daysBetween(toDay(line.createdAt, zone), today)))
}

function getItemName({ itemName, itemId }: MaterialRow): string {
  return itemName ?? itemId ?? ''
}

/** Anomalies as text, so that colour is not the only signal. */
export function AnomalyTags({ anomalyFlags }: { anomalyFlags: number }) {
  const { t } = useTranslation(approvalText)
  if (anomalyFlags === 0) return null
  return (
    <>
      {anomalyNames
        .filter((name) => (anomalyFlags & anomalyBits[name]) !== 0)
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
