// Dialog to add a company: name, first administrator, time zone, currency, password.
import { PasswordInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Refusal } from '../../api/client.ts'
import { useCompanyAct, type MadeCompany } from './companies-api.ts'
import { useSession } from '../../api/session.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { useCompanyText } from './companies-i18n.ts'
import { administrationText } from '../../i18n/administration.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useText } from '../../i18n/translation.tsx'
import { Asking } from '../../components/ActionDialog.tsx'

interface NewCompanyProps {
  readonly sendsMail: boolean
  readonly onClose: () => void
  readonly onMade: (made: MadeCompany) => void
}

const zones = Intl.supportedValuesOf('timeZone')

export function NewCompany({ sendsMail, onClose, onMade }: NewCompanyProps) {
  const { say } = useText(administrationText, signInText)
  const texts = useCompanyText()
  const { zone, currency } = useSession()
  const grave = useGrave()
  const { mutate, isPending, error } = useCompanyAct('ny', grave.run, onMade)
  const [fields, setFields] = useState({ name: '', email: '', zone, currency, password: '' })
  const [isTried, setTried] = useState(false)
  const change = (changes: Partial<typeof fields>) => setFields({ ...fields, ...changes })
  // Errors of a field are shown at the field.
  const barred = error instanceof Refusal ? error : null
  const at = (field: keyof typeof fields) => (barred?.target === field ? barred.message : undefined)
  const isAtField = barred !== null && Object.hasOwn(fields, barred.target ?? '')
  const missing = (field: 'name' | 'email', text: string) =>
    isTried && fields[field].trim() === '' ? text : at(field)
  const submit = () => {
    setTried(true)
    const [name, email] = [fields.name.trim(), fields.email.trim()]
    if (name !== '' && email !== '') mutate({ ...fields, name, email })
  }
  return (
    <>
      <Asking
        title={texts.add}
        submit={texts.make}
        isBusy={isPending}
        error={isAtField ? null : error}
        onClose={onClose}
        onSubmit={submit}
      >
        <TextInput
          data-autofocus
          label={texts.name}
          description={texts.nameHint}
          autoComplete="off"
          maxLength={100}
          value={fields.name}
          error={missing('name', texts.nameMissing)}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <TextInput
          type="email"
          label={texts.email}
          description={sendsMail ? texts.emailByMail : texts.emailByLink}
          autoComplete="off"
          maxLength={254}
          value={fields.email}
          error={missing('email', texts.emailMissing)}
          onChange={({ currentTarget }) => change({ email: currentTarget.value })}
        />
        <Select
          label={say.administration.zone}
          searchable
          allowDeselect={false}
          limit={60}
          value={fields.zone}
          data={zones.includes(zone) ? zones : [zone, ...zones]}
          nothingFoundMessage={say.states.noMatchTitle}
          error={at('zone')}
          onChange={(value) => value !== null && change({ zone: value })}
        />
        <TextInput
          label={say.administration.currency}
          description={say.administration.currencyHint}
          maxLength={3}
          value={fields.currency}
          error={at('currency')}
          onChange={({ currentTarget }) => change({ currency: currentTarget.value.toUpperCase() })}
        />
        <PasswordInput
          name="company-password"
          label={texts.password}
          description={texts.passwordHint}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': say.signIn.showPassword }}
          value={fields.password}
          error={at('password')}
          onChange={({ currentTarget }) => change({ password: currentTarget.value })}
        />
      </Asking>
      {grave.dialog}
    </>
  )
}
