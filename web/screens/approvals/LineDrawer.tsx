// Everything about one line: what it says, who did what, what it said before, and what stands beside it.
import { useQuery } from '@tanstack/react-query'
import { lineQuery, type Line, type LineDetail } from '../../data/approvals.ts'
import { amountText, dayText, momentText, quantityText } from '../../data/format.ts'
import { useSession } from '../../data/session.ts'
import { actorText } from '../../parts/actor.ts'
import { textOf } from '../../data/sets.ts'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Fetched } from '../../parts/States.tsx'
import type { Texts } from '../../text/nb.ts'
import type { Language } from '../../text/language.ts'
import { useText } from '../../text/text.tsx'
import { nameOf } from './plan.ts'
import './LineDrawer.css'

interface LineDrawerProps {
  readonly id: number
  readonly onClose: () => void
  readonly onOpen: (id: number) => void
}

export const LineDrawer = ({ id, onClose, onOpen }: LineDrawerProps) => {
  const { say } = useText()
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

const Detail = ({ detail, onOpen }: { detail: LineDetail; onOpen: (id: number) => void }) => {
  const { say, language } = useText()
  const { row, neighbours } = detail
  return (
    <>
      {row.rejectionReason !== null && (
        <p className="bar refused">{say.approvals.because(row.rejectionReason)}</p>
      )}
      <dl className="fields">
        {fieldsOf(row, say, language).map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
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

const fieldsOf = (line: Line, say: Texts, language: Language): [string, string][] => {
  const { columns } = say.approvals
  const money = (amount: number | null) => (amount === null ? '' : amountText(amount, language, 2))
  const all: [string, string][] = [
    [columns.date, dayText(line.date, language, 'long')],
    [columns.employee, nameOf(line)],
    [columns.project, [line.projectId, line.projectName].filter(Boolean).join(' ')],
    [columns.site, line.siteName ?? ''],
    [say.revenue.department, line.departmentId ?? ''],
    [columns.item, [line.itemId, line.itemName].filter(Boolean).join(' ')],
    [columns.quantity, `${quantityText(line.quantity, language)} ${line.unit ?? ''}`],
    [columns.price, money(line.salesPrice)],
    [columns.amount, money(line.amount)],
    [columns.billable, line.isBillable === null ? '' : line.isBillable === 1 ? say.yes : say.no],
    [say.revenue.remark, line.remark ?? ''],
    [columns.source, [line.source, line.externalId].filter(Boolean).join(' ')],
  ]
  return all.filter(([, value]) => value !== '')
}

/** The latest first: decided, changed, registered. */
const History = ({ detail: { row, revisions } }: { detail: LineDetail }) => {
  const { say, language } = useText()
  const { zone } = useSession()
  const when = (at: number) => momentText(at, language, zone)
  return (
    <ol className="history">
      {row.decidedAt !== null && row.decidedBy !== null && (
        <li>
          <div className="history-line">
            <strong>{say.approvals.past[pastOf(row.state)]}</strong>
          </div>
          <div className="history-by muted">
            {when(row.decidedAt)} · {actorText(row.decidedBy, say)}
          </div>
        </li>
      )}
      {revisions.map(({ revision, replacedAt, replacedBy, content }) => (
        <li key={revision}>
          <div className="history-line">
            <strong>{say.approvals.changed}</strong>
            <span className="muted">{say.approvals.before(earlier(content, row, language))}</span>
          </div>
          <div className="history-by muted">
            {when(replacedAt)} · {actorText(replacedBy ?? '', say)}
          </div>
        </li>
      ))}
      <li>
        <div className="history-line">
          <strong>{say.approvals.registered}</strong>
        </div>
        <div className="history-by muted">
          {when(row.createdAt)} · {actorText(row.registeredBy, say)}
        </div>
      </li>
    </ol>
  )
}

/** What an earlier revision said otherwise, in a few words. */
const earlier = (
  content: Readonly<Record<string, unknown>>,
  row: Line,
  language: Language,
): string => {
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

const stateText = (state: string, say: Texts): string =>
  new Map(Object.entries(say.approvals.states)).get(state) ?? state

const pastOf = (state: string): 'Registrert' | 'Godkjent' | 'Avvist' | 'Eksportert' =>
  state === 'Godkjent' || state === 'Avvist' || state === 'Eksportert' ? state : 'Registrert'
