// Global shortcuts: `?` lists them, `g` plus a letter opens a screen. Can be switched off.
import { Modal, Switch } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Session } from '../api/session.ts'
import { useText } from '../i18n/translation.tsx'
import { isTyping, shortcutsAreOn, switchShortcuts } from './shortcut-keys.ts'
import { placesFor } from '../app/navigation.ts'
import './Shortcuts.css'

export function Shortcuts({ session }: { session: Session }) {
  const { say } = useText()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [isOn, setOn] = useState(shortcutsAreOn)
  const isGoing = useRef(false)
  const places = placesFor(session)

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || !shortcutsAreOn()) return
      const wasGoing = isGoing.current
      isGoing.current = !wasGoing && event.key === 'g'
      // The key after `g` must not reach the screen's own shortcuts.
      if (wasGoing) event.stopImmediatePropagation()
      if (event.key === '?') setOpen(true)
      const place = wasGoing ? places.find(({ letter }) => letter === event.key) : undefined
      if (place !== undefined) {
        event.preventDefault()
        void navigate({ to: place.to })
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [navigate, places])

  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpen(false)}
      title={say.help.shortcuts}
      closeButtonProps={{ 'aria-label': say.close }}
    >
      <KeyList session={session} />
      <Switch
        mt="md"
        label={say.help.shortcutsOff}
        checked={isOn}
        onChange={({ currentTarget }) => {
          switchShortcuts(currentTarget.checked)
          setOn(currentTarget.checked)
        }}
      />
    </Modal>
  )
}

export function KeyList({ session }: { session: Session }) {
  const { say } = useText()
  const { keys } = say.help
  const rows: readonly (readonly [string, string])[] = [
    ['?', keys.help],
    ['Ctrl K', keys.palette],
    ['/', keys.search],
    ['j', keys.next],
    ['k', keys.previous],
    ...(session.scopes.includes('material:approve')
      ? ([
          ['x', keys.tick],
          ['Shift ↓', keys.range],
          ['a', keys.approve],
          ['r', keys.reject],
          ['u', keys.undo],
        ] as const)
      : []),
    ['Enter', keys.open],
    ['Esc', keys.close],
    ...placesFor(session).map(
      ({ letter, name }) => [`g ${letter}`, keys.goTo(say.screens[name])] as const,
    ),
  ]
  return (
    <dl className="keys">
      {rows.map(([key, text]) => (
        <div key={key}>
          <dt>
            {key.split(' ').map((one) => (
              <kbd key={one}>{one}</kbd>
            ))}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
