// Pending invitations: resend and withdraw.
import { Button } from '@mantine/core'
import { useAdministering, type Invitation, type InvitedPerson } from './api.ts'
import { momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { useText } from '../../i18n/translation.tsx'

interface InvitationsProps {
  readonly invitations: readonly Invitation[]
  readonly onInvited: (invited: InvitedPerson) => void
}

export function Invitations({ invitations, onInvited }: InvitationsProps) {
  const { say } = useText(administrationText)
  const { administration } = say
  const grave = useGrave()
  const again = useAdministering<InvitedPerson>(grave.run, onInvited)
  const withdrawing = useAdministering(grave.run, () => {})
  const error = again.error ?? withdrawing.error
  if (invitations.length === 0) return grave.dialog
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">{administration.invitations}</h2>
      <div aria-live="polite">{error !== null && <p className="problem">{error.message}</p>}</div>
      <ul className="card-list">
        {invitations.map((one) => (
          <li key={one.id} className="panel">
            <Facts invitation={one} />
            <div className="actions">
              <Button
                size="sm"
                variant="default"
                loading={again.isPending}
                aria-label={`${administration.inviteAgain}: ${one.email}`}
                onClick={() => again.mutate({ path: 'personer/inviter', fields: fieldsOf(one) })}
              >
                {administration.inviteAgain}
              </Button>
              <Button
                size="sm"
                variant="subtle"
                loading={withdrawing.isPending}
                aria-label={`${administration.withdrawInvitation}: ${one.email}`}
                onClick={() =>
                  withdrawing.mutate({ path: 'personer/trekk', fields: { id: String(one.id) } })
                }
              >
                {administration.withdrawInvitation}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {grave.dialog}
    </section>
  )
}

function fieldsOf({ email, role, departments }: Invitation) {
  return {
    email,
    role,
    departments: departments?.join(',') ?? '',
  }
}

function Facts({ invitation }: { invitation: Invitation }) {
  const { say, language } = useText(administrationText)
  const { zone } = useSession()
  const { email, role, departments, expiresAt } = invitation
  const isOver = expiresAt < Date.now() * 1000
  const moment = momentText(expiresAt, language, zone)
  return (
    <>
      <div className="card-line">
        <strong className="long-word">{email}</strong>
        {isOver && (
          <span className="status-badge Avvist">{say.administration.keyStates.expired}</span>
        )}
      </div>
      <p className="muted">
        {say.roles[role]}
        {departments !== null && ` · ${say.revenue.department} ${departments.join(', ')}`}
        {` · ${say.administration.invitedUntil(moment)}`}
      </p>
    </>
  )
}
