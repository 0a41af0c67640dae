// Re-authentication (step-up): asks for the password, then repeats the action (ADR 0064).
import { Button, Modal, PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { Refusal } from '../api/client.ts'
import { useSession, useSigning, type Session } from '../api/session.ts'
import { leaveFor, providerQuery, whereWeAre } from '../api/sso.ts'
import { signInText } from '../i18n/sign-in.ts'
import { useText } from '../i18n/translation.tsx'
import { CodeField } from './CodeField.tsx'
import { Problem } from './FormError.tsx'

interface Grave {
  /** Runs the action; repeats it after re-authentication when the server requires it. */
  readonly run: <Answer>(work: () => Promise<Answer>) => Promise<Answer>
  /** Render it in the screen; it opens when needed. */
  readonly dialog: ReactNode
}

interface Awaited {
  readonly go: () => void
  readonly stop: () => void
}

export function useGrave(): Grave {
  const [awaited, setAwaited] = useState<Awaited | null>(null)
  const proof = (refused: Refusal) =>
    new Promise<void>((resolve, reject) => {
      setAwaited({ go: resolve, stop: () => reject(refused) })
    }).finally(() => setAwaited(null))
  return {
    run: async (work) => {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'PasswordNeeded') throw error
        await proof(error)
        return work()
      }
    },
    dialog: awaited === null ? null : <PasswordAgain {...awaited} />,
  }
}

function PasswordAgain({ go, stop }: Awaited) {
  const { say } = useText(signInText)
  const session = useSession()
  return (
    <Modal
      opened
      onClose={stop}
      transitionProps={{ duration: 0 }}
      title={say.again.title}
      closeButtonProps={{ 'aria-label': say.close }}
    >
      {session.via === 'provider' ? (
        <ProviderAgain stop={stop} />
      ) : (
        <PasswordForm session={session} go={go} stop={stop} />
      )}
    </Modal>
  )
}

function PasswordForm({ session, go, stop }: Awaited & { readonly session: Session }) {
  const { say } = useText(signInText)
  const { prove } = useSigning()
  const [password, setPassword] = useState('')
  /** Null until a code is required. */
  const [code, setCode] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    try {
      await prove(code === null ? { password } : { password, code }, session)
      go()
    } catch (error) {
      setBusy(false)
      if (!(error instanceof Refusal)) setProblem(say.again.wrong)
      else if (error.code === 'SecondFactorNeeded') setCode('')
      else setProblem(error.code === 'InvalidCredentials' ? say.again.wrong : error.message)
    }
  }
  return (
    <form className="dialog-form" onSubmit={(event) => void submit(event)}>
      <input type="hidden" autoComplete="username" value={session.email} readOnly />
      <PasswordInput
        data-autofocus
        name="password-again"
        label={say.signIn.password}
        description={say.again.text}
        error={problem}
        visibilityToggleButtonProps={{ 'aria-label': say.signIn.showPassword }}
        autoComplete="current-password"
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      {code !== null && <CodeField value={code} onChange={setCode} />}
      <div className="dialog-actions">
        <Button size="sm" variant="default" onClick={stop}>
          {say.cancel}
        </Button>
        <Button size="sm" type="submit" loading={isBusy} disabled={password === '' || code === ''}>
          {say.again.goOn}
        </Button>
      </div>
    </form>
  )
}

/** Users of the identity provider re-authenticate there. This leaves the page; the action must be repeated. */
function ProviderAgain({ stop }: { readonly stop: () => void }) {
  const { say } = useText(signInText)
  const { data: name } = useQuery(providerQuery)
  const [problem, setProblem] = useState<string | null>(null)
  const leave = () => {
    leaveFor('/app/sso', { anew: 'true', to: whereWeAre() }).catch((error: unknown) => {
      setProblem(error instanceof Error ? error.message : String(error))
    })
  }
  return (
    <div className="dialog-form">
      <p>{say.again.text}</p>
      <p>{say.signOn.reauthenticate}</p>
      <Problem text={problem} />
      <div className="dialog-actions">
        <Button size="sm" variant="default" onClick={stop}>
          {say.cancel}
        </Button>
        <Button size="sm" data-autofocus onClick={leave}>
          {say.signOn.with(name ?? 'SSO')}
        </Button>
      </div>
    </div>
  )
}
