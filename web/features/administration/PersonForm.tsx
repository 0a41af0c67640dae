// Dialog for a person's role, and for approvers their departments.
import { appPaths } from '../../../src/app/contract/paths.ts'
import type { InvitedPerson, Person } from '../../../src/app/contract/administration.ts'
import type { Role } from '../../../src/app/contract/session.ts'
import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorAt } from '../../api/client.ts'
import { useAdminAction } from './api.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { administrationText } from '../../i18n/administration.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { ChoiceList } from '../../components/ChoiceList.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'

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

const roles: readonly Role[] = ['registrant', 'viewer', 'approver', 'auditor', 'admin']

export function PersonForm({ person, email: invited, sendsMail, onClose, onDone }: PersonFormProps) {
  const { t } = useTranslation(administrationText, signInText)
  const { administration } = t
  const { sendInvitation, createLink } = administration
  const { mutate, isPending, error } = useAdminAction<typeof appPaths.personInvite | typeof appPaths.personChange>(
    (reply) => onDone('email' in reply ? reply : null),
  )
  const [email, setEmail] = useState(person?.email ?? invited)
  const [role, setRole] = useState<Role>(person?.role ?? 'approver')
  const [departments, setDepartments] = useState<string[]>([...(person?.departments ?? [])])
  const [isTried, setTried] = useState(false)
  // An error of the address is shown at its field.
  const emailError = errorAt('email', error)
  const submit = () => {
    setTried(true)
    if (email.trim() === '') return
    const membership = { role, departments: role === 'approver' ? departments.join(',') : '' }
    mutate(
      person === null
        ? { path: appPaths.personInvite, fields: { ...membership, email: email.trim() } }
        : { path: appPaths.personChange, fields: { ...membership, id: String(person.id) } },
    )
  }
  return (
    <ActionDialog
      title={person === null ? administration.invite : person.email}
      submit={person !== null ? t.save : sendsMail ? sendInvitation : createLink}
      isBusy={isPending}
      error={emailError === null ? error : null}
      onClose={onClose}
      onSubmit={submit}
    >
      {person === null && (
        <TextInput
          data-autofocus
          type="email"
          autoComplete="off"
          label={t.signIn.email}
          value={email}
          error={
            isTried && email.trim() === '' ? administration.emailMissing : emailError?.messageNaming(t.signIn.email)
          }
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      )}
      <Select
        label={administration.role}
        description={administration.roleTexts[role]}
        allowDeselect={false}
        value={role}
        data={roles.map((value) => ({ value, label: t.roles[value] }))}
        onChange={(value) => setRole(roles.find((one) => one === value) ?? role)}
      />
      {role === 'approver' && <Departments chosen={departments} onChange={setDepartments} />}
    </ActionDialog>
  )
}

interface DepartmentsProps {
  readonly chosen: string[]
  readonly onChange: (chosen: string[]) => void
}

/** Departments of the directory, and assigned codes that are no longer in it. */
function Departments({ chosen, onChange }: DepartmentsProps) {
  const { t } = useTranslation(administrationText)
  const { data: names } = useQuery(departmentsQuery)
  const codes = new Set([...(names?.keys() ?? []), ...chosen])
  return (
    <ChoiceList
      label={t.administration.departments}
      description={t.administration.departmentsHint}
      choices={[...codes].map((code) => [code, names?.get(code) ?? code])}
      value={chosen}
      onChange={onChange}
    />
  )
}
