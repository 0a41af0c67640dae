// Sign-in: password, identity provider or passkey; or why plain HTTP does not work.
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { Refusal } from '../../api/client.ts'
import { useSigning, type Credentials } from '../../api/session.ts'
import { Front } from '../../app/PublicLayout.tsx'
import { signInText } from '../../i18n/sign-in.ts'
import { useText } from '../../i18n/translation.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'
import { SignInCode } from './SignInCode.tsx'
import { SignOnButton } from './SsoButton.tsx'

interface SignInProps {
  /** Error code of a provider sign-in; null without one. */
  readonly outcome: string | null
}

export function SignIn({ outcome }: SignInProps) {
  const { say } = useText(signInText)
  return (
    <Front title={say.signIn.title}>
      {window.isSecureContext ? <Ways outcome={outcome} /> : <PlainConnection />}
    </Front>
  )
}

function PlainConnection() {
  const { say } = useText(signInText)
  const address = `https://${window.location.host}${window.location.pathname}`
  return (
    <div className="public-notice" role="alert">
      <p className="state-title">{say.signIn.plainTitle}</p>
      <p>{say.signIn.plainText}</p>
      <a href={address}>{address}</a>
    </div>
  )
}

/** Identity provider, or password, which may be followed by a code. */
function Ways({ outcome }: SignInProps) {
  const [proven, setProven] = useState<Credentials | null>(null)
  if (proven !== null) return <SignInCode credentials={proven} onBack={() => setProven(null)} />
  return (
    <>
      <SignOnButton outcome={outcome} />
      <SignInForm onProven={setProven} />
      <PasskeyButton />
    </>
  )
}

function SignInForm({ onProven }: { onProven: (credentials: Credentials) => void }) {
  const { say } = useText(signInText)
  const { signIn } = useSigning()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const summary = useRef<HTMLParagraphElement>(null)
  useEffect(() => summary.current?.focus(), [problem])

  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const field = (name: string) => {
      const value = data.get(name)
      return typeof value === 'string' ? value : ''
    }
    const fields = {
      company: field('company').trim(),
      email: field('email').trim(),
      password: field('password'),
    }
    if (fields.email === '' || fields.password === '') return setProblem(say.signIn.required)
    setBusy(true)
    setProblem(null)
    try {
      await signIn(fields)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'SecondFactorNeeded') return onProven(fields)
      setBusy(false)
      setProblem(problemOf(error, say.signIn.wrong, say.states.offlineTitle))
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {problem !== null && (
        <p className="problem" role="alert" tabIndex={-1} ref={summary}>
          {problem}
        </p>
      )}
      <TextInput
        name="email"
        type="email"
        label={say.signIn.email}
        autoComplete="username"
        size="md"
        required
        withAsterisk={false}
      />
      <PasswordInput
        name="password"
        label={say.signIn.password}
        visibilityToggleButtonProps={{ 'aria-label': say.signIn.showPassword }}
        autoComplete="current-password"
        size="md"
        required
        withAsterisk={false}
      />
      <TextInput
        name="company"
        label={say.signIn.company}
        description={say.signIn.companyHint}
        autoComplete="organization"
        size="md"
      />
      <Button type="submit" size="md" loading={isBusy} fullWidth>
        {say.signIn.submit}
      </Button>
      <Link className="sign-in-link" to="/app/glemt">
        {say.links.forgotten}
      </Link>
    </form>
  )
}

function problemOf(error: unknown, wrong: string, offline: string): string {
  if (!(error instanceof Refusal)) return String(error)
  if (error.code === 'InvalidCredentials') return wrong
  return error.code === 'Offline' ? offline : error.message
}
