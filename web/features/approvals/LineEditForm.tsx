// LineEditForm: project, department, quantity and price of lines, edited by an approver.
import type { MaterialRow } from '../../../src/app/contract/approvals.ts'
import { TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { editLines, refreshMaterial, type LinesToEdit, type SentLines } from '../../api/approvals.ts'
import { useSession } from '../../api/session.ts'
import { isKnownCode, projectsAndDepartmentsQuery } from '../../api/directory-codes.ts'
import { parseTypedAmount, toTypedText } from '../../api/format.ts'
import { DialogForm } from '../../components/Dialog.tsx'
import { DirectoryCodeField } from '../../components/DirectoryCodeField.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'

interface LineEditFormProps {
  readonly lines: LinesToEdit
  /** The line, when it is one; for several the fields are empty, and those that are filled in change. */
  readonly row?: MaterialRow
  readonly onClose: () => void
  readonly onEdited: (decided: SentLines) => void
}

export function LineEditForm({ lines, row, onClose, onEdited }: LineEditFormProps) {
  const { t, language, format } = useTranslation(approvalText)
  const client = useQueryClient()
  const { fourEyes } = useSession()
  const codes = useQuery(projectsAndDepartmentsQuery).data
  const [before] = useState(() => {
    const typed = (number: number | null = null) => (number === null ? '' : toTypedText(number, language))
    return {
      projectId: row?.projectId ?? '',
      departmentId: row?.departmentId ?? '',
      quantity: typed(row?.quantity),
      salesPrice: typed(row?.salesPrice),
    }
  })
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
      return editLines(lines, Object.fromEntries(changed.map((name) => [name, sent[name]])))
    },
    onSuccess: onEdited,
    // Also after an error: parts of many lines may be stored.
    onSettled: () => refreshMaterial(client),
  })

  const put = (change: Partial<typeof draft>) => setDraft((last) => ({ ...last, ...change }))
  const problems = {
    quantity: draft.quantity !== before.quantity && Number(parseTypedAmount(draft.quantity) ?? 0) === 0,
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
      submit={row === undefined ? t.approvals.correctMany(format.count(lines.ids.length)) : t.approvals.correctNow}
      action={{ isPending, error }}
      onSubmit={submit}
      onClose={onClose}
    >
      {row === undefined && <p className="muted">{t.approvals.correctHint}</p>}
      {fourEyes && <p className="muted">{t.approvals.fourEyes}</p>}
      <div className="field-pair">
        <DirectoryCodeField
          hasFocusFirst
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
          rightSection={<span className="muted">{row?.unit}</span>}
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

function isUnknown(choices: Parameters<typeof isKnownCode>[0] | undefined, code: string, before: string): boolean {
  return code !== before && !isKnownCode(choices ?? [], code)
}
