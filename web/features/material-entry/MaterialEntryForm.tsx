// MaterialEntryForm: item, quantity, project, department; keeps the last three values.
import { Button } from '../../components/Button.tsx'
import type { OwnMaterial, OwnMaterialRow, UsedItem } from '../../../src/app/contract/material-entry.ts'
import { Textarea, TextInput } from '@mantine/core'
import { getItemKey, getItemLabel } from './items-api.ts'
import { putLatestFirst } from './api.ts'
import { useMaterialEntryText } from './i18n.ts'
import { toNextDraft } from './draft.ts'
import { ItemField } from './ItemField.tsx'
import { useMaterialEntry, type MaterialEntryProps } from './use-material-entry.ts'
import { QueuedNotice } from '../../components/Outbox.tsx'
import { DayField } from '../../components/DayField.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { DirectoryCodeField } from '../../components/DirectoryCodeField.tsx'
import styles from './MaterialEntry.module.css'

export function MaterialEntryForm(props: MaterialEntryProps) {
  const { own, edited, outcome, onDone } = props
  const { t, language, format } = useMaterialEntryText()
  const texts = t.materialEntry
  const entry = useMaterialEntry(props)
  const { draft, setValues, field, fill, choose, directoryCodes, asksForDate, sending, submit } = entry
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <h2>{edited === null ? t.newMaterial : texts.correct}</h2>
      {edited !== null && edited.rejectionReason !== null && (
        <p className="alert error">{t.approvals.rejectedBecause(edited.rejectionReason)}</p>
      )}
      <ErrorAlert error={sending.error} />
      <div aria-live="polite">{outcome !== null && <p className="alert">{outcome.text ?? <QueuedNotice />}</p>}</div>
      <ItemField
        {...field('item')}
        items={own.items}
        value={draft.item}
        onType={(item) => setValues({ item, chosen: null })}
        onChoose={choose}
      />
      {edited === null && draft.item === '' && (
        <Suggestions {...own} onRepeat={(line) => fill(toNextDraft(line, draft, language))} onChoose={choose} />
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
          choices={putLatestFirst(own.rows, 'projectId', directoryCodes?.projects)}
          value={draft.projectId}
        />
        <DirectoryCodeField
          {...field('departmentId')}
          choices={putLatestFirst(own.rows, 'departmentId', directoryCodes?.departments)}
          value={draft.departmentId}
        />
      </div>
      <DayField
        {...field('date')}
        size="md"
        {...(asksForDate && { error: texts.isFuture(format.day(draft.date, 'long')) })}
        value={draft.date}
        onPick={(date) => setValues({ date })}
        onInvalid={(date) => setValues({ date })}
      />
      <Textarea {...field('remark')} size="md" maxLength={4000} autosize minRows={1} />
      <p className="muted">{texts.returns}</p>
      <Button
        isPrimary
        label={edited === null ? texts.register : texts.sendAgain}
        type="submit"
        size="lg"
        loading={sending.isPending}
        fullWidth
      />
      {edited !== null && <Button label={t.cancel} size="md" onClick={() => onDone(null)} fullWidth />}
    </form>
  )
}

interface SuggestionsProps extends OwnMaterial {
  readonly onRepeat: (line: OwnMaterialRow) => void
  readonly onChoose: (item: UsedItem) => void
}

/** The latest line once more, and the items that are used most. */
function Suggestions({ rows: [latest], items, onRepeat, onChoose }: SuggestionsProps) {
  const { t, format } = useMaterialEntryText()
  return (
    <div className={styles.tiles}>
      {latest !== undefined && (
        <button type="button" className={styles.again} onClick={() => onRepeat(latest)}>
          {t.materialEntry.sameAgain(format.quantity(latest.quantity), latest.unit ?? '', getItemLabel(latest))}
        </button>
      )}
      {items.slice(0, 4).map((one) => (
        <button key={getItemKey(one)} type="button" className={styles.tile} onClick={() => onChoose(one)}>
          {getItemLabel(one)} <span className="muted">{one.unit}</span>
        </button>
      ))}
    </div>
  )
}
