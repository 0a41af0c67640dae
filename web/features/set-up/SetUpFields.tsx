// SetUpFields: company, owner and first key.
import { PasswordInput, TextInput } from '@mantine/core'
import { ScopeChoices } from '../administration/ScopeChoices.tsx'
import { setUpText } from '../../i18n/set-up.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { TimeZoneSelect } from '../../components/TimeZoneSelect.tsx'
import type { FieldsForm } from '../../components/use-fields.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export const initialValues = {
  token: '',
  company: '',
  timezone: 'Europe/Oslo',
  companyPassword: '',
  email: '',
  password: '',
  keyName: '',
  /** Separated by spaces. */
  scopes: 'revenue:read revenue:write',
}

export type SetUpValues = typeof initialValues

interface SetUpFieldsProps {
  readonly form: FieldsForm<SetUpValues>
  /** Whether the link had no token. */
  readonly asksForToken: boolean
}

export function SetUpFields({ form: { values, setValues, field }, asksForToken }: SetUpFieldsProps) {
  const { t } = useTranslation(setUpText, signInText)
  const { parts, hints } = t.setUp
  const input = (name: keyof SetUpValues) => ({
    ...field(name),
    name,
    description: name === 'password' ? t.links.passwordHint : hints[name],
    size: 'md',
  })
  const newPassword = {
    autoComplete: 'new-password',
    visibilityToggleButtonProps: { 'aria-label': t.signIn.showPassword },
  }
  return (
    <>
      {asksForToken && <TextInput {...input('token')} autoComplete="off" spellCheck={false} />}
      <fieldset>
        <legend>{parts.company}</legend>
        <TextInput {...input('company')} maxLength={100} autoComplete="organization" />
        <TimeZoneSelect {...input('timezone')} value={values.timezone} />
        <PasswordInput {...input('companyPassword')} {...newPassword} />
      </fieldset>
      <fieldset>
        <legend>{parts.owner}</legend>
        <TextInput {...input('email')} type="email" autoComplete="username" />
        <PasswordInput {...input('password')} {...newPassword} />
      </fieldset>
      <fieldset>
        <legend>{parts.key}</legend>
        <TextInput {...input('keyName')} maxLength={100} autoComplete="off" />
        <ScopeChoices
          {...input('scopes')}
          value={values.scopes.split(' ')}
          onChange={(chosen) => setValues({ scopes: chosen.filter((one) => one !== '').join(' ') })}
        />
      </fieldset>
    </>
  )
}
