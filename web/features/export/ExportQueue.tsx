// Export queue: overdue lines, counts per destination, claims and lines.
import type { ExportOverview } from '../../../src/app/contract/export.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { laneNames } from '../../api/export.ts'
import { ListWithDetail } from '../../components/DetailPane.tsx'
import { useExportDetailsText } from './details-i18n.ts'
import { Claims } from './Claims.tsx'
import { ExportLines } from './ExportLines.tsx'

export function ExportQueue({ overview, detail }: { overview: ExportOverview; detail: ReactNode }) {
  return (
    <>
      <OverdueNotice {...overview} />
      <Stages {...overview} />
      <Claims {...overview} />
      <ListWithDetail detail={detail}>
        <ExportLines destinations={overview.destinations} />
      </ListWithDetail>
    </>
  )
}

/** Overdue lines: the receiver's job may have stopped. */
function OverdueNotice({ overdue, destinations }: Pick<ExportOverview, 'overdue' | 'destinations'>) {
  const { t, format } = useExportDetailsText()
  return overdue.map(({ destinationId, count, amount, oldestAt }) => (
    <div key={destinationId} className="banner overdue" role="status">
      <p>
        {t.exportDetails.overdue(
          format.count(count),
          format.amount(amount, 2),
          getDestinationName(destinations, destinationId),
          format.timestamp(oldestAt),
        )}
      </p>
      <p>{t.exportDetails.lateText}</p>
    </div>
  ))
}

/** Null when there is only one destination. */
function getDestinationName(destinations: ExportOverview['destinations'], id: number): string | null {
  return destinations.length < 2 ? null : (destinations.find((one) => one.id === id)?.name ?? String(id))
}

/** The list that has the lines of a lane. */
const laneLists = { ready: 'venter', claimed: 'venter', failed: 'feil', exported: 'ute' } as const

function Stages({ stages, destinations: all }: Pick<ExportOverview, 'stages' | 'destinations'>) {
  const { t, format } = useExportDetailsText()
  const destinations = [...new Set(stages.map(({ destination }) => destination))]
  const idOf = (destination: string) => (all.length < 2 ? undefined : all.find(({ name }) => name === destination)?.id)
  return destinations.map((destination) => (
    <section key={destination} aria-label={`${t.export.destination} ${destination}`}>
      {all.length > 1 && (
        <h2 className="section-title">
          {t.export.destination}: {destination}
        </h2>
      )}
      <dl className="figures">
        {laneNames.map((name) => {
          const stage = stages.find((one) => one.destination === destination && one.stage === name)
          return (
            <div key={name} className={name === 'failed' && (stage?.count ?? 0) > 0 ? 'has-failed' : undefined}>
              <dt>
                <Link
                  from="/app/eksport"
                  search={(last) => ({ ...last, liste: laneLists[name], mottaker: idOf(destination) })}
                  resetScroll={false}
                >
                  {t.export.stages[name]}
                </Link>
                <span className="muted">{t.export.laneTexts[name]}</span>
              </dt>
              <dd className="figure">{format.count(stage?.count ?? 0)}</dd>
              <dd className="figure-note">
                <span>{format.amount(stage?.amount ?? 0, 2)}</span>
                {name === 'failed' && (stage?.parked ?? 0) > 0 && (
                  <span>{t.export.parkedOf(format.count(stage?.parked ?? 0))}</span>
                )}
                {stage?.oldestAt !== undefined && stage.oldestAt !== null && name !== 'exported' && (
                  <span className="muted">{t.export.since(format.timestamp(stage.oldestAt))}</span>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  ))
}
