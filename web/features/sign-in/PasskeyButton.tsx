// Sign-in by passkey, where the browser supports it.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { supportsPasskeys, signInWithPasskey } from '../../api/passkey.ts'
import { useSignInActions } from '../../api/session.ts'
import { FormError } from '../../components/FormError.tsx'
import { accountText } from '../../i18n/account.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function PasskeyButton() {
  const { t } = useTranslation(accountText)
  const { signInWith } = useSignInActions()
  const { mutate, error, isPending } = useMutation({ mutationFn: () => signInWith(signInWithPasskey) })
  if (!supportsPasskeys) return null
  return (
    <div className="sign-in-link">
      <FormError text={error?.message ?? null} />
      <Button variant="subtle" loading={isPending} onClick={() => mutate()}>
        {t.passkeys.signIn}
      </Button>
    </div>
  )
}
