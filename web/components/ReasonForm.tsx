// ReasonForm: a required reason, which is stored with the action, and the button that runs it.
import { Textarea } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { approvalText } from '../i18n/approvals.ts'
import { useTranslation } from '../i18n/translation.tsx'
import { DialogForm } from './Dialog.tsx'

interface ReasonFormProps {
  /** Label of the button. */
  readonly submit: string
  /** Who will read the reason. */
  readonly hint: string
  readonly error?: Error | null
  readonly isPending?: boolean
  readonly isDisabled?: boolean
  readonly isDestructive?: boolean
  readonly onClose: () => void
  readonly onSubmit: (reason: string) => void
  /** Common reasons, filled in by a click. */
  readonly suggestions?: readonly string[]
  /** Fields before the reason. */
  readonly children?: ReactNode
}

export function ReasonForm(props: ReasonFormProps) {
  const { submit, hint, onClose, onSubmit, suggestions = [], children } = props
  const { error = null, isPending = false, isDisabled = false, isDestructive = false } = props
  const { t } = useTranslation(approvalText)
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <DialogForm
      submit={submit}
      error={error}
      isBusy={isPending}
      isDisabled={isDisabled}
      isDestructive={isDestructive}
      onClose={onClose}
      onSubmit={() => {
        if (reason.trim() === '') setMissing(true)
        else onSubmit(reason.trim())
      }}
    >
      {children}
      <Textarea
        data-autofocus
        label={t.approvals.reason}
        description={hint}
        error={isMissing ? t.approvals.reasonMissing : undefined}
        value={reason}
        maxLength={4000}
        autosize
        minRows={2}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      {suggestions.length > 0 && (
        <div className="chip-list">
          {suggestions.map((one) => (
            <button key={one} type="button" className="chip" onClick={() => setReason(one)}>
              {one}
            </button>
          ))}
        </div>
      )}
    </DialogForm>
  )
}
