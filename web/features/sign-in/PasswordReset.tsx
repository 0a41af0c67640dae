// Password reset: the request of a link, and the new password that it leads to.
import { isNotEmpty } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLinkToken } from './token.ts'
import { post } from '../../api/client.ts'
import { useForgetSession } from '../../api/session.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { useFields } from '../../components/use-fields.ts'
import { useSignInText } from '../../i18n/sign-in.ts'
import { PublicForm, PasswordField } from './PublicForm.tsx'
import { TextInput } from '@mantine/core'

export function ForgottenPassword() {
  const { t } = useSignInText()
  const request = useMutation({ mutationFn: (email: string) => post('forgotten', { email }) })
  const { field, action, onSubmit } = useFields({
    initialValues: { email: '' },
    validate: { email: isNotEmpty(t.signIn.emailMissing) },
    labels: { email: t.signIn.email },
    action: request,
  })
  return (
    <PublicLayout title={t.links.forgotten}>
      {request.isSuccess ? (
        <p role="status">{t.links.linkSent(request.variables)}</p>
      ) : (
        <PublicForm
          submit={t.links.send}
          problem={action.error?.message ?? null}
          isPending={request.isPending}
          onSubmit={onSubmit(({ email }) => request.mutate(email.trim()))}
        >
          <TextInput
            {...field('email')}
            name="email"
            type="email"
            description={t.links.forgottenHint}
            autoComplete="username"
            size="md"
          />
        </PublicForm>
      )}
      <p className="sign-in-link">
        <Link to="/app/i-dag">{t.links.toSignIn}</Link>
      </p>
    </PublicLayout>
  )
}

export function NewPassword() {
  const { t } = useSignInText()
  const token = useLinkToken()
  const forget = useForgetSession()
  const change = useMutation({
    mutationFn: (password: string) => post('newPassword', { token, password }),
    // The server has ended the session.
    onSuccess: forget,
  })
  const { field, action, onSubmit } = useFields({
    initialValues: { password: '' },
    validate: { password: isNotEmpty(t.links.passwordMissing) },
    labels: { password: t.links.newPassword },
    action: change,
  })
  return (
    <PublicLayout title={t.links.newPassword}>
      {change.isSuccess ? (
        <p role="status">{t.links.changed}</p>
      ) : (
        <PublicForm
          submit={t.links.setPassword}
          problem={action.error?.message ?? null}
          isPending={change.isPending}
          onSubmit={onSubmit(({ password }) => change.mutate(password))}
        >
          <PasswordField {...field('password')} />
        </PublicForm>
      )}
      <p className="sign-in-link">
        {change.isSuccess ? (
          <Link to="/app/i-dag">{t.links.toSignIn}</Link>
        ) : (
          <Link to="/app/glemt">{t.links.newLink}</Link>
        )}
      </p>
    </PublicLayout>
  )
}
