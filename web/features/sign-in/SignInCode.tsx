// Second step of the sign-in: the one-time code.
import { Button } from '../../components/Button.tsx'
import type { Credentials } from '../../../src/app/contract/session.ts'
import { Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { useSignInActions } from '../../api/session.ts'
import { CodeField } from '../../components/CodeField.tsx'
import { useAccountText } from '../../i18n/account.ts'

export function SignInCode({ credentials, onBack }: { credentials: Credentials; onBack: () => void }) {
  const { t } = useAccountText()
  const { signIn } = useSignInActions()
  const [code, setCode] = useState('')
  const [isTrusting, setTrusting] = useState(false)
  const [isTried, setTried] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => signIn({ ...credentials, code, trust: String(isTrusting) }),
  })
  const isMissing = code.trim() === ''
  const problem = isTried && isMissing ? t.factor.codeMissing : error?.message
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isMissing) mutate()
  }
  return (
    <form onSubmit={submit} noValidate aria-label={t.factor.step}>
      <p>{t.factor.stepText(credentials.email)}</p>
      <CodeField value={code} onChange={setCode} error={problem !== undefined && <span role="alert">{problem}</span>} />
      <Checkbox
        name="trust"
        label={t.factor.trust}
        description={t.factor.trustHint}
        checked={isTrusting}
        onChange={({ currentTarget }) => setTrusting(currentTarget.checked)}
      />
      <Button isPrimary label={t.signIn.title} type="submit" size="md" loading={isPending} fullWidth />
      <Button label={t.factor.back} variant="subtle" onClick={onBack} />
    </form>
  )
}
