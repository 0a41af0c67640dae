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
import { DataTable } from '../../components/DataTable.tsx'
import { SecretReveal } from './SecretReveal.tsx'
import { Invitations } from './Invitations.tsx'
import { PersonForm } from './PersonForm.tsx'

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
  const accessOf = ({ disabledAt }: Person) =>
    disabledAt === null ? t.yes : administration.shutOutSince(format.timestamp(disabledAt))
  const close = () => {
    setEdited(null)
    change({ inviter: undefined })
  }
  return (
    <section aria-label={administration.people}>
      {!sendsMail && <p className="muted summary">{administration.noMail}</p>}
      <div aria-live="polite">
        {error !== null && <p className="problem">{error.message}</p>}
        {invited !== null && invited.link === null && (
          <p className="alert">{administration.invitationSent(invited.email)}</p>
        )}
      </div>
      <DataTable
        name="personer"
        label={administration.people}
        tools={<Button onClick={() => change({ inviter: '' })}>{administration.invite}</Button>}
        rows={people}
        keyOf={({ id }) => id}
        columns={[
          { title: administration.person, isRowHeader: true, isLong: true, value: ({ name, email }) => name ?? email },
          { value: 'email', title: administration.email, isLong: true },
          { key: 'role', title: administration.role, value: ({ role }) => t.roles[role] },
          {
            key: 'departments',
            title: t.revenue.department,
            isLong: true,
            value: ({ departments }) => departments?.join(', ') ?? t.revenue.allDepartments,
          },
          { key: 'factor', title: t.factor.title, value: ({ factorSince }) => factorSince !== null },
          {
            key: 'access',
            title: administration.access,
            value: accessOf,
            badge: ({ disabledAt }) => disabledAt !== null && 'Avvist',
          },
        ]}
        nameOf={({ email }) => email}
        actions={(person) => [
          { label: administration.changePerson, run: () => setEdited(person) },
          {
            label: administration[person.disabledAt === null ? 'shutOut' : 'letIn'],
            isBusy: isPending,
            isDestructive: person.disabledAt === null,
            run: () =>
              mutate({
                endpoint: person.disabledAt === null ? 'personDisable' : 'personEnable',
                fields: { id: String(person.id) },
              }),
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
