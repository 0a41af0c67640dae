// NewPasswordField: a new password with its requirements.
import { PasswordInput } from '@mantine/core'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function NewPasswordField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation(signInText)
  return (
    <PasswordInput
      name="new-password"
      label={t.links.choosePassword}
      description={t.links.passwordHint}
      visibilityToggleButtonProps={{ 'aria-label': t.signIn.showPassword }}
      autoComplete="new-password"
      size="md"
      required
      withAsterisk={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
