// RecordForm: sends only changed fields, as typed.
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { Refusal } from '../../api/client.ts'
import { fieldsQuery, useSavingRecord, type RecordField, type RecordFields } from './records-api.ts'
import { setQuery, textOf, type Row, type SetName } from '../../api/sets.ts'
import { Fetched } from '../../components/QueryStates.tsx'
import { useRecordText } from './records-i18n.ts'
import { useText } from '../../i18n/translation.tsx'
import { nameIn } from './Value.tsx'

interface RecordFormProps {
  readonly set: SetName
  /** Null for a new record. */
  readonly row: Row | null
  /** Initial key of a new record. */
  readonly startsWith: string
  readonly onSaved: (id: string) => void
  readonly onRemoved: () => void
  readonly onCancel: () => void
}

export function RecordForm(props: RecordFormProps) {
  const query = useQuery(fieldsQuery(props.set))
  return <Fetched query={query}>{(known) => <Form {...props} known={known} />}</Fetched>
}

function Form({
  set,
  row: latest,
  known,
  startsWith,
  onSaved,
  onRemoved,
  onCancel,
}: RecordFormProps & { known: RecordFields }) {
  const records = useRecordText()
  const { say, language } = useText()
  // Edits apply to the record as it was first shown, although the query may refetch.
  const [row] = useState(latest)
  const [changes, setChanges] = useState<Readonly<Record<string, string>>>(
    startsWith === '' ? {} : { [known.key]: startsWith },
  )
  const saving = useSavingRecord(set, onSaved)
  const stored = (wire: string) => textOf(row?.[wire])
  const change = (wire: string, text: string) => {
    const { [wire]: _, ...others } = changes
    setChanges(text === stored(wire) ? others : { ...others, [wire]: text })
  }
  const target = saving.error instanceof Refusal ? saving.error.target : null
  const broken = known.fields.find(({ wire }) => wire === target)
  const isChanged = Object.keys(changes).length > 0
  return (
    <form
      className="dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged)
          saving.mutate({ method: 'POST', fields: { ...changes, ...meant(row, known) } })
      }}
    >
      {saving.error !== null && (
        <p className="problem" role="alert">
          {broken !== undefined && `${records.problemAt(broken[language])} `}
          {saving.error.message}
        </p>
      )}
      {known.fields.map((field) => (
        <RecordInput
          key={field.wire}
          field={field}
          isKey={field.wire === known.key}
          isNew={row === null}
          isBroken={field === broken}
          value={changes[field.wire] ?? stored(field.wire)}
          onChange={(text) => change(field.wire, text)}
        />
      ))}
      <div className="dialog-actions">
        <Button size="sm" variant="default" onClick={onCancel}>
          {say.cancel}
        </Button>
        <Button size="sm" type="submit" loading={saving.isPending} disabled={!isChanged}>
          {records.save}
        </Button>
      </div>
      {row !== null && <Removing set={set} row={row} known={known} onRemoved={onRemoved} />}
    </form>
  )
}

/** Key and last change of the record, as precondition; empty for a new one. */
function meant(row: Row | null, { key }: RecordFields): Record<string, string> {
  return row === null ? {} : { [key]: textOf(row[key]), before: textOf(row['SistEndretDato']) }
}

interface RemovingProps {
  readonly set: SetName
  readonly row: Row
  readonly known: RecordFields
  readonly onRemoved: () => void
}

/** Requires confirmation: a deletion cannot be undone. */
function Removing({ set, row, known, onRemoved }: RemovingProps) {
  const records = useRecordText()
  const { say } = useText()
  const [isAsked, setAsked] = useState(false)
  const removing = useSavingRecord(set, onRemoved)
  if (!isAsked)
    return (
      <Button variant="subtle" color="red" size="sm" onClick={() => setAsked(true)}>
        {records.remove}
      </Button>
    )
  return (
    <section className="panel" role="alert">
      <p>
        <strong>{records.removeAsk(nameIn(row) || textOf(row[known.key]))}</strong>
      </p>
      <p>{records.removeText}</p>
      {removing.error !== null && <p className="problem">{removing.error.message}</p>}
      <div className="dialog-actions">
        <Button size="sm" variant="default" onClick={() => setAsked(false)}>
          {say.cancel}
        </Button>
        <Button
          size="sm"
          color="red"
          loading={removing.isPending}
          onClick={() => removing.mutate({ method: 'DELETE', fields: meant(row, known) })}
        >
          {records.remove}
        </Button>
      </div>
    </section>
  )
}

interface RecordInputProps {
  readonly field: RecordField
  readonly isKey: boolean
  readonly isNew: boolean
  readonly isBroken: boolean
  readonly value: string
  readonly onChange: (text: string) => void
}

function RecordInput({ field, isKey, isNew, isBroken, value, onChange }: RecordInputProps) {
  const records = useRecordText()
  const { say, language } = useText()
  const { type, max, set } = field
  const label = (
    <>
      {field[language]} <span className="api-name">{field.wire}</span>
    </>
  )
  const common = { label, value, error: isBroken }
  if (type === 'boolean')
    return (
      <NativeSelect
        {...common}
        data={[
          { value: '', label: records.notSaid },
          { value: 'true', label: say.yes },
          { value: 'false', label: say.no },
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
      description={
        isNumbered && isNew ? records.noKey : type === 'date' ? records.dateHint : undefined
      }
      inputMode={type === 'decimal' ? 'decimal' : type === 'integer' ? 'numeric' : 'text'}
      {...(max === null ? {} : { maxLength: max })}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

interface ReferenceProps {
  readonly set: SetName
  readonly label: ReactNode
  readonly value: string
  readonly error: boolean
  readonly onChange: (text: string) => void
}

/** A code, with names in a datalist. */
function Reference({ set, label, value, error, onChange }: ReferenceProps) {
  const list = useId()
  const names = set === 'Ansatt' ? 'Id,Fornavn,Etternavn' : 'Id,Navn'
  const { data } = useQuery(setQuery(set, { $select: names, $orderby: 'Id', $top: 1000 }))
  const found = data?.value.find((row) => textOf(row['Id']) === value)
  return (
    <>
      <TextInput
        label={label}
        value={value}
        error={error}
        list={list}
        autoComplete="off"
        {...(found === undefined ? {} : { description: nameIn(found) })}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={list}>
        {data?.value.map((row) => (
          <option key={textOf(row['Id'])} value={textOf(row['Id'])}>
            {nameIn(row)}
          </option>
        ))}
      </datalist>
    </>
  )
}
