// ActionDialog: a modal form with an error message, Cancel and Submit.
import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/translation.tsx'

interface ActionDialogProps {
  readonly title: string
  readonly submit: string
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

export function ActionDialog(props: ActionDialogProps) {
  const { title, submit, isBusy, error, onSubmit, onClose, children } = props
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={onClose}
      transitionProps={{ duration: 0 }}
      title={title}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <form
        className="dialog-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {error !== null && (
          <p className="problem" role="alert">
            {error.message}
          </p>
        )}
        {children}
        <div className="dialog-actions">
          <Button size="sm" variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button size="sm" type="submit" loading={isBusy}>
            {submit}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
