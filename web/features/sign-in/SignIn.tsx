// Sign-in: password, identity provider or passkey; or why plain HTTP does not work.
import { Button } from '../../components/Button.tsx'
import type { Credentials } from '../../../src/app/contract/session.ts'
import { TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type SyntheticEvent } from 'react'
import { hasErrorCode, post } from '../../api/client.ts'
import { toSignInProblem, useSignInActions } from '../../api/session.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { SignInCode } from './SignInCode.tsx'
import { PasswordField, PublicForm } from './PublicForm.tsx'
import { supportsPasskeys, signInWithPasskey, toPasskeyProblem } from '../../api/passkey.ts'
import { useAccountText } from '../../i18n/account.ts'
import { redirectToProvider, providerQuery, getCurrentPath } from '../../api/sso.ts'
import styles from './SsoButton.module.css'

interface SignInProps {
  /** Error code of a provider sign-in; null without one. */
  readonly outcome: string | null
}

export function SignIn({ outcome }: SignInProps) {
  const { t } = useAccountText()
  return (
    <PublicLayout title={t.signIn.title}>
      <p className="muted">{t.signIn.purpose}</p>
      {window.isSecureContext ? <SignInMethods outcome={outcome} /> : <InsecureConnection />}
    </PublicLayout>
  )
}

function InsecureConnection() {
  const { t } = useAccountText()
  const address = `https://${window.location.host}${window.location.pathname}`
  return (
    <div className="public-notice" role="alert">
      <p className="state-title">{t.signIn.insecureTitle}</p>
      <p>{t.signIn.insecureText}</p>
      <a href={address}>{address}</a>
    </div>
  )
}

/** Identity provider, or password, which may be followed by a code. */
function SignInMethods({ outcome }: SignInProps) {
  const { t } = useAccountText()
  const [credentials, setCredentials] = useState<Credentials | null>(null)
  if (credentials !== null) return <SignInCode credentials={credentials} onBack={() => setCredentials(null)} />
  return (
    <>
      <SsoButton outcome={outcome} />
      <SignInForm onFactorNeeded={setCredentials} />
      <p className="sign-in-link">
        <Link to="/app/glemt">{t.links.forgotten}</Link>
      </p>
      <PasskeyButton />
    </>
  )
}

function SignInForm({ onFactorNeeded }: { onFactorNeeded: (credentials: Credentials) => void }) {
  const { t } = useAccountText()
  const { signIn } = useSignInActions()
  const [isMissing, setMissing] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: signIn,
    onError: (failure, fields) => {
      if (hasErrorCode(failure, 'SecondFactorCodeRequired')) onFactorNeeded(fields)
    },
  })

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const field = (name: string) => {
      const value = data.get(name)
      return typeof value === 'string' ? value : ''
    }
    const fields = { company: field('company').trim(), email: field('email').trim(), password: field('password') }
    const isComplete = fields.email !== '' && fields.password !== ''
    setMissing(!isComplete)
    if (isComplete) mutate(fields)
  }

  return (
    <PublicForm
      submit={t.signIn.title}
      problem={isMissing ? t.signIn.required : toSignInProblem(error, t.signIn.wrong)}
      isPending={isPending}
      onSubmit={submit}
    >
      <TextInput
        name="email"
        type="email"
        label={t.signIn.email}
        autoComplete="username"
        size="md"
        required
        withAsterisk={false}
      />
      <PasswordField name="password" label={t.signIn.password} description={null} autoComplete="current-password" />
      <TextInput
        name="company"
        label={t.company}
        description={t.signIn.companyHint}
        autoComplete="organization"
        size="md"
      />
    </PublicForm>
  )
}

/** Sign-in by passkey, where the browser supports it. */
function PasskeyButton() {
  const { t } = useAccountText()
  const { signInWith } = useSignInActions()
  const { mutate, error, isPending } = useMutation({ mutationFn: () => signInWith(signInWithPasskey) })
  if (!supportsPasskeys) return null
  return (
    <div className="sign-in-link">
      <ErrorAlert error={toPasskeyProblem(error, t.passkeys)} takesFocus />
      <Button label={t.passkeys.signIn} variant="subtle" loading={isPending} onClick={() => mutate()} />
    </div>
  )
}

/** Sign-in by the identity provider, and the error of a failed attempt. */
function SsoButton({ outcome }: { outcome: string | null }) {
  const { t } = useAccountText()
  const name = useQuery(providerQuery).data?.name ?? null
  const { mutate, error, isIdle, isError } = useMutation({
    mutationFn: () =>
      // The next attempt adds its own outcome.
      redirectToProvider(() => post('oidcLogin', { to: getCurrentPath().replace(/[?&]sso=\w+/, '') })),
  })
  if (name === null) return null
  const outcomes: Readonly<Record<string, string>> = t.sso.outcomes
  const message = error?.message ?? outcomes[outcome ?? '']
  return (
    <div className={styles.provider}>
      <ErrorAlert error={message} />
      {/* Until the browser leaves the page. */}
      <Button
        label={t.sso.signInWith(name)}
        size="md"
        fullWidth
        loading={!isIdle && !isError}
        onClick={() => mutate()}
      />
      <p className={styles.divider} aria-hidden="true">
        {t.sso.or}
      </p>
    </div>
  )
}
