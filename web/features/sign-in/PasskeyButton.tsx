// Sign-in by passkey, where the browser supports it.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { knowsPasskeys, signInWithPasskey } from '../../api/passkey.ts'
import { useSigning } from '../../api/session.ts'
import { Problem } from '../../components/FormError.tsx'
import { accountText } from '../../i18n/account.ts'
import { useText } from '../../i18n/translation.tsx'

export function PasskeyButton() {
  const { say } = useText(accountText)
  const { enter } = useSigning()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (!knowsPasskeys) return null
  const signIn = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await enter(signInWithPasskey)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  return (
    <div className="sign-in-link">
      <Problem text={problem} />
      <Button variant="subtle" loading={isBusy} onClick={() => void signIn()}>
        {say.passkeys.signIn}
      </Button>
    </div>
  )
}
