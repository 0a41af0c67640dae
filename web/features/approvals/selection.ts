// Selected lines with their sum.
import type { MaterialRow, SelectableLines } from '../../../src/app/contract/approvals.ts'
import { useCallback, useMemo, useState } from 'react'

interface SelectionState {
  readonly amounts: ReadonlyMap<number, number>
  readonly readAt: number | null
}

const emptySelection: SelectionState = { amounts: new Map(), readAt: null }

/** `listReadAt`: when the list was read, whose lines are selected one by one. */
export function useSelection(listReadAt: number) {
  const [{ amounts, readAt }, setState] = useState<SelectionState>(emptySelection)
  const toggle = useCallback(
    ({ id, amount }: MaterialRow) =>
      setState((last) => {
        if (!last.amounts.has(id)) return withLines(last, { ids: [id], amounts: [amount ?? 0], readAt: listReadAt })
        const amounts = new Map(last.amounts)
        amounts.delete(id)
        return amounts.size === 0 ? emptySelection : { ...last, amounts }
      }),
    [listReadAt],
  )
  // There may be 100,000 ids, and the list renders on every scroll.
  const ids: ReadonlySet<number> = useMemo(() => new Set(amounts.keys()), [amounts])
  const amount = useMemo(() => [...amounts.values()].reduce((sum, one) => sum + one, 0), [amounts])
  return {
    ids,
    amount,
    /** When the lines were read, the earliest of them; null while none is selected. */
    readAt,
    has: (id: number) => amounts.has(id),
    toggle,
    /** Selects these lines only. */
    all: (lines: SelectableLines) => setState(withLines(emptySelection, lines)),
    add: (lines: SelectableLines) => setState((last) => withLines(last, lines)),
    clear: () => setState(emptySelection),
  }
}

function withLines(last: SelectionState, { ids, amounts, readAt }: SelectableLines): SelectionState {
  const all = new Map(last.amounts)
  for (const [index, id] of ids.entries()) all.set(id, amounts[index] ?? 0)
  return { amounts: all, readAt: last.readAt === null ? readAt : Math.min(last.readAt, readAt) }
}
