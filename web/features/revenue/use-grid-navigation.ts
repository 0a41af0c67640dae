// useGridNavigation: active cell and edited cell of the grid.
import { useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useSession } from '../../api/session.ts'
import type { Sheet, SheetCell, SheetRow } from './grid-model.ts'

export interface Spot {
  readonly row: number
  readonly column: number
}

export interface GridWalk {
  /** Cells carry their position: `data-cell="3:1"`. */
  readonly table: RefObject<HTMLTableElement | null>
  readonly at: Spot
  readonly editing: Spot | null
  readonly setAt: (spot: Spot) => void
  /** Edits the cell, or opens its drawer when it cannot be edited here. */
  readonly enter: (spot: Spot) => void
  readonly press: (event: KeyboardEvent, spot: Spot) => void
  /** Ends editing; moves by a step, or stays. */
  readonly finish: (spot: Spot, step: Spot | null) => void
  readonly stopEditing: () => void
}

export function useGridWalk(
  { rows, days }: Sheet,
  onOpen: (date: string, departmentId: string) => void,
): GridWalk {
  const mayChange = useMayChange()
  const table = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState<Spot>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<Spot | null>(null)

  const lookAt = ({ row, column }: Spot) => ({ row: rows[row], cell: rows[row]?.cells[column] })

  const go = (from: Spot, step: Spot) => {
    const spot = {
      row: Math.max(0, Math.min(rows.length - 1, from.row + step.row)),
      column: Math.max(0, Math.min(days.length - 1, from.column + step.column)),
    }
    setCurrent(spot)
    table.current?.querySelector<HTMLElement>(`[data-cell="${spot.row}:${spot.column}"]`)?.focus()
    return spot
  }

  return {
    table,
    at: current,
    editing,
    setAt: setCurrent,
    enter: (spot) => {
      const { row, cell } = lookAt(spot)
      if (row === undefined || cell === undefined) return
      setCurrent(spot)
      if (mayChange(row, cell)) setEditing(spot)
      else onOpen(cell.date, row.departmentId)
    },
    press: (event, spot) => {
      const step = steps[event.key]
      if (step === undefined) return
      event.preventDefault()
      go(spot, step)
    },
    finish: (spot, step) => {
      setEditing(null)
      // The cell is rendered as a button only after this.
      requestAnimationFrame(() => {
        const next = go(spot, step ?? stay)
        const { row, cell } = lookAt(next)
        const isOther = next.row !== spot.row || next.column !== spot.column
        if (step !== null && step.column !== 0 && isOther && row && cell && mayChange(row, cell))
          setEditing(next)
      })
    },
    stopEditing: () => setEditing(null),
  }
}

/** A cell of several records is edited in its drawer. */
function useMayChange() {
  const { scopes, departments } = useSession()
  return ({ departmentId }: SheetRow, { records }: SheetCell): boolean =>
    scopes.includes('revenue:write') &&
    records < 2 &&
    departmentId !== '' &&
    (departments === null || departments.includes(departmentId))
}

const stay: Spot = { row: 0, column: 0 }

const steps: Readonly<Record<string, Spot>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
}
