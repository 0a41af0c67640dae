// useApprovalQueue: lines, selection and keyboard of the approval queue (ADR 0049).
import { useImperativeHandle, useState } from 'react'
import { hasFocusInDetail, useIsBeside } from '../../components/DetailPane.tsx'
import { useShortcuts } from '../../components/shortcut-keys.ts'
import type { ApprovalQueueProps } from './approval-queue-props.ts'
import { isHeader } from './list-layout.ts'
import { type LineSelection, useLineSelection } from './use-line-selection.ts'
import { type ListedLines, useListedLines } from './use-listed-lines.ts'

function useQueueKeys(props: ApprovalQueueProps, listed: ListedLines, selecting: LineSelection) {
  const { ref, filter, decisions, openId, onOpen } = props
  const { layout, whenLoaded } = listed
  const { mayDecide, tick, toggle, decideOn } = selecting
  const isBeside = useIsBeside()
  const { at, setAt, focusRow, moveTo, openNeighbour } = useRowFocus(props, listed)
  const step = (rows: 1 | -1, isTicking: boolean) => {
    if (openId !== undefined && !isTicking) return openNeighbour(rows)
    const to = Math.max(0, Math.min(layout.length - 1, at + rows))
    if (isTicking) for (const position of [at, to]) whenLoaded(position, tick)
    moveTo(to)
  }
  const next = (isShifted: boolean) => step(1, isShifted)
  const previous = (isShifted: boolean) => step(-1, isShifted)
  const tickOrUntick = () => whenLoaded(at, toggle)
  /** By their keys; with the Shift key, the rows that are passed are selected. */
  const shortcuts: Readonly<Record<string, ((isShifted: boolean) => unknown) | undefined>> = {
    j: next,
    ArrowDown: next,
    k: previous,
    ArrowUp: previous,
    x: tickOrUntick,
    ' ': tickOrUntick,
    Enter: () =>
      whenLoaded(at, ({ id }) => {
        // The drawer restores the focus to what has it now, which need not be the row yet.
        focusRow(at)
        onOpen(id)
      }),
    a: () => filter.state === 'registered' && mayDecide && decideOn('approve'),
    // Undone there, when a line is open.
    u: () => openId === undefined && decisions.undo?.(),
  }
  useShortcuts((event) => {
    const run = shortcuts[event.key]
    // In a drawer over the list, an open line has shortcuts of its own.
    if (run === undefined || isForControl(event) || (openId !== undefined && !isBeside)) return
    event.preventDefault()
    run(event.shiftKey)
  })
  useImperativeHandle(ref, () => ({
    openNeighbour,
    hasSelection: () => selecting.selection.ids.size > 0,
    focusCurrentRow: () => focusRow(Math.min(at, layout.length - 1)),
  }))
  return { at, setAt }
}

function useRowFocus({ openId, onOpen }: ApprovalQueueProps, listed: ListedLines) {
  const { list, layout, first, last, scrollTo, lineAt, whenLoaded } = listed
  const [at, setAt] = useState(0)
  const focusRow = (position: number) =>
    list.current?.querySelector<HTMLElement>(`[data-position="${position}"]`)?.focus({ preventScroll: true })
  const moveTo = (position: number) => {
    setAt(position)
    scrollTo(position)
    // The row may have to be rendered first.
    if (!hasFocusInDetail()) requestAnimationFrame(() => focusRow(position))
  }
  const openNeighbour = (rows: 1 | -1) => {
    const positions = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
    // An anomaly is listed twice; a line that a link opened need not be the current row.
    const opened = lineAt(at)?.id === openId ? at : positions.find((position) => lineAt(position)?.id === openId)
    // Once the open line has left the list, the next one is in its place.
    let position = (opened ?? (rows === 1 ? at - 1 : at)) + rows
    while (isHeader(layout, position)) position += rows
    whenLoaded(position, ({ id }) => {
      moveTo(position)
      onOpen(id)
    })
  }
  return { at, setAt, focusRow, moveTo, openNeighbour }
}

/** Space and Enter activate what has the focus. */
function isForControl({ key, target }: KeyboardEvent): boolean {
  return (
    (key === ' ' || key === 'Enter') && target instanceof HTMLElement && target.closest('button, a, input') !== null
  )
}

export type ApprovalQueueState = ReturnType<typeof useApprovalQueue>

export function useApprovalQueue(props: ApprovalQueueProps) {
  const listed = useListedLines(props)
  const selecting = useLineSelection(props, listed)
  const { at, setAt } = useQueueKeys(props, listed, selecting)
  const { overview, filter, decisions, openId, onOpen } = props
  return { overview, filter, decisions, openId, onOpen, ...listed, ...selecting, at, setAt }
}
