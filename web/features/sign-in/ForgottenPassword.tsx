// Forgotten password: requests a reset link.
import { TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { post } from '../../api/client.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { useFields } from '../../components/use-fields.ts'
import { administrationText } from '../../i18n/administration.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { PublicForm } from './PublicForm.tsx'

export function ForgottenPassword() {
  const { t } = useTranslation(administrationText, signInText)
  const request = useMutation({ mutationFn: (email: string) => post('forgotten', { email }) })
  const { field, action, onSubmit } = useFields({
    initialValues: { email: '' },
    validate: { email: isNotEmpty(t.administration.emailMissing) },
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
