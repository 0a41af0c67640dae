// useQueueShortcuts: what the keys of the approval queue do.
import { useShortcuts } from '../../components/shortcut-keys.ts'

type Shortcut = 'next' | 'previous' | 'tick' | 'open' | 'approve' | 'undo'

/** `isShifted`: the rows that are passed are selected. */
export function useQueueShortcuts(run: (shortcut: Shortcut, isShifted: boolean) => void, isActive: boolean): void {
  useShortcuts((event) => {
    const shortcut = getShortcut(event)
    if (!isActive || shortcut === undefined) return
    event.preventDefault()
    run(shortcut, event.shiftKey)
  })
}

function getShortcut({ key, target }: KeyboardEvent): Shortcut | undefined {
  // Space and Enter activate what has the focus.
  const isOnControl = target instanceof HTMLElement && target.closest('button, a, input') !== null
  if ((key === ' ' || key === 'Enter') && isOnControl) return undefined
  return shortcutsByKey[key]
}

const shortcutsByKey: Readonly<Record<string, Shortcut>> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  x: 'tick',
  ' ': 'tick',
  Enter: 'open',
  a: 'approve',
  u: 'undo',
}
