// SecretReveal: a dialog that shows a secret once.
import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { administrationText } from '../../i18n/administration.ts'
import { useText } from '../../i18n/translation.tsx'
import { Copyable } from './CopyableSecret.tsx'

interface OnceProps {
  readonly title: string
  readonly text: string
  readonly secret: string
  readonly onClose: () => void
}

interface OnceFrameProps extends Omit<OnceProps, 'secret'> {
  readonly kept: string
  readonly children: ReactNode
}

export function Once({ secret, ...frame }: OnceProps) {
  return (
    <OnceFrame {...frame} kept={useText(administrationText).say.administration.kept}>
      <Copyable secret={secret} isFirst />
    </OnceFrame>
  )
}

export function OnceFrame({ title, text, kept, onClose, children }: OnceFrameProps) {
  const { say } = useText()
  return (
    <Modal
      opened
      onClose={onClose}
      // A click outside must not close it: the secret could not be shown again.
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      title={title}
      closeButtonProps={{ 'aria-label': say.close }}
    >
      <div className="dialog-form">
        <p>{text}</p>
        {children}
        <div className="dialog-actions">
          <Button size="sm" onClick={onClose}>
            {kept}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
