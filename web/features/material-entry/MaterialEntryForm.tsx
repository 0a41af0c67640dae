// MaterialEntryForm: item, quantity, project, department; keeps the last three values.
import type { NewLine, OwnMaterial, OwnMaterialRow, UsedItem } from '../../../src/app/contract/material-entry.ts'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type SyntheticEvent } from 'react'
import { getItemLabel } from './items-api.ts'
import { changeLine, saveLastProjectAndDepartment, getLastProjectAndDepartment, registerLine } from './api.ts'
import { isKnownCode, projectsAndDepartmentsQuery } from '../../api/directory-codes.ts'
import { useSession } from '../../api/session.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { materialEntryText } from './i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import {
  toDraft,
  clearDraft,
  toLine,
  toNextDraft,
  createDraft,
  listDraftProblems,
  type Draft,
  type RequiredField,
} from './draft.ts'
import { ItemField } from './ItemField.tsx'
import { DayField } from '../../components/DayField.tsx'
import { useAction } from '../../components/use-action.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { DirectoryCodeField } from '../../components/DirectoryCodeField.tsx'
import styles from './MaterialEntry.module.css'

interface MaterialEntryFormProps {
  readonly own: OwnMaterial
  /** The line to correct; null for a new one. */
  readonly edited: OwnMaterialRow | null
  /** Shown until the next attempt. */
  readonly outcome: string | null
  /** Null when cancelled. */
  readonly onDone: (outcome: string | null) => void
}

export function MaterialEntryForm({ own: { rows, items }, edited, outcome, onDone }: MaterialEntryFormProps) {
  const { t, language, format } = useTranslation(approvalText, revenueText, materialEntryText)
  const session = useSession()
  const directoryCodes = useQuery(projectsAndDepartmentsQuery).data
  const itemField = useRef<HTMLInputElement>(null)
  const quantityField = useRef<HTMLInputElement>(null)
  const dateField = useRef<HTMLInputElement>(null)
  const projectField = useRef<HTMLInputElement>(null)
  const departmentField = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState<Draft>(() =>
    edited === null
      ? createDraft(session.today, getLastProjectAndDepartment(session, rows))
      : toDraft(edited, language),
  )
  /** Errors are shown at the fields from the first attempt on. */
  const [isChecked, setChecked] = useState(false)
  /** The date ahead of today that the user was asked about; the second attempt confirms it. */
  const [askedDate, setAskedDate] = useState<string | null>(null)
  const [saved, setSaved] = useState(outcome)
  const { mutateAsync, isPending, error, reset } = useAction(
    (line: NewLine) => {
      const label = `${draft.quantity} ${draft.unit} ${draft.item}`
      return edited === null ? registerLine(line, label, session) : changeLine(edited.id, line)
    },
    { refreshes: ['material'] },
  )

  const [latest] = rows
  const problems = listDraftProblems(draft)
  const errorOf = (name: RequiredField) =>
    isChecked && problems.includes(name) ? t.materialEntry.problems[name] : undefined
  const fields = { item: itemField, quantity: quantityField, date: dateField }

  const put = (change: Partial<Draft>) => setDraft((last) => ({ ...last, ...change }))
  const choose = (chosen: UsedItem) =>
    put({
      item: getItemLabel(chosen),
      chosen,
      // Not the unit of an item that was chosen before.
      unit: chosen.unit ?? (draft.chosen === null ? draft.unit : ''),
    })
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    reset()
    setSaved(null)
    setChecked(true)
    // The fields show their own errors.
    const [first] = problems
    if (first !== undefined) return fields[first].current?.focus()
    if (!isKnownCode(directoryCodes?.projects ?? [], draft.projectId)) return projectField.current?.focus()
    if (!isKnownCode(directoryCodes?.departments ?? [], draft.departmentId)) return departmentField.current?.focus()
    if (draft.date > session.today && draft.date !== askedDate) {
      setAskedDate(draft.date)
      return dateField.current?.focus()
    }
    const line = toLine(draft, items)
    const describe = edited === null ? t.materialEntry.saved : t.materialEntry.savedAgain
    const done = describe(draft.item, draft.quantity, line.unit)
    try {
      const registered = await mutateAsync(line)
      setSaved(registered === null ? t.outbox.queued : done)
    } catch {
      // Shown above the form.
      return
    }
    saveLastProjectAndDepartment(session, draft)
    if (edited !== null) return onDone(done)
    setChecked(false)
    setAskedDate(null)
    setDraft(clearDraft)
    itemField.current?.focus()
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <h2>{edited === null ? t.materialEntry.new : t.materialEntry.correct}</h2>
      {edited !== null && edited.rejectionReason !== null && (
        <p className="alert error">{t.approvals.rejectedBecause(edited.rejectionReason)}</p>
      )}
      <ErrorAlert error={error} />
      <div aria-live="polite">{saved !== null && <p className="alert">{saved}</p>}</div>
      <ItemField
        ref={itemField}
        items={items}
        value={draft.item}
        error={errorOf('item')}
        onType={(item) => put({ item, chosen: null })}
        onChoose={choose}
      />
      {edited === null && draft.item === '' && (
        <div className="chip-list">
          {latest !== undefined && (
            <button type="button" className="chip" onClick={() => put(toNextDraft(latest, draft, language))}>
              {t.materialEntry.sameAgain(format.quantity(latest.quantity), latest.unit ?? '', getItemLabel(latest))}
            </button>
          )}
          {items.slice(0, 4).map((one) => (
            <button key={`${one.itemId} ${one.itemName}`} type="button" className="chip" onClick={() => choose(one)}>
              {getItemLabel(one)}
            </button>
          ))}
        </div>
      )}
      <div className="field-pair">
        <TextInput
          ref={quantityField}
          size="md"
          label={t.materialEntry.quantity}
          error={errorOf('quantity')}
          inputMode="decimal"
          enterKeyHint="done"
          value={draft.quantity}
          onChange={({ currentTarget }) => put({ quantity: currentTarget.value })}
        />
        <TextInput
          size="md"
          label={t.materialEntry.unit}
          value={draft.unit}
          maxLength={20}
          onChange={({ currentTarget }) => put({ unit: currentTarget.value })}
        />
      </div>
      <div className="field-pair">
        <DirectoryCodeField
          ref={projectField}
          label={t.materialEntry.project}
          choices={directoryCodes?.projects}
          value={draft.projectId}
          onChange={(projectId) => put({ projectId })}
        />
        <DirectoryCodeField
          ref={departmentField}
          label={t.materialEntry.department}
          choices={directoryCodes?.departments}
          value={draft.departmentId}
          onChange={(departmentId) => put({ departmentId })}
        />
      </div>
      <DayField
        ref={dateField}
        size="md"
        label={t.materialEntry.date}
        error={
          askedDate !== null && askedDate === draft.date
            ? t.materialEntry.isFuture(format.day(askedDate, 'long'))
            : errorOf('date')
        }
        value={draft.date}
        onPick={(date) => put({ date })}
      />
      <Textarea
        size="md"
        label={t.revenue.remark}
        value={draft.remark}
        maxLength={4000}
        autosize
        minRows={1}
        onChange={({ currentTarget }) => put({ remark: currentTarget.value })}
      />
      <p className="muted">{t.materialEntry.returns}</p>
      <Button type="submit" size="lg" loading={isPending} fullWidth>
        {edited === null ? t.materialEntry.register : t.materialEntry.sendAgain}
      </Button>
      {edited !== null && (
        <Button variant="default" size="md" onClick={() => onDone(null)} fullWidth>
          {t.cancel}
        </Button>
      )}
    </form>
  )
}
