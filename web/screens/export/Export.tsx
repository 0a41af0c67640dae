// What is ready, held, failed and taken in; what was fetched and reported of it; and the receiver's list beside ours.
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { exportQuery, laneNames, type ExportOverview } from '../../data/export.ts'
import { amountText, countText, momentText } from '../../data/format.ts'
import { useSession } from '../../data/session.ts'
import { actorText } from '../../parts/actor.ts'
import { Page } from '../../parts/Page.tsx'
import { Fetched, NoAccess, State } from '../../parts/States.tsx'
import { useExportStoryText } from '../../text/export-stories.ts'
import { auditText } from '../../text/audit.ts'
import { exportText } from '../../text/export.ts'
import { revenueText } from '../../text/revenue.ts'
import { useText } from '../../text/text.tsx'
import { Claims } from './Claims.tsx'
import { HandOutStory } from './HandOutStory.tsx'
import { Lines } from './Lines.tsx'
import { LineStory } from './LineStory.tsx'
import { Reconciling } from './Reconciling.tsx'
import './Export.css'

export const Export = () => {
  const { say } = useText()
  const { currency, scopes } = useSession()
  const mayLook = scopes.includes('material:read')
  const query = useQuery({ ...exportQuery, enabled: mayLook })
  return (
    <Page
      title={say.screens.eksport}
      aside={<span className="muted">{say.revenue.currency(currency)}</span>}
    >
      {!mayLook && <NoAccess />}
      {mayLook && (
        <Fetched query={query}>
          {(overview) => (
            <>
              {overview.heldSince !== null && <Held since={overview.heldSince} />}
              <Views overview={overview} />
            </>
          )}
        </Fetched>
      )}
    </Page>
  )
}

const Views = ({ overview }: { overview: ExportOverview }) => {
  const stories = useExportStoryText()
  const { vis = 'ko', linje, uthenting, mottaker } = useSearch({ from: '/app/eksport' })
  const navigate = useNavigate({ from: '/app/eksport' })
  const close = () =>
    void navigate({ search: (last) => ({ ...last, linje: undefined, uthenting: undefined }) })
  return (
    <>
      <div className="toolbar">
        <SegmentedControl
          aria-label={stories.views.label}
          value={vis}
          data={(['ko', 'historikk', 'avstemming'] as const).map((value) => ({
            value,
            label: stories.views[value],
          }))}
          onChange={(value) =>
            void navigate({
              search: (last) => ({
                ...last,
                vis: value === 'historikk' || value === 'avstemming' ? value : undefined,
              }),
              replace: true,
            })
          }
        />
      </div>
      {vis === 'ko' && (
        <>
          <Late {...overview} />
          <Lanes lanes={overview.lanes} />
          <Claims {...overview} />
          <Lines destinations={overview.destinations} />
        </>
      )}
      {vis === 'historikk' && (
        <>
          <Alarms alarms={overview.alarms} />
          <HandOuts handOuts={overview.handOuts} />
          <Reports reports={overview.reports} />
        </>
      )}
      {vis === 'avstemming' && <Reconciling destinations={overview.destinations} />}
      {linje !== undefined && (
        <LineStory
          key={linje}
          destination={mottaker ?? overview.destinations[0]?.id ?? 1}
          id={linje}
          onClose={close}
        />
      )}
      {uthenting !== undefined && <HandOutStory id={uthenting} onClose={close} />}
    </>
  )
}

/** What somebody should look into: the receiver's job may stand still. */
const Late = ({ late, destinations }: Pick<ExportOverview, 'late' | 'destinations'>) => {
  const stories = useExportStoryText()
  const { language } = useText()
  const { zone } = useSession()
  return late.map(({ destinationId, count, amount, oldestAt }) => (
    <div key={destinationId} className="banner late" role="status">
      <p>
        {stories.late(
          countText(count, language),
          amountText(amount, language),
          destinations.find(({ id }) => id === destinationId)?.name ?? String(destinationId),
          momentText(oldestAt, language, zone),
        )}
      </p>
      <p>{stories.lateText}</p>
    </div>
  ))
}

const Held = ({ since }: { since: number }) => {
  const { say, language } = useText(exportText)
  const { zone } = useSession()
  return (
    <State title={say.export.held(momentText(since, language, zone))}>
      <p>{say.export.heldText}</p>
      <p>
        {say.export.heldRelease} <code>dagsverk export release</code>
      </p>
    </State>
  )
}

