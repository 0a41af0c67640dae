// ReasonForm: a required reason, which is stored with the action, and the button that runs it.
import { isNotEmpty, useForm } from '@mantine/form'
import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useApprovalText } from '../i18n/approvals.ts'
import { Chip } from './Button.tsx'
import { DialogForm, type DialogFormProps } from './Dialog.tsx'

interface ReasonFormProps extends Omit<DialogFormProps, 'onSubmit' | 'children'> {
  /** Who will read the reason. */
  readonly hint: string
  readonly onSubmit: (reason: string) => void
  /** Common reasons, filled in by a click. */
  readonly suggestions?: readonly string[]
  /** Fields before the reason. */
  readonly children?: ReactNode
}

export function ReasonForm({ hint, onSubmit, suggestions = [], children, ...dialog }: ReasonFormProps) {
  const { t } = useApprovalText()
  const form = useForm({ initialValues: { reason: '' }, validate: { reason: isNotEmpty(t.approvals.reasonMissing) } })
  return (
    <DialogForm {...dialog} onSubmit={form.onSubmit(({ reason }) => onSubmit(reason.trim()))}>
      {children}
      <Textarea
        {...form.getInputProps('reason')}
        data-autofocus
        label={t.approvals.reason}
        description={hint}
        maxLength={4000}
        autosize
        minRows={2}
      />
      {suggestions.length > 0 && (
        <div className="chip-list">
          {suggestions.map((reason) => (
            <Chip key={reason} label={reason} onClick={() => form.setValues({ reason })} />
          ))}
        </div>
      )}
    </DialogForm>
  )
}
