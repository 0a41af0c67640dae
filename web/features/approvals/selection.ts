// Selected lines with their sum.
import { useCallback, useMemo, useState } from 'react'
import type { Line } from '../../api/approvals.ts'

export interface Selection {
  readonly ids: ReadonlySet<number>
  readonly amount: number
  readonly has: (id: number) => boolean
  readonly toggle: (line: Line) => void
  /** Selects all lines of a filter, with the sum of their groups. */
  readonly all: (ids: readonly number[], amount: number) => void
  /** Adds the lines of a group, with their sum. */
  readonly add: (ids: readonly number[], amount: number) => void
  readonly clear: () => void
}

interface State {
  /** Amounts by id; null for lines that are not loaded, whose sum is in `unloadedAmount`. */
  readonly amounts: ReadonlyMap<number, number | null>
  readonly unseen: number
}

const nothing: State = { amounts: new Map(), unseen: 0 }

export function useSelection(): Selection {
  const [{ amounts, unseen }, setState] = useState<State>(nothing)
  const toggle = useCallback(
    ({ id, amount }: Line) =>
      setState((last) => {
        const next = new Map(last.amounts)
        // A line that was selected with a group: subtract its amount from the group's sum.
        const isUnseen = next.get(id) === null
        if (!next.delete(id)) next.set(id, amount ?? 0)
        const left = isUnseen ? last.unseen - (amount ?? 0) : last.unseen
        return { amounts: next, unseen: next.size === 0 ? 0 : left }
      }),
    [],
  )
  // There may be 100,000 ids, and the list renders on every scroll.
  const ids = useMemo(() => new Set(amounts.keys()), [amounts])
  const amount = useMemo(
    () => [...amounts.values()].reduce<number>((sum, amount) => sum + (amount ?? 0), unseen),
    [amounts, unseen],
  )
  return {
    ids,
    amount,
    has: (id) => amounts.has(id),
    toggle,
    all: (ids, amount) =>
      setState({ amounts: new Map(ids.map((id) => [id, null])), unseen: amount }),
    add: (ids, amount) =>
      setState((last) => {
        // A line that is selected already is in the sum.
        if (ids.some((id) => last.amounts.get(id) === null)) return last
        const added = ids.map((id) => [id, null] as const)
        return { amounts: new Map([...last.amounts, ...added]), unseen: last.unseen + amount }
      }),
    clear: () => setState(nothing),
  }
}
