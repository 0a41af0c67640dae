// useCellEdits: saves cells, reports the result, and undoes it.
import type { RevenueEdit } from '../../../src/app/contract/revenue.ts'
import type { Language } from '../../../src/app/contract/session.ts'
import { useState } from 'react'
import { toDecimalText, parseTypedAmount } from '../../api/format.ts'
import { post } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'
import type { GridModel, GridModelCell } from './grid-model.ts'

export interface CellEdit {
  readonly cell: GridModelCell
  readonly departmentId: string
  /** Decimal text with a point. */
  readonly amount: string
}

export type CellEdits = ReturnType<typeof useCellEdits>

export function useCellEdits() {
  const [last, setLast] = useState<readonly CellEdit[]>([])
  const { mutateAsync, error, reset } = useAction((edits: readonly RevenueEdit[]) => post('revenueCells', edits), {
    refreshes: ['revenue'],
  })
  const send = async (edits: readonly RevenueEdit[]) => {
    try {
      await mutateAsync(edits)
      return true
    } catch {
      return false
    }
  }
  const save = async (edits: readonly CellEdit[]) => {
    if (edits.length === 0) return
    setLast([])
    const isSaved = await send(
      edits.map(({ cell, departmentId, amount }) => ({
        date: cell.date,
        department: departmentId,
        amount,
        before: cell.amount === null ? null : toDecimalText(cell.amount),
      })),
    )
    if (isSaved) setLast(edits)
  }
  // Undo does not delete: a cell that was empty before is deleted in its drawer.
  const isUndoable = last.length > 0 && last.every(({ cell }) => cell.amount !== null)
  const undo = async () => {
    setLast([])
    await send(
      last.map(({ cell, departmentId, amount }) => ({
        date: cell.date,
        department: departmentId,
        amount: toDecimalText(cell.amount ?? 0),
        before: amount,
      })),
    )
  }
  return {
    save,
    /** Number of cells saved last; 0 when there is nothing to report. */
    saved: last.length,
    undo: isUndoable ? undo : null,
    error,
    dismiss: () => {
      setLast([])
      reset()
    },
  }
}

/** Pasted spreadsheet cells, starting at a cell; whatever is no number is skipped. */
export function parsePastedEdits(
  text: string,
  language: Language,
  { rows }: GridModel,
  { row, column }: { row: number; column: number },
): CellEdit[] {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .flatMap((line, down) =>
      line.split('\t').flatMap((typed, across): CellEdit[] => {
        const target = rows[row + down]
        const cell = target?.cells[column + across]
        const amount = parseTypedAmount(typed, language)
        if (target === undefined || cell === undefined || amount === null) return []
        return cell.records < 2 ? [{ cell, departmentId: target.departmentId, amount }] : []
      }),
    )
}
