// NewPasswordField: a new password with its requirements.
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function NewPasswordField(props: PasswordInputProps) {
  const { t } = useTranslation(signInText)
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
