// Accepts an invitation: with a name and new password, or with an existing account.
import type { OpenedInvitation } from '../../../src/app/contract/session.ts'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { post, RequestError } from '../../api/client.ts'
import { getTokenFromUrl } from './token.ts'
import { toSignInProblem, useSignInActions } from '../../api/session.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { FormError } from '../../components/FormError.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'

export function Invitation() {
  const { t } = useTranslation(signInText)
  const [token] = useState(getTokenFromUrl)
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => post('invitation', { token }),
    // The invitation is single-use: a refetch would replace the confirmation by an error.
    staleTime: Infinity,
  })
  const { error } = query
  if (error instanceof RequestError && ['InvalidLink', 'MissingField'].includes(error.code))
    return (
      <PublicLayout title={t.links.invitation}>
        <div className="public-notice">
          <FormError text={t.links.invitationExpired} />
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
  const { t } = useTranslation(signInText)
  const { signIn } = useSignInActions()
  const navigate = useNavigate()
  const { email, company, role, isKnown } = invited
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => post('invitationAccept', { token, password, ...(isKnown ? {} : { name: name.trim() }) }),
    onSuccess: async () => {
      // If a second factor is required, the sign-in screen asks for it.
      await signIn({ email, password, company }).catch(() => null)
      await navigate({ to: '/app/i-dag' })
    },
  })
  const isMissing = password === '' || (!isKnown && name.trim() === '')
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!isMissing) mutate()
      }}
    >
      <p>{t.links.invited(company, t.roles[role])}</p>
      <FormError text={isTried && isMissing ? t.links.required : toSignInProblem(error, t.signIn.wrong)} />
      <TextInput label={t.signIn.email} value={email} readOnly size="md" autoComplete="username" />
      {isKnown ? (
        <PasswordInput
          name="password"
          label={t.signIn.password}
          description={t.links.knownHint}
          visibilityToggleButtonProps={{ 'aria-label': t.signIn.showPassword }}
          autoComplete="current-password"
          size="md"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      ) : (
        <>
          <TextInput
            name="name"
            label={t.links.name}
            autoComplete="name"
            size="md"
            maxLength={100}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <NewPasswordField value={password} onChange={setPassword} />
        </>
      )}
      <Button type="submit" size="md" loading={isPending} fullWidth>
        {t.links.joinCompany(company)}
      </Button>
    </form>
  )
}
