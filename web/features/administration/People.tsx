// People of the company: invite, change role, disable, enable.
import type { Administration, InvitedPerson, Person } from '../../../src/app/contract/administration.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from '../../app/use-search-params.ts'
import { useAdminAction } from './api.ts'
import { accountText } from '../../i18n/account.ts'
import { administrationText } from '../../i18n/administration.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { Table } from '../../components/Table.tsx'
import { SecretReveal } from './SecretReveal.tsx'
import { Invitations } from './Invitations.tsx'
import { PersonForm } from './PersonForm.tsx'
import { RowButton } from '../../components/RowButton.tsx'

export function People({
  people,
  invitations,
  sendsMail,
}: Pick<Administration, 'people' | 'invitations' | 'sendsMail'>) {
  const { t, format } = useTranslation(accountText, administrationText, revenueText)
  const { administration } = t
  const { mutate, error, isPending } = useAdminAction()
  const [{ inviter }, change] = useSearchParams('/app/administrasjon')
  const [edited, setEdited] = useState<Person | null>(null)
  const [invited, setInvited] = useState<InvitedPerson | null>(null)
  const close = () => {
    setEdited(null)
    change({ inviter: undefined })
  }
  return (
    <section aria-label={administration.people}>
      <div className="toolbar">
        <Button size="sm" onClick={() => change({ inviter: '' })}>
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
      <Table
        label={administration.people}
        rows={people}
        keyOf={({ id }) => id}
        columns={[
          {
            title: administration.person,
            isRowHeader: true,
            show: ({ name, email }) => (
              <span className="long-word">
                <strong>{name ?? email}</strong>
                {name !== null && <span className="muted"> {email}</span>}
              </span>
            ),
          },
          { title: administration.role, show: ({ role }) => t.roles[role] },
          {
            title: t.revenue.department,
            isLong: true,
            show: ({ departments }) => departments?.join(', ') ?? t.revenue.allDepartments,
          },
          { title: t.factor.title, show: ({ factorSince }) => (factorSince === null ? t.no : t.yes) },
          {
            title: administration.access,
            show: (person) => (
              <div className="actions">
                {person.disabledAt !== null && (
                  <span className="status-badge Avvist">
                    {administration.shutOutSince(format.timestamp(person.disabledAt))}
                  </span>
                )}
                <RowButton label={administration.changePerson} of={person.email} onClick={() => setEdited(person)} />
                <RowButton
                  label={administration[person.disabledAt === null ? 'shutOut' : 'letIn']}
                  of={person.email}
                  variant="subtle"
                  loading={isPending}
                  onClick={() =>
                    mutate({
                      endpoint: person.disabledAt === null ? 'personDisable' : 'personEnable',
                      fields: { id: String(person.id) },
                    })
                  }
                />
              </div>
            ),
          },
        ]}
      />
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
