// SessionRenewalDialog: the password again, or a sign-in in another tab.
import type { Session } from '../../src/app/contract/session.ts'
import { useMutation } from '@tanstack/react-query'
import { hasErrorCode } from '../api/client.ts'
import { useSignInActions } from '../api/session.ts'
import { useSignInText } from '../i18n/sign-in.ts'
import { Dialog, DialogForm } from './Dialog.tsx'
import { FormError } from './FormError.tsx'
import { PasswordForm } from './ReauthenticationDialog.tsx'

interface SessionRenewalDialogProps {
  readonly session: Session
  readonly onRenewed: () => void
}

export function SessionRenewalDialog({ session, onRenewed }: SessionRenewalDialogProps) {
  const { t } = useSignInText()
  return (
    // Covers the page, which may be visible to others while nobody is signed in.
    <Dialog
      title={t.expired.title}
      centered
      zIndex={400}
      overlayProps={{ color: 'var(--ground)', backgroundOpacity: 1 }}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={() => {}}
    >
      <p className="hint">{t.expired.text}</p>
      {session.via === 'password' ? (
        <PasswordForm
          session={session}
          text={t.expired.email(session.email)}
          cancel={t.expired.other}
          onConfirmed={onRenewed}
          onCancel={reload}
        />
      ) : (
        <OtherTab session={session} onRenewed={onRenewed} />
      )}
    </Dialog>
  )
}

/** Signing in at an identity provider, or with a passkey, would leave this page. */
function OtherTab({ session, onRenewed }: SessionRenewalDialogProps) {
  const { t } = useSignInText()
  const { resumeSession } = useSignInActions()
  const { mutate, error } = useMutation({
    mutationFn: () => resumeSession(session),
    onSuccess: (isResumed) => (isResumed ? onRenewed() : reload()),
  })
  const problem = hasErrorCode(error, 'SessionExpired') ? t.expired.notYet : t.states.offlineTitle
  return (
    <DialogForm submit={t.expired.continue} cancel={t.expired.other} hasFocus onSubmit={mutate} onClose={reload}>
      <FormError text={error === null ? null : problem} />
      <p>
        <a href="/app/i-dag" target="_blank" rel="noopener">
          {t.expired.otherTab}
        </a>
        . {t.expired.otherTabText}
      </p>
    </DialogForm>
  )
}

/** Leads to the sign-in page; what was typed belongs to the user before. */
function reload(): void {
  window.location.reload()
}
