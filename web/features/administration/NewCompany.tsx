// Dialog to add a company: name, first administrator, time zone, currency, password.
import type { CreatedCompany } from '../../../src/app/contract/administration.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { RequestError } from '../../api/client.ts'
import { useAdminAction } from './api.ts'
import { useSession } from '../../api/session.ts'
import { companyText } from './companies-i18n.ts'
import { administrationText } from '../../i18n/administration.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'
import { TimeZoneSelect } from '../../components/TimeZoneSelect.tsx'

interface NewCompanyProps {
  readonly sendsMail: boolean
  readonly onClose: () => void
  readonly onCreated: (made: CreatedCompany) => void
}

export function NewCompany({ sendsMail, onClose, onCreated }: NewCompanyProps) {
  const { t } = useTranslation(companyText, administrationText, signInText)
  const { zone, currency } = useSession()
  const { mutate, isPending, error } = useAdminAction<typeof appPaths.companyAdd>(onCreated)
  const [fields, setFields] = useState({ name: '', email: '', zone, currency, password: '' })
  const [isTried, setTried] = useState(false)
  const change = (changes: Partial<typeof fields>) => setFields({ ...fields, ...changes })
  // Errors of a field are shown at the field.
  const apiError = error instanceof RequestError ? error : null
  const labels = {
    name: t.companies.name,
    email: t.companies.email,
    zone: t.administration.zone,
    currency: t.administration.currency,
    password: t.companies.password,
  }
  const errorAt = (field: keyof typeof fields) =>
    apiError?.target === field ? apiError.messageNaming(labels[field]) : undefined
  const isAtField = apiError !== null && Object.hasOwn(fields, apiError.target ?? '')
  const missing = (field: 'name' | 'email', text: string) =>
    isTried && fields[field].trim() === '' ? text : errorAt(field)
  const submit = () => {
    setTried(true)
    const [name, email] = [fields.name.trim(), fields.email.trim()]
    if (name !== '' && email !== '') mutate({ path: appPaths.companyAdd, fields: { ...fields, name, email } })
  }
  return (
    <ActionDialog
      title={t.companies.add}
      submit={t.companies.make}
      isBusy={isPending}
      error={isAtField ? null : error}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        data-autofocus
        label={labels.name}
        description={t.companies.nameHint}
        autoComplete="off"
        maxLength={100}
        value={fields.name}
        error={missing('name', t.companies.nameMissing)}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        type="email"
        label={labels.email}
        description={sendsMail ? t.companies.emailByMail : t.companies.emailByLink}
        autoComplete="off"
        maxLength={254}
        value={fields.email}
        error={missing('email', t.companies.emailMissing)}
        onChange={({ currentTarget }) => change({ email: currentTarget.value })}
      />
      <TimeZoneSelect
        label={labels.zone}
        value={fields.zone}
        error={errorAt('zone')}
        onChange={(value) => change({ zone: value })}
      />
      <TextInput
        label={labels.currency}
        description={t.administration.currencyHint}
        maxLength={3}
        value={fields.currency}
        error={errorAt('currency')}
        onChange={({ currentTarget }) => change({ currency: currentTarget.value.toUpperCase() })}
      />
      <PasswordInput
        name="company-password"
        label={labels.password}
        description={t.companies.passwordHint}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t.signIn.showPassword }}
        value={fields.password}
        error={errorAt('password')}
        onChange={({ currentTarget }) => change({ password: currentTarget.value })}
      />
    </ActionDialog>
  )
}
