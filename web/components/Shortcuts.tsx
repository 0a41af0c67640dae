// Global shortcuts: `?` lists them, `g` plus a letter opens a screen. Can be switched off.
import type { Session } from '../../src/app/contract/session.ts'
import { Modal, Switch } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../i18n/translation.tsx'
import { isTyping, areShortcutsEnabled, setShortcutsEnabled } from './shortcut-keys.ts'
import { screensFor } from '../app/navigation.ts'
import './Shortcuts.css'

export function Shortcuts({ session }: { session: Session }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [isOn, setOn] = useState(areShortcutsEnabled)
  const isGoing = useRef(false)
  const screens = screensFor(session)

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || !areShortcutsEnabled()) return
      const wasGoing = isGoing.current
      isGoing.current = !wasGoing && event.key === 'g'
      // The key after `g` must not reach the screen's own shortcuts.
      if (wasGoing) event.stopImmediatePropagation()
      if (event.key === '?') setOpen(true)
      const screen = wasGoing ? screens.find(({ shortcut }) => shortcut === event.key) : undefined
      if (screen !== undefined) {
        event.preventDefault()
        void navigate({ to: screen.to })
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [navigate, screens])

  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpen(false)}
      title={t.help.shortcuts}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <KeyList session={session} />
      <Switch
        mt="md"
        label={t.help.shortcutsOff}
        checked={isOn}
        onChange={({ currentTarget }) => {
          setShortcutsEnabled(currentTarget.checked)
          setOn(currentTarget.checked)
        }}
      />
    </Modal>
  )
}

export function KeyList({ session }: { session: Session }) {
  const { t } = useTranslation()
  const { keys } = t.help
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
    ...screensFor(session).map(
      ({ shortcut, name }) => [`g ${shortcut}`, keys.goTo(t.screens[name])] as const,
    ),
  ]
  return (
    <dl className="keys">
      {rows.map(([key, text]) => (
        <div key={key}>
          <dt>
            {key.split(' ').map((one, index) => (
              <kbd key={index}>{one}</kbd>
            ))}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
