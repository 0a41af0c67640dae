// useGridNavigation: active cell and edited cell of the grid.
import { useRef, useState, type KeyboardEvent } from 'react'
import { useSession } from '../../api/session.ts'
import type { GridModel, GridModelCell, GridModelRow } from './grid-model.ts'

export interface CellPosition {
  readonly row: number
  readonly column: number
}

export type GridNavigation = ReturnType<typeof useGridNavigation>

export function useGridNavigation({ rows, days }: GridModel, onOpen: (date: string, departmentId: string) => void) {
  const canEdit = useCanEdit()
  const table = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState<CellPosition>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<CellPosition | null>(null)

  const cellAt = ({ row, column }: CellPosition) => ({ row: rows[row], cell: rows[row]?.cells[column] })

  const go = (from: CellPosition, step: CellPosition) => {
    const position = {
      row: Math.max(0, Math.min(rows.length - 1, from.row + step.row)),
      column: Math.max(0, Math.min(days.length - 1, from.column + step.column)),
    }
    setCurrent(position)
    table.current?.querySelector<HTMLElement>(`[data-cell="${position.row}:${position.column}"]`)?.focus()
    return position
  }

  return {
    /** Cells carry their position: `data-cell="3:1"`. */
    table,
    current,
    editing,
    setCurrent,
    /** Edits the cell, or opens its drawer when it cannot be edited here. */
    enter: (position: CellPosition) => {
      const { row, cell } = cellAt(position)
      if (row === undefined || cell === undefined) return
      setCurrent(position)
      if (canEdit(row, cell)) setEditing(position)
      else onOpen(cell.date, row.departmentId)
    },
    onKeyDown: (event: KeyboardEvent, position: CellPosition) => {
      const step = steps[event.key]
      if (step === undefined) return
      event.preventDefault()
      go(position, step)
    },
    /** Ends editing; moves by a step, or stays. */
    finish: (position: CellPosition, step: CellPosition | null) => {
      setEditing(null)
      // The cell is rendered as a button only after this.
      requestAnimationFrame(() => {
        const next = go(position, step ?? stay)
        const { row, cell } = cellAt(next)
        const isOther = next.row !== position.row || next.column !== position.column
        if (step !== null && step.column !== 0 && isOther && row && cell && canEdit(row, cell)) setEditing(next)
      })
    },
    stopEditing: () => setEditing(null),
  }
}

/** A cell of several records is edited in its drawer. */
function useCanEdit() {
  const { scopes, departments } = useSession()
  return ({ departmentId }: GridModelRow, { records }: GridModelCell): boolean =>
    scopes.includes('revenue:write') &&
    records < 2 &&
    departmentId !== '' &&
    (departments === null || departments.includes(departmentId))
}

const stay: CellPosition = { row: 0, column: 0 }

const steps: Readonly<Record<string, CellPosition>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
}
