// Whether single-letter shortcuts apply.

/** Shortcuts are off in fields, in dialogs and with modifier keys (WCAG 2.1.4). */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (
    ctrlKey ||
    metaKey ||
    altKey ||
    (target instanceof HTMLElement &&
      target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null)
  )
}

export function areShortcutsEnabled(): boolean {
  return localStorage.getItem(storageKey) !== 'off'
}

export function setShortcutsEnabled(isOn: boolean): void {
  return localStorage.setItem(storageKey, isOn ? 'on' : 'off')
}

const storageKey = 'dagsverk-shortcuts'
