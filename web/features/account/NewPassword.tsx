// Changes the password; requires the current one, and ends all other sessions.
import { Button, PasswordInput } from '@mantine/core'
import { useAccountAction } from './api.ts'
import { toSignInProblem } from '../../api/session.ts'
import { useFields } from '../../components/use-fields.ts'
import { FormError } from '../../components/FormError.tsx'
import { useAccountText } from '../../i18n/account.ts'

const noPasswords = { current: '', password: '' }

export function NewPassword({ email }: { email: string }) {
  const { t } = useAccountText()
  const change = useAccountAction('accountPassword', () => setValues(noPasswords))
  const { values, setValues, field, action, onSubmit } = useFields({
    initialValues: noPasswords,
    labels: { current: t.newPassword.current, password: t.newPassword.title },
    action: change,
  })
  const shown = { visibilityToggleButtonProps: { 'aria-label': t.signIn.showPassword } }
  return (
    <section className="panel" aria-labelledby="new-password">
      <h2 id="new-password">{t.newPassword.title}</h2>
      <p>{t.newPassword.text}</p>
      <div aria-live="polite">{change.isSuccess && <p className="alert">{t.newPassword.done}</p>}</div>
      <FormError text={toSignInProblem(action.error, t.reauthentication.wrong)} />
      <form onSubmit={onSubmit((typed) => change.mutate(typed))} noValidate aria-labelledby="new-password">
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordInput {...field('current')} {...shown} name="current-password" autoComplete="current-password" />
        <PasswordInput
          {...field('password')}
          {...shown}
          name="new-password"
          description={t.newPassword.hint}
          autoComplete="new-password"
        />
        <Button type="submit" loading={change.isPending} disabled={values.current === '' || values.password === ''}>
          {t.newPassword.submit}
        </Button>
      </form>
    </section>
  )
}
