// Accepts an invitation: with a name and new password, or with an existing account.
import type { OpenedInvitation } from '../../../src/app/contract/session.ts'
import { TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { hasErrorCode, post } from '../../api/client.ts'
import { useLinkToken } from './token.ts'
import { toSignInProblem, useSignInActions } from '../../api/session.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { useFields } from '../../components/use-fields.ts'
import { useSignInText } from '../../i18n/sign-in.ts'
import { PublicForm, PasswordField } from './PublicForm.tsx'

export function Invitation() {
  const { t } = useSignInText()
  const token = useLinkToken()
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => post('invitation', { token }),
    // The invitation is single-use: a refetch would replace the confirmation by an error.
    staleTime: Infinity,
  })
  const { error } = query
  if (hasErrorCode(error, 'InvalidLink', 'MissingField'))
    return (
      <PublicLayout title={t.links.invitation}>
        <div className="public-notice">
          <ErrorAlert error={t.links.invitationExpired} takesFocus />
        </div>
        <p className="sign-in-link">
          <Link to="/app/i-dag">{t.links.toSignIn}</Link>
        </p>
      </PublicLayout>
    )
  return (
    <PublicLayout title={t.links.invitation}>
      <QueryStates query={query}>{(invited) => <JoinForm token={token} invited={invited} />}</QueryStates>
    </PublicLayout>
  )
}

function JoinForm({ token, invited }: { token: string; invited: OpenedInvitation }) {
  const { t } = useSignInText()
  const { signIn } = useSignInActions()
  const navigate = useNavigate()
  const { email, company, role, isKnown } = invited
  const joining = useMutation({
    mutationFn: ({ name, password }: { name: string; password: string }) =>
      post('invitationAccept', { token, password, ...(isKnown ? {} : { name: name.trim() }) }),
    onSuccess: async (_, { password }) => {
      // If a second factor is required, the sign-in screen asks for it.
      await signIn({ email, password, company }).catch(() => null)
      await navigate({ to: '/app/i-dag' })
    },
  })
  const { field, action, onSubmit } = useFields({
    initialValues: { name: '', password: '' },
    validate: {
      name: (name) => !isKnown && name.trim() === '' && t.links.nameMissing,
      password: isNotEmpty(t.links.passwordMissing),
    },
    labels: { name: t.links.name, password: isKnown ? t.signIn.password : t.links.newPassword },
    action: joining,
  })
  return (
    <PublicForm
      submit={t.links.joinCompany(company)}
      problem={toSignInProblem(action.error, t.signIn.wrong)}
      isPending={joining.isPending}
      onSubmit={onSubmit((values) => joining.mutate(values))}
    >
      <p>{t.links.invited(company, t.roles[role])}</p>
      <TextInput label={t.signIn.email} value={email} readOnly size="md" autoComplete="username" />
      {isKnown ? (
        <PasswordField
          {...field('password')}
          name="password"
          description={t.links.knownHint}
          autoComplete="current-password"
        />
      ) : (
        <>
          <TextInput {...field('name')} name="name" autoComplete="name" size="md" maxLength={100} />
          <PasswordField {...field('password')} />
        </>
      )}
    </PublicForm>
  )
}
