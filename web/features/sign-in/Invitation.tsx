// Accepts an invitation: with a name and new password, or with an existing account.
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Refusal } from '../../api/client.ts'
import {
  acceptInvitation,
  lookAtInvitation,
  tokenInAddress,
  type Invitation as Invited,
} from './links-api.ts'
import { useSigning } from '../../api/session.ts'
import { Front } from '../../app/PublicLayout.tsx'
import { Problem } from '../../components/FormError.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import { signInText } from '../../i18n/sign-in.ts'
import { useText } from '../../i18n/translation.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'

export function Invitation() {
  const { say } = useText(signInText)
  const [token] = useState(tokenInAddress)
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => lookAtInvitation(token),
    // The invitation is single-use: a refetch would replace the confirmation by an error.
    staleTime: Infinity,
  })
  const { error } = query
  if (error instanceof Refusal && ['InvalidLink', 'MissingField'].includes(error.code))
    return (
      <Front title={say.links.invitation}>
        <Problem text={say.links.overInvitation} />
      </Front>
    )
  return (
    <Front title={say.links.invitation}>
      <Fetched query={query}>{(invited) => <Joining token={token} invited={invited} />}</Fetched>
    </Front>
  )
}

function Joining({ token, invited }: { token: string; invited: Invited }) {
  const { say } = useText(signInText)
  const { signIn } = useSigning()
  const navigate = useNavigate()
  const { email, company, role, isKnown } = invited
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => acceptInvitation(token, name.trim(), password),
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
      <p>{say.links.invited(company, say.roles[role])}</p>
      <Problem
        text={isTried && isMissing ? say.links.required : problemOf(error, say.signIn.wrong)}
      />
      <TextInput
        label={say.signIn.email}
        value={email}
        readOnly
        size="md"
        autoComplete="username"
      />
      {isKnown ? (
        <PasswordInput
          name="password"
          label={say.signIn.password}
          description={say.links.knownHint}
          visibilityToggleButtonProps={{ 'aria-label': say.signIn.showPassword }}
          autoComplete="current-password"
          size="md"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      ) : (
        <>
          <TextInput
            name="name"
            label={say.links.name}
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
        {say.links.join(company)}
      </Button>
    </form>
  )
}

function problemOf(error: Error | null, wrong: string): string | null {
  if (error === null) return null
  return error instanceof Refusal && error.code === 'InvalidCredentials' ? wrong : error.message
}
