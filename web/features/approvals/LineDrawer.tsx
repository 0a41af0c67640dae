// LineDrawer: a line with the decisions on it, its history, and other lines of the project.
import type { MaterialLineDetails, MaterialRow } from '../../../src/app/contract/approvals.ts'
import type { DirectorySet } from '../../../src/app/contract/directory.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState, type ReactNode } from 'react'
import { lineQuery } from '../../api/approvals.ts'
import type { Formatter } from '../../api/format.ts'
import { formatActor } from '../../components/format-actor.ts'
import { departmentsQuery, toText } from '../../api/sets.ts'
import { SideDrawer } from '../../components/SideDrawer.tsx'
import { LineEditForm } from './LineEditForm.tsx'
import { DecisionOutcome } from './DecisionOutcome.tsx'
import { LineActions } from './LineActions.tsx'
import { AnomalyTags } from './queue-columns.tsx'
import { useDecisions } from './use-decisions.ts'
import { QueryStates } from '../../components/QueryStates.tsx'
import { type ApprovalTexts, approvalText } from '../../i18n/approvals.ts'
import { auditText } from '../../i18n/audit.ts'
import { exportText } from '../../i18n/export.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { getEmployeeName } from './list-layout.ts'
import './LineDrawer.css'

interface LineDrawerProps {
  readonly id: number
  readonly anomalyFlags: number
  readonly onClose: () => void
  readonly onOpen: (id: number) => void
  /** Opens the next line of the list, or the previous one. */
  readonly onStep: (rows: 1 | -1) => void
}

export function LineDrawer({ id, anomalyFlags, onClose, onOpen, onStep }: LineDrawerProps) {
  const { t } = useTranslation(approvalText)
  const query = useQuery(lineQuery(id))
  const decisions = useDecisions()
  const [isEditing, setEditing] = useState(false)
  const outcome = useRef<HTMLDivElement>(null)
  const row = query.data?.row
  // The outcome belongs to the line before.
  const leave = () => {
    decisions.dismiss()
    setEditing(false)
  }
  const open = (other: number) => {
    leave()
    onOpen(other)
  }
  const step = (rows: 1 | -1) => {
    leave()
    onStep(rows)
  }
  return (
    <SideDrawer
      title={row?.itemName ?? row?.itemId ?? t.approvals.line(id)}
      note={row === undefined ? '' : `${t.approvals.line(id)} · ${formatState(row.state, t)}`}
      onClose={onClose}
    >
      <div ref={outcome} tabIndex={-1}>
        <DecisionOutcome decisions={decisions} />
      </div>
      {isEditing && query.data !== undefined ? (
        <LineEditForm
          key={id}
          lines={{ ...query.data, ids: [id] }}
          row={query.data.row}
          onClose={() => setEditing(false)}
          onEdited={(decided) => {
            decisions.reportEdit(decided)
            setEditing(false)
            // The form had the focus.
            outcome.current?.focus()
          }}
        />
      ) : (
        <LineActions detail={query.data} decisions={decisions} onEdit={() => setEditing(true)} onStep={step} />
      )}
      {anomalyFlags !== 0 && (
        <p>
          <AnomalyTags anomalyFlags={anomalyFlags} />
        </p>
      )}
      <QueryStates query={query}>{(detail) => <LineDrawerContent detail={detail} onOpen={open} />}</QueryStates>
    </SideDrawer>
  )
}

function LineDrawerContent({ detail, onOpen }: { detail: MaterialLineDetails; onOpen: (id: number) => void }) {
  const { t, format } = useTranslation(approvalText, revenueText)
  const { row, linesOfProject } = detail
  return (
    <>
      {row.rejectionReason !== null && (
        <p className="alert error">{t.approvals.rejectedBecause(row.rejectionReason)}</p>
      )}
      <LineFields line={row} />
      <h2>{t.revenue.history}</h2>
      <History detail={detail} />
      {linesOfProject.length > 0 && (
        <section className="related">
          <h2>{t.approvals.linesOfProject}</h2>
          <div className="lines-of-project">
            {linesOfProject.map((line) => (
              <button key={line.id} type="button" onClick={() => onOpen(line.id)}>
                <span>{format.day(line.date)}</span>
                <span className="grow">{line.itemName ?? line.itemId}</span>
                <span className="number">
                  {format.quantity(line.quantity)} {line.unit}
                </span>
                <span className="number">{line.amount === null ? t.none : format.amount(line.amount, 2)}</span>
              </button>
            ))}
          </div>
        </section>
      )}
    </>
  )
}

