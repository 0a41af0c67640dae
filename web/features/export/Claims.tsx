// Open claims: holder, expiry, and breaking one.
import type { ExportOverview, OpenClaimSummary } from '../../../src/app/contract/export.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { post } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'
import { useSession } from '../../api/session.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { auditText } from '../../i18n/audit.ts'
import { exportText } from '../../i18n/export.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { ReasonForm } from '../../components/ReasonForm.tsx'

export function Claims({ claims, destinations }: Pick<ExportOverview, 'claims' | 'destinations'>) {
  const { t, format } = useTranslation(approvalText, auditText, exportText)
  const { scopes, departments } = useSession()
  const [breaking, setBreaking] = useState<OpenClaimSummary | null>(null)
  const [isBroken, setBroken] = useState(false)
  if (claims.length === 0 && !isBroken) return null
  const moment = (at: number) => format.timestamp(at)
  return (
    <section className="page-section" aria-labelledby="claims">
      <h2 id="claims">{t.export.claims}</h2>
      {departments !== null && <p className="hint">{t.export.claimsOfCompany}</p>}
      <div aria-live="polite">{isBroken && <p className="alert">{t.export.claimBroken}</p>}</div>
      <ul className="card-list">
        {claims.map((claim) => (
          <li key={claim.id} className="panel">
            <div className="card-line">
              <strong>{t.audit.subjects.claim(String(claim.id))}</strong>
              <span>{t.approvals.lines(format.count(claim.count))}</span>
            </div>
            <div className="card-line muted">
              <span>
                {format.actor(claim.holder)} · {destinations.find(({ id }) => id === claim.destinationId)?.name}
              </span>
              <span>{t.export.fromTo(moment(claim.createdAt), moment(claim.expiresAt))}</span>
            </div>
            {scopes.includes('export:undo') && (
              <div className="actions">
                <Button
                  variant="default"
                  aria-label={`${t.export.break} ${t.audit.subjects.claim(String(claim.id))}`}
                  onClick={() => setBreaking(claim)}
                >
                  {t.export.break}
                </Button>
                <span className="muted">{t.export.releaseText}</span>
              </div>
            )}
          </li>
        ))}
      </ul>
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
    </section>
  )
}

interface BreakClaimDialogProps {
  readonly claim: OpenClaimSummary
  readonly onClose: () => void
  readonly onBroken: () => void
}

/** Requires a reason, which is stored. */
function BreakClaimDialog({ claim, onClose, onBroken }: BreakClaimDialogProps) {
  const { t } = useTranslation(auditText, exportText)
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
