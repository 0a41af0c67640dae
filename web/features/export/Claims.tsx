// Open claims: holder, expiry, and breaking one.
import { Button, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { breakClaim, type Claim, type ExportOverview } from '../../api/export.ts'
import { countText, momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { actorText } from '../../components/format-actor.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { auditText } from '../../i18n/audit.ts'
import { exportText } from '../../i18n/export.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { ReasonForm } from './ReasonForm.tsx'

export function Claims({ claims, destinations }: Pick<ExportOverview, 'claims' | 'destinations'>) {
  const { say, language } = useText(approvalText, auditText, exportText, revenueText)
  const { zone, scopes } = useSession()
  const [breaking, setBreaking] = useState<Claim | null>(null)
  const [isBroken, setBroken] = useState(false)
  if (claims.length === 0 && !isBroken) return null
  const moment = (at: number) => momentText(at, language, zone)
  return (
    <section className="page-section" aria-labelledby="claims">
      <h2 id="claims">{say.export.claims}</h2>
      <div aria-live="polite">{isBroken && <p className="alert">{say.export.claimBroken}</p>}</div>
      <ul className="card-list">
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
              <div className="actions">
                <Button
                  variant="default"
                  size="sm"
                  aria-label={`${say.export.break} ${say.audit.subjects.claim(String(claim.id))}`}
                  onClick={() => setBreaking(claim)}
                >
                  {say.export.break}
                </Button>
                <span className="muted">{say.export.releaseText}</span>
              </div>
            )}
          </li>
        ))}
      </ul>
      {breaking !== null && (
        <Breaking
          claim={breaking}
          onClose={() => setBreaking(null)}
          onBroken={() => {
            setBreaking(null)
            setBroken(true)
          }}
        />
      )}
    </section>
  )
}

interface BreakingProps {
  readonly claim: Claim
  readonly onClose: () => void
  readonly onBroken: () => void
}

/** Requires a reason, which is stored. */
function Breaking({ claim, onClose, onBroken }: BreakingProps) {
  const { say } = useText(auditText, exportText)
  const client = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (reason: string) => breakClaim(claim, reason),
    onSuccess: onBroken,
    onSettled: () => client.invalidateQueries({ queryKey: ['material'] }),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      transitionProps={{ duration: 0 }}
      title={`${say.export.break} ${say.audit.subjects.claim(String(claim.id))}`}
      closeButtonProps={{ 'aria-label': say.close }}
    >
      <ReasonForm
        act={say.export.break}
        error={error}
        isPending={isPending}
        onClose={onClose}
        onSubmit={mutate}
      />
    </Modal>
  )
}
