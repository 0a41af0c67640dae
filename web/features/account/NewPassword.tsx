// Changes the password; requires the current one, and ends all other sessions.
import { Button, PasswordInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { useAccountAct } from './api.ts'
import { Refusal } from '../../api/client.ts'
import { Problem } from '../../components/FormError.tsx'
import { accountText } from '../../i18n/account.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useText } from '../../i18n/translation.tsx'

export function NewPassword({ email }: { email: string }) {
  const { say } = useText(accountText, signInText)
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, error, isPending, isSuccess, reset } = useAccountAct(
    (work) => work(),
    () => {
      setCurrent('')
      setPassword('')
    },
  )
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    mutate({ path: 'nyttpassord', fields: { current, password } })
  }
  const change = (set: (text: string) => void) => (event: { currentTarget: HTMLInputElement }) => {
    reset()
    set(event.currentTarget.value)
  }
  const shown = { 'aria-label': say.signIn.showPassword }
  return (
    <section className="panel" aria-labelledby="new-password">
      <h2 id="new-password">{say.newPassword.title}</h2>
      <p>{say.newPassword.text}</p>
      <div aria-live="polite">{isSuccess && <p className="alert">{say.newPassword.done}</p>}</div>
      <Problem text={error === null ? null : problemOf(error, say.again.wrong)} />
      <form onSubmit={submit} noValidate aria-labelledby="new-password">
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordInput
          name="current-password"
          label={say.newPassword.current}
          visibilityToggleButtonProps={shown}
          autoComplete="current-password"
          value={current}
          onChange={change(setCurrent)}
        />
        <PasswordInput
          name="new-password"
          label={say.newPassword.next}
          description={say.newPassword.hint}
          visibilityToggleButtonProps={shown}
          autoComplete="new-password"
          value={password}
          onChange={change(setPassword)}
        />
        <Button
          type="submit"
          size="sm"
          loading={isPending}
          disabled={current === '' || password === ''}
        >
          {say.newPassword.submit}
        </Button>
      </form>
    </section>
  )
}

function problemOf(error: Error, wrong: string): string {
  return error instanceof Refusal && error.code === 'InvalidCredentials' ? wrong : error.message
}