/** All fields that have a value, and those that should have one; directory records are links. */
function LineFields({ line }: { line: MaterialRow }) {
  const { t, format } = useTranslation(approvalText, revenueText)
  const { data: departments } = useQuery(departmentsQuery)
  const { columns } = t.approvals
  const money = (amount: number | null) => (amount === null ? t.none : format.amount(amount, 2))
  const named = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' ')
  const { employeeId, projectId, departmentId } = line
  const all: readonly (readonly [string, ReactNode])[] = [
    [columns.date, format.day(line.date, 'long')],
    [columns.employee, directoryLink('Ansatt', employeeId, line.firstName ?? line.lastName, getEmployeeName(line))],
    [columns.project, directoryLink('Prosjekt', projectId, line.projectName) || t.none],
    [columns.site, line.siteName],
    [columns.department, directoryLink('Avdeling', departmentId, departments?.get(departmentId ?? '')) || t.none],
    [columns.item, named(line.itemId, line.itemName)],
    [columns.quantity, named(format.quantity(line.quantity), line.unit)],
    [columns.price, money(line.salesPrice)],
    [columns.amount, money(line.amount)],
    [columns.billable, line.isBillable === null ? '' : line.isBillable === 1 ? t.yes : t.no],
    [columns.remark, line.remark],
    [columns.source, named(line.source, line.externalId)],
  ]
  return (
    <dl className="fields">
      {all
        .filter(([, value]) => value !== '' && value !== null)
        .map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A link when the directory has the record; otherwise the code as sent. */
function directoryLink(
  set: DirectorySet,
  id: string | number | null,
  name: string | null | undefined,
  shown = [id, name].filter(Boolean).join(' '),
): ReactNode {
  return id === null || !name ? (
    shown
  ) : (
    <Link to="/app/register" search={{ liste: set, id: String(id) }}>
      {shown}
    </Link>
  )
}

interface HistoryEntry {
  readonly at: number
  readonly title: string
  readonly details: ReactNode
  readonly actor: string
}

/** Newest first: exported, decided, changed, registered. */
function History({ detail: { row, revisions, received } }: { detail: MaterialLineDetails }) {
  const { t, format } = useTranslation(approvalText, auditText, exportText, revenueText)
  const acts: Readonly<Record<string, string>> = t.export.actions
  const steps: HistoryEntry[] = [
    ...received.map(({ destinationId, action, at, actor, externalId, reason }) => ({
      at,
      title: acts[action] ?? action,
      details: (
        <>
          {[externalId, reason].filter((one) => one !== null).join(' · ')}{' '}
          <Link to="/app/eksport" search={{ linje: row.id, mottaker: destinationId }}>
            {t.approvals.exportDetails}
          </Link>
        </>
      ),
      actor,
    })),
    ...(row.decidedAt === null || row.decidedBy === null
      ? []
      : [
          {
            at: row.decidedAt,
            title: t.approvals.decisions[lastDecision(row.state)],
            details: '',
            actor: row.decidedBy,
          },
        ]),
    ...revisions.map(({ replacedAt, replacedBy, content }, index) => ({
      at: replacedAt,
      title: t.approvals.changed,
      details: describeChanges(content, revisions[index - 1]?.content ?? { ...row }, t, format),
      actor: replacedBy ?? '',
    })),
    { at: row.createdAt, title: t.approvals.registered, details: '', actor: row.registeredBy },
  ].toSorted((one, other) => other.at - one.at)
  return (
    <ol className="history">
      {steps.map(({ at, title, details, actor }, index) => (
        <li key={index}>
          <div className="history-line">
            <strong>{title}</strong>
            <span className="muted">{details}</span>
          </div>
          <div className="history-by muted">
            {format.timestamp(at)} · {formatActor(actor, t)}
          </div>
        </li>
      ))}
    </ol>
  )
}

type Content = Readonly<Record<string, unknown>>

/** The fields that got another value: `Antall 640 → 64`. */
function describeChanges(before: Content, after: Content, t: ApprovalTexts, format: Formatter) {
  const show = (name: string, value: unknown) =>
    typeof value === 'number' && name !== 'employeeId' ? format.quantity(value) : toText(value) || '–'
  return changeableFields
    .filter(([name]) => before[name] !== after[name])
    .map(([name, column]) => {
      const title = t.approvals.columns[column]
      return `${title} ${show(name, before[name])} → ${show(name, after[name])}`
    })
    .join(', ')
}

const changeableFields = [
  ['date', 'date'],
  ['employeeId', 'employee'],
  ['projectId', 'project'],
  ['siteId', 'site'],
  ['departmentId', 'department'],
  ['itemId', 'item'],
  ['itemName', 'item'],
  ['quantity', 'quantity'],
  ['unit', 'quantity'],
  ['salesPrice', 'price'],
  ['remark', 'remark'],
] as const

function formatState(state: string, t: ApprovalTexts): string {
  return new Map(Object.entries(t.approvals.states)).get(state) ?? state
}

/** The last decision; an export is none. */
function lastDecision(state: string): keyof ApprovalTexts['approvals']['decisions'] {
  return state === 'Registrert' || state === 'Avvist' ? state : 'Godkjent'
}
