// Opens the command palette by button, Ctrl+K or ⌘K; loads it on first use.
import { UnstyledButton } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Session } from '../api/session.ts'
import { useTranslation } from '../i18n/translation.tsx'
import { Icon } from '../components/Icon.tsx'
import './Search.css'

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

export function Search({ session }: { session: Session }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <UnstyledButton
        className="top-search"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" size={16} />
        <span>{t.palette.open}</span>
        <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </UnstyledButton>
      {isOpen && (
        <Suspense>
          <Palette session={session} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const isMac = navigator.userAgent.includes('Mac')
