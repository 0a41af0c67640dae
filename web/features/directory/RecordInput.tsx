// RecordInput: the input of a field, by its type.
import type { DirectorySet, RecordField } from '../../../src/app/contract/directory.ts'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode, type Ref } from 'react'
import { setQuery, toText } from '../../api/sets.ts'
import { CodeNames } from '../../components/FilterField.tsx'
import { DayField } from '../../components/DayField.tsx'
import { focusElement } from '../../components/focus-element.ts'
import { ApiName } from '../../components/Table.tsx'
import { useTranslation } from '../../i18n/translation.tsx'
import { recordText } from './records-i18n.ts'
import { getDisplayName } from './Value.tsx'

interface RecordInputProps {
  readonly field: RecordField
  readonly isKey: boolean
  readonly isNew: boolean
  readonly problem: string | undefined
  readonly value: string
  readonly onChange: (text: string) => void
}

export function RecordInput({ field, isKey, isNew, problem, value, onChange }: RecordInputProps) {
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
  if (type === 'date') return <DayField {...common} isOptional onPick={onChange} />
  if (set !== null) return <Reference {...common} set={set} onChange={onChange} />
  const isNumbered = isKey && type === 'integer'
  return (
    <TextInput
      {...common}
      readOnly={isKey && !isNew}
      description={isNumbered && isNew ? t.records.noKey : undefined}
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
      <CodeNames id={list} choices={(data?.value ?? []).map((row) => [toText(row['Id']), getDisplayName(row)])} />
    </>
  )
}
