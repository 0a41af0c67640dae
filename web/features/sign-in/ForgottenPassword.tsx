// Forgotten password: requests a reset link.
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { askForLink } from './links-api.ts'
import { Front } from '../../app/PublicLayout.tsx'
import { Problem } from '../../components/FormError.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useText } from '../../i18n/translation.tsx'

export function ForgottenPassword() {
  const { say } = useText(administrationText, signInText)
  const [email, setEmail] = useState('')
  const [isTried, setTried] = useState(false)
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => askForLink(email.trim()),
  })
  const isMissing = email.trim() === ''
  return (
    <Front title={say.links.forgotten}>
      {isSuccess ? (
        <p role="status">{say.links.asked(email.trim())}</p>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            if (!isMissing) mutate()
          }}
        >
          <Problem
            text={isTried && isMissing ? say.administration.emailMissing : (error?.message ?? null)}
          />
          <TextInput
            name="email"
            type="email"
            label={say.signIn.email}
            description={say.links.forgottenHint}
            autoComplete="username"
            size="md"
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <Button type="submit" size="md" loading={isPending} fullWidth>
            {say.links.send}
          </Button>
        </form>
      )}
      <p className="sign-in-link">
        <Link to="/app/i-dag">{say.links.toSignIn}</Link>
      </p>
    </Front>
  )
}
