// Pending invitations: resend and withdraw.
import type { Invitation, InvitedPerson } from '../../../src/app/contract/administration.ts'
import { useAdminAction } from './api.ts'
import { administrationText } from '../../i18n/administration.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { RowButton } from '../../components/RowButton.tsx'

interface InvitationsProps {
  readonly invitations: readonly Invitation[]
  readonly sendsMail: boolean
  readonly onInvited: (invited: InvitedPerson) => void
}

export function Invitations({ invitations, sendsMail, onInvited }: InvitationsProps) {
  const { t } = useTranslation(administrationText)
  const { administration } = t
  const again = sendsMail ? administration.inviteAgain : administration.createLink
  const resending = useAdminAction<'personInvite'>(onInvited)
  const withdrawing = useAdminAction()
  const error = resending.error ?? withdrawing.error
  if (invitations.length === 0) return null
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">{administration.invitations}</h2>
      <div aria-live="polite">{error !== null && <p className="problem">{error.message}</p>}</div>
      <ul className="card-list">
        {invitations.map((one) => (
          <li key={one.id} className="panel">
            <InvitationFacts invitation={one} />
            <div className="actions">
              <RowButton
                label={again}
                of={one.email}
                loading={resending.isPending}
                onClick={() => resending.mutate({ endpoint: 'personInvite', fields: fieldsOf(one) })}
              />
              <RowButton
                label={administration.withdrawInvitation}
                of={one.email}
                variant="subtle"
                loading={withdrawing.isPending}
                onClick={() => withdrawing.mutate({ endpoint: 'invitationWithdraw', fields: { id: String(one.id) } })}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function fieldsOf({ email, role, departments }: Invitation) {
  return { email, role, departments: departments?.join(',') ?? '' }
}

function InvitationFacts({ invitation }: { invitation: Invitation }) {
  const { t, format } = useTranslation(administrationText)
  const { email, role, departments, expiresAt } = invitation
  const isOver = expiresAt < Date.now() * 1000
  const moment = format.timestamp(expiresAt)
  return (
    <>
      <div className="card-line">
        <strong className="long-word">{email}</strong>
        {isOver && <span className="status-badge Avvist">{t.administration.keyStates.expired}</span>}
      </div>
      <p className="muted">
        {t.roles[role]}
        {departments !== null && ` · ${t.revenue.department} ${departments.join(', ')}`}
        {` · ${t.administration.invitedUntil(moment)}`}
      </p>
    </>
  )
}
