// Dialog to create an API key or a password of an integration: kind, name, scopes and lifetime.
import type { Administration, CreatedCredential, Credential } from '../../../src/app/contract/administration.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAdminAction } from './api.ts'
import { administrationText } from '../../i18n/administration.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'
import { ScopeChoices } from './ScopeChoices.tsx'

interface NewCredentialProps extends Pick<Administration, 'scopes'> {
  readonly onClose: () => void
  readonly onCreated: (made: CreatedCredential) => void
}

const kinds = ['key', 'password'] as const

const lifetimes = ['30', '90', '365', ''] as const

/** A till that sends a password often cannot be changed in time. */
const defaultDays = { key: '365', password: '' } as const

export function NewCredential({ scopes, onClose, onCreated }: NewCredentialProps) {
  const { t } = useTranslation(administrationText)
  const { administration } = t
  const { mutate, isPending, error } = useAdminAction<typeof appPaths.keyAdd>(onCreated)
  const [kind, setKind] = useState<Credential['kind']>('key')
  const [name, setName] = useState('')
  const [ticked, setTicked] = useState<string[]>([])
  const [chosenDays, setDays] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const days = chosenDays ?? defaultDays[kind]
  const chosen = ticked.filter((scope) => scopes[kind].includes(scope))
  const submit = () => {
    setTried(true)
    if (name.trim() === '' || chosen.length === 0) return
    mutate({ path: appPaths.keyAdd, fields: { kind, name: name.trim(), scopes: chosen.join(' '), days } })
  }
  return (
    <ActionDialog
      title={administration.newCredential}
      submit={administration.create[kind]}
      isBusy={isPending}
      error={error}
      onClose={onClose}
      onSubmit={submit}
    >
      <Select
        label={administration.kind}
        allowDeselect={false}
        value={kind}
        data={kinds.map((value) => ({ value, label: administration.kindChoices[value] }))}
        onChange={(value) => setKind(value === 'password' ? value : 'key')}
      />
      <TextInput
        data-autofocus
        label={administration.keyName}
        description={administration.keyNameHint}
        value={name}
        maxLength={100}
        error={isTried && name.trim() === '' ? administration.keyNameMissing : undefined}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <ScopeChoices
        label={administration.scopes}
        scopes={scopes[kind]}
        value={chosen}
        error={isTried && chosen.length === 0 ? administration.scopesMissing : undefined}
        onChange={setTicked}
      />
      <Select
        label={administration.lifetime}
        allowDeselect={false}
        value={days === '' ? 'ever' : days}
        data={lifetimes.map((value) => ({ value: value === '' ? 'ever' : value, label: administration.days[value] }))}
        onChange={(value) => setDays(value === 'ever' || value === null ? '' : value)}
      />
    </ActionDialog>
  )
}
