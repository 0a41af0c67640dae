// Command palette: screens, actions and directory records by name.
import { Modal, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useSignInActions, type Session } from '../api/session.ts'
import { useTranslation } from '../i18n/translation.tsx'
import {
  listEntries,
  filterEntries,
  groupEntries,
  recordQueries,
  toRecordEntries,
  type PaletteEntry,
} from './palette-entries.ts'
import './Palette.css'

interface PaletteProps {
  readonly session: Session
  readonly onClose: () => void
}

export function Palette({ session, onClose }: PaletteProps) {
  const { t, language, selectLanguage } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const { signOut, switchCompany } = useSignInActions()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [selectedIndex, setSelectedIndex] = useState(0)
  const [searchText] = useDebouncedValue(typed.trim(), 200)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  const fixed = listEntries(session, t, {
    go: (to, search) => void navigate({ to, search }),
    language: () => selectLanguage(language === 'nb' ? 'en' : 'nb'),
    theme: setColorScheme,
    signOut: () => void signOut(),
    switchCompany: (company) => void switchCompany(company),
  })
  const found = useQueries({ queries: recordQueries(session, searchText) })
  const records = toRecordEntries(found, (search) => void navigate({ to: '/app/register', search }))
  const entries = [...filterEntries(fixed, typed), ...records]
  const current = Math.min(selectedIndex, entries.length - 1)
  const isSearching = found.some(({ isFetching }) => isFetching)

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const open = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0)
      setSelectedIndex((current + step + entries.length) % entries.length)
    else if (event.key === 'Enter') open(entries[current])
    else return
    event.preventDefault()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.palette.title}
      size="lg"
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': t.close }}
      className="palette"
    >
      <input
        data-autofocus
        className="palette-input"
        type="text"
        role="combobox"
        aria-label={t.palette.title}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries.length === 0 ? undefined : `${id}-${current}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={t.palette.hint}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setSelectedIndex(0)
        }}
        onKeyDown={press}
      />
      <p className="visually-hidden" role="status">
        {isSearching ? t.states.loading : t.palette.count(entries.length)}
      </p>
      <div
        ref={list}
        id={`${id}-list`}
        className="palette-list"
        role="listbox"
        aria-label={t.palette.title}
      >
        {groupEntries(entries).map(({ name, from, members }) => (
          <div key={name} role="group" aria-label={t.palette.groups[name]}>
            <p className="palette-group" aria-hidden="true">
              {t.palette.groups[name]}
            </p>
            {members.map((entry, index) => (
              // The keyboard focus stays in the input (aria-activedescendant); the pointer clicks here.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={entry.id}
                id={`${id}-${from + index}`}
                role="option"
                className="palette-entry"
                aria-selected={from + index === current}
                onClick={() => open(entry)}
                onPointerMove={() => setSelectedIndex(from + index)}
              >
                <span>{entry.label}</span>
                <span className="muted">{entry.note}</span>
              </div>
            ))}
          </div>
        ))}
        {entries.length === 0 && !isSearching && <p className="muted">{t.states.noMatchTitle}</p>}
      </div>
    </Modal>
  )
}
