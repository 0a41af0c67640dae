// MaterialEntryForm: item, quantity, project, department; keeps the last three values.
import type { NewLine, OwnMaterial, OwnMaterialRow, UsedItem } from '../../../src/app/contract/material-entry.ts'
import { Button, Textarea, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getItemLabel } from './items-api.ts'
import { saveLastProjectAndDepartment, getLastProjectAndDepartment, putLatestFirst, registerLine } from './api.ts'
import { isKnownCode, projectsAndDepartmentsQuery } from '../../api/directory-codes.ts'
import { useSession } from '../../api/session.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { materialEntryText } from './i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { toDraft, clearDraft, toLine, toNextDraft, createDraft, type Draft } from './draft.ts'
import { ItemField } from './ItemField.tsx'
import { DayField } from '../../components/DayField.tsx'
import { useFields } from '../../components/use-fields.ts'
import { post } from '../../api/client.ts'
import { parseTypedAmount } from '../../api/format.ts'
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
  const [initialValues] = useState(() =>
    edited === null
      ? createDraft(session.today, getLastProjectAndDepartment(session, rows))
      : toDraft(edited, language),
  )
  /** The date ahead of today that the user was asked about; the second attempt confirms it. */
  const [askedDate, setAskedDate] = useState<string | null>(null)
  const [saved, setSaved] = useState(outcome)
  const sending = useAction(
    ({ line, label }: { line: NewLine; label: string }) =>
      edited === null
        ? registerLine(line, label, session)
        : post('ownMaterialLine', line, { params: { id: edited.id } }),
    { refreshes: ['material'] },
  )
  const [latest] = rows
  const texts = t.materialEntry
  const {
    values: draft,
    setValues,
    field,
    focus,
    onSubmit,
  } = useFields<Draft>({
    initialValues,
    validate: {
      item: isNotEmpty(texts.problems.item),
      quantity: (typed) => Number(parseTypedAmount(typed) ?? 0) === 0 && texts.problems.quantity,
      date: isNotEmpty(texts.problems.date),
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
  const fill = (values: Partial<Draft>) => {
    setValues(values)
    focus('quantity')
  }
  const choose = (chosen: UsedItem) =>
    fill({
      item: getItemLabel(chosen),
      chosen,
      // Not the unit of an item that was chosen before.
      unit: chosen.unit ?? (draft.chosen === null ? draft.unit : ''),
    })
  const send = async () => {
    if (draft.date > session.today && draft.date !== askedDate) {
      setAskedDate(draft.date)
      return focus('date')
    }
    const line = toLine(draft, items)
    const done = (edited === null ? texts.saved : texts.savedAgain)(draft.item, draft.quantity, line.unit)
    try {
      const reply = await sending.mutateAsync({ line, label: `${draft.quantity} ${draft.unit} ${draft.item}` })
      setSaved(reply === null ? t.outbox.queued : done)
    } catch {
      // Shown above the form.
      return
    }
    saveLastProjectAndDepartment(session, draft)
    if (edited !== null) return onDone(done)
    setAskedDate(null)
    setValues(clearDraft(draft))
    focus('item')
  }
  const submit = onSubmit(() => void send())

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        sending.reset()
        setSaved(null)
        submit(event)
      }}
    >
      <h2>{edited === null ? texts.new : texts.correct}</h2>
      {edited !== null && edited.rejectionReason !== null && (
        <p className="alert error">{t.approvals.rejectedBecause(edited.rejectionReason)}</p>
      )}
      <ErrorAlert error={sending.error} />
      <div aria-live="polite">{saved !== null && <p className="alert">{saved}</p>}</div>
      <ItemField
        {...field('item')}
        items={items}
        value={draft.item}
        onType={(item) => setValues({ item, chosen: null })}
        onChoose={choose}
      />
      {edited === null && draft.item === '' && (
        <div className={styles.tiles}>
          {latest !== undefined && (
            <button type="button" className={styles.again} onClick={() => fill(toNextDraft(latest, draft, language))}>
              {texts.sameAgain(format.quantity(latest.quantity), latest.unit ?? '', getItemLabel(latest))}
            </button>
          )}
          {items.slice(0, 4).map((one) => (
            <button
              key={`${one.itemId} ${one.itemName}`}
              type="button"
              className={styles.tile}
              onClick={() => choose(one)}
            >
              {getItemLabel(one)} <span className="muted">{one.unit}</span>
            </button>
          ))}
        </div>
      )}
      <TextInput
        {...field('quantity')}
        size="md"
        inputMode="decimal"
        enterKeyHint="done"
        rightSectionWidth="7rem"
        rightSection={
          <TextInput
            {...field('unit')}
            label={null}
            aria-label={texts.unit}
            placeholder={texts.unit}
            variant="unstyled"
            classNames={{ input: styles.unit ?? '' }}
            maxLength={20}
          />
        }
      />
      <div className="field-pair">
        <DirectoryCodeField
          {...field('projectId')}
          choices={putLatestFirst(rows, 'projectId', directoryCodes?.projects)}
          value={draft.projectId}
        />
        <DirectoryCodeField
          {...field('departmentId')}
          choices={putLatestFirst(rows, 'departmentId', directoryCodes?.departments)}
          value={draft.departmentId}
        />
      </div>
      <DayField
        {...field('date')}
        size="md"
        {...(askedDate === draft.date && { error: texts.isFuture(format.day(askedDate, 'long')) })}
        value={draft.date}
        onPick={(date) => setValues({ date })}
      />
      <Textarea {...field('remark')} size="md" maxLength={4000} autosize minRows={1} />
      <p className="muted">{texts.returns}</p>
      <Button type="submit" size="lg" loading={sending.isPending} fullWidth>
        {edited === null ? texts.register : texts.sendAgain}
      </Button>
      {edited !== null && (
        <Button variant="default" size="md" onClick={() => onDone(null)} fullWidth>
          {t.cancel}
        </Button>
      )}
    </form>
  )
}
