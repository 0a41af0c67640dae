// RecordForm: an input for each field by its type; sends only changed fields, as typed.
import { Button } from '../../components/Button.tsx'
import type { DirectorySet, RecordFields, RecordField } from '../../../src/app/contract/directory.ts'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { fieldsQuery, useRecordMutation } from './records-api.ts'
import { isDay } from '../../api/days.ts'
import { getDisplayName, toText, type SetRow } from '../../api/sets.ts'
import { DialogForm } from '../../components/Dialog.tsx'
import { Loaded } from '../../components/QueryStates.tsx'
import { useFields, type FieldProps } from '../../components/use-fields.ts'
import { useRecordText } from './records-i18n.ts'
import { useQuery } from '@tanstack/react-query'
import { directoryCodesQuery } from '../../api/directory-codes.ts'
import { DayField } from '../../components/DayField.tsx'
import { DirectoryCodeField } from '../../components/DirectoryCodeField.tsx'
import { ApiName } from '../../components/Table.tsx'

interface RecordFormProps {
  readonly set: DirectorySet
  /** Without one, a new record. */
  readonly row?: SetRow
  /** Initial key of a new record. */
  readonly startsWith?: string
  readonly onSaved: (id: string) => void
  readonly onDeleted: () => void
  readonly onCancel: () => void
}

export function RecordForm(props: RecordFormProps) {
  return <Loaded options={fieldsQuery(props.set)}>{(known) => <Form {...props} recordFields={known} />}</Loaded>
}

function Form(props: RecordFormProps & { recordFields: RecordFields }) {
  const { set, recordFields, startsWith = '', onSaved, onDeleted, onCancel } = props
  const { fields, key } = recordFields
  const { t, language } = useRecordText()
  // Edits apply to the record as it was first shown, although the query may refetch.
  const [row] = useState(props.row ?? null)
  const stored: Readonly<Record<string, string>> = Object.fromEntries(
    fields.map(({ wire }) => [wire, toText(row?.[wire])]),
  )
  const saving = useRecordMutation(set, onSaved)
  const { values, field, action, onSubmit } = useFields<Record<string, string>>({
    initialValues: startsWith === '' ? stored : { ...stored, [key]: startsWith },
    // A date field shows its own error.
    validate: Object.fromEntries(
      fields.filter(({ type }) => type === 'date').map(({ wire }) => [wire, (day) => day !== '' && !isDay(day)]),
    ),
    labels: Object.fromEntries(fields.map((one) => [one.wire, one[language]])),
    action: saving,
  })
  const changes = Object.entries(values).filter(([wire, text]) => text !== stored[wire])
  const submit = onSubmit(() => {
    const changed = { ...Object.fromEntries(changes), ...recordKey(row, recordFields) }
    if (changes.length > 0) saving.mutate({ method: 'POST', fields: changed })
  })
  return (
    <DialogForm
      submit={t.save}
      action={action}
      isDisabled={changes.length === 0}
      onSubmit={submit}
      onClose={onCancel}
      footer={row !== null && <DeleteRecord set={set} row={row} known={recordFields} onDeleted={onDeleted} />}
    >
      {fields.map((one) => (
        <RecordInput
          key={one.wire}
          {...field(one.wire)}
          field={one}
          isKey={one.wire === key}
          isNew={row === null}
          value={values[one.wire] ?? ''}
        />
      ))}
    </DialogForm>
  )
}

/** Key and last change of the record, as precondition; empty for a new one. */
function recordKey(row: SetRow | null, { key }: RecordFields): Record<string, string> {
  return row === null ? {} : { [key]: toText(row[key]), before: toText(row['SistEndretDato']) }
}

interface DeleteRecordProps {
  readonly set: DirectorySet
  readonly row: SetRow
  readonly known: RecordFields
  readonly onDeleted: () => void
}

/** Requires confirmation: a deletion cannot be undone. */
function DeleteRecord({ set, row, known, onDeleted }: DeleteRecordProps) {
  const { t } = useRecordText()
  const [isConfirming, setConfirming] = useState(false)
  const deletion = useRecordMutation(set, onDeleted)
  if (!isConfirming) return <Button label={t.delete} variant="subtle" color="red" onClick={() => setConfirming(true)} />
  return (
    <section className="panel" role="alert">
      <p>
        <strong>{t.records.deleteQuestion(getDisplayName(row) || toText(row[known.key]))}</strong>
      </p>
      <p>{t.records.deleteText}</p>
      {deletion.error !== null && <p className="problem">{deletion.error.message}</p>}
      <div className="dialog-actions">
        <Button label={t.cancel} onClick={() => setConfirming(false)} />
        <Button
          isPrimary
          label={t.delete}
          color="red"
          loading={deletion.isPending}
          onClick={() => deletion.mutate({ method: 'DELETE', fields: recordKey(row, known) })}
        />
      </div>
    </section>
  )
}

interface InputProps extends FieldProps {
  readonly value: string
  /** Takes an event, or a value. */
  readonly onChange: (changed: unknown) => void
}

interface RecordInputProps extends InputProps {
  readonly field: RecordField
  readonly isKey: boolean
  readonly isNew: boolean
}

function RecordInput({ field, isKey, isNew, ...input }: RecordInputProps) {
  const { t, language } = useRecordText()
  const { type, max, set } = field
  const label = (
    <>
      {field[language]}
      <ApiName name={field.wire} title={field[language]} />
    </>
  )
  const common = { ...input, label }
  if (type === 'boolean')
    return (
      <NativeSelect
        {...common}
        data={[
          { value: '', label: t.records.notSpecified },
          { value: 'true', label: t.yes },
          { value: 'false', label: t.no },
        ]}
      />
    )
  if (type === 'text' && (max ?? 0) > 1000)
    return <Textarea {...common} autosize minRows={2} maxRows={6} maxLength={max ?? 4000} />
  if (type === 'date') return <DayField {...common} isOptional onPick={input.onChange} onInvalid={input.onChange} />
  if (set !== null) return <Reference {...common} set={set} />
  const isNumbered = isKey && type === 'integer'
  return (
    <TextInput
      {...common}
      autoFocus={isKey}
      readOnly={isKey && !isNew}
      description={isNumbered && isNew ? t.records.noKey : undefined}
      inputMode={type === 'decimal' ? 'decimal' : type === 'integer' ? 'numeric' : 'text'}
      {...(max === null ? {} : { maxLength: max })}
    />
  )
}

function Reference({ set, ...common }: InputProps & { set: DirectorySet }) {
  const { data } = useQuery(directoryCodesQuery(set))
  return <DirectoryCodeField {...common} size="sm" choices={data} />
}
