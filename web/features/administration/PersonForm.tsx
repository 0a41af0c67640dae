// Dialog for a person's role, and for approvers their departments.
import { Checkbox, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAdministering, type InvitedPerson, type Person } from './api.ts'
import type { Role } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useText } from '../../i18n/translation.tsx'
import { Asking } from '../../components/ActionDialog.tsx'

interface PersonFormProps {
  /** Null for an invitation. */
  readonly person: Person | null
  readonly onClose: () => void
  /** Null unless somebody was invited. */
  readonly onDone: (invited: InvitedPerson | null) => void
}

const roles: readonly Role[] = ['registrant', 'viewer', 'approver', 'auditor', 'admin']

export function PersonForm({ person, onClose, onDone }: PersonFormProps) {
  const { say } = useText(administrationText, signInText)
  const { administration } = say
  const grave = useGrave()
  const { mutate, isPending, error } = useAdministering<InvitedPerson>(grave.run, (answer) =>
    onDone(person === null ? answer : null),
  )
  const [email, setEmail] = useState(person?.email ?? '')
  const [role, setRole] = useState<Role>(person?.role ?? 'approver')
  const [departments, setDepartments] = useState<string[]>([...(person?.departments ?? [])])
  const [isTried, setTried] = useState(false)
  const submit = () => {
    setTried(true)
    if (email.trim() === '') return
    const place = { role, departments: role === 'approver' ? departments.join(',') : '' }
    mutate(
      person === null
        ? { path: 'personer/inviter', fields: { ...place, email: email.trim() } }
        : { path: 'personer/endre', fields: { ...place, id: String(person.id) } },
    )
  }
  return (
    <>
      <Asking
        title={person === null ? administration.invite : person.email}
        submit={person === null ? administration.sendInvitation : say.save}
        isBusy={isPending}
        error={error}
        onClose={onClose}
        onSubmit={submit}
      >
        {person === null && (
          <TextInput
            data-autofocus
            type="email"
            autoComplete="off"
            label={say.signIn.email}
            value={email}
            error={isTried && email.trim() === '' ? administration.emailMissing : undefined}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
        )}
        <Select
          label={administration.role}
          description={administration.roleTexts[role]}
          allowDeselect={false}
          value={role}
          data={roles.map((value) => ({ value, label: say.roles[value] }))}
          onChange={(value) => setRole(roles.find((one) => one === value) ?? role)}
        />
        {role === 'approver' && <Departments chosen={departments} onChange={setDepartments} />}
      </Asking>
      {grave.dialog}
    </>
  )
}

interface DepartmentsProps {
  readonly chosen: string[]
  readonly onChange: (chosen: string[]) => void
}

/** Departments of the directory, and assigned codes that are no longer in it. */
function Departments({ chosen, onChange }: DepartmentsProps) {
  const { say } = useText(administrationText)
  const { data: names } = useQuery(departmentsQuery)
  const codes = new Set([...(names?.keys() ?? []), ...chosen])
  return (
    <Checkbox.Group
      label={say.administration.departments}
      description={say.administration.departmentsHint}
      value={chosen}
      onChange={onChange}
    >
      <div className="choices">
        {[...codes].map((code) => (
          <Checkbox
            key={code}
            value={code}
            label={names?.get(code) ?? code}
            description={<code>{code}</code>}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}
