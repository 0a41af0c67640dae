// SecretReveal: a dialog that shows a secret once.
import { Button } from '../../components/Button.tsx'
import type { ReactNode } from 'react'
import { CopyableText } from '../../components/CopyableText.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { useAdministrationText } from '../../i18n/administration.ts'

interface SecretRevealProps {
  readonly title: string
  readonly text: string
  /** Where there is only one. */
  readonly secret?: string
  /** Label of the button that closes. */
  readonly confirm?: string
  readonly onClose: () => void
  readonly children?: ReactNode
}

export function SecretReveal({ title, text, secret, confirm, onClose, children }: SecretRevealProps) {
  const { t } = useAdministrationText()
  return (
    // A click outside must not close it: the secret could not be shown again.
    <Dialog title={title} closeOnClickOutside={false} onClose={onClose}>
      <div className="dialog-form">
        <p>{text}</p>
        {secret !== undefined && <CopyableText text={secret} data-autofocus />}
        {children}
        <div className="dialog-actions">
          <Button isPrimary label={confirm ?? t.administration.secretSaved} onClick={onClose} />
        </div>
      </div>
    </Dialog>
  )
}
