// LineDetails: content of an export line, its corrections, and its history.
import type { ExportLineDetails, ExportLineHistory, NamedExportLine } from '../../../src/app/contract/export.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { exportLineQuery } from './details-api.ts'
import { HistoryList, type HistoryEntry } from '../../components/HistoryList.tsx'
import { FieldList } from '../../components/FieldList.tsx'
import { DetailPane } from '../../components/DetailPane.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { useExportDetailsText } from './details-i18n.ts'
import styles from './Export.module.css'

interface LineDetailsProps {
  readonly destination: number
  readonly id: number
  readonly onClose: () => void
}

export function LineDetails({ destination, id, onClose }: LineDetailsProps) {
  const { t } = useExportDetailsText()
  const query = useQuery(exportLineQuery(destination, id))
  const line = query.data?.lines.find((one) => one.id === id)
  return (
    <DetailPane
      title={t.approvals.line(id)}
      note={line === undefined ? '' : (line.itemName ?? line.itemId ?? '')}
      onClose={onClose}
    >
      <QueryStates query={query}>
        {(details) => line !== undefined && <LineContent line={line} details={details} />}
      </QueryStates>
    </DetailPane>
  )
}

function LineContent({ line, details }: { line: NamedExportLine; details: ExportLineHistory }) {
  const { t, format } = useExportDetailsText()
  const { fields } = t.exportDetails
  const join = (...parts: readonly (string | null)[]) => parts.filter((one) => one !== null).join(' ')
  return (
    <>
      <p>
        <span className="status-badge">{t.exportDetails.states[line.state]}</span>
      </p>
      <FieldList
        fields={[
          [fields.exportKey, line.exportKey],
          [fields.receiverId, line.externalId],
          [fields.postingDate, format.day(line.postingDate, 'full')],
          [fields.item, join(line.itemId, line.itemName)],
          [fields.quantity, `${format.quantity(line.quantity)} ${line.unit ?? ''}`],
          [fields.amount, format.amount(line.amount, 2)],
          [fields.project, join(line.projectId, line.projectName)],
          [fields.department, join(line.departmentId, line.departmentName)],
          [fields.source, join(line.source, line.sourceExternalId)],
          [fields.remark, line.remark],
        ]}
      />
      {details.lines.length > 1 && <LineCorrections line={line} lines={details.lines} />}
      <LineHistory line={line} details={details} />
    </>
  )
}

/** Original, reversal and replacement, in posting order. */
function LineCorrections({ line, lines }: { line: ExportLineDetails; lines: readonly ExportLineDetails[] }) {
  const { t, format } = useExportDetailsText()
  return (
    <section className="related" aria-labelledby="line-corrections">
      <h2 id="line-corrections">{t.exportDetails.corrections}</h2>
      <p className="muted">{t.exportDetails.correctionsText}</p>
      <ol className={styles.corrections}>
        {lines.map((one) => (
          <li key={one.id} aria-current={one.id === line.id ? 'true' : undefined}>
            <span>
              <Link from="/app/eksport" search={(last) => ({ ...last, linje: one.id })}>
                {t.approvals.line(one.id)}
              </Link>{' '}
              {t.exportDetails.kinds[one.lineKind]}
              {one.reversesId !== null && ` · ${t.exportDetails.reverses(one.reversesId)}`}
              {one.replacesId !== null && ` · ${t.exportDetails.replaces(one.replacesId)}`}
            </span>
            <span className="number">{format.amount(one.amount, 2)}</span>
            <span className="muted">
              {t.exportDetails.states[one.state]}
              {one.externalId !== null && ` · ${one.externalId}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function LineHistory({ line, details }: { line: ExportLineDetails; details: ExportLineHistory }) {
  const { t, format } = useExportDetailsText()
  const { origin, retrievals, entries } = details
  // A failure code is the receiver's own.
  const codes = { ...t.export.reasonCodes, ...t.exportDetails.codes }
  const steps: HistoryEntry[] = [
    ...(origin === null ? [] : [{ at: origin.createdAt, title: t.approvals.registered, actor: origin.registeredBy }]),
    { at: line.approvedAt, title: t.approvals.decisions.Godkjent, actor: line.approvedBy },
    ...retrievals.map(({ id, at, actor }) => ({
      at,
      title: t.exportDetails.fetched,
      actor,
      details: t.exportDetails.retrieval(id),
    })),
    ...entries.map(({ at, action, actor, externalId, code, reason }) => ({
      at,
      title: format.code(t.export.actions, action),
      actor,
      details: [externalId, code && format.code(codes, code), reason].filter((one) => one !== null).join(' · '),
    })),
  ]
  return (
    <section className="related" aria-labelledby="line-steps">
      <h2 id="line-steps">{t.exportDetails.history}</h2>
      {retrievals.length === 100 && <p className="muted">{t.exportDetails.more(format.count(100))}</p>}
      <HistoryList entries={steps.toSorted((one, other) => one.at - other.at)} />
    </section>
  )
}
