// ShortcutsDialog: the list of the shortcuts, and the switch that turns single letters off.
import { Switch } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../api/session.ts'
import { screensFor } from '../app/navigation.ts'
import { useTranslation } from '../i18n/translation.ts'
import { Dialog } from './Dialog.tsx'
import { areShortcutsEnabled, setShortcutsEnabled } from './shortcut-keys.ts'
import './Shortcuts.css'

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [isOn, setOn] = useState(areShortcutsEnabled)
  return (
    <Dialog title={t.help.shortcuts} onClose={onClose}>
      <KeyList />
      <Switch
        mt="md"
        label={t.help.shortcutsOff}
        checked={isOn}
        onChange={({ currentTarget }) => {
          setShortcutsEnabled(currentTarget.checked)
          setOn(currentTarget.checked)
        }}
      />
    </Dialog>
  )
}

export function KeyList() {
  const { t } = useTranslation()
  const session = useSession()
  const { keys } = t.help
  const rows: readonly (readonly [string, string])[] = [
    ['?', keys.help],
    ['Ctrl K', t.palette.title],
    ['/', t.table.search],
    ['j', keys.next],
    ['k', keys.previous],
    ...(session.scopes.includes('material:approve')
      ? ([
          ['x', keys.tick],
          ['Shift ↓', keys.range],
          ['a', keys.approve],
          ['r', keys.reject],
          ['u', t.undo],
        ] as const)
      : []),
    ['Enter', keys.open],
    ['Esc', keys.close],
    ...screensFor(session).map(({ shortcut, name }) => [`g ${shortcut}`, keys.goTo(t.screens[name])] as const),
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
