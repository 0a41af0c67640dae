// SessionRenewalDialog: the password again, a sign-in in another tab, or the choice between two sessions.
import type { Session } from '../../src/app/contract/session.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hasErrorCode } from '../api/client.ts'
import { returnToCompany, useSignInActions } from '../api/session.ts'
import { useSignInText } from '../i18n/sign-in.ts'
import { Button } from './Button.tsx'
import { Dialog, DialogForm } from './Dialog.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'
import { PasswordForm } from './ReauthenticationDialog.tsx'

interface SessionRenewalDialogProps {
  readonly session: Session
  /** The session that another tab has opened; null when the session has expired. */
  readonly replacement: Session | null
  readonly onRenewed: () => void
}

export function SessionRenewalDialog({ session, replacement, onRenewed }: SessionRenewalDialogProps) {
  const { t } = useSignInText()
  return (
    // Covers the page, which may be visible to others while nobody is signed in.
    <Dialog
      title={replacement === null ? t.expired.title : t.replaced.title}
      centered
      zIndex={400}
      overlayProps={{ color: 'var(--ground)', backgroundOpacity: 1 }}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={() => {}}
    >
      {replacement !== null ? (
        <Replaced session={session} replacement={replacement} onRenewed={onRenewed} />
      ) : (
        <>
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
            <OtherTab onRenewed={onRenewed} />
          )}
        </>
      )}
    </Dialog>
  )
}

/** Another tab has signed in as somebody else, or changed company: a browser has one session. */
function Replaced({ session, replacement, onRenewed }: SessionRenewalDialogProps & { readonly replacement: Session }) {
  const { t } = useSignInText()
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => returnToCompany(session.company),
    onSuccess: async () => {
      onRenewed()
      // What was loaded meanwhile may be that of the other session.
      await client.invalidateQueries()
    },
  })
  const isOtherUser = replacement.email !== session.email
  return (
    <>
      <ErrorAlert error={error} takesFocus />
      <p>{isOtherUser ? t.replaced.user(replacement.email) : t.replaced.company(replacement.company)}</p>
      <p className="hint">{t.replaced.text}</p>
      <div className="dialog-actions">
        <Button
          label={isOtherUser ? t.replaced.continueAs(replacement.email) : t.replaced.continueIn(replacement.company)}
          onClick={() => window.location.assign('/app/i-dag')}
        />
        {!isOtherUser && (
          <Button
            isPrimary
            label={t.replaced.back(session.company)}
            data-autofocus
            loading={isPending}
            onClick={() => mutate()}
          />
        )}
      </div>
    </>
  )
}

/** Signing in at an identity provider, or with a passkey, would leave this page. */
function OtherTab({ onRenewed }: Pick<SessionRenewalDialogProps, 'onRenewed'>) {
  const { t } = useSignInText()
  const { resumeSession } = useSignInActions()
  const { mutate, error } = useMutation({
    mutationFn: resumeSession,
    onSuccess: (isResumed) => (isResumed ? onRenewed() : reload()),
  })
  const problem = hasErrorCode(error, 'SessionExpired') ? t.expired.notYet : t.states.offlineTitle
  return (
    <DialogForm submit={t.expired.continue} cancel={t.expired.other} hasFocus onSubmit={mutate} onClose={reload}>
      <ErrorAlert error={error && problem} takesFocus />
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
