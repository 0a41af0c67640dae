// Global shortcuts: `?` lists them, `g` plus a letter opens a screen. Can be switched off.
import type { Session } from '../../src/app/contract/session.ts'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { isTyping, areShortcutsEnabled } from './shortcut-keys.ts'
import { screensFor } from '../app/navigation.ts'

const ShortcutsDialog = lazy(async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog }))

export function Shortcuts({ session }: { session: Session }) {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
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
    isOpen && (
      <Suspense>
        <ShortcutsDialog session={session} onClose={() => setOpen(false)} />
      </Suspense>
    )
  )
}
