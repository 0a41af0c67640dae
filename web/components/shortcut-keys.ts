// Whether single-letter shortcuts apply, and listening to them.
import { useWindowEvent } from '@mantine/hooks'

/** Shortcuts are off in fields, in dialogs and with modifier keys (WCAG 2.1.4). */
export function isTyping(event: KeyboardEvent): boolean {
  return isTypingInField(event) || isInDialog(event)
}

export function isInDialog(event: KeyboardEvent): boolean {
  return isWithin(event, '[role="dialog"]')
}

/** The same for the shortcuts of a dialog. */
export function isTypingInField(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey } = event
  return ctrlKey || metaKey || altKey || isWithin(event, typedFields)
}

/** No letter is typed in a checkbox, which has the focus after a click. */
const typedFields = 'input:not([type=checkbox]), textarea, select, [contenteditable]'

function isWithin({ target }: KeyboardEvent, selector: string): boolean {
  return target instanceof HTMLElement && target.closest(selector) !== null
}

/** Runs `press` for every key on the page while shortcuts are on, unless `isTaken` by a field or a dialog. */
export function useShortcuts(press: (event: KeyboardEvent) => void, isTaken = isTyping): void {
  useWindowEvent('keydown', (event) => {
    if (areShortcutsEnabled() && !isTaken(event)) press(event)
  })
}

export function areShortcutsEnabled(): boolean {
  return localStorage.getItem(storageKey) !== 'off'
}

export function setShortcutsEnabled(isOn: boolean): void {
  return localStorage.setItem(storageKey, isOn ? 'on' : 'off')
}

const storageKey = 'dagsverk-shortcuts'
