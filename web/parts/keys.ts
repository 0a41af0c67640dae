// When a single letter is a shortcut, and when it is a letter.

/** In a field, in an open dialog and with a modifier a letter is only a letter (WCAG 2.1.4). */
export const isTyping = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null)

export const shortcutsAreOn = (): boolean => localStorage.getItem(storedAs) !== 'off'

export const switchShortcuts = (isOn: boolean): void =>
  localStorage.setItem(storedAs, isOn ? 'on' : 'off')

const storedAs = 'dagsverk-shortcuts'
