// Dialog for a person's role, and for approvers their departments.
import type { InvitedPerson, Person } from '../../../src/app/contract/administration.ts'
import { Select, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useAdminAction } from './api.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { useAdministrationText } from '../../i18n/administration.ts'
import { ChoiceList } from '../../components/ChoiceList.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'
import { useFields } from '../../components/use-fields.ts'

interface PersonFormProps {
  /** Null for an invitation. */
  readonly person: Person | null
  /** Of an invitation. */
  readonly email: string
  /** Otherwise the inviter passes on a link. */
  readonly sendsMail: boolean
  readonly onClose: () => void
  /** Null unless somebody was invited. */
  readonly onDone: (invited: InvitedPerson | null) => void
}

export function PersonForm({ person, email: invited, sendsMail, onClose, onDone }: PersonFormProps) {
  const { t } = useAdministrationText()
  const { administration } = t
  const { sendInvitation, createLink } = administration
  const saving = useAdminAction<'personInvite' | 'personChange'>((reply) => onDone('email' in reply ? reply : null))
  const { values, field, action, onSubmit } = useFields({
    initialValues: {
      email: person?.email ?? invited,
      role: person?.role ?? 'approver',
      departments: [...(person?.departments ?? [])],
    },
    validate: { email: isNotEmpty(t.signIn.emailMissing) },
    labels: { email: t.signIn.email, role: administration.role, departments: t.sets.Avdeling },
    action: saving,
  })
  const submit = onSubmit(({ email, role, departments }) => {
    const membership = { role, departments: role === 'approver' ? departments.join(',') : '' }
    saving.mutate(
      person === null
        ? { endpoint: 'personInvite', fields: { ...membership, email: email.trim() } }
        : { endpoint: 'personChange', fields: { ...membership, id: String(person.id) } },
    )
  })
  // Departments of the directory, and assigned codes that are no longer in it.
  const { data: names } = useQuery(departmentsQuery)
  const codes = new Set([...(names?.keys() ?? []), ...values.departments])
  return (
    <ActionDialog
      title={person === null ? administration.invite : (person.name ?? person.email)}
      submit={person !== null ? t.save : sendsMail ? sendInvitation : createLink}
      action={action}
      onClose={onClose}
      onSubmit={submit}
    >
      {person === null && <TextInput {...field('email')} data-autofocus type="email" autoComplete="off" />}
      <Select
        {...field('role')}
        description={administration.roleTexts[values.role]}
        allowDeselect={false}
        data={Object.entries(t.roles).map(([value, label]) => ({ value, label }))}
      />
      {values.role === 'approver' && (
        <ChoiceList
          {...field('departments')}
          description={administration.departmentsHint}
          choices={[...codes].map((code) => [code, names?.get(code) ?? code])}
        />
      )}
    </ActionDialog>
  )
}
