// LineDetail: an open line with the decisions on it, its history, and other lines of its project.
import type { MaterialLineDetails } from '../../../src/app/contract/approvals.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type RefObject } from 'react'
import { lineQuery } from '../../api/approvals.ts'
import { DetailPane } from '../../components/DetailPane.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { AnomalyReasons } from './Anomalies.tsx'
import type { ApprovalQueueHandle } from './approval-queue-props.ts'
import { DecisionOutcome } from './DecisionOutcome.tsx'
import { LineActions } from './LineActions.tsx'
import styles from './LineDetail.module.css'
import { LineEditForm } from './LineEditForm.tsx'
import { LineFields } from './LineFields.tsx'
import { LineHistory } from './LineHistory.tsx'
import type { Decisions } from './use-decisions.ts'

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
  const { t } = useTranslation(approvalText)
  const query = useQuery(lineQuery(id))
  const [editedId, setEditedId] = useState<number | null>(null)
  const outcome = useRef<HTMLDivElement>(null)
  const row = query.data?.row
  const states: Readonly<Record<string, string>> = t.approvals.states
  return (
    <DetailPane
      title={row?.itemName ?? row?.itemId ?? t.approvals.line(id)}
      note={row === undefined ? '' : `${t.approvals.line(id)} · ${states[row.state] ?? row.state}`}
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
            <AnomalyReasons anomalyFlags={anomalyFlags} detail={detail} onOpen={onOpen} />
            <LineContent detail={detail} onOpen={onOpen} />
          </>
        )}
      </QueryStates>
    </DetailPane>
  )
}

function LineContent({ detail, onOpen }: { detail: MaterialLineDetails; onOpen: (id: number) => void }) {
  const { t, format } = useTranslation(approvalText, revenueText)
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
                <span className="grow">{line.itemName ?? line.itemId}</span>
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
