// People of the company: invite, change role, disable, enable.
import type { Administration, InvitedPerson, Person } from '../../../src/app/contract/administration.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAdminAction } from './api.ts'
import { accountText } from '../../i18n/account.ts'
import { administrationText } from '../../i18n/administration.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { SecretReveal } from './SecretReveal.tsx'
import { Invitations } from './Invitations.tsx'
import { PersonForm } from './PersonForm.tsx'

const route = getRouteApi('/app/administrasjon')

export function People({
  people,
  invitations,
  sendsMail,
}: Pick<Administration, 'people' | 'invitations' | 'sendsMail'>) {
  const { t } = useTranslation(administrationText)
  const { administration } = t
  const { mutate, error, isPending } = useAdminAction(() => {})
  const { inviter } = route.useSearch()
  const navigate = route.useNavigate()
  const invite = (email: string | undefined) =>
    void navigate({ search: (last) => ({ ...last, inviter: email }), replace: true })
  const [edited, setEdited] = useState<Person | null>(null)
  const [invited, setInvited] = useState<InvitedPerson | null>(null)
  const close = () => {
    setEdited(null)
    invite(undefined)
  }
  return (
    <section aria-label={administration.people}>
      <div className="toolbar">
        <Button size="sm" onClick={() => invite('')}>
          {administration.invite}
        </Button>
      </div>
      {!sendsMail && <p className="muted summary">{administration.noMail}</p>}
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
                    path: person.disabledAt === null ? appPaths.personDisable : appPaths.personEnable,
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
      <Invitations invitations={invitations} sendsMail={sendsMail} onInvited={setInvited} />
      {(edited !== null || inviter !== undefined) && (
        <PersonForm
          person={edited}
          email={inviter ?? ''}
          sendsMail={sendsMail}
          onClose={close}
          onDone={(reply) => {
            close()
            setInvited(reply)
          }}
        />
      )}
      {invited !== null && invited.link !== null && (
        <SecretReveal
          title={administration.invitationTo(invited.email)}
          text={administration.linkShownOnce}
          secret={invited.link}
          onClose={() => setInvited(null)}
        />
      )}
    </section>
  )
}

function PersonFacts({ person }: { person: Person }) {
  const { t, format } = useTranslation(accountText, administrationText)
  const { email, name, role, departments, disabledAt, factorSince } = person
  return (
    <>
      <div className="card-line">
        <span className="long-word">
          <strong>{name ?? email}</strong>
          {name !== null && <span className="muted"> {email}</span>}
        </span>
        {disabledAt !== null && (
          <span className="status-badge Avvist">{t.administration.shutOutSince(format.timestamp(disabledAt))}</span>
        )}
      </div>
      <p className="muted">
        {t.roles[role]}
        {departments !== null && ` · ${t.revenue.department} ${departments.join(', ')}`}
        {factorSince !== null && ` · ${t.factor.title}`}
      </p>
    </>
  )
}