const Lanes = ({ lanes }: Pick<ExportOverview, 'lanes'>) => {
  const { say, language } = useText(exportText)
  const { zone } = useSession()
  const destinations = [...new Set(lanes.map(({ destination }) => destination))]
  if (destinations.length === 0)
    return <State title={say.export.nothing}>{say.export.nothingText}</State>
  return destinations.map((destination) => (
    <section key={destination} aria-label={`${say.export.destination} ${destination}`}>
      <h2 className="own-title">
        {say.export.destination}: {destination}
      </h2>
      <dl className="figures">
        {laneNames.map((name) => {
          const lane = lanes.find((one) => one.destination === destination && one.lane === name)
          return (
            <div
              key={name}
              className={name === 'failed' && (lane?.count ?? 0) > 0 ? 'has-failed' : undefined}
            >
              <dt>
                {say.export.lanes[name]}
                <span className="muted">{say.export.laneTexts[name]}</span>
              </dt>
              <dd className="figure">{countText(lane?.count ?? 0, language)}</dd>
              <dd className="figure-note">
                <span>{amountText(lane?.amount ?? 0, language)}</span>
                {name === 'failed' && (lane?.parked ?? 0) > 0 && (
                  <span>{say.export.parkedOf(countText(lane?.parked ?? 0, language))}</span>
                )}
                {lane?.oldestAt !== undefined && lane.oldestAt !== null && name !== 'exported' && (
                  <span className="muted">
                    {say.export.since(momentText(lane.oldestAt, language, zone))}
                  </span>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      <p className="hint">
        <Link to="/app/godkjenning" search={{ liste: 'godkjent' }}>
          {say.export.seeApproved}
        </Link>{' '}
        ·{' '}
        <Link to="/app/godkjenning" search={{ liste: 'eksportert' }}>
          {say.export.seeExported}
        </Link>
      </p>
    </section>
  ))
}

/** What the ledger wants a person to look at. */
const Alarms = ({ alarms }: Pick<ExportOverview, 'alarms'>) => {
  const { say, language } = useText(auditText, revenueText)
  const { zone } = useSession()
  const stories = useExportStoryText()
  if (alarms.length === 0) return null
  const words: Readonly<Record<string, string>> = stories.codes
  return (
    <section className="history-block" aria-labelledby="alarms">
      <h2 id="alarms">{stories.alarms}</h2>
      <ul className="own-lines">
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

const HandOuts = ({ handOuts }: Pick<ExportOverview, 'handOuts'>) => {
  const { say, language } = useText(auditText, exportText, revenueText)
  const stories = useExportStoryText()
  const navigate = useNavigate({ from: '/app/eksport' })
  const { zone } = useSession()
  const { columns } = say.export
  return (
    <section className="history-block" aria-labelledby="hand-outs">
      <h2 id="hand-outs">{say.export.handOuts}</h2>
      {handOuts.length === 0 ? (
        <p className="muted">{say.export.noHandOuts}</p>
      ) : (
        <div className="sheet" tabIndex={0} role="region" aria-labelledby="hand-outs">
          <table>
            <thead>
              <tr>
                <th scope="col">{columns.at}</th>
                <th scope="col">{columns.by}</th>
                <th scope="col" className="number">
                  {columns.lines}
                </th>
                <th scope="col" className="number">
                  {columns.amount}
                </th>
                <th scope="col">{columns.what}</th>
                <th scope="col">{columns.hash}</th>
              </tr>
            </thead>
            <tbody>
              {handOuts.map((one) => (
                <tr key={one.id}>
                  <td>
                    <button
                      type="button"
                      className="row-open"
                      aria-label={`${stories.openHandOut(one.id)}, ${momentText(one.at, language, zone)}`}
                      onClick={() =>
                        void navigate({ search: (last) => ({ ...last, uthenting: one.id }) })
                      }
                    >
                      {momentText(one.at, language, zone)}
                    </button>
                  </td>
                  <td>{actorText(one.actor, say)}</td>
                  <td className="number">{countText(one.count, language)}</td>
                  <td className="number">{amountText(Number(one.amount) * 10_000, language, 2)}</td>
                  <td>{one.query ?? say.export.allWaiting}</td>
                  <td>
                    <code>{one.hash.slice(0, 12)}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const Reports = ({ reports }: Pick<ExportOverview, 'reports'>) => {
  const { say, language } = useText(auditText, exportText, revenueText)
  const { zone } = useSession()
  const { columns } = say.export
  const acts: Readonly<Record<string, string>> = say.export.acts
  return (
    <section className="history-block" aria-labelledby="reports">
      <h2 id="reports">{say.export.reports}</h2>
      {reports.length === 0 ? (
        <p className="muted">{say.export.noReports}</p>
      ) : (
        <div className="sheet" tabIndex={0} role="region" aria-labelledby="reports">
          <table>
            <thead>
              <tr>
                <th scope="col">{columns.at}</th>
                <th scope="col">{columns.what}</th>
                <th scope="col">{columns.by}</th>
                <th scope="col" className="number">
                  {columns.lines}
                </th>
                <th scope="col">{columns.which}</th>
                <th scope="col">{columns.reason}</th>
                <th scope="col">{columns.request}</th>
              </tr>
            </thead>
            <tbody>
              {reports.map((one) => (
                <tr key={`${one.requestId} ${one.act}`}>
                  <td>{momentText(one.at, language, zone)}</td>
                  <td>{acts[one.act] ?? one.act}</td>
                  <td>{actorText(one.actor, say)}</td>
                  <td className="number">{countText(one.count, language)}</td>
                  <td className="number">
                    {one.firstLineId === one.lastLineId
                      ? one.firstLineId
                      : `${one.firstLineId}–${one.lastLineId}`}
                  </td>
                  <td className="long-text">{one.reason ?? ''}</td>
                  <td>
                    <code>{one.requestId}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
