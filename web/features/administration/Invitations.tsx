// Pending invitations: resend and withdraw.
import type { Invitation, InvitedPerson } from '../../../src/app/contract/administration.ts'
import { useAdminAction } from './api.ts'
import { administrationText } from '../../i18n/administration.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { DataTable } from '../../components/DataTable.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'

interface InvitationsProps {
  readonly invitations: readonly Invitation[]
  readonly sendsMail: boolean
  readonly onInvited: (invited: InvitedPerson) => void
}

export function Invitations({ invitations, sendsMail, onInvited }: InvitationsProps) {
  const { t } = useTranslation(administrationText, revenueText)
  const { administration } = t
  const resending = useAdminAction<'personInvite'>(onInvited)
  const withdrawing = useAdminAction()
  const error = resending.error ?? withdrawing.error
  if (invitations.length === 0) return null
  return (
    <>
      <ErrorAlert error={error} />
      <DataTable
        title={administration.invitations}
        rows={invitations}
        keyOf={({ id }) => id}
        columns={[
          { value: 'email', title: administration.email, isRowHeader: true, isLong: true },
          { key: 'role', title: administration.role, value: ({ role }) => t.roles[role] },
          {
            key: 'departments',
            title: t.revenue.department,
            isLong: true,
            value: ({ departments }) => departments?.join(', ') ?? t.revenue.allDepartments,
          },
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
