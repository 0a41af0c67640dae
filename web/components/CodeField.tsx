// CodeField: a code of the authenticator app, or a recovery code.
import { TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useAccountText } from '../i18n/account.ts'
import './CodeField.css'

interface CodeFieldProps {
  readonly value: string
  readonly onChange: (code: string) => void
  readonly error?: ReactNode
  /** There are no recovery codes yet. */
  readonly isAppOnly?: boolean
}

export function CodeField({ value, onChange, error, isAppOnly = false }: CodeFieldProps) {
  const { t } = useAccountText()
  const [isRecovering, setRecovering] = useState(false)
  return (
    <div className="code-field">
      <TextInput
        data-autofocus
        autoFocus
        name="code"
        label={isRecovering ? t.factor.recoveryCode : t.factor.code}
        description={isRecovering ? t.factor.recoveryHint : t.factor.codeHint}
        inputMode={isRecovering ? 'text' : 'numeric'}
        autoComplete={isRecovering ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        size="md"
        value={value}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {!isAppOnly && (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            setRecovering(!isRecovering)
            onChange('')
          }}
        >
          {isRecovering ? t.factor.useApp : t.factor.useRecovery}
        </button>
      )}
    </div>
  )
}
