// Dialog to create an API key or a password of an integration: kind, name, scopes and lifetime.
import type { Administration, CreatedCredential, Credential } from '../../../src/app/contract/administration.ts'
import { Select, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useAdminAction } from './api.ts'
import { useAdministrationText } from '../../i18n/administration.ts'
import { ActionDialog } from '../../components/Dialog.tsx'
import { useFields } from '../../components/use-fields.ts'
import { ScopeChoices } from './ScopeChoices.tsx'

interface NewCredentialProps extends Pick<Administration, 'scopes'> {
  readonly onClose: () => void
  readonly onCreated: (made: CreatedCredential) => void
}

/** A till that sends a password often cannot be changed in time. */
const defaultDays = { key: '365', password: '' } as const

interface CredentialValues {
  readonly kind: Credential['kind']
  readonly name: string
  readonly ticked: readonly string[]
  /** Null until it is chosen. */
  readonly days: string | null
}

export function NewCredential({ scopes, onClose, onCreated }: NewCredentialProps) {
  const { t } = useAdministrationText()
  const { administration } = t
  const adding = useAdminAction<'keyAdd'>(onCreated)
  const scopesOf = ({ kind, ticked }: CredentialValues) => ticked.filter((scope) => scopes[kind].includes(scope))
  const { values, setValues, field, action, onSubmit } = useFields<CredentialValues>({
    initialValues: { kind: 'key', name: '', ticked: [], days: null },
    validate: {
      name: isNotEmpty(administration.keyNameMissing),
      ticked: (_, all) => scopesOf(all).length === 0 && administration.scopesMissing,
    },
    labels: { kind: administration.kind, name: administration.keyName, ticked: administration.scopes },
    action: adding,
  })
  const days = values.days ?? defaultDays[values.kind]
  return (
    <ActionDialog
      title={administration.newCredential}
      submit={administration.create[values.kind]}
      action={action}
      onClose={onClose}
      onSubmit={onSubmit(({ kind, name }) =>
        adding.mutate({
          endpoint: 'keyAdd',
          fields: { kind, name: name.trim(), scopes: scopesOf(values).join(' '), days },
        }),
      )}
    >
      <Select
        {...field('kind')}
        allowDeselect={false}
        data={Object.entries(administration.kindChoices).map(([value, label]) => ({ value, label }))}
      />
      <TextInput {...field('name')} data-autofocus description={administration.keyNameHint} maxLength={100} />
      <ScopeChoices {...field('ticked')} scopes={scopes[values.kind]} value={scopesOf(values)} />
      <Select
        label={administration.lifetime}
        allowDeselect={false}
        value={days === '' ? 'ever' : days}
        data={Object.entries(administration.days).map(([value, label]) => ({ value: value || 'ever', label }))}
        onChange={(value) => setValues({ days: value === 'ever' ? '' : value })}
      />
    </ActionDialog>
  )
}
