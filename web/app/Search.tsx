// The command palette, opened by button, Ctrl+K or ⌘K, and loaded when it first opens.
import type { Session } from '../../src/app/contract/session.ts'
import { UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from '../i18n/translation.tsx'
import { loadOnDemand } from '../components/load-on-demand.tsx'
import { Icon } from '../components/Icon.tsx'
import { openPalette } from './palette-store.ts'
import './Search.css'

const Palette = loadOnDemand(async () => (await import('./Palette.tsx')).Palette)

export function Search({ session }: { session: Session }) {
  const { t } = useTranslation()
  const [isLoaded, setLoaded] = useState(false)
  // The palette opens itself once it has loaded.
  const open = () => (isLoaded ? openPalette() : setLoaded(true))
  useHotkeys([['mod+K', open]], [], true)
  return (
    <>
      <UnstyledButton className="top-search" aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        <Icon name="search" size={16} />
        <span>{t.palette.open}</span>
        <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </UnstyledButton>
      {isLoaded && <Palette session={session} />}
    </>
  )
}

const isMac = navigator.userAgent.includes('Mac')
