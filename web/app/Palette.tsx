// Command palette: screens, actions and directory records by name.
import { Modal, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useSigning, type Session } from '../api/session.ts'
import { useText } from '../i18n/translation.tsx'
import {
  entriesOf,
  fitting,
  groupsOf,
  recordQueries,
  recordsIn,
  type Entry,
} from './palette-entries.ts'
import './Palette.css'

interface PaletteProps {
  readonly session: Session
  readonly onClose: () => void
}

export function Palette({ session, onClose }: PaletteProps) {
  const { say, language, choose } = useText()
  const { setColorScheme } = useMantineColorScheme()
  const { signOut, moveTo } = useSigning()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [asked] = useDebouncedValue(typed.trim(), 200)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  const fixed = entriesOf(session, say, {
    go: (to, search) => void navigate({ to, search }),
    language: () => choose(language === 'nb' ? 'en' : 'nb'),
    theme: setColorScheme,
    signOut: () => void signOut(),
    moveTo: (company) => void moveTo(company),
  })
  const found = useQueries({ queries: recordQueries(session, asked) })
  const records = recordsIn(found, (search) => void navigate({ to: '/app/register', search }))
  const entries = [...fitting(fixed, typed), ...records]
  const current = Math.min(at, entries.length - 1)
  const isAsking = found.some(({ isFetching }) => isFetching)

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0)
      setAt((current + step + entries.length) % entries.length)
    else if (event.key === 'Enter') open(entries[current])
    else return
    event.preventDefault()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say.palette.title}
      size="lg"
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': say.close }}
      className="palette"
    >
      <input
        data-autofocus
        className="palette-input"
        type="text"
        role="combobox"
        aria-label={say.palette.title}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries.length === 0 ? undefined : `${id}-${current}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={say.palette.hint}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <p className="visually-hidden" role="status">
        {isAsking ? say.states.loading : say.palette.count(entries.length)}
      </p>
      <div
        ref={list}
        id={`${id}-list`}
        className="palette-list"
        role="listbox"
        aria-label={say.palette.title}
      >
        {groupsOf(entries).map(({ name, from, members }) => (
          <div key={name} role="group" aria-label={say.palette.groups[name]}>
            <p className="palette-group" aria-hidden="true">
              {say.palette.groups[name]}
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
                onPointerMove={() => setAt(from + index)}
              >
                <span>{entry.label}</span>
                <span className="muted">{entry.note}</span>
              </div>
            ))}
          </div>
        ))}
        {entries.length === 0 && !isAsking && <p className="muted">{say.states.noMatchTitle}</p>}
      </div>
    </Modal>
  )
}
