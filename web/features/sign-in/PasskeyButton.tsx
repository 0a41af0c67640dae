// Sign-in by passkey, where the browser supports it.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { supportsPasskeys, signInWithPasskey } from '../../api/passkey.ts'
import { useSignInActions } from '../../api/session.ts'
import { FormError } from '../../components/FormError.tsx'
import { accountText } from '../../i18n/account.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function PasskeyButton() {
  const { t } = useTranslation(accountText)
  const { signInWith } = useSignInActions()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (!supportsPasskeys) return null
  const signIn = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await signInWith(signInWithPasskey)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  return (
    <div className="sign-in-link">
      <FormError text={problem} />
      <Button variant="subtle" loading={isBusy} onClick={() => void signIn()}>
        {t.passkeys.signIn}
      </Button>
    </div>
  )
}
