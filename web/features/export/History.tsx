// Export history: alerts, retrievals and reports.
import { Link, useNavigate } from '@tanstack/react-router'
import type { ExportOverview } from '../../api/export.ts'
import { amountText, countText, momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { actorText } from '../../components/format-actor.ts'
import { SimpleTable } from '../../components/SimpleTable.tsx'
import { useExportStoryText } from './details-i18n.ts'
import { exportText } from '../../i18n/export.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'

export function History({ alarms, handOuts, reports }: ExportOverview) {
  return (
    <>
      <Alarms alarms={alarms} />
      <HandOuts handOuts={handOuts} />
      <Reports reports={reports} />
    </>
  )
}

/** Inconsistencies that a person should check. */
function Alarms({ alarms }: Pick<ExportOverview, 'alarms'>) {
  const { say, language } = useText(auditText, revenueText)
  const { zone } = useSession()
  const stories = useExportStoryText()
  if (alarms.length === 0) return null
  const words: Readonly<Record<string, string>> = stories.codes
  return (
    <section className="page-section" aria-labelledby="alarms">
      <h2 id="alarms">{stories.alarms}</h2>
      <ul className="card-list">
        {alarms.map(({ id, destinationId, lineId, at, actor, code, externalId }) => (
          <li key={id} className="panel">
            <div className="card-line">
              <Link
                from="/app/eksport"
                search={(last) => ({ ...last, linje: lineId, mottaker: destinationId })}
              >
                {stories.line(lineId)}
              </Link>
              <span className="muted">
                {momentText(at, language, zone)} · {actorText(actor, say)}
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

function HandOuts({ handOuts }: Pick<ExportOverview, 'handOuts'>) {
  const { say, language } = useText(auditText, exportText, revenueText)
  const stories = useExportStoryText()
  const navigate = useNavigate({ from: '/app/eksport' })
  const { zone } = useSession()
  const { columns } = say.export
  const open = (id: number, moment: string) => (
    <button
      type="button"
      className="row-open"
      aria-label={`${stories.openHandOut(id)}, ${moment}`}
      onClick={() => void navigate({ search: (last) => ({ ...last, uthenting: id }) })}
    >
      {moment}
    </button>
  )
  return (
    <section className="page-section" aria-labelledby="hand-outs">
      <h2 id="hand-outs">{say.export.handOuts}</h2>
      {handOuts.length === 0 ? (
        <p className="muted">{say.export.noHandOuts}</p>
      ) : (
        <SimpleTable
          labelledBy="hand-outs"
          rows={handOuts}
          keyOf={({ id }) => id}
          columns={[
            { title: columns.at, show: ({ id, at }) => open(id, momentText(at, language, zone)) },
            { title: columns.by, show: ({ actor }) => actorText(actor, say) },
            {
              title: columns.lines,
              isNumber: true,
              show: ({ count }) => countText(count, language),
            },
            {
              title: columns.amount,
              isNumber: true,
              show: ({ amount }) => amountText(Number(amount) * 10_000, language, 2),
            },
            { title: columns.what, show: ({ query }) => query ?? say.export.allWaiting },
            { title: columns.hash, show: ({ hash }) => <code>{hash.slice(0, 12)}</code> },
          ]}
        />
      )}
    </section>
  )
}

function Reports({ reports }: Pick<ExportOverview, 'reports'>) {
  const { say, language } = useText(auditText, exportText, revenueText)
  const { zone } = useSession()
  const { columns } = say.export
  const { request } = useExportStoryText().fields
  const acts: Readonly<Record<string, string>> = say.export.acts
  return (
    <section className="page-section" aria-labelledby="reports">
      <h2 id="reports">{say.export.reports}</h2>
      {reports.length === 0 ? (
        <p className="muted">{say.export.noReports}</p>
      ) : (
        <SimpleTable
          labelledBy="reports"
          rows={reports}
          keyOf={({ requestId, act }) => `${requestId} ${act}`}
          columns={[
            { title: columns.at, show: ({ at }) => momentText(at, language, zone) },
            { title: columns.what, show: ({ act }) => acts[act] ?? act },
            { title: columns.by, show: ({ actor }) => actorText(actor, say) },
            {
              title: columns.lines,
              isNumber: true,
              show: ({ count }) => countText(count, language),
            },
            {
              title: columns.which,
              isNumber: true,
              show: ({ firstLineId, lastLineId }) =>
                firstLineId === lastLineId ? firstLineId : `${firstLineId}–${lastLineId}`,
            },
            { title: columns.reason, isLong: true, show: ({ reason }) => reason },
            { title: request, show: ({ requestId }) => <code>{requestId}</code> },
          ]}
        />
      )}
    </section>
  )
}
