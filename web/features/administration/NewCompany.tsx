// Dialog to add a company: name, first administrator, time zone, currency, password.
import type { CreatedCompany } from '../../../src/app/contract/administration.ts'
import { PasswordInput, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useAdminAction } from './api.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyText } from './companies-i18n.ts'
import { ActionDialog } from '../../components/Dialog.tsx'
import { TimeZoneSelect } from '../../components/TimeZoneSelect.tsx'
import { useFields } from '../../components/use-fields.ts'

interface NewCompanyProps {
  readonly sendsMail: boolean
  readonly onClose: () => void
  readonly onCreated: (made: CreatedCompany) => void
}

export function NewCompany({ sendsMail, onClose, onCreated }: NewCompanyProps) {
  const { t } = useCompanyText()
  const { zone, currency } = useSession()
  const adding = useAdminAction<'companyAdd'>(onCreated)
  const { action, field, values, setValues, onSubmit } = useFields({
    initialValues: { name: '', email: '', zone, currency, password: '' },
    validate: { name: isNotEmpty(t.companies.nameMissing), email: isNotEmpty(t.signIn.emailMissing) },
    labels: {
      name: t.name,
      email: t.companies.email,
      zone: t.settings.zone,
      currency: t.settings.currency,
      password: t.companies.password,
    },
    action: adding,
  })
  return (
    <ActionDialog
      title={t.companies.add}
      submit={t.companies.make}
      action={action}
      onClose={onClose}
      onSubmit={onSubmit(({ name, email, ...others }) =>
        adding.mutate({ endpoint: 'companyAdd', fields: { ...others, name: name.trim(), email: email.trim() } }),
      )}
    >
      <TextInput
        {...field('name')}
        data-autofocus
        description={t.companies.nameHint}
        autoComplete="off"
        maxLength={100}
      />
      <TextInput
        {...field('email')}
        type="email"
        description={sendsMail ? t.companies.emailByMail : t.companies.emailByLink}
        autoComplete="off"
        maxLength={254}
      />
      <TimeZoneSelect {...field('zone')} value={values.zone} />
      <TextInput
        {...field('currency')}
        description={t.settings.currencyHint}
        maxLength={3}
        onChange={({ currentTarget }) => setValues({ currency: currentTarget.value.toUpperCase() })}
      />
      <PasswordInput
        {...field('password')}
        name="company-password"
        description={t.companies.passwordHint}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t.signIn.showPassword }}
      />
    </ActionDialog>
  )
}
