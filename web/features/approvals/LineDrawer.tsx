// LineDrawer: fields of a line, its history, and other lines of the project.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lineQuery, type Line, type LineDetail } from '../../api/approvals.ts'
import { amountText, dayText, momentText, quantityText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { actorText } from '../../components/format-actor.ts'
import { departmentsQuery, textOf, type SetName } from '../../api/sets.ts'
import { SideDrawer } from '../../components/SideDrawer.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import type { ApprovalTexts } from '../../i18n/approvals.ts'
import type { Language } from '../../i18n/language.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { auditText } from '../../i18n/audit.ts'
import { exportText } from '../../i18n/export.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { nameOf } from './list-layout.ts'
import './LineDrawer.css'

interface LineDrawerProps {
  readonly id: number
  readonly onClose: () => void
  readonly onOpen: (id: number) => void
}

export function LineDrawer({ id, onClose, onOpen }: LineDrawerProps) {
  const { say } = useText(approvalText)
  const query = useQuery(lineQuery(id))
  const row = query.data?.row
  return (
    <SideDrawer
      title={row?.itemName ?? row?.itemId ?? say.approvals.line(id)}
      note={row === undefined ? '' : `${say.approvals.line(id)} · ${stateText(row.state, say)}`}
      onClose={onClose}
    >
      <Fetched query={query}>{(detail) => <Detail detail={detail} onOpen={onOpen} />}</Fetched>
    </SideDrawer>
  )
}

function Detail({ detail, onOpen }: { detail: LineDetail; onOpen: (id: number) => void }) {
  const { say, language } = useText(approvalText, revenueText)
  const { row, neighbours } = detail
  return (
    <>
      {row.rejectionReason !== null && (
        <p className="alert error">{say.approvals.because(row.rejectionReason)}</p>
      )}
      <LineFields line={row} />
      <h2>{say.revenue.history}</h2>
      <History detail={detail} />
      {neighbours.length > 0 && (
        <section className="related">
          <h2>{say.approvals.neighbours}</h2>
          <div className="neighbours">
            {neighbours.map((line) => (
              <button key={line.id} type="button" onClick={() => onOpen(line.id)}>
                <span>{dayText(line.date, language)}</span>
                <span className="grow">{line.itemName ?? line.itemId}</span>
                <span className="number">
                  {quantityText(line.quantity, language)} {line.unit}
                </span>
                <span className="number">
                  {line.amount === null ? say.none : amountText(line.amount, language, 2)}
                </span>
              </button>
            ))}
          </div>
        </section>
      )}
    </>
  )
}

/** All fields; directory records are links. */
function LineFields({ line }: { line: Line }) {
  const { say, language } = useText(approvalText, revenueText)
  const { data: departments } = useQuery(departmentsQuery)
  const { columns } = say.approvals
  const money = (amount: number | null) => (amount === null ? '' : amountText(amount, language, 2))
  const named = (...parts: readonly (string | null | undefined)[]) =>
    parts.filter(Boolean).join(' ')
  const { employeeId, projectId, departmentId } = line
  const all: readonly (readonly [string, ReactNode])[] = [
    [columns.date, dayText(line.date, language, 'long')],
    [
      columns.employee,
      inDirectory('Ansatt', employeeId, line.firstName ?? line.lastName, nameOf(line)),
    ],
    [columns.project, inDirectory('Prosjekt', projectId, line.projectName)],
    [columns.site, line.siteName],
    [
      say.revenue.department,
      inDirectory('Avdeling', departmentId, departments?.get(departmentId ?? '')),
    ],
    [columns.item, named(line.itemId, line.itemName)],
    [columns.quantity, named(quantityText(line.quantity, language), line.unit)],
    [columns.price, money(line.salesPrice)],
    [columns.amount, money(line.amount)],
    [columns.billable, line.isBillable === null ? '' : line.isBillable === 1 ? say.yes : say.no],
    [say.revenue.remark, line.remark],
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
function inDirectory(
  set: SetName,
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

interface Step {
  readonly at: number
  readonly what: string
  readonly more: ReactNode
  readonly who: string
}

/** Newest first: exported, decided, changed, registered. */
function History({ detail: { row, revisions, received } }: { detail: LineDetail }) {
  const { say, language } = useText(approvalText, auditText, exportText, revenueText)
  const { zone } = useSession()
  const acts: Readonly<Record<string, string>> = say.export.acts
  const steps: Step[] = [
    ...received.map(({ destinationId, act, at, actor, externalId, reason }) => ({
      at,
      what: acts[act] ?? act,
      more: (
        <>
          {[externalId, reason].filter((one) => one !== null).join(' · ')}{' '}
          <Link to="/app/eksport" search={{ linje: row.id, mottaker: destinationId }}>
            {say.approvals.exportStory}
          </Link>
        </>
      ),
      who: actor,
    })),
    ...(row.decidedAt === null || row.decidedBy === null
      ? []
      : [
          {
            at: row.decidedAt,
            what: say.approvals.past[pastOf(row.state)],
            more: '',
            who: row.decidedBy,
          },
        ]),
    ...revisions.map(({ replacedAt, replacedBy, content }) => ({
      at: replacedAt,
      what: say.approvals.changed,
      more: say.approvals.before(earlier(content, row, language)),
      who: replacedBy ?? '',
    })),
    { at: row.createdAt, what: say.approvals.registered, more: '', who: row.registeredBy },
  ].toSorted((one, other) => other.at - one.at)
  return (
    <ol className="history">
      {steps.map(({ at, what, more, who }, index) => (
        <li key={index}>
          <div className="history-line">
            <strong>{what}</strong>
            <span className="muted">{more}</span>
          </div>
          <div className="history-by muted">
            {momentText(at, language, zone)} · {actorText(who, say)}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** What an earlier revision said differently, in short. */
function earlier(
  content: Readonly<Record<string, unknown>>,
  row: Line,
  language: Language,
): string {
  const now = new Map<string, unknown>(Object.entries(row))
  return Object.entries(content)
    .filter(([name, value]) => now.has(name) && now.get(name) !== value && name !== 'amount')
    .map(([name, value]) =>
      typeof value === 'number' && name !== 'employeeId'
        ? quantityText(value, language)
        : textOf(value) || '–',
    )
    .join(', ')
}

function stateText(state: string, say: ApprovalTexts): string {
  return new Map(Object.entries(say.approvals.states)).get(state) ?? state
}

/** The last decision; an export is none. */
function pastOf(state: string): keyof ApprovalTexts['approvals']['past'] {
  return state === 'Registrert' || state === 'Avvist' ? state : 'Godkjent'
}
