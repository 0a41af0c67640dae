// Second step of the sign-in: the one-time code.
import type { Credentials } from '../../../src/app/contract/session.ts'
import { Button, Checkbox } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { useSignInActions } from '../../api/session.ts'
import { CodeField } from '../../components/CodeField.tsx'
import { accountText } from '../../i18n/account.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'

interface SignInCodeProps {
  readonly credentials: Credentials
  readonly onBack: () => void
}

export function SignInCode({ credentials, onBack }: SignInCodeProps) {
  const { t } = useTranslation(accountText, signInText)
  const { signIn } = useSignInActions()
  const [code, setCode] = useState('')
  const [isTrusting, setTrusting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (code.trim() === '') return setProblem(t.factor.codeMissing)
    setBusy(true)
    setProblem(null)
    try {
      await signIn({ ...credentials, code, trust: String(isTrusting) })
    } catch (error) {
      setBusy(false)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label={t.factor.step}>
      <p>{t.factor.stepText(credentials.email)}</p>
      <CodeField value={code} onChange={setCode} error={problem !== null && <span role="alert">{problem}</span>} />
      <Checkbox
        name="trust"
        label={t.factor.trust}
        description={t.factor.trustHint}
        checked={isTrusting}
        onChange={({ currentTarget }) => setTrusting(currentTarget.checked)}
      />
      <Button type="submit" size="md" loading={isBusy} fullWidth>
        {t.signIn.submit}
      </Button>
      <Button variant="subtle" onClick={onBack}>
        {t.factor.back}
      </Button>
    </form>
  )
}
