// LineEditForm: project, department, quantity and price of a line, edited by an approver.
import type { MaterialLineDetails } from '../../../src/app/contract/approvals.ts'
import { TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { editLine, refreshMaterial } from '../../api/approvals.ts'
import { isKnownCode, projectsAndDepartmentsQuery } from '../../api/directory-codes.ts'
import { parseTypedAmount, toTypedText } from '../../api/format.ts'
import { DialogForm } from '../../components/Dialog.tsx'
import { DirectoryCodeField } from '../../components/DirectoryCodeField.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'

interface CorrectionFormProps {
  readonly detail: MaterialLineDetails
  readonly onClose: () => void
  readonly onCorrected: () => void
}

export function LineEditForm({
  detail: { row, readAt },
  onClose,
  onCorrected,
}: CorrectionFormProps) {
  const { t, language } = useTranslation(approvalText)
  const client = useQueryClient()
  const codes = useQuery(projectsAndDepartmentsQuery).data
  const projectField = useRef<HTMLInputElement>(null)
  const [before] = useState(() => ({
    projectId: row.projectId ?? '',
    departmentId: row.departmentId ?? '',
    quantity: toTypedText(row.quantity, language),
    salesPrice: row.salesPrice === null ? '' : toTypedText(row.salesPrice, language),
  }))
  const [draft, setDraft] = useState(before)
  const [isChecked, setChecked] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const sent = {
        ...draft,
        quantity: parseTypedAmount(draft.quantity) ?? '',
        salesPrice: parseTypedAmount(draft.salesPrice) ?? '',
      }
      const changed = names.filter((name) => draft[name] !== before[name])
      const values = Object.fromEntries(changed.map((name) => [name, sent[name]]))
      return editLine(row.id, { ...values, readAt: String(readAt) })
    },
    onSuccess: () => {
      onCorrected()
      return refreshMaterial(client)
    },
  })
  useEffect(() => projectField.current?.focus(), [])

  const put = (change: Partial<typeof draft>) => setDraft((last) => ({ ...last, ...change }))
  const problems = {
    quantity: Number(parseTypedAmount(draft.quantity) ?? 0) === 0,
    salesPrice: draft.salesPrice.trim() !== '' && parseTypedAmount(draft.salesPrice) === null,
    // The fields show their own errors; a code that was there before may stay.
    projectId: isUnknown(codes?.projects, draft.projectId, before.projectId),
    departmentId: isUnknown(codes?.departments, draft.departmentId, before.departmentId),
  }
  const submit = () => {
    setChecked(true)
    if (names.some((name) => problems[name])) return
    if (names.every((name) => draft[name] === before[name])) onClose()
    else mutate()
  }
  return (
    <DialogForm
      submit={t.approvals.correctNow}
      isBusy={isPending}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="field-pair">
        <DirectoryCodeField
          ref={projectField}
          label={t.approvals.columns.project}
          choices={codes?.projects}
          value={draft.projectId}
          onChange={(projectId) => put({ projectId })}
        />
        <DirectoryCodeField
          label={t.approvals.columns.department}
          choices={codes?.departments}
          value={draft.departmentId}
          onChange={(departmentId) => put({ departmentId })}
        />
      </div>
      <div className="field-pair">
        <TextInput
          size="md"
          label={t.approvals.columns.quantity}
          rightSection={<span className="muted">{row.unit}</span>}
          rightSectionWidth="4rem"
          inputMode="decimal"
          value={draft.quantity}
          error={isChecked && problems.quantity ? t.approvals.problems.quantity : undefined}
          onChange={({ currentTarget }) => put({ quantity: currentTarget.value })}
        />
        <TextInput
          size="md"
          label={t.approvals.columns.price}
          inputMode="decimal"
          value={draft.salesPrice}
          error={isChecked && problems.salesPrice ? t.approvals.problems.price : undefined}
          onChange={({ currentTarget }) => put({ salesPrice: currentTarget.value })}
        />
      </div>
    </DialogForm>
  )
}

const names = ['projectId', 'departmentId', 'quantity', 'salesPrice'] as const

function isUnknown(
  choices: Parameters<typeof isKnownCode>[0] | undefined,
  code: string,
  before: string,
): boolean {
  return code !== before && !isKnownCode(choices ?? [], code)
}
