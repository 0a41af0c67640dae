// The command palette, opened by button, Ctrl+K or ⌘K.
import type { Session } from '../../src/app/contract/session.ts'
import { UnstyledButton } from '@mantine/core'
import { useTranslation } from '../i18n/translation.tsx'
import { Icon } from '../components/Icon.tsx'
import { openPalette, Palette } from './Palette.tsx'
import './Search.css'

export function Search({ session }: { session: Session }) {
  const { t } = useTranslation()
  return (
    <>
      <UnstyledButton
        className="top-search"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={openPalette}
      >
        <Icon name="search" size={16} />
        <span>{t.palette.open}</span>
        <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </UnstyledButton>
      <Palette session={session} />
    </>
  )
}

const isMac = navigator.userAgent.includes('Mac')
