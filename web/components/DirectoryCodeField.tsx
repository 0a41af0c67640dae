// DirectoryCodeField: a record of the directory, searched by name or code, stored as its code.
import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { resolveCode, filterChoices, isKnownCode, findByName, type CodeChoices } from '../api/directory-codes.ts'
import { useDirectoryText } from '../i18n/directory.ts'
import { shownMax, useCombobox, type ComboboxOf } from './use-combobox.ts'
import type { FieldProps } from './use-fields.ts'
import '../styles/combobox.css'

interface DirectoryCodeFieldProps extends FieldProps {
  /** In a form that opens. */
  readonly hasFocusFirst?: boolean
  readonly size?: 'sm' | 'md'
  /** Undefined until loaded: the server validates then. */
  readonly choices: CodeChoices | undefined
  /** A code, or typed text that is none. */
  readonly value: string
  readonly onChange: (value: string) => void
}

export function DirectoryCodeField(props: DirectoryCodeFieldProps) {
  const { hasFocusFirst = false, label, size = 'md', error, choices = [], value, onChange } = props
  const { t } = useDirectoryText()
  /** Null while the field shows the chosen record. */
  const [typed, setTyped] = useState<string | null>(null)
  const name = choices.find(([code]) => code === value)?.[1] ?? ''
  const isKnown = isKnownCode(choices, value)
  const isRejected = typed === null && !isKnown

  // A name may be typed before the choices are loaded.
  const isTyped = useRef(false)
  useEffect(() => {
    const code = resolveCode(choices, value)
    if (isTyped.current && value !== '' && code !== value) onChange(code)
  })

  const [isOpen, setOpen] = useState(false)
  const combobox = useCombobox({
    isOpen,
    setOpen: (next) => {
      setOpen(next)
      if (!next) setTyped(null)
    },
    list: () => filterChoices(choices, typed ?? '').slice(0, shownMax),
    keyOf: ([code]) => code,
  })
  const { id, shown, current, close } = combobox
  const choose = (code: string) => {
    close()
    onChange(code)
  }
  const press = (key: string) => {
    if (key !== 'Enter') return false
    // A single match is chosen, unless the text is a valid code itself.
    const match = current ?? (isKnown || shown.length > 1 ? undefined : shown[0])
    if (match === undefined) close()
    else choose(match[0])
    return match !== undefined
  }
  const isAmbiguous = findByName(choices, value).length > 1
  return (
    <div className="item-field" onBlur={close}>
      <TextInput
        {...combobox.input}
        onKeyDown={combobox.handleKeys(press)}
        aria-haspopup="listbox"
        data-path={props['data-path']}
        autoFocus={hasFocusFirst}
        data-autofocus={hasFocusFirst || undefined}
        id={id}
        size={size}
        label={label}
        value={typed ?? (name || value)}
        error={isRejected ? t.directory[isAmbiguous ? 'severalNamed' : 'notFound'](value) : error}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => {
          combobox.search()
          setTyped(currentTarget.value)
          isTyped.current = true
          onChange(resolveCode(choices, currentTarget.value))
        }}
      />
      {!isRejected && name !== '' && <p className="muted chosen-code">{value}</p>}
      {isOpen && choices.length > 0 && (
        <p className="visually-hidden" role="status">
          {t.table.matchCount(shown.length)}
        </p>
      )}
      {shown.length > 0 && <CodeList {...combobox} onChoose={choose} />}
      {isOpen && choices.length > 0 && shown.length === 0 && (
        <p className="item-list muted">{t.directory.notFound(typed ?? '')}</p>
      )}
    </div>
  )
}

interface CodeListProps extends ComboboxOf<CodeChoices[number]> {
  readonly onChoose: (code: string) => void
}

function CodeList({ id, listId, shown, index, optionId, move, onChoose }: CodeListProps) {
  return (
    // Keeps the focus in the input when the pointer chooses.
    <div
      id={listId}
      className="item-list"
      role="listbox"
      aria-labelledby={`${id}-label`}
      onMouseDown={(event) => event.preventDefault()}
    >
      {shown.map(([code, name], at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={code}
          id={optionId(at)}
          role="option"
          className="item-name"
          aria-selected={at === index}
          onClick={() => onChoose(code)}
          onPointerMove={() => move([code, name])}
        >
          <span>{name || code}</span>
          <span className="muted">{name && code}</span>
        </div>
      ))}
    </div>
  )
}
