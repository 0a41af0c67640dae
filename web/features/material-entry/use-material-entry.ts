// useMaterialEntry: the values, the submission and the result of the form of a line, with the confirmation of a future date.
import type { NewLine, OwnMaterial, OwnMaterialRow, UsedItem } from '../../../src/app/contract/material-entry.ts'
import { isNotEmpty } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, type SyntheticEvent } from 'react'
import { post } from '../../api/client.ts'
import { isKnownCode, projectsAndDepartmentsQuery } from '../../api/directory-codes.ts'
import { isDay } from '../../api/days.ts'
import { findQuantityProblem } from '../../components/quantity-problem.ts'
import { useSession } from '../../api/session.ts'
import { useAction } from '../../components/use-action.ts'
import { useFields, type ActionState } from '../../components/use-fields.ts'
import { saveLastProjectAndDepartment, getLastProjectAndDepartment, registerLine } from './api.ts'
import { toDraft, clearDraft, toLine, createDraft, type Draft } from './draft.ts'
import { useMaterialEntryText } from './i18n.ts'
import { getItemLabel } from './items-api.ts'

export interface EntryOutcome {
  /** Null when the line is queued until online. */
  readonly text: string | null
}

export interface MaterialEntryProps {
  readonly own: OwnMaterial
  /** The line to correct; null for a new one. */
  readonly edited: OwnMaterialRow | null
  /** How the last line was saved; null from the next attempt on. */
  readonly outcome: EntryOutcome | null
  readonly onOutcome: (outcome: EntryOutcome | null) => void
  /** Null when cancelled. */
  readonly onDone: (outcome: EntryOutcome | null) => void
}

export function useMaterialEntry(props: MaterialEntryProps) {
  const { own, edited, onOutcome, onDone } = props
  const { t, language } = useMaterialEntryText()
  const session = useSession()
  const sending = useAction(
    ({ line, label }: { line: NewLine; label: string }) =>
      edited === null
        ? registerLine(line, label, session)
        : post('ownMaterialLine', line, { params: { id: edited.id } }),
    { refreshes: ['material'] },
  )
  const { values: draft, setValues, field, focus, onSubmit, directoryCodes } = useDraftFields(props, sending)
  /** The future date that the user has to confirm; the second submission confirms it. */
  const [dateToConfirm, setDateToConfirm] = useState<string | null>(null)
  const fill = (values: Partial<Draft>) => {
    setValues(values)
    focus('quantity')
  }
  const send = async () => {
    if (draft.date > session.today && draft.date !== dateToConfirm) {
      setDateToConfirm(draft.date)
      return focus('date')
    }
    const line = toLine(draft, own.items, language)
    const { saved: doneText, savedAgain } = t.materialEntry
    const done = (edited === null ? doneText : savedAgain)(draft.item, draft.quantity, line.unit)
    try {
      const reply = await sending.mutateAsync({ line, label: `${draft.quantity} ${draft.unit} ${draft.item}` })
      onOutcome({ text: reply === null ? null : done })
    } catch {
      // Shown above the form.
      return
    }
    saveLastProjectAndDepartment(session, draft)
    if (edited !== null) return onDone({ text: done })
    setDateToConfirm(null)
    setValues(clearDraft(draft))
    focus('item')
  }
  const submit = onSubmit(() => void send())
  return {
    draft,
    setValues,
    field,
    fill,
    choose: (chosen: UsedItem) =>
      fill({
        item: getItemLabel(chosen),
        chosen,
        // Not the unit of an item that was chosen before.
        unit: chosen.unit ?? (draft.chosen === null ? draft.unit : ''),
      }),
    directoryCodes,
    /** Whether the date is ahead of today, and the user must confirm it. */
    asksForDate: dateToConfirm === draft.date,
    sending,
    submit: (event: SyntheticEvent<HTMLFormElement>) => {
      sending.reset()
      onOutcome(null)
      submit(event)
    },
  }
}

function useDraftFields({ own, edited }: MaterialEntryProps, sending: ActionState) {
  const { t, language } = useMaterialEntryText()
  const session = useSession()
  const directoryCodes = useQuery(projectsAndDepartmentsQuery).data
  const [initialValues] = useState(() =>
    edited === null
      ? createDraft(session.today, getLastProjectAndDepartment(session, own.rows))
      : toDraft(edited, language),
  )
  const { problems, ...texts } = t.materialEntry
  const fields = useFields<Draft>({
    initialValues,
    validate: {
      item: isNotEmpty(problems.item),
      quantity: (typed) => findQuantityProblem(typed, language, t.approvals.problems),
      date: (date) => !isDay(date) && problems.date,
      // These fields show their own errors.
      projectId: (code) => !isKnownCode(directoryCodes?.projects ?? [], code),
      departmentId: (code) => !isKnownCode(directoryCodes?.departments ?? [], code),
    },
    labels: {
      quantity: texts.quantity,
      unit: texts.unit,
      projectId: texts.project,
      departmentId: texts.department,
      date: texts.date,
      remark: t.revenue.remark,
    },
    action: sending,
  })
  const { values, setValues } = fields
  const [day, setDay] = useState(session.today)
  const followToday = useEffectEvent(() => {
    const isBlank = edited === null && values.item === '' && values.quantity === ''
    if (isBlank && values.date === day) setValues({ date: session.today })
    setDay(session.today)
  })
  // A form that stays open overnight must not register yesterday's date; what is being typed keeps its own.
  useEffect(() => followToday(), [session.today])
  return { ...fields, directoryCodes }
}
