// What is grave wants the password anew: the act waits, the password is asked for, and the act goes on.
import { Button, Modal, PasswordInput } from '@mantine/core'
import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { Refusal } from '../data/ask.ts'
import { useSession, useSigning } from '../data/session.ts'
import { useText } from '../text/text.tsx'

interface Grave {
  /** Does the work, and once more when the server wanted the password first. */
  readonly run: <Answer>(work: () => Promise<Answer>) => Promise<Answer>
  /** Stands in the screen, and shows itself when it is needed. */
  readonly dialog: ReactNode
}

interface Awaited {
  readonly go: () => void
  readonly stop: () => void
}

export const useGrave = (): Grave => {
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

const PasswordAgain = ({ go, stop }: Awaited) => {
  const { say } = useText()
  const session = useSession()
  const { prove } = useSigning()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await prove(password, session)
      go()
    } catch (error) {
      setBusy(false)
      setProblem(
        error instanceof Refusal && error.code !== 'InvalidCredentials'
          ? error.message
          : say.again.wrong,
      )
    }
  }
  return (
    <Modal
      opened
      onClose={stop}
      transitionProps={{ duration: 0 }}
      title={say.again.title}
      closeButtonProps={{ 'aria-label': say.close }}
    >
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
        <div className="dialog-actions">
          <Button size="sm" variant="default" onClick={stop}>
            {say.cancel}
          </Button>
          <Button size="sm" type="submit" loading={isBusy} disabled={password === ''}>
            {say.again.goOn}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
