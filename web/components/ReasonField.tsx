// ReasonField: a required reason, which is stored with the action.
import { Textarea } from '@mantine/core'
import { approvalText } from '../i18n/approvals.ts'
import { useTranslation } from '../i18n/translation.tsx'

interface ReasonFieldProps {
  /** Who will read it. */
  readonly hint: string
  readonly reason: string
  readonly isMissing: boolean
  readonly onChange: (reason: string) => void
}

export function ReasonField({ hint, reason, isMissing, onChange }: ReasonFieldProps) {
  const { t } = useTranslation(approvalText)
  return (
    <Textarea
      data-autofocus
      label={t.approvals.reason}
      description={hint}
      error={isMissing ? t.approvals.reasonMissing : undefined}
      value={reason}
      maxLength={4000}
      autosize
      minRows={2}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
