// useRowNavigation: rows that open by click, and by a button that j, k and the arrow keys go to: from anywhere on the
// page in its main list, else from within the list, so that the keys go on scrolling the page.
import { useRef, type HTMLAttributes } from 'react'
import { useIsBeside } from './DetailPane.tsx'
import { useShortcuts } from './shortcut-keys.ts'
import type { TableColumn } from './Table.tsx'

interface RowNavigation<Row> {
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, index: number) => string | number
  readonly openKey: string | undefined
  readonly isMain: boolean
  /** Undefined for rows that do not open. */
  readonly onOpen: ((row: Row) => void) | undefined
}

export function useRowNavigation<Row>({ rows, keyOf, openKey, isMain, onOpen }: RowNavigation<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const isBeside = useIsBeside()
  const isOpen = (row: Row, index: number) => String(keyOf(row, index)) === openKey
  const open = rows.findIndex(isOpen)
  /** Goes a step from the row at the index; whether the key is one of a step. */
  const walk = (event: { key: string; preventDefault: () => void }, from: number) => {
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key] ?? 0
    if (step === 0 || from + step < -1) return false
    event.preventDefault()
    const at = Math.max(0, Math.min(rows.length - 1, from + step))
    body.current?.querySelectorAll<HTMLElement>('button.row-open')[at]?.focus()
    const row = rows[at]
    // A record beside the list follows.
    if (isBeside && openKey !== undefined && row !== undefined) onOpen?.(row)
    return true
  }
  useShortcuts((event) => {
    const focused = document.activeElement
    const hasKeys = isMain || (body.current?.contains(focused) ?? false)
    // Their own `onKeyDown` goes on from the row.
    const isOpener = focused?.matches('.row-open') ?? false
    if (onOpen !== undefined && hasKeys && !isOpener) walk(event, open)
  })
  /** The cell that names the row, or else the first, becomes a button. */
  const withOpener = (columns: readonly TableColumn<Row>[]): readonly TableColumn<Row>[] => {
    const opener = columns.find(({ isRowHeader }) => isRowHeader) ?? columns[0]
    if (opener === undefined || onOpen === undefined) return columns
    const show = (row: Row) => (
      <button
        type="button"
        className="row-open"
        onKeyDown={(event) => walk(event, rows.indexOf(row)) && event.stopPropagation()}
      >
        {opener.show(row)}
      </button>
    )
    return columns.with(columns.indexOf(opener), { ...opener, show })
  }
  const rowProps = (row: Row, index: number): HTMLAttributes<HTMLTableRowElement> => ({
    className: isOpen(row, index) ? 'open' : undefined,
    onClick: ({ target }) => {
      // A click beside a checkbox is meant for it.
      const control = target instanceof Element ? target.closest('a, button, input, td:has(input)') : null
      if (control === null || control.matches('.row-open')) onOpen?.(row)
    },
  })
  return { withOpener, table: onOpen === undefined ? {} : { bodyRef: body, rowProps } }
}
