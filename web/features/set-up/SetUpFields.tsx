// SetUpFields: company, owner and first key.
import { PasswordInput, TextInput } from '@mantine/core'
import { ScopeChoices } from '../administration/ScopeChoices.tsx'
import { setUpText } from '../../i18n/set-up.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { TimeZoneSelect } from '../../components/TimeZoneSelect.tsx'
import { useTranslation } from '../../i18n/translation.tsx'

export type SetUpValues = Readonly<
  Record<
    | 'token'
    | 'company'
    | 'timezone'
    | 'companyPassword'
    | 'email'
    | 'password'
    | 'keyName'
    /** Separated by spaces. */
    | 'scopes',
    string
  >
>

interface SetUpFieldsProps {
  readonly values: SetUpValues
  readonly problems: ReadonlyMap<string, string>
  /** Whether the link had no token. */
  readonly asksForToken: boolean
  readonly onChange: (changes: Partial<SetUpValues>) => void
}

export function SetUpFields({ values, problems, asksForToken, onChange }: SetUpFieldsProps) {
  const { t } = useTranslation(setUpText, signInText)
  const { parts, labels, hints } = t.setUp
  const wrapper = (name: keyof SetUpValues) => ({
    label: labels[name],
    description: name === 'password' ? t.links.passwordHint : hints[name],
    error: problems.get(name),
    size: 'md',
  })
  const input = (name: keyof SetUpValues) => ({
    ...wrapper(name),
    name,
    value: values[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange({ [name]: currentTarget.value }),
  })
  const visibility = { 'aria-label': t.signIn.showPassword }
  return (
    <>
      {asksForToken && <TextInput {...input('token')} autoComplete="off" spellCheck={false} />}
      <fieldset>
        <legend>{parts.company}</legend>
        <TextInput {...input('company')} maxLength={100} autoComplete="organization" />
        <TimeZoneSelect
          {...wrapper('timezone')}
          value={values.timezone}
          onChange={(timezone) => onChange({ timezone })}
        />
        <PasswordInput
          {...input('companyPassword')}
          autoComplete="new-password"
          visibilityToggleButtonProps={visibility}
        />
      </fieldset>
      <fieldset>
        <legend>{parts.owner}</legend>
        <TextInput {...input('email')} type="email" autoComplete="username" />
        <PasswordInput {...input('password')} autoComplete="new-password" visibilityToggleButtonProps={visibility} />
      </fieldset>
      <fieldset>
        <legend>{parts.key}</legend>
        <TextInput {...input('keyName')} maxLength={100} autoComplete="off" />
        <ScopeChoices
          {...wrapper('scopes')}
          value={values.scopes.split(' ')}
          onChange={(chosen) => onChange({ scopes: chosen.filter((one) => one !== '').join(' ') })}
        />
      </fieldset>
    </>
  )
}
