// Export queue: overdue lines, counts per destination, open claims and breaking one, and lines.
import type { ExportOverview, OpenClaimSummary } from '../../../src/app/contract/export.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ListWithDetail } from '../../components/DetailPane.tsx'
import { useExportDetailsText } from './details-i18n.ts'
import { ExportLines } from './ExportLines.tsx'
import { post } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'
import { useSession } from '../../api/session.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { ReasonForm } from '../../components/ReasonForm.tsx'

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

/** By lane, in their order: the list that has its lines. */
const laneLists = { ready: 'venter', claimed: 'venter', failed: 'feil', exported: 'ute' } as const

const laneNames = Object.keys(laneLists) as (keyof typeof laneLists)[]

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

function Claims({ claims, destinations }: Pick<ExportOverview, 'claims' | 'destinations'>) {
  const { t } = useExportDetailsText()
  const { scopes, departments } = useSession()
  const [breaking, setBreaking] = useState<OpenClaimSummary | null>(null)
  const [isBroken, setBroken] = useState(false)
  if (claims.length === 0 && !isBroken) return null
  return (
    <>
      <div aria-live="polite">{isBroken && <p className="alert">{t.export.claimBroken}</p>}</div>
      <DataTable
        title={t.export.claims}
        note={departments === null ? t.export.releaseText : t.export.claimsOfCompany}
        rows={claims}
        keyOf={({ id }) => id}
        columns={[
          { title: t.export.claim, isRowHeader: true, value: 'id' },
          { title: t.table.by, type: 'actor', value: 'holder' },
          {
            title: t.export.destination,
            isLong: true,
            value: ({ destinationId }) => destinations.find(({ id }) => id === destinationId)?.name,
          },
          { title: t.table.lines, type: 'count', value: 'count' },
          { title: t.table.from, type: 'timestamp', value: 'createdAt' },
          { title: t.export.until, type: 'timestamp', value: 'expiresAt' },
        ]}
        nameOf={({ id }) => t.audit.subjects.claim(String(id))}
        actions={
          scopes.includes('export:undo')
            ? (claim) => [{ label: t.export.break, run: () => setBreaking(claim) }]
            : undefined
        }
      />
      {breaking !== null && (
        <BreakClaimDialog
          claim={breaking}
          onClose={() => setBreaking(null)}
          onBroken={() => {
            setBreaking(null)
            setBroken(true)
          }}
        />
      )}
    </>
  )
}

interface BreakClaimDialogProps {
  readonly claim: OpenClaimSummary
  readonly onClose: () => void
  readonly onBroken: () => void
}

/** Requires a reason, which is stored. */
function BreakClaimDialog({ claim, onClose, onBroken }: BreakClaimDialogProps) {
  const { t } = useExportDetailsText()
  const breaking = useAction(
    (reason: string) =>
      post('exportBreak', { destination: String(claim.destinationId), claim: String(claim.id), reason }),
    { refreshes: ['material'], onDone: onBroken },
  )
  return (
    <Dialog title={`${t.export.break} ${t.audit.subjects.claim(String(claim.id))}`} onClose={onClose}>
      <ReasonForm
        submit={t.export.break}
        hint={t.export.reasonHint}
        action={breaking}
        onClose={onClose}
        onSubmit={breaking.mutate}
      />
    </Dialog>
  )
}
