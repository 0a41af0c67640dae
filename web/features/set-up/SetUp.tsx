// SetUp: first-run set-up of the server by its one-time link: company, owner and first key; its secrets, shown once.
import { Button } from '../../components/Button.tsx'
import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { post, sendJson } from '../../api/client.ts'
import { useLinkToken } from '../sign-in/token.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useFields, type FieldsForm } from '../../components/use-fields.ts'
import { useSetUpText } from '../../i18n/set-up.ts'
import styles from './SetUp.module.css'
import { ScopeChoices } from '../administration/ScopeChoices.tsx'
import { TimeZoneSelect } from '../../components/TimeZoneSelect.tsx'
import { Link } from '@tanstack/react-router'
import { addDays } from '../../api/days.ts'
import { toDay } from '../../api/format.ts'
import { focusElement } from '../../components/focus-element.ts'
import { CopyableText } from '../../components/CopyableText.tsx'

export function SetUp() {
  const { t } = useSetUpText()
  const linkToken = useLinkToken()
  const setUp = useMutation({
    mutationFn: async (values: SetUpValues) => {
      const secrets = await sendJson<SetUpSecrets>('POST', '/setup', {
        ...values,
        keyName: values.keyName.trim() || t.setUp.firstKey,
      })
      const { email, password } = values
      // The secrets are shown in any case; without a session the app asks for the password.
      await post('session', { email: email.trim(), password, company: '' }).catch(() => null)
      return secrets
    },
  })
  const { data, error } = setUp
  const form = useFields<SetUpValues>({
    initialValues: { ...initialValues, token: linkToken },
    labels: t.setUp.labels,
    action: setUp,
  })
  const isAtFields = error !== null && form.action.error === null
  if (data !== undefined) return <SetUpResult secrets={data} zone={form.values.timezone} />
  return (
    <PublicLayout title={t.setUp.title}>
      <p>{t.setUp.lead}</p>
      <ErrorAlert error={isAtFields ? t.setUp.problems : error} takesFocus={!isAtFields} />
      <form className={styles.setUp} noValidate onSubmit={form.onSubmit((values) => setUp.mutate(values))}>
        <SetUpFields form={form} asksForToken={linkToken === ''} />
        <Button isPrimary label={t.setUp.submit} type="submit" size="md" loading={setUp.isPending} />
      </form>
    </PublicLayout>
  )
}

const initialValues = {
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

type SetUpValues = typeof initialValues

interface SetUpFieldsProps {
  readonly form: FieldsForm<SetUpValues>
  /** Whether the link had no token. */
  readonly asksForToken: boolean
}

function SetUpFields({ form: { values, setValues, field }, asksForToken }: SetUpFieldsProps) {
  const { t } = useSetUpText()
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

interface SetUpSecrets {
  readonly company: string
  /** Null when it was chosen. */
  readonly companyPassword: string | null
  readonly email: string
  /** Null without scopes. */
  readonly key: string | null
  readonly scopes: readonly string[]
}

function SetUpResult({ secrets, zone }: { secrets: SetUpSecrets; zone: string }) {
  const { t } = useSetUpText()
  const { parts, labels, ...texts } = t.setUp
  const { company, companyPassword, email, key, scopes } = secrets
  return (
    <PublicLayout title={texts.doneTitle}>
      <div className={`stack ${styles.setUp} ${styles.result}`}>
        <p role="status" tabIndex={-1} ref={focusElement}>
          {texts.doneLead}
        </p>
        <dl>
          <dt>{parts.company}</dt>
          <dd>{company}</dd>
          <dt>{parts.owner}</dt>
          <dd>{email}</dd>
          {companyPassword === null && (
            <>
              <dt>{labels.companyPassword}</dt>
              <dd>{texts.chosenPassword}</dd>
            </>
          )}
        </dl>
        {companyPassword !== null && <CopyableText label={labels.companyPassword} text={companyPassword} />}
        {key !== null && <CopyableText label={parts.key} text={key} />}
        {key !== null && scopes.includes('revenue:write') && (
          <CopyableText label={texts.firstFigure} text={firstCommand(key, zone)} />
        )}
        <p>
          {texts.moreEndpoints} <a href="/openapi.json">/openapi.json</a>.
        </p>
        <Button isPrimary label={texts.open} size="md" renderRoot={(props) => <Link to="/app/i-dag" {...props} />} />
      </div>
    </PublicLayout>
  )
}

/** Sets the revenue of yesterday, which Today shows. */
function firstCommand(key: string, zone: string): string {
  const day = addDays(toDay(Date.now() * 1000, zone), -1)
  return [
    `curl '${window.location.origin}/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'`,
    `-H 'tb-key: ${key}' -H 'Content-Type: application/json'`,
    `-d '[{"Dato":"${day}","AvdelingID":"10","Omsetning":12500.50}]'`,
  ].join(' ')
}
