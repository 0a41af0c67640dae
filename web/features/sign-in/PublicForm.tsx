// PublicForm: fields of a public page below the error message of the form, and the field of a password.
import { Button } from '../../components/Button.tsx'
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import type { ReactNode, SyntheticEvent } from 'react'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useSignInText } from '../../i18n/sign-in.ts'

interface PublicFormProps {
  /** Label of the button. */
  readonly submit: string
  readonly problem: string | null
  readonly isPending: boolean
  readonly onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
  readonly children: ReactNode
}

export function PublicForm({ submit, problem, isPending, onSubmit, children }: PublicFormProps) {
  return (
    <form noValidate onSubmit={onSubmit}>
      <ErrorAlert error={problem} takesFocus />
      {children}
      <Button isPrimary label={submit} type="submit" size="md" loading={isPending} fullWidth />
    </form>
  )
}

/** By default for a new password. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useSignInText()
  return (
    <PasswordInput
      name="new-password"
      description={t.links.passwordHint}
      visibilityToggleButtonProps={{ 'aria-label': t.signIn.showPassword }}
      autoComplete="new-password"
      size="md"
      required
      withAsterisk={false}
      {...props}
    />
  )
}
