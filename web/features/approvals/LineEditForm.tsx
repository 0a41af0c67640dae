// LineEditForm: project, department, quantity and price of lines, edited by an approver.
import type { MaterialRow } from '../../../src/app/contract/approvals.ts'
import { TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { editLines, refreshMaterial, type LinesToEdit, type SentLines } from '../../api/approvals.ts'
import { findQuantityProblem } from '../../components/quantity-problem.ts'
import { useSession } from '../../api/session.ts'
import { isKnownCode, projectsAndDepartmentsQuery } from '../../api/directory-codes.ts'
import { parseTypedAmount, toTypedText } from '../../api/format.ts'
import { DialogForm } from '../../components/Dialog.tsx'
import { useFields } from '../../components/use-fields.ts'
import { DirectoryCodeField } from '../../components/DirectoryCodeField.tsx'
import { useApprovalText } from '../../i18n/approvals.ts'

interface LineEditFormProps {
  readonly lines: LinesToEdit
  /** The line, when it is one; for several the fields are empty, and those that are filled in change. */
  readonly row?: MaterialRow
  readonly onClose: () => void
  readonly onEdited: (decided: SentLines) => void
}

export function LineEditForm({ lines: latest, row, onClose, onEdited }: LineEditFormProps) {
  const { t, language, format } = useApprovalText()
  // The edit is of the lines that were shown when it began, although others may change them meanwhile.
  const [lines] = useState(latest)
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
  const editing = useMutation({
    mutationFn: (draft: typeof before) => {
      const sent = {
        ...draft,
        quantity: parseTypedAmount(draft.quantity, language) ?? '',
        salesPrice: parseTypedAmount(draft.salesPrice, language) ?? '',
      }
      const changed = names.filter((name) => draft[name] !== before[name])
      return editLines(lines, Object.fromEntries(changed.map((name) => [name, sent[name]])))
    },
    onSuccess: onEdited,
    // Also after an error: parts of many lines may be stored.
    onSettled: () => refreshMaterial(client),
  })
  const { columns, problems } = t.approvals
  const { values, field, action, onSubmit } = useFields({
    initialValues: before,
    validate: {
      quantity: (typed) => typed !== before.quantity && findQuantityProblem(typed, language, problems),
      salesPrice: (typed) => typed.trim() !== '' && parseTypedAmount(typed, language) === null && problems.price,
      // The fields show their own errors; a code that was there before may stay.
      projectId: (code) => code !== before.projectId && !isKnownCode(codes?.projects ?? [], code),
      departmentId: (code) => code !== before.departmentId && !isKnownCode(codes?.departments ?? [], code),
    },
    labels: {
      projectId: columns.project,
      departmentId: columns.department,
      quantity: columns.quantity,
      salesPrice: columns.price,
    },
    action: editing,
  })
  return (
    <DialogForm
      submit={row === undefined ? t.approvals.correctMany(format.count(lines.ids.length)) : t.approvals.correctNow}
      action={action}
      onSubmit={onSubmit((draft) =>
        names.every((name) => draft[name] === before[name]) ? onClose() : editing.mutate(draft),
      )}
      onClose={onClose}
    >
      {row === undefined && <p className="muted">{t.approvals.correctHint}</p>}
      {fourEyes && <p className="muted">{t.approvals.fourEyes}</p>}
      <div className="field-pair">
        <DirectoryCodeField {...field('projectId')} hasFocusFirst choices={codes?.projects} value={values.projectId} />
        <DirectoryCodeField {...field('departmentId')} choices={codes?.departments} value={values.departmentId} />
      </div>
      <div className="field-pair">
        <TextInput
          {...field('quantity')}
          size="md"
          rightSection={<span className="muted">{row?.unit}</span>}
          rightSectionWidth="4rem"
          inputMode="decimal"
        />
        <TextInput {...field('salesPrice')} size="md" inputMode="decimal" />
      </div>
    </DialogForm>
  )
}

const names = ['projectId', 'departmentId', 'quantity', 'salesPrice'] as const
