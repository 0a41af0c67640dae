// Dialog: a modal with a title and a close button, and the form inside of one.
import { Button } from './Button.tsx'
import { Modal, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import { ErrorAlert } from './ErrorAlert.tsx'
import type { ActionState } from './use-fields.ts'

export function Dialog(props: Omit<ModalProps, 'opened' | 'title'> & { readonly title: string }) {
  const { t } = useTranslation()
  return <Modal opened transitionProps={{ duration: 0 }} closeButtonProps={{ 'aria-label': t.close }} {...props} />
}

export interface DialogFormProps {
  /** Label of the button. */
  readonly submit: string
  /** Label of the button that closes, unless it cancels. */
  readonly cancel?: string
  /** Whether the button has the focus at first; otherwise that is up to the fields. */
  readonly hasFocus?: boolean
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
  const { submit, action, isDisabled = false, isDestructive = false, hasFocus } = props
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
        <Button label={props.cancel ?? t.cancel} onClick={props.onClose} />
        <Button
          isPrimary
          label={submit}
          type="submit"
          data-autofocus={hasFocus}
          color={isDestructive ? 'red' : 'fjord'}
          loading={action?.isPending ?? false}
          disabled={isDisabled}
        />
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
