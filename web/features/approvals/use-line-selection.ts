// useLineSelection: which lines of the approval queue are or may be selected, and deciding on them.
import type { ApprovalAction, LineGroup, MaterialRow, SelectableLines } from '../../../src/app/contract/approvals.ts'
import { useEffect, useCallback, useMemo, useState } from 'react'
import { fetchSelectableLines, type ApprovalListFilter } from '../../api/approvals.ts'
import { useSession } from '../../api/session.ts'
import { useWaitingLines } from '../../components/Outbox.tsx'
import type { ApprovalQueueProps } from './approval-queue-props.ts'
import type { ListedLines } from './use-listed-lines.ts'

export type LineSelection = ReturnType<typeof useLineSelection>

export function useLineSelection(props: ApprovalQueueProps, { anomalies }: Pick<ListedLines, 'anomalies'>) {
  const { overview, filter, showsAnomaliesOnly, ticks, decisions } = props
  const { scopes } = useSession()
  const { groups, readAt } = overview
  const selection = useSelection(readAt)
  // Lines with a queued decision cannot be selected again.
  const waiting = useWaitingLines()
  const mayDecide = scopes.includes('material:approve') && filter.state !== 'exported'
  const statusOf = ({ id, isOwn }: MaterialRow) => ({
    isOwn,
    isWaiting: waiting.has(id),
    newState: decisions.newStates.get(id),
    isTicked: selection.has(id),
  })
  const chooseAll = async () =>
    selection.all(showsAnomaliesOnly ? withoutOwn(anomalies, readAt) : await fetchSelectableLines(filter))
  const chooseUsual = async () => selection.all(await fetchSelectableLines(filter, 'without'))
  const chooseGroup = async ({ key }: LineGroup) => selection.add(await fetchSelectableLines(withGroup(filter, key)))
  const isDecided = (line: MaterialRow) => waiting.has(line.id) || decisions.newStates.has(line.id)
  /** Of an own line, says that somebody else must approve it. */
  const tick = (line: MaterialRow) => mayDecide && !isDecided(line) && selection.add(withoutOwn([line], readAt))
  const chosenAtFirst = mayDecide && groups.length > 0 ? ticks : undefined
  useEffect(() => {
    if (chosenAtFirst !== undefined) void (chosenAtFirst === true ? chooseAll() : chooseUsual())
    // Once: deselected lines stay deselected.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [chosenAtFirst])
  return {
    selection,
    mayDecide,
    statusOf,
    tick,
    toggle: (line: MaterialRow) => (selection.has(line.id) ? selection.toggle(line) : tick(line)),
    chooseAll: () => void chooseAll(),
    chooseUsual: () => void chooseUsual(),
    chooseGroup: (group: LineGroup) => void chooseGroup(group),
    decideOn: async (action: ApprovalAction, reason: string | null = null) => {
      const readSince = action === 'withdraw' ? null : selection.readAt
      const decision = { action, ids: [...selection.ids], reason, readAt: readSince }
      const isDone = await decisions.run(decision, selection.amount)
      if (isDone) selection.clear()
      return isDone
    },
  }
}

function withGroup(filter: ApprovalListFilter, key: string): ApprovalListFilter {
  return filter.group === 'day' ? { ...filter, from: key, to: key } : { ...filter, [filter.group]: key }
}

function withoutOwn(lines: readonly MaterialRow[], readAt: number): SelectableLines {
  const selected = lines.filter(({ isOwn }) => !isOwn)
  return {
    ids: selected.map(({ id }) => id),
    amounts: selected.map(({ amount }) => amount),
    ownCount: lines.length - selected.length,
    readAt,
  }
}

interface SelectionState {
  readonly amounts: ReadonlyMap<number, number>
  readonly readAt: number | null
  /** Number of lines that were not selected with the others, as somebody else must approve them. */
  readonly ownCount: number
}

const emptySelection: SelectionState = { amounts: new Map(), readAt: null, ownCount: 0 }

/** `listReadAt`: when the list was read, whose lines are selected one by one. */
function useSelection(listReadAt: number) {
  const [{ amounts, readAt, ownCount }, setState] = useState<SelectionState>(emptySelection)
  const toggle = useCallback(
    ({ id, amount }: MaterialRow) =>
      setState((last) => {
        if (!last.amounts.has(id)) {
          const line = { ids: [id], amounts: [amount ?? 0], readAt: listReadAt, ownCount: last.ownCount }
          return withLines(last, line)
        }
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
    ownCount,
    has: (id: number) => amounts.has(id),
    toggle,
    /** Selects these lines only. */
    all: (lines: SelectableLines) => setState(withLines(emptySelection, lines)),
    add: (lines: SelectableLines) => setState((last) => withLines(last, lines)),
    clear: () => setState(emptySelection),
  }
}

function withLines(last: SelectionState, { ids, amounts, readAt, ownCount }: SelectableLines): SelectionState {
  const all = new Map(last.amounts)
  for (const [index, id] of ids.entries()) all.set(id, amounts[index] ?? 0)
  return { amounts: all, readAt: last.readAt === null ? readAt : Math.min(last.readAt, readAt), ownCount }
}
