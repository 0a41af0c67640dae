// Sets a new password by a reset link.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { getTokenFromUrl } from './token.ts'
import { post } from '../../api/client.ts'
import { useForgetSession } from '../../api/session.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { FormError } from '../../components/FormError.tsx'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'

export function NewPassword() {
  const { t } = useTranslation(signInText)
  const [token] = useState(getTokenFromUrl)
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const forget = useForgetSession()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => post('newPassword', { token, password }),
    // The server has ended the session.
    onSuccess: forget,
  })
  return (
    <PublicLayout title={t.links.newPassword}>
      {isSuccess ? (
        <p role="status">{t.links.changed}</p>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            if (password !== '') mutate()
          }}
        >
          <FormError text={isTried && password === '' ? t.links.required : (error?.message ?? null)} />
          <NewPasswordField value={password} onChange={setPassword} />
          <Button type="submit" size="md" loading={isPending} fullWidth>
            {t.links.setPassword}
          </Button>
        </form>
      )}
      <p className="sign-in-link">
        {isSuccess ? <Link to="/app/i-dag">{t.links.toSignIn}</Link> : <Link to="/app/glemt">{t.links.newLink}</Link>}
      </p>
    </PublicLayout>
  )
}
