// Dialog to create an API key: name, scopes and lifetime.
import type { CreatedKey } from '../../../src/app/contract/administration.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Checkbox, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAdminAction } from './api.ts'
import { administrationText } from '../../i18n/administration.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'

interface NewKeyProps {
  readonly scopes: readonly string[]
  readonly onClose: () => void
  readonly onCreated: (made: CreatedKey) => void
}

const lifetimes = ['30', '90', '365', ''] as const

export function NewKey({ scopes, onClose, onCreated }: NewKeyProps) {
  const { t } = useTranslation(administrationText)
  const { administration } = t
  const scopeNames: Readonly<Record<string, string>> = administration.scopeNames
  const { mutate, isPending, error } = useAdminAction<typeof appPaths.keyAdd>(onCreated)
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [days, setDays] = useState<string>('365')
  const [isTried, setTried] = useState(false)
  const submit = () => {
    setTried(true)
    if (name.trim() === '' || chosen.length === 0) return
    mutate({ path: appPaths.keyAdd, fields: { name: name.trim(), scopes: chosen.join(' '), days } })
  }
  return (
    <ActionDialog
      title={administration.newKey}
      submit={administration.createKey}
      isBusy={isPending}
      error={error}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        data-autofocus
        label={administration.keyName}
        description={administration.keyNameHint}
        value={name}
        maxLength={100}
        error={isTried && name.trim() === '' ? administration.keyNameMissing : undefined}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Checkbox.Group
        label={administration.scopes}
        value={chosen}
        error={isTried && chosen.length === 0 ? administration.scopesMissing : undefined}
        onChange={setChosen}
      >
        <div className="choices">
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={scopeNames[scope] ?? scope}
              description={<code>{scope}</code>}
            />
          ))}
        </div>
      </Checkbox.Group>
      <Select
        label={administration.lifetime}
        allowDeselect={false}
        value={days === '' ? 'ever' : days}
        data={lifetimes.map((value) => ({
          value: value === '' ? 'ever' : value,
          label: administration.days[value],
        }))}
        onChange={(value) => setDays(value === 'ever' || value === null ? '' : value)}
      />
    </ActionDialog>
  )
}
