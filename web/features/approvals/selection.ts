// Selected lines with their sum.
import type { MaterialRow, SelectableLines } from '../../../src/app/contract/approvals.ts'
import { useCallback, useMemo, useState } from 'react'

export interface Selection {
  readonly ids: ReadonlySet<number>
  readonly amount: number
  /** When the lines were read, the earliest of them; null while none is selected. */
  readonly readAt: number | null
  readonly has: (id: number) => boolean
  readonly toggle: (line: MaterialRow) => void
  /** Selects these lines only. */
  readonly all: (lines: SelectableLines) => void
  /** Adds the lines of a group. */
  readonly add: (lines: SelectableLines) => void
  readonly clear: () => void
}

interface SelectionState {
  /** Amounts by id; null for lines that are not loaded, whose sum is in `unloadedAmount`. */
  readonly amounts: ReadonlyMap<number, number | null>
  readonly unloadedAmount: number
  readonly readAt: number | null
}

const emptySelection: SelectionState = { amounts: new Map(), unloadedAmount: 0, readAt: null }

/** `listReadAt`: when the list was read, whose lines are selected one by one. */
export function useSelection(listReadAt: number): Selection {
  const [{ amounts, unloadedAmount, readAt }, setState] = useState<SelectionState>(emptySelection)
  const toggle = useCallback(
    ({ id, amount }: MaterialRow) =>
      setState((last) => {
        const next = new Map(last.amounts)
        // A line that was selected with a group: subtract its amount from the group's sum.
        const isUnseen = next.get(id) === null
        if (next.delete(id)) {
          const left = isUnseen ? last.unloadedAmount - (amount ?? 0) : last.unloadedAmount
          return next.size === 0 ? emptySelection : { ...last, amounts: next, unloadedAmount: left }
        }
        next.set(id, amount ?? 0)
        return { ...last, amounts: next, readAt: getEarlier(last.readAt, listReadAt) }
      }),
    [listReadAt],
  )
  // There may be 100,000 ids, and the list renders on every scroll.
  const ids = useMemo(() => new Set(amounts.keys()), [amounts])
  const amount = useMemo(
    () => [...amounts.values()].reduce<number>((sum, amount) => sum + (amount ?? 0), unloadedAmount),
    [amounts, unloadedAmount],
  )
  return {
    ids,
    amount,
    readAt,
    has: (id) => amounts.has(id),
    toggle,
    all: ({ ids, amount, readAt }) =>
      setState({ amounts: new Map(ids.map((id) => [id, null])), unloadedAmount: amount, readAt }),
    add: ({ ids, amount, readAt }) =>
      setState((last) => {
        // A line that is selected already is in the sum.
        if (ids.some((id) => last.amounts.get(id) === null)) return last
        const added = ids.map((id) => [id, null] as const)
        return {
          amounts: new Map([...last.amounts, ...added]),
          unloadedAmount: last.unloadedAmount + amount,
          readAt: getEarlier(last.readAt, readAt),
        }
      }),
    clear: () => setState(emptySelection),
  }
}

function getEarlier(one: number | null, other: number): number {
  return one === null ? other : Math.min(one, other)
}
