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

export function shortcutsAreOn(): boolean {
  return localStorage.getItem(storedAs) !== 'off'
}

export function switchShortcuts(isOn: boolean): void {
  return localStorage.setItem(storedAs, isOn ? 'on' : 'off')
}

const storedAs = 'dagsverk-shortcuts'
