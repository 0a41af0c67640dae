// SideDrawer: opened by URL; restores the focus when closed.
import { Drawer } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import './SideDrawer.css'

export interface SideDrawerProps {
  readonly title: string
  readonly note: string
  readonly onClose: () => void
  readonly children: ReactNode
}

export function SideDrawer({ title, note, onClose, children }: SideDrawerProps) {
  const { t } = useTranslation()
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus()
    },
    [opener],
  )
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      transitionProps={{ duration: 0 }}
      title={<DrawerTitle title={title} note={note} />}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {children}
    </Drawer>
  )
}

export function DrawerTitle({ title, note }: Pick<SideDrawerProps, 'title' | 'note'>) {
  return (
    <span className="drawer-title">
      {title}
      <span className="muted">{note}</span>
    </span>
  )
}
