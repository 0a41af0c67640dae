// DetailPane: a record beside its list on a wide screen, and in a drawer over the list on others.
import { CloseButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useId, type ReactNode } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import styles from './DetailPane.module.css'
import { isInDialog } from './shortcut-keys.ts'
import { DrawerTitle, SideDrawer, type SideDrawerProps } from './SideDrawer.tsx'
import { useMatches } from './use-matches.ts'

/** Whether the screen is wide enough for list and record side by side. */
export function useIsBeside(): boolean {
  return useMatches('(min-width: 80rem)')
}

export function hasFocusInDetail(): boolean {
  return document.activeElement?.closest(`[role=dialog], .${styles.pane}`) instanceof Element
}

export function ListWithDetail({ children, detail }: { children: ReactNode; detail: ReactNode }) {
  return (
    <div className={styles.split}>
      <div>{children}</div>
      {detail}
    </div>
  )
}

export function DetailPane(props: SideDrawerProps) {
  return useIsBeside() ? <Pane {...props} /> : <SideDrawer {...props} />
}

function Pane({ title, note, onClose, children }: SideDrawerProps) {
  const { t } = useTranslation()
  const id = useId()
  useHotkeys(
    [['Escape', (event) => !event.defaultPrevented && !isInDialog(event) && onClose(), { preventDefault: false }]],
    [],
  )
  return (
    <section className={`panel ${styles.pane}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>
          <DrawerTitle title={title} note={note} />
        </h2>
        <CloseButton aria-label={t.close} onClick={onClose} />
      </header>
      {children}
    </section>
  )
}
