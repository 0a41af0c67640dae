// RecordInput: the input of a field, by its type.
import type { DirectorySet, RecordField } from '../../../src/app/contract/directory.ts'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { directoryCodesQuery } from '../../api/directory-codes.ts'
import { DayField } from '../../components/DayField.tsx'
import { DirectoryCodeField } from '../../components/DirectoryCodeField.tsx'
import { ApiName } from '../../components/Table.tsx'
import { useRecordText } from './records-i18n.ts'

interface InputProps {
  /** Its name in the form. */
  readonly 'data-path'?: string
  readonly value: string
  readonly error: ReactNode
  /** Takes an event, or a value. */
  readonly onChange: (changed: unknown) => void
}

interface RecordInputProps extends InputProps {
  readonly field: RecordField
  readonly isKey: boolean
  readonly isNew: boolean
}

export function RecordInput({ field, isKey, isNew, ...input }: RecordInputProps) {
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
  if (type === 'date') return <DayField {...common} isOptional onPick={input.onChange} />
  if (set !== null) return <Reference {...common} set={set} />
  const isNumbered = isKey && type === 'integer'
  return (
    <TextInput
      {...common}
      readOnly={isKey && !isNew}
      description={isNumbered && isNew ? t.records.noKey : undefined}
      inputMode={type === 'decimal' ? 'decimal' : type === 'integer' ? 'numeric' : 'text'}
      {...(max === null ? {} : { maxLength: max })}
    />
  )
}

interface ReferenceProps extends InputProps {
  readonly set: DirectorySet
  readonly label: ReactNode
}

function Reference({ set, ...common }: ReferenceProps) {
  const { data } = useQuery(directoryCodesQuery(set))
  return <DirectoryCodeField {...common} size="sm" choices={data} />
}
