// RecordForm: sends only changed fields, as typed.
import type { DirectorySet, RecordField, RecordFields } from '../../../src/app/contract/directory.ts'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState, type ReactNode, type Ref } from 'react'
import { RequestError } from '../../api/client.ts'
import { fieldsQuery, useRecordMutation } from './records-api.ts'
import { setQuery, toText, type SetRow } from '../../api/sets.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { ApiName } from '../../components/Table.tsx'
import { recordText } from './records-i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { getDisplayName } from './Value.tsx'

interface RecordFormProps {
  readonly set: DirectorySet
  /** Null for a new record. */
  readonly row: SetRow | null
  /** Initial key of a new record. */
  readonly startsWith: string
  readonly onSaved: (id: string) => void
  readonly onDeleted: () => void
  readonly onCancel: () => void
}

export function RecordForm(props: RecordFormProps) {
  const query = useQuery(fieldsQuery(props.set))
  return <QueryStates query={query}>{(known) => <Form {...props} recordFields={known} />}</QueryStates>
}

function Form({
  set,
  row: latest,
  recordFields,
  startsWith,
  onSaved,
  onDeleted,
  onCancel,
}: RecordFormProps & { recordFields: RecordFields }) {
  const { t, language } = useTranslation(recordText)
  // Edits apply to the record as it was first shown, although the query may refetch.
  const [row] = useState(latest)
  const [changes, setChanges] = useState<Readonly<Record<string, string>>>(
    startsWith === '' ? {} : { [recordFields.key]: startsWith },
  )
  const saving = useRecordMutation(set, onSaved)
  const stored = (wire: string) => toText(row?.[wire])
  const change = (wire: string, text: string) => {
    const { [wire]: _, ...others } = changes
    setChanges(text === stored(wire) ? others : { ...others, [wire]: text })
  }
  const rejected = saving.error instanceof RequestError ? saving.error : null
  const invalidField = recordFields.fields.find(({ wire }) => wire === rejected?.target)
  // An error of a field is shown there.
  const problem = invalidField && rejected?.message.replace(invalidField.wire, invalidField[language])
  const isChanged = Object.keys(changes).length > 0
  return (
    <form
      className="dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) saving.mutate({ method: 'POST', fields: { ...changes, ...recordKey(row, recordFields) } })
      }}
    >
      {problem === undefined && <ErrorAlert error={saving.error} />}
      {recordFields.fields.map((field) => (
        <RecordInput
          key={field.wire}
          field={field}
          isKey={field.wire === recordFields.key}
          isNew={row === null}
          problem={field === invalidField ? problem : undefined}
          value={changes[field.wire] ?? stored(field.wire)}
          onChange={(text) => change(field.wire, text)}
        />
      ))}
      <div className="dialog-actions">
        <Button variant="default" onClick={onCancel}>
          {t.cancel}
        </Button>
        <Button type="submit" loading={saving.isPending} disabled={!isChanged}>
          {t.records.save}
        </Button>
      </div>
      {row !== null && <DeleteRecord set={set} row={row} known={recordFields} onDeleted={onDeleted} />}
    </form>
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
  const { t } = useTranslation(recordText)
  const [isConfirming, setConfirming] = useState(false)
  const deletion = useRecordMutation(set, onDeleted)
  if (!isConfirming)
    return (
      <Button variant="subtle" color="red" onClick={() => setConfirming(true)}>
        {t.records.delete}
      </Button>
    )
  return (
    <section className="panel" role="alert">
      <p>
        <strong>{t.records.deleteQuestion(getDisplayName(row) || toText(row[known.key]))}</strong>
      </p>
      <p>{t.records.deleteText}</p>
      {deletion.error !== null && <p className="problem">{deletion.error.message}</p>}
      <div className="dialog-actions">
        <Button variant="default" onClick={() => setConfirming(false)}>
          {t.cancel}
        </Button>
        <Button
          color="red"
          loading={deletion.isPending}
          onClick={() => deletion.mutate({ method: 'DELETE', fields: recordKey(row, known) })}
        >
          {t.records.delete}
        </Button>
      </div>
    </section>
  )
}

function focusElement(element: HTMLElement | null): void {
  return element?.focus()
}

interface RecordInputProps {
  readonly field: RecordField
  readonly isKey: boolean
  readonly isNew: boolean
  readonly problem: string | undefined
  readonly value: string
  readonly onChange: (text: string) => void
}

function RecordInput({ field, isKey, isNew, problem, value, onChange }: RecordInputProps) {
  const { t, language } = useTranslation(recordText)
  const { type, max, set } = field
  const label = (
    <>
      {field[language]}
      <ApiName name={field.wire} title={field[language]} />
    </>
  )
  // The first error may be out of view.
  const common = { label, value, error: problem, ref: problem === undefined ? null : focusElement }
  if (type === 'boolean')
    return (
      <NativeSelect
        {...common}
        data={[
          { value: '', label: t.records.notSpecified },
          { value: 'true', label: t.yes },
          { value: 'false', label: t.no },
        ]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  if (type === 'text' && (max ?? 0) > 1000)
    return (
      <Textarea
        {...common}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={max ?? 4000}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  if (set !== null) return <Reference {...common} set={set} onChange={onChange} />
  const isNumbered = isKey && type === 'integer'
  return (
    <TextInput
      {...common}
      readOnly={isKey && !isNew}
      description={isNumbered && isNew ? t.records.noKey : type === 'date' ? t.records.dateHint : undefined}
      inputMode={type === 'decimal' ? 'decimal' : type === 'integer' ? 'numeric' : 'text'}
      {...(max === null ? {} : { maxLength: max })}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

interface ReferenceProps {
  readonly set: DirectorySet
  readonly label: ReactNode
  readonly value: string
  readonly error: string | undefined
  readonly ref: Ref<HTMLInputElement>
  readonly onChange: (text: string) => void
}

/** A code, with names in a datalist. */
function Reference({ set, value, onChange, ...common }: ReferenceProps) {
  const list = useId()
  const names = set === 'Ansatt' ? 'Id,Fornavn,Etternavn' : 'Id,Navn'
  const { data } = useQuery(setQuery(set, { $select: names, $orderby: 'Id', $top: 1000 }))
  const found = data?.value.find((row) => toText(row['Id']) === value)
  return (
    <>
      <TextInput
        {...common}
        value={value}
        list={list}
        autoComplete="off"
        {...(found === undefined ? {} : { description: getDisplayName(found) })}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={list}>
        {data?.value.map((row) => (
          <option key={toText(row['Id'])} value={toText(row['Id'])}>
            {getDisplayName(row)}
          </option>
        ))}
      </datalist>
    </>
  )
}
