// FilterField: a filter by a typed text, with the names of known codes; it applies on Enter, or when the field is left.
import { TextInput } from '@mantine/core'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { findByName, resolveCode, type CodeChoices } from '../api/directory-codes.ts'
import { useDirectoryText } from '../i18n/directory.ts'

interface FilterFieldProps {
  readonly label: string
  /** The filter that applies; key the field by it. */
  readonly value: string
  readonly choices?: CodeChoices
  readonly isNumber?: boolean
  /** Width. */
  readonly w?: string
  readonly onSet: (text: string) => void
}

export function FilterField({ label, value, choices = [], isNumber = false, w, onSet }: FilterFieldProps) {
  const [typed, setTyped] = useState(value)
  const { t } = useDirectoryText()
  const list = useId()
  const set = () => {
    const code = resolveCode(choices, typed)
    if (code !== value) onSet(code)
  }
  // A name may be typed before the choices are loaded.
  const setWhenLoaded = useEffectEvent(() => value !== '' && set())
  useEffect(() => void setWhenLoaded(), [choices.length])
  return (
    <>
      <TextInput
        aria-label={label}
        placeholder={label}
        list={list}
        autoComplete="off"
        inputMode={isNumber ? 'numeric' : 'text'}
        w={w}
        value={typed}
        error={findByName(choices, value).length > 1 && t.directory.severalNamed(value)}
        onChange={({ currentTarget }) => {
          const text = isNumber ? currentTarget.value.replace(/\D/g, '') : currentTarget.value
          setTyped(text)
          // A whole code, or none, where that is no long search: apply it at once.
          if (choices.some(([code]) => code === text || text === '')) onSet(text)
        }}
        onBlur={set}
        onKeyDown={({ key }) => key === 'Enter' && set()}
      />
      <datalist id={list}>
        {choices.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
