// DirectoryCodeField: a record of the directory, searched by name or code, stored as its code.
import { TextInput } from '@mantine/core'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { resolveCode, filterChoices, isKnownCode, findByName, type CodeChoices } from '../api/directory-codes.ts'
import { directoryText } from '../i18n/directory.ts'
import { useTranslation } from '../i18n/translation.tsx'
import '../styles/combobox.css'

interface DirectoryCodeFieldProps {
  /** Its name in a form. */
  readonly 'data-path'?: string
  /** In a form that opens. */
  readonly hasFocusFirst?: boolean
  readonly label: ReactNode
  readonly size?: 'sm' | 'md'
  /** Of the server. */
  readonly error?: ReactNode
  /** Undefined until loaded: the server validates then. */
  readonly choices: CodeChoices | undefined
  /** A code, or typed text that is none. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/**
 * A combobox with a listbox (WAI-ARIA): the focus stays in the input. Up and down move, Enter chooses, Escape closes.
 */
export function DirectoryCodeField(props: DirectoryCodeFieldProps) {
  const { hasFocusFirst = false, label, size = 'md', error, choices = [], value, onChange } = props
  const { t } = useTranslation(directoryText)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  /** Null while the field shows the chosen record. */
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState<number | null>(null)
  const shown = isOpen ? filterChoices(choices, typed ?? '').slice(0, shownMax) : []
  const name = choices.find(([code]) => code === value)?.[1] ?? ''
  const active = at === null ? undefined : shown[at]
  const isRejected = typed === null && !isKnownCode(choices, value)

  // A name may be typed before the choices are loaded.
  const isTyped = useRef(false)
  useEffect(() => {
    const code = resolveCode(choices, value)
    if (isTyped.current && value !== '' && code !== value) onChange(code)
  })

  const explain = (text: string) =>
    findByName(choices, text).length > 1 ? t.directory.severalNamed(text) : t.directory.notFound(text)
  const close = () => {
    setOpen(false)
    setAt(null)
    setTyped(null)
  }
  const choose = (code: string) => {
    close()
    onChange(code)
  }
  const step = (rows: number) => {
    setOpen(true)
    const count = filterChoices(choices, typed ?? '').slice(0, shownMax).length
    if (count === 0) return
    const next = at === null ? (rows > 0 ? 0 : -1) : at + rows
    setAt((next + count) % count)
  }
  const press = (event: KeyboardEvent) => {
    const { key } = event
    // A single match is chosen, unless the text is a valid code itself.
    const match = active ?? (isKnownCode(choices, value) ? undefined : getOnly(shown))
    if (key === 'ArrowDown') step(1)
    else if (key === 'ArrowUp') step(-1)
    else if (key === 'Escape' && isOpen) close()
    else if (key === 'Enter' && match !== undefined) choose(match[0])
    else if (key === 'Enter') return close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="item-field" onBlur={close}>
      <TextInput
        data-path={props['data-path']}
        autoFocus={hasFocusFirst}
        data-autofocus={hasFocusFirst || undefined}
        id={id}
        size={size}
        label={label}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={active === undefined ? undefined : `${id}-${at}`}
        aria-autocomplete="list"
        autoComplete="off"
        value={typed ?? (name || value)}
        error={isRejected ? explain(value) : error}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={() => setOpen(true)}
        onKeyDown={press}
        onChange={({ currentTarget }) => {
          setOpen(true)
          setAt(null)
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
      {shown.length > 0 && (
        // Keeps the focus in the input when the pointer chooses.
        <div
          id={`${id}-list`}
          className="item-list"
          role="listbox"
          aria-labelledby={`${id}-label`}
          onMouseDown={(event) => event.preventDefault()}
        >
          {shown.map(([code, its], index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={code}
              id={`${id}-${index}`}
              ref={index === at ? scrollIntoView : undefined}
              role="option"
              className="item-name"
              aria-selected={index === at}
              onClick={() => choose(code)}
              onPointerMove={() => setAt(index)}
            >
              <span>{its || code}</span>
              <span className="muted">{its && code}</span>
            </div>
          ))}
        </div>
      )}
      {isOpen && shown.length === 0 && choices.length > 0 && (
        <p className="item-list muted">{t.directory.notFound(typed ?? '')}</p>
      )}
    </div>
  )
}

function getOnly<One>(list: readonly One[]): One | undefined {
  return list.length === 1 ? list[0] : undefined
}

function scrollIntoView(element: HTMLElement | null): void {
  return element?.scrollIntoView({ block: 'nearest' })
}

/** More than that nobody reads: typing narrows the list. */
const shownMax = 60
