// Sets a new password by a reset link.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { setPassword as store, tokenInAddress } from './links-api.ts'
import { useForgetting } from '../../api/session.ts'
import { Front } from '../../app/PublicLayout.tsx'
import { Problem } from '../../components/FormError.tsx'
import { signInText } from '../../i18n/sign-in.ts'
import { useText } from '../../i18n/translation.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'

export function NewPassword() {
  const { say } = useText(signInText)
  const [token] = useState(tokenInAddress)
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const forget = useForgetting()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => store(token, password),
    // The server has ended the session.
    onSuccess: forget,
  })
  return (
    <Front title={say.links.newPassword}>
      {isSuccess ? (
        <p role="status">{say.links.changed}</p>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            if (password !== '') mutate()
          }}
        >
          <Problem
            text={isTried && password === '' ? say.links.required : (error?.message ?? null)}
          />
          <NewPasswordField value={password} onChange={setPassword} />
          <Button type="submit" size="md" loading={isPending} fullWidth>
            {say.links.setPassword}
          </Button>
        </form>
      )}
      <p className="sign-in-link">
        {isSuccess ? (
          <Link to="/app/i-dag">{say.links.toSignIn}</Link>
        ) : (
          <Link to="/app/glemt">{say.links.another}</Link>
        )}
      </p>
    </Front>
  )
}
