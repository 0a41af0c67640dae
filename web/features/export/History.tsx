// Export history: alerts, retrievals and reports.
import type { ExportOverview } from '../../../src/app/contract/export.ts'
import { Link } from '@tanstack/react-router'
import { useSearchParams } from '../../app/use-search-params.ts'
import { useSession } from '../../api/session.ts'
import { Table } from '../../components/Table.tsx'
import { exportDetailsText } from './details-i18n.ts'
import { exportText } from '../../i18n/export.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function History({ alerts, retrievals, ledgerSummaries }: ExportOverview) {
  const { t } = useTranslation(exportDetailsText)
  const { departments } = useSession()
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
  const { t, format } = useTranslation(exportDetailsText)
  if (alerts.length === 0) return null
  const words: Readonly<Record<string, string>> = t.exportDetails.codes
  return (
    <section className="page-section" aria-labelledby="alerts">
      <h2 id="alerts">{t.exportDetails.alerts}</h2>
      <ul className="card-list">
        {alerts.map(({ id, destinationId, lineId, at, actor, code, externalId }) => (
          <li key={id} className="panel">
            <div className="card-line">
              <Link from="/app/eksport" search={(last) => ({ ...last, linje: lineId, mottaker: destinationId })}>
                {t.exportDetails.line(lineId)}
              </Link>
              <span className="muted">
                {format.timestamp(at)} · {format.actor(actor)}
              </span>
            </div>
            <p>
              {words[code ?? ''] ?? code}
              {externalId !== null && (
                <>
                  {' '}
                  <code>{externalId}</code>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Retrievals({ retrievals }: Pick<ExportOverview, 'retrievals'>) {
  const { t, format } = useTranslation(exportDetailsText, exportText)
  const [, change] = useSearchParams('/app/eksport')
  const { departments } = useSession()
  const { columns } = t.export
  const open = (id: number, moment: string) =>
    departments !== null ? (
      moment
    ) : (
      <button
        type="button"
        className="row-open"
        aria-label={`${t.exportDetails.openRetrieval(id)}, ${moment}`}
        onClick={() => change({ uthenting: id }, { replace: false })}
      >
        {moment}
      </button>
    )
  return (
    <section className="page-section" aria-labelledby="retrievals">
      <h2 id="retrievals">{t.export.retrievals}</h2>
      {retrievals.length === 0 ? (
        <p className="muted">{t.export.noRetrievals}</p>
      ) : (
        <Table
          labelledBy="retrievals"
          rows={retrievals}
          keyOf={({ id }) => id}
          columns={[
            { title: columns.at, show: ({ id, at }) => open(id, format.timestamp(at)) },
            { title: columns.by, isLong: true, show: ({ actor }) => format.actor(actor) },
            { title: columns.lines, isNumber: true, show: ({ count }) => format.count(count) },
            { title: columns.amount, isNumber: true, show: ({ amount }) => format.amount(Number(amount) * 10_000, 2) },
            { title: columns.what, show: ({ query }) => query ?? t.export.allWaiting },
            { title: columns.hash, isExtra: true, show: ({ hash }) => <code>{hash.slice(0, 12)}</code> },
          ]}
        />
      )}
    </section>
  )
}

function LedgerSummaries({ ledgerSummaries }: Pick<ExportOverview, 'ledgerSummaries'>) {
  const { t, format } = useTranslation(exportDetailsText, exportText)
  const { columns } = t.export
  const { request } = t.exportDetails.fields
  const actions: Readonly<Record<string, string>> = t.export.actions
  return (
    <section className="page-section" aria-labelledby="reports">
      <h2 id="reports">{t.export.reports}</h2>
      {ledgerSummaries.length === 0 ? (
        <p className="muted">{t.export.noReports}</p>
      ) : (
        <Table
          labelledBy="reports"
          rows={ledgerSummaries}
          keyOf={({ requestId, action }) => `${requestId} ${action}`}
          columns={[
            { title: columns.at, show: ({ at }) => format.timestamp(at) },
            { title: columns.what, show: ({ action }) => actions[action] ?? action },
            { title: columns.by, isLong: true, show: ({ actor }) => format.actor(actor) },
            { title: columns.lines, isNumber: true, show: ({ count }) => format.count(count) },
            {
              title: columns.which,
              isNumber: true,
              show: ({ firstLineId, lastLineId }) =>
                firstLineId === lastLineId ? firstLineId : `${firstLineId}–${lastLineId}`,
            },
            { title: columns.reason, isLong: true, show: ({ reason }) => reason },
            { title: request, isExtra: true, show: ({ requestId }) => <code>{requestId}</code> },
          ]}
        />
      )}
    </section>
  )
}
