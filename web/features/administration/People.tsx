// People of the company: invite, change role, disable, enable; and those who are invited.
import { useDepartmentName } from '../../components/use-department-name.ts'
import { Button } from '../../components/Button.tsx'
import type { Administration, InvitedPerson, Person } from '../../../src/app/contract/administration.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSearchParams } from '../../app/use-search-params.ts'
import { useAdminAction } from './api.ts'
import { useAdministrationText } from '../../i18n/administration.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import type { ListColumn } from '../../components/list-columns.tsx'
import { SecretReveal } from './SecretReveal.tsx'
import { PersonForm } from './PersonForm.tsx'

type PeopleProps = Pick<Administration, 'people' | 'invitations' | 'sendsMail'>

export function People({ people, invitations, sendsMail }: PeopleProps) {
  const { administration } = useAdministrationText().t
  const [{ inviter }, change] = useSearchParams('/app/administrasjon')
  const navigate = useNavigate({ from: '/app/administrasjon' })
  const [edited, setEdited] = useState<Person | null>(null)
  const [invited, setInvited] = useState<InvitedPerson | null>(null)
  const close = () => {
    setEdited(null)
    change({ inviter: undefined })
  }
  return (
    <section aria-label={administration.people}>
      {!sendsMail && <p className="muted summary">{administration.noMail}</p>}
      <div aria-live="polite">
        {invited !== null && invited.link === null && (
          <p className="alert">{administration.invitationSent(invited.email)}</p>
        )}
      </div>
      <PeopleTable
        people={people}
        onInvite={() => void navigate({ search: (last) => ({ ...last, inviter: '' }), replace: true })}
        onEdit={setEdited}
      />
      {invitations.length > 0 && <Invitations invitations={invitations} sendsMail={sendsMail} onInvited={setInvited} />}
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

interface PeopleTableProps extends Pick<PeopleProps, 'people'> {
  readonly onInvite: () => void
  readonly onEdit: (person: Person) => void
}

function PeopleTable({ people, onInvite, onEdit }: PeopleTableProps) {
  const { t, format } = useAdministrationText()
  const { administration } = t
  const { mutate, error, isPending } = useAdminAction()
  const membership = useMembershipColumns<Person>()
  return (
    <>
      <ErrorAlert error={error} />
      <DataTable
        name="personer"
        label={administration.people}
        tools={<Button isPrimary label={administration.invite} onClick={onInvite} />}
        rows={people}
        keyOf={({ id }) => id}
        columns={[
          { title: administration.person, isRowHeader: true, isLong: true, value: ({ name, email }) => name ?? email },
          { value: 'email', title: t.signIn.email, isLong: true },
          ...membership,
          { key: 'factor', title: t.factor.title, value: ({ factorSince }) => factorSince !== null },
          {
            key: 'access',
            title: administration.access,
            value: ({ disabledAt }) =>
              disabledAt === null ? t.yes : administration.shutOutSince(format.timestamp(disabledAt)),
            badge: ({ disabledAt }) => disabledAt !== null && 'Avvist',
          },
        ]}
        nameOf={({ email }) => email}
        actions={(person) => [
          { label: t.change, run: () => onEdit(person) },
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
    </>
  )
}

interface InvitationsProps extends Omit<PeopleProps, 'people'> {
  readonly onInvited: (invited: InvitedPerson) => void
}

function Invitations({ invitations, sendsMail, onInvited }: InvitationsProps) {
  const { t } = useAdministrationText()
  const { administration } = t
  const resending = useAdminAction<'personInvite'>(onInvited)
  const withdrawing = useAdminAction()
  const membership = useMembershipColumns<Administration['invitations'][number]>()
  return (
    <>
      <ErrorAlert error={resending.error ?? withdrawing.error} />
      <DataTable
        title={administration.invitations}
        rows={invitations}
        keyOf={({ id }) => id}
        columns={[
          { value: 'email', title: t.signIn.email, isRowHeader: true, isLong: true },
          ...membership,
          {
            value: 'expiresAt',
            title: administration.validUntil,
            type: 'timestamp',
            badge: ({ expiresAt }) => expiresAt < Date.now() * 1000 && 'Avvist',
          },
        ]}
        nameOf={({ email }) => email}
        actions={({ id, email, role, departments }) => [
          {
            label: sendsMail ? administration.inviteAgain : administration.createLink,
            isBusy: resending.isPending,
            run: () =>
              resending.mutate({
                endpoint: 'personInvite',
                fields: { email, role, departments: departments?.join(',') ?? '' },
              }),
          },
          {
            label: administration.withdrawInvitation,
            isBusy: withdrawing.isPending,
            run: () => withdrawing.mutate({ endpoint: 'invitationWithdraw', fields: { id: String(id) } }),
          },
        ]}
      />
    </>
  )
}

function useMembershipColumns<Row extends Pick<Person, 'role' | 'departments'>>(): readonly ListColumn<Row>[] {
  const { t } = useAdministrationText()
  const departmentName = useDepartmentName()
  return [
    { key: 'role', title: t.administration.role, value: ({ role }) => t.roles[role] },
    {
      key: 'departments',
      title: t.revenue.department,
      isLong: true,
      value: ({ departments }) => departments?.map(departmentName).join(', ') ?? t.revenue.allDepartments,
    },
  ]
}
