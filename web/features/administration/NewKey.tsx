// Dialog to create an API key: name, scopes and lifetime.
import { Checkbox, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAdministering, type MadeKey } from './api.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { useText } from '../../i18n/translation.tsx'
import { Asking } from '../../components/ActionDialog.tsx'

interface NewKeyProps {
  readonly scopes: readonly string[]
  readonly onClose: () => void
  readonly onMade: (made: MadeKey) => void
}

const lifetimes = ['30', '90', '365', ''] as const

export function NewKey({ scopes, onClose, onMade }: NewKeyProps) {
  const { say } = useText(administrationText)
  const { administration } = say
  const rights: Readonly<Record<string, string>> = administration.rights
  const grave = useGrave()
  const { mutate, isPending, error } = useAdministering(grave.run, onMade)
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [days, setDays] = useState<string>('365')
  const [isTried, setTried] = useState(false)
  const submit = () => {
    setTried(true)
    if (name.trim() === '' || chosen.length === 0) return
    mutate({ path: 'nokler/ny', fields: { name: name.trim(), scopes: chosen.join(' '), days } })
  }
  return (
    <>
      <Asking
        title={administration.newKey}
        submit={administration.makeKey}
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
          label={administration.mayDo}
          value={chosen}
          error={isTried && chosen.length === 0 ? administration.rightsMissing : undefined}
          onChange={setChosen}
        >
          <div className="choices">
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={rights[scope] ?? scope}
                description={<code>{scope}</code>}
              />
            ))}
          </div>
        </Checkbox.Group>
        <Select
          label={administration.lives}
          allowDeselect={false}
          value={days === '' ? 'ever' : days}
          data={lifetimes.map((value) => ({
            value: value === '' ? 'ever' : value,
            label: administration.days[value],
          }))}
          onChange={(value) => setDays(value === 'ever' || value === null ? '' : value)}
        />
      </Asking>
      {grave.dialog}
    </>
  )
}
