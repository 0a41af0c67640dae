// Forgotten password: requests a reset link.
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../../api/client.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { FormError } from '../../components/FormError.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function ForgottenPassword() {
  const { t } = useTranslation(administrationText, signInText)
  const [email, setEmail] = useState('')
  const [isTried, setTried] = useState(false)
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => post('forgotten', { email: email.trim() }),
  })
  const isMissing = email.trim() === ''
  return (
    <PublicLayout title={t.links.forgotten}>
      {isSuccess ? (
        <p role="status">{t.links.linkSent(email.trim())}</p>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            if (!isMissing) mutate()
          }}
        >
          <FormError text={isTried && isMissing ? t.administration.emailMissing : (error?.message ?? null)} />
          <TextInput
            name="email"
            type="email"
            label={t.signIn.email}
            description={t.links.forgottenHint}
            autoComplete="username"
            size="md"
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <Button type="submit" size="md" loading={isPending} fullWidth>
            {t.links.send}
          </Button>
        </form>
      )}
      <p className="sign-in-link">
        <Link to="/app/i-dag">{t.links.toSignIn}</Link>
      </p>
    </PublicLayout>
  )
}
