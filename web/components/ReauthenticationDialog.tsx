// ReauthenticationDialog: the password again, or the identity provider (ADR 0039).
import type { Session } from '../../src/app/contract/session.ts'
import { PasswordInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasErrorCode, post } from '../api/client.ts'
import { toSignInProblem, useSession, useSignInActions } from '../api/session.ts'
import { redirectToProvider, providerQuery, getCurrentPath } from '../api/sso.ts'
import { useSignInText } from '../i18n/sign-in.ts'
import { CodeField } from './CodeField.tsx'
import { Dialog, DialogForm } from './Dialog.tsx'

export interface PendingReauthentication {
  readonly onConfirmed: () => void
  readonly onCancel: () => void
}

export function ReauthenticationDialog({ onConfirmed, onCancel }: PendingReauthentication) {
  const { t } = useSignInText()
  const session = useSession()
  return (
    <Dialog title={t.reauthentication.title} onClose={onCancel}>
      {session.via === 'provider' ? (
        <ProviderForm onCancel={onCancel} />
      ) : (
        <PasswordForm session={session} text={t.reauthentication.text} onConfirmed={onConfirmed} onCancel={onCancel} />
      )}
    </Dialog>
  )
}

interface PasswordFormProps extends PendingReauthentication {
  readonly session: Session
  /** Why the password is required. */
  readonly text: string
  /** Label of the button that cancels. */
  readonly cancel?: string
}

export function PasswordForm({ session, text, cancel, onConfirmed, onCancel }: PasswordFormProps) {
  const { t } = useSignInText()
  const { reauthenticate } = useSignInActions()
  const [password, setPassword] = useState('')
  /** Null until a code is required. */
  const [code, setCode] = useState<string | null>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => reauthenticate(code === null ? { password } : { password, code }, session),
    onSuccess: onConfirmed,
    onError: (failure) => {
      if (requiresCode(failure)) setCode('')
    },
  })
  return (
    <DialogForm
      submit={t.reauthentication.continue}
      {...(cancel !== undefined && { cancel })}
      action={{ isPending, error: null }}
      isDisabled={password === '' || code === ''}
      onSubmit={mutate}
      onClose={onCancel}
    >
      <input type="hidden" autoComplete="username" value={session.email} readOnly />
      <PasswordInput
        data-autofocus
        name="password-again"
        label={t.signIn.password}
        description={text}
        error={requiresCode(error) ? null : toSignInProblem(error, t.reauthentication.wrong)}
        visibilityToggleButtonProps={{ 'aria-label': t.signIn.showPassword }}
        autoComplete="current-password"
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      {code !== null && <CodeField value={code} onChange={setCode} />}
    </DialogForm>
  )
}

function requiresCode(error: Error | null): boolean {
  return hasErrorCode(error, 'SecondFactorCodeRequired')
}

/** Users of the identity provider re-authenticate there. This leaves the page; the action must be repeated. */
function ProviderForm({ onCancel }: { readonly onCancel: () => void }) {
  const { t } = useSignInText()
  const name = useQuery(providerQuery).data?.name
  const { mutate, error } = useMutation({
    mutationFn: () => redirectToProvider(() => post('oidcLogin', { reauthenticate: 'true', to: getCurrentPath() })),
  })
  return (
    <DialogForm
      submit={t.sso.signInWith(name ?? 'SSO')}
      hasFocus
      action={{ isPending: false, error }}
      onSubmit={mutate}
      onClose={onCancel}
    >
      <p>{t.reauthentication.text}</p>
      <p>{t.sso.reauthenticate}</p>
    </DialogForm>
  )
}
