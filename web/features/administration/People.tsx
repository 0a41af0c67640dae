// People of the company: invite, change role, disable, enable.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAdministering, type Administration, type InvitedPerson, type Person } from './api.ts'
import { momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { accountText } from '../../i18n/account.ts'
import { administrationText } from '../../i18n/administration.ts'
import { useText } from '../../i18n/translation.tsx'
import { Once } from './SecretReveal.tsx'
import { Invitations } from './Invitations.tsx'
import { PersonForm } from './PersonForm.tsx'

export function People({
  people,
  invitations,
  sendsMail,
}: Pick<Administration, 'people' | 'invitations' | 'sendsMail'>) {
  const { say } = useText(administrationText)
  const { administration } = say
  const grave = useGrave()
  const { mutate, error, isPending } = useAdministering(grave.run, () => {})
  const [edited, setEdited] = useState<Person | 'new' | null>(null)
  const [invited, setInvited] = useState<InvitedPerson | null>(null)
  return (
    <section aria-label={administration.people}>
      <div className="toolbar">
        <Button size="sm" onClick={() => setEdited('new')}>
          {administration.invite}
        </Button>
      </div>
      {!sendsMail && <p className="muted">{administration.noMail}</p>}
      <div aria-live="polite">
        {error !== null && <p className="problem">{error.message}</p>}
        {invited !== null && invited.link === null && (
          <p className="alert">{administration.invitationSent(invited.email)}</p>
        )}
      </div>
      <ul className="card-list">
        {people.map((person) => (
          <li key={person.id} className="panel">
            <PersonFacts person={person} />
            <div className="actions">
              <Button
                size="sm"
                variant="default"
                aria-label={`${administration.changePerson}: ${person.email}`}
                onClick={() => setEdited(person)}
              >
                {administration.changePerson}
              </Button>
              <Button
                size="sm"
                variant="subtle"
                loading={isPending}
                aria-label={`${administration[person.disabledAt === null ? 'shutOut' : 'letIn']}: ${person.email}`}
                onClick={() =>
                  mutate({
                    path: person.disabledAt === null ? 'personer/steng' : 'personer/apne',
                    fields: { id: String(person.id) },
                  })
                }
              >
                {administration[person.disabledAt === null ? 'shutOut' : 'letIn']}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Invitations invitations={invitations} onInvited={setInvited} />
      {grave.dialog}
      {edited !== null && (
        <PersonForm
          person={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onDone={(answer) => {
            setEdited(null)
            setInvited(answer)
          }}
        />
      )}
      {invited !== null && invited.link !== null && (
        <Once
          title={administration.invitationTo(invited.email)}
          text={administration.passOn}
          secret={invited.link}
          onClose={() => setInvited(null)}
        />
      )}
    </section>
  )
}

function PersonFacts({ person }: { person: Person }) {
  const { say, language } = useText(accountText, administrationText)
  const { zone } = useSession()
  const { email, name, role, departments, disabledAt, factorSince } = person
  return (
    <>
      <div className="card-line">
        <span className="long-word">
          <strong>{name ?? email}</strong>
          {name !== null && <span className="muted"> {email}</span>}
        </span>
        {disabledAt !== null && (
          <span className="status-badge Avvist">
            {say.administration.shutOutSince(momentText(disabledAt, language, zone))}
          </span>
        )}
      </div>
      <p className="muted">
        {say.roles[role]}
        {departments !== null && ` · ${say.revenue.department} ${departments.join(', ')}`}
        {factorSince !== null && ` · ${say.factor.title}`}
      </p>
    </>
  )
}
