// ReasonForm: a required reason, and the button that runs the action.
import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { ReasonField } from '../../components/ReasonField.tsx'
import { exportText } from '../../i18n/export.ts'
import { useTranslation } from '../../i18n/translation.tsx'

interface ReasonFormProps {
  /** Label of the button. */
  readonly act: string
  readonly error: Error | null
  readonly isPending: boolean
  readonly isDisabled?: boolean
  readonly onClose: () => void
  readonly onSubmit: (reason: string) => void
  /** Fields before the reason. */
  readonly children?: ReactNode
}

export function ReasonForm(props: ReasonFormProps) {
  const { act, error, isPending, isDisabled = false, onClose, onSubmit, children } = props
  const { t } = useTranslation(exportText)
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.trim() === '') setMissing(true)
        else onSubmit(reason.trim())
      }}
    >
      {error !== null && (
        <p className="problem" role="alert">
          {error.message}
        </p>
      )}
      {children}
      <ReasonField
        hint={t.export.reasonHint}
        reason={reason}
        isMissing={isMissing}
        onChange={setReason}
      />
      <div className="dialog-actions">
        <Button size="sm" variant="default" onClick={onClose}>
          {t.cancel}
        </Button>
        <Button size="sm" type="submit" loading={isPending} disabled={isDisabled}>
          {act}
        </Button>
      </div>
    </form>
  )
}
