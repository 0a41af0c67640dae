// LineDetail: an open line with the decisions on it, its fields and history, and related lines.
import type { MaterialLineDetails, MaterialRow } from '../../../src/app/contract/approvals.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type RefObject, type ReactNode } from 'react'
import { lineQuery } from '../../api/approvals.ts'
import { DetailPane } from '../../components/DetailPane.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { useApprovalText } from '../../i18n/approvals.ts'
import { AnomalyReasons } from './Anomalies.tsx'
import type { ApprovalQueueHandle } from './approval-queue-props.ts'
import { DecisionOutcome } from './DecisionOutcome.tsx'
import { LineActions } from './LineActions.tsx'
import styles from './LineDetail.module.css'
import { LineEditForm } from './LineEditForm.tsx'
import { LineHistory } from './LineHistory.tsx'
import type { Decisions } from './use-decisions.ts'
import type { DirectorySet } from '../../../src/app/contract/directory.ts'
import { Link } from '@tanstack/react-router'
import { departmentsQuery } from '../../api/sets.ts'
import { FieldList } from '../../components/FieldList.tsx'
import { getEmployeeName } from './list-layout.ts'

interface LineDetailProps {
  readonly id: number
  readonly anomalyFlags: number
  readonly decisions: Decisions
  readonly showsOutcome: boolean
  readonly queue: RefObject<ApprovalQueueHandle | null>
  readonly onClose: () => void
  readonly onOpen: (id: number) => void
}

export function LineDetail(props: LineDetailProps) {
  const { id, anomalyFlags, decisions, showsOutcome, queue, onClose, onOpen } = props
  const { t, format } = useApprovalText()
  const query = useQuery(lineQuery(id))
  const [editedId, setEditedId] = useState<number | null>(null)
  const outcome = useRef<HTMLDivElement>(null)
  const row = query.data?.row
  return (
    <DetailPane
      title={row?.itemName ?? row?.itemId ?? t.approvals.line(id)}
      note={
        row === undefined ? '' : `${t.approvals.line(id)} · ${format.code(t.approvals.states, row.state).toLowerCase()}`
      }
      onClose={onClose}
    >
      <div ref={outcome} tabIndex={-1}>
        {showsOutcome && <DecisionOutcome decisions={decisions} />}
      </div>
      {editedId === id && query.data !== undefined ? (
        <LineEditForm
          key={id}
          lines={{ ...query.data, ids: [id] }}
          row={query.data.row}
          onClose={() => setEditedId(null)}
          onEdited={(decided) => {
            decisions.reportEdit(decided)
            setEditedId(null)
            // The form had the focus.
            outcome.current?.focus()
          }}
        />
      ) : (
        <LineActions detail={query.data} decisions={decisions} queue={queue} onEdit={() => setEditedId(id)} />
      )}
      <QueryStates query={query}>
        {(detail) => (
          <>
            {detail.row.isOwn && <p className="muted">{t.approvals.ownLine}</p>}
            <AnomalyReasons anomalyFlags={anomalyFlags} detail={detail} onOpen={onOpen} />
            <LineContent detail={detail} onOpen={onOpen} />
          </>
        )}
      </QueryStates>
    </DetailPane>
  )
}

function LineContent({ detail, onOpen }: { detail: MaterialLineDetails; onOpen: (id: number) => void }) {
  const { t, format } = useApprovalText()
  const { row, linesOfProject } = detail
  return (
    <>
      {row.rejectionReason !== null && (
        <p className="alert error">{t.approvals.rejectedBecause(row.rejectionReason)}</p>
      )}
      <LineFields line={row} />
      <h2>{t.revenue.history}</h2>
      <LineHistory detail={detail} />
      {linesOfProject.length > 0 && (
        <section className="related">
          <h2>{t.approvals.linesOfProject}</h2>
          <div className={styles.lines}>
            {linesOfProject.map((line) => (
              <button key={line.id} type="button" onClick={() => onOpen(line.id)}>
                <span>{format.day(line.date)}</span>
                <span className="spacer">{line.itemName ?? line.itemId}</span>
                <span className="number">
                  {format.quantity(line.quantity)} {line.unit}
                </span>
                <span className="number">{format.amount(line.amount, 2)}</span>
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
  const { t, format } = useApprovalText()
  const { data: departments } = useQuery(departmentsQuery)
  const { columns } = t.approvals
  const money = (amount: number | null) => format.amount(amount, 2)
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
  return <FieldList fields={all} />
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
