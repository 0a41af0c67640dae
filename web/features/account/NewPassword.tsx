// Changes the password; requires the current one, and ends all other sessions.
import { Button, PasswordInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { useAccountAction } from './api.ts'
import { toSignInProblem } from '../../api/session.ts'
import { errorsOfFields } from '../../components/use-fields.ts'
import { FormError } from '../../components/FormError.tsx'
import { accountText } from '../../i18n/account.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function NewPassword({ email }: { email: string }) {
  const { t } = useTranslation(accountText, signInText)
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, error, isPending, isSuccess, reset } = useAccountAction('accountPassword', () => {
    setCurrent('')
    setPassword('')
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    mutate({ current, password })
  }
  const change = (set: (text: string) => void) => (event: { currentTarget: HTMLInputElement }) => {
    reset()
    set(event.currentTarget.value)
  }
  const rejected = errorsOfFields(error, { password: t.newPassword.next })
  const shown = { 'aria-label': t.signIn.showPassword }
  return (
    <section className="panel" aria-labelledby="new-password">
      <h2 id="new-password">{t.newPassword.title}</h2>
      <p>{t.newPassword.text}</p>
      <div aria-live="polite">{isSuccess && <p className="alert">{t.newPassword.done}</p>}</div>
      {rejected['password'] === undefined && <FormError text={toSignInProblem(error, t.reauthentication.wrong)} />}
      <form onSubmit={submit} noValidate aria-labelledby="new-password">
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordInput
          name="current-password"
          label={t.newPassword.current}
          visibilityToggleButtonProps={shown}
          autoComplete="current-password"
          value={current}
          onChange={change(setCurrent)}
        />
        <PasswordInput
          name="new-password"
          label={t.newPassword.next}
          description={t.newPassword.hint}
          error={rejected['password']}
          visibilityToggleButtonProps={shown}
          autoComplete="new-password"
          value={password}
          onChange={change(setPassword)}
        />
        <Button type="submit" loading={isPending} disabled={current === '' || password === ''}>
          {t.newPassword.submit}
        </Button>
      </form>
    </section>
  )
}
