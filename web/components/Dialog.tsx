// Dialog: a modal with a title and a close button, and the form inside of one.
import { Button, Modal, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/translation.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'
import type { ActionState } from './use-fields.ts'

interface DialogProps extends Omit<ModalProps, 'opened' | 'title'> {
  readonly title: string
}

export function Dialog(props: DialogProps) {
  const { t } = useTranslation()
  return <Modal opened transitionProps={{ duration: 0 }} closeButtonProps={{ 'aria-label': t.close }} {...props} />
}

export interface DialogFormProps {
  /** Label of the button. */
  readonly submit: string
  readonly action?: ActionState
  readonly isDisabled?: boolean
  /** The button is red: it rejects, deletes or ends something. */
  readonly isDestructive?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
  /** Below the buttons. */
  readonly footer?: ReactNode
}

export function DialogForm(props: DialogFormProps) {
  const { submit, action, isDisabled = false, isDestructive = false } = props
  const { t } = useTranslation()
  return (
    <form
      className="dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
    >
      <ErrorAlert error={action?.error ?? null} />
      {props.children}
      <div className="dialog-actions">
        <Button variant="default" onClick={props.onClose}>
          {t.cancel}
        </Button>
        <Button
          type="submit"
          color={isDestructive ? 'red' : 'fjord'}
          loading={action?.isPending ?? false}
          disabled={isDisabled}
        >
          {submit}
        </Button>
      </div>
      {props.footer}
    </form>
  )
}

export function ActionDialog({ title, ...form }: DialogFormProps & { readonly title: string }) {
  return (
    <Dialog title={title} onClose={form.onClose}>
      <DialogForm {...form} />
    </Dialog>
  )
}
