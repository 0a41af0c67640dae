// Export history: alerts, retrievals and reports.
import type { ExportOverview } from '../../../src/app/contract/export.ts'
import { Link } from '@tanstack/react-router'
import { useSearchParams } from '../../app/use-search-params.ts'
import { useSession } from '../../api/session.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { EmptyState } from '../../components/QueryStates.tsx'
import { useExportDetailsText } from './details-i18n.ts'

export function History({ alerts, retrievals, ledgerSummaries }: ExportOverview) {
  const { t } = useExportDetailsText()
  const { departments } = useSession()
  if (retrievals.length + ledgerSummaries.length === 0)
    return <EmptyState title={t.export.noRetrievals}>{t.export.nothingText}</EmptyState>
  return (
    <>
      <Alerts alerts={alerts} />
      {departments !== null && <p className="hint">{t.exportDetails.ofCompany}</p>}
      <Retrievals retrievals={retrievals} />
      <LedgerSummaries ledgerSummaries={ledgerSummaries} />
    </>
  )
}

/** Inconsistencies that a person should check. */
function Alerts({ alerts }: Pick<ExportOverview, 'alerts'>) {
  const { t, format } = useExportDetailsText()
  const { columns } = t.export
  const rows = usePossiblyCut(alerts)
  if (alerts.length === 0) return null
  return (
    <DataTable
      name="varsler"
      title={t.exportDetails.alerts}
      {...rows}
      keyOf={({ id }) => id}
      columns={[
        { value: 'at', title: t.table.at, type: 'timestamp' },
        {
          title: t.approvals.columns.id,
          isRowHeader: true,
          value: ({ lineId }) => lineId,
          show: ({ lineId, destinationId }) => (
            <Link from="/app/eksport" search={(last) => ({ ...last, linje: lineId, mottaker: destinationId })}>
              {t.approvals.line(lineId)}
            </Link>
          ),
        },
        {
          key: 'what',
          title: columns.what,
          isLong: true,
          value: ({ code }) => code && format.code(t.exportDetails.codes, code),
        },
        { value: 'externalId', title: t.exportDetails.fields.receiverId, isLong: true },
        { value: 'actor', title: t.table.by, type: 'actor' },
      ]}
    />
  )
}

function Retrievals({ retrievals }: Pick<ExportOverview, 'retrievals'>) {
  const { t } = useExportDetailsText()
  const [, change] = useSearchParams('/app/eksport')
  const { departments } = useSession()
  const { columns } = t.export
  return (
    <DataTable
      name="uthentinger"
      title={t.export.retrievals}
      {...usePossiblyCut(retrievals)}
      empty={t.export.noRetrievals}
      onOpen={departments === null ? ({ id }) => change({ uthenting: id }, { replace: false }) : undefined}
      keyOf={({ id }) => id}
      columns={[
        { value: 'at', title: t.table.at, type: 'timestamp', isRowHeader: true },
        { value: 'actor', title: t.table.by, type: 'actor' },
        { value: 'count', title: t.table.lines, type: 'count' },
        {
          key: 'amount',
          title: t.approvals.columns.amount,
          type: 'amount',
          value: ({ amount }) => Math.round(Number(amount) * 10_000),
        },
        { key: 'what', title: columns.what, isLong: true, value: ({ query }) => query ?? t.export.allWaiting },
        { value: 'hash', title: t.table.hash, isOptional: true },
      ]}
    />
  )
}

function LedgerSummaries({ ledgerSummaries }: Pick<ExportOverview, 'ledgerSummaries'>) {
  const { t, format } = useExportDetailsText()
  const { columns } = t.export
  return (
    <DataTable
      name="meldinger"
      title={t.export.reports}
      {...usePossiblyCut(
        ledgerSummaries,
        ledgerSummaries.reduce((sum, { count }) => sum + count, 0),
      )}
      empty={t.export.noReports}
      keyOf={({ requestId, action }) => `${requestId} ${action}`}
      columns={[
        { value: 'at', title: t.table.at, type: 'timestamp', isRowHeader: true },
        { key: 'what', title: columns.what, value: ({ action }) => format.code(t.export.actions, action) },
        { value: 'actor', title: t.table.by, type: 'actor' },
        { value: 'count', title: t.table.lines, type: 'count' },
        {
          key: 'which',
          title: columns.range,
          isNumber: true,
          value: ({ firstLineId, lastLineId }) =>
            firstLineId === lastLineId ? String(firstLineId) : `${firstLineId}–${lastLineId}`,
        },
        { value: 'reason', title: t.approvals.columns.reason, isLong: true },
        { value: 'requestId', title: t.table.request, isOptional: true },
      ]}
    />
  )
}

/** The server lists the latest only: such a list says so, and is not sorted as though it were complete. */
function usePossiblyCut<Row>(rows: readonly Row[], entries = 0) {
  const { t, format } = useExportDetailsText()
  const isCut = rows.length >= latestRowsMax || entries >= latestEntriesMax
  return { rows, isPartial: isCut, note: isCut ? t.exportDetails.latest(format.count(rows.length)) : undefined }
}

const latestRowsMax = 50

/** Ledger entries, which are summed by request. */
const latestEntriesMax = 20_000
