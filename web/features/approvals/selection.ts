// Which lines are ticked, with their sum, so that nothing is approved that nobody has counted.
import { useCallback, useMemo, useState } from 'react'
import type { Line } from '../../api/approvals.ts'

export interface Selection {
  readonly ids: ReadonlySet<number>
  readonly amount: number
  readonly has: (id: number) => boolean
  readonly toggle: (line: Line) => void
  /** All that fit a filter, with the sum that their groups told. */
  readonly all: (ids: readonly number[], amount: number) => void
  /** Those of a group besides, with their sum. */
  readonly add: (ids: readonly number[], amount: number) => void
  readonly clear: () => void
}

interface State {
  /** Amounts by id; null for lines that were never seen, whose sum is in `unseen`. */
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
        // One that came in with all the others takes its share out of their common sum.
        const isUnseen = next.get(id) === null
        if (!next.delete(id)) next.set(id, amount ?? 0)
        const left = isUnseen ? last.unseen - (amount ?? 0) : last.unseen
        return { amounts: next, unseen: next.size === 0 ? 0 : left }
      }),
    [],
  )
  // There may be a hundred thousand of them, and the list is drawn again while it is scrolled.
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
        // One that came with others before has its share in their sum already.
        if (ids.some((id) => last.amounts.get(id) === null)) return last
        const added = ids.map((id) => [id, null] as const)
        return { amounts: new Map([...last.amounts, ...added]), unseen: last.unseen + amount }
      }),
    clear: () => setState(nothing),
  }
}
