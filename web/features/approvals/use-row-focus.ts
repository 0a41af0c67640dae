// useRowFocus: the current row of the approval queue, and moving to another one.
import { useState, type RefObject } from 'react'
import { hasFocusInDetail } from '../../components/DetailPane.tsx'
import { isHeader, type ListLayout } from './list-layout.ts'
import type { useQueueLines } from './use-queue-lines.ts'
import type { useVisibleRows } from './use-visible-rows.ts'

interface QueueRows
  extends ReturnType<typeof useVisibleRows>, Pick<ReturnType<typeof useQueueLines>, 'lineAt' | 'whenLoaded'> {
  readonly list: RefObject<HTMLElement | null>
  readonly layout: ListLayout
}

export function useRowFocus(queueRows: QueueRows, openId: number | undefined, onOpen: (id: number) => void) {
  const { list, layout, first, last, scrollTo, lineAt, whenLoaded } = queueRows
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
