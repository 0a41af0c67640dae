// Open claims: holder, expiry, and breaking one.
import type { ExportOverview, OpenClaimSummary } from '../../../src/app/contract/export.ts'
import { useState } from 'react'
import { post } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'
import { useSession } from '../../api/session.ts'
import { useExportDetailsText } from './details-i18n.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { ReasonForm } from '../../components/ReasonForm.tsx'

export function Claims({ claims, destinations }: Pick<ExportOverview, 'claims' | 'destinations'>) {
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
