// SecretReveal: a dialog that shows a secret once.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/Dialog.tsx'
import { useAdministrationText } from '../../i18n/administration.ts'
import { CopyableText } from '../../components/CopyableText.tsx'

interface SecretRevealProps {
  readonly title: string
  readonly text: string
  readonly secret: string
  readonly onClose: () => void
}

interface SecretRevealDialogProps extends Omit<SecretRevealProps, 'secret'> {
  readonly confirmLabel: string
  readonly children: ReactNode
}

export function SecretReveal({ secret, ...frame }: SecretRevealProps) {
  return (
    <SecretRevealDialog {...frame} confirmLabel={useAdministrationText().t.administration.secretSaved}>
      <CopyableText text={secret} data-autofocus />
    </SecretRevealDialog>
  )
}

export function SecretRevealDialog({ title, text, confirmLabel, onClose, children }: SecretRevealDialogProps) {
  return (
    // A click outside must not close it: the secret could not be shown again.
    <Dialog title={title} closeOnClickOutside={false} onClose={onClose}>
      <div className="dialog-form">
        <p>{text}</p>
        {children}
        <div className="dialog-actions">
          <Button onClick={onClose}>{confirmLabel}</Button>
        </div>
      </div>
    </Dialog>
  )
}
