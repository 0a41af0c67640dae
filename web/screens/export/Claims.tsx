// Who holds lines since when and until when, and the way to let go of them.
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { releaseClaim, type ExportOverview } from '../../data/export.ts'
import { countText, momentText } from '../../data/format.ts'
import { useSession } from '../../data/session.ts'
import { actorText } from '../../parts/actor.ts'
import { useText } from '../../text/text.tsx'

export const Claims = ({
  claims,
  destinations,
}: Pick<ExportOverview, 'claims' | 'destinations'>) => {
  const { say, language } = useText()
  const { zone, scopes } = useSession()
  const client = useQueryClient()
  const { mutate, error, isPending, data } = useMutation({
    mutationFn: releaseClaim,
    onSettled: () => client.invalidateQueries({ queryKey: ['material'] }),
  })
  if (claims.length === 0 && data === undefined && error === null) return null
  const moment = (at: number) => momentText(at, language, zone)
  const states: Readonly<Record<string, string>> = say.export.claimStates
  return (
    <section className="history-block" aria-labelledby="claims">
      <h2 id="claims">{say.export.claims}</h2>
      <div aria-live="polite">
        {error !== null && <p className="problem">{error.message}</p>}
        {data !== undefined && <p className="bar">{states[data.state] ?? data.state}</p>}
      </div>
      <ul className="own-lines">
        {claims.map((claim) => (
          <li key={claim.id} className="panel">
            <div className="card-line">
              <strong>{say.audit.subjects.claim(String(claim.id))}</strong>
              <span>{say.approvals.lines(countText(claim.count, language))}</span>
            </div>
            <div className="card-line muted">
              <span>
                {actorText(claim.holder, say)} ·{' '}
                {destinations.find(({ id }) => id === claim.destinationId)?.name}
              </span>
              <span>{say.export.fromTo(moment(claim.createdAt), moment(claim.expiresAt))}</span>
            </div>
            {scopes.includes('export:undo') && (
              <div className="bar-actions">
                <Button
                  variant="default"
                  size="sm"
                  loading={isPending}
                  aria-label={`${say.export.release}: ${say.audit.subjects.claim(String(claim.id))}`}
                  onClick={() => mutate(claim)}
                >
                  {say.export.release}
                </Button>
                <span className="muted">{say.export.releaseText}</span>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
