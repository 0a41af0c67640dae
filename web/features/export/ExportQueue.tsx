// Export queue: overdue lines, counts per destination, claims and lines.
import { Link } from '@tanstack/react-router'
import { laneNames, type ExportOverview } from '../../api/export.ts'
import { amountText, countText, momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { State } from '../../components/QueryStates.tsx'
import { useExportStoryText } from './details-i18n.ts'
import { exportText } from '../../i18n/export.ts'
import { useText } from '../../i18n/translation.tsx'
import { Claims } from './Claims.tsx'
import { Lines } from './ExportLines.tsx'

export function Queue({ overview }: { overview: ExportOverview }) {
  return (
    <>
      <Late {...overview} />
      <Lanes {...overview} />
      <Claims {...overview} />
      <Lines destinations={overview.destinations} />
    </>
  )
}

/** Overdue lines: the receiver's job may have stopped. */
function Late({ late, destinations }: Pick<ExportOverview, 'late' | 'destinations'>) {
  const stories = useExportStoryText()
  const { language } = useText()
  const { zone } = useSession()
  return late.map(({ destinationId, count, amount, oldestAt }) => (
    <div key={destinationId} className="banner late" role="status">
      <p>
        {stories.late(
          countText(count, language),
          amountText(amount, language),
          nameAmong(destinations, destinationId),
          momentText(oldestAt, language, zone),
        )}
      </p>
      <p>{stories.lateText}</p>
    </div>
  ))
}

/** Null when there is only one destination. */
function nameAmong(destinations: ExportOverview['destinations'], id: number): string | null {
  return destinations.length < 2
    ? null
    : (destinations.find((one) => one.id === id)?.name ?? String(id))
}

function Lanes({ lanes, destinations: all }: Pick<ExportOverview, 'lanes' | 'destinations'>) {
  const { say, language } = useText(exportText)
  const { zone } = useSession()
  const destinations = [...new Set(lanes.map(({ destination }) => destination))]
  if (destinations.length === 0)
    return <State title={say.export.nothing}>{say.export.nothingText}</State>
  return destinations.map((destination) => (
    <section key={destination} aria-label={`${say.export.destination} ${destination}`}>
      {all.length > 1 && (
        <h2 className="section-title">
          {say.export.destination}: {destination}
        </h2>
      )}
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
