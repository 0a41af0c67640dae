// useCellEdits: saves cells, reports the result, undoes it, and keeps what did not reach the server.
import type { RevenueEdit } from '../../../src/app/contract/revenue.ts'
import type { Language } from '../../../src/app/contract/session.ts'
import { useState } from 'react'
import { toDecimalText, parseTypedAmount } from '../../api/format.ts'
import { post, RequestError } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'
import type { GridModel, GridModelCell } from './grid-model.ts'

export interface CellEdit {
  readonly cell: GridModelCell
  readonly departmentId: string
  /** Decimal text with a point. */
  readonly amount: string
}

interface FailedEdits {
  readonly error: Error
  /** Those that did not reach the server, and may be sent again. */
  readonly edits: readonly RevenueEdit[]
}

export type CellEdits = ReturnType<typeof useCellEdits>

export function useCellEdits() {
  /** Those that were saved last. */
  const [last, setLast] = useState<readonly RevenueEdit[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [failed, setFailed] = useState<FailedEdits | null>(null)
  const { mutateAsync } = useAction((edits: readonly RevenueEdit[]) => post('revenueCells', edits), {
    refreshes: ['revenue'],
  })
  const send = async (edits: readonly RevenueEdit[]) => {
    setLast([])
    try {
      await mutateAsync(edits)
      return true
    } catch (error) {
      if (!(error instanceof Error)) throw error
      setFailed((before) => ({ error, edits: mergeEdits(before?.edits ?? [], isTemporary(error) ? edits : []) }))
      return false
    }
  }
  const sendAndReport = async (edits: readonly RevenueEdit[]) => {
    if (await send(edits)) setLast(edits)
  }
  return {
    /** `without` says what was typed and is not saved. */
    save: async (edits: readonly CellEdit[], without: string | null = null) => {
      setLast([])
      setProblem(without)
      setFailed((before) => (before?.edits.length === 0 ? null : before))
      if (edits.length > 0) await sendAndReport(edits.map(toRevenueEdit))
    },
    /** Number of cells saved last; 0 when there is nothing to report. */
    saved: last.length,
    problem,
    undo: isUndoable(last) ? () => send(last.map(reverse)) : null,
    error: failed?.error ?? null,
    /** Sends again what did not reach the server. */
    retry:
      failed === null || failed.edits.length === 0
        ? null
        : () => {
            setFailed(null)
            return sendAndReport(failed.edits)
          },
    dismiss: () => {
      setProblem(null)
      setFailed(null)
    },
  }
}

function toRevenueEdit({ cell, departmentId, amount }: CellEdit): RevenueEdit {
  const before = cell.amount === null ? null : toDecimalText(cell.amount)
  return { date: cell.date, department: departmentId, amount, before }
}

/** Undo does not delete: a cell that was empty before is deleted in its drawer. */
function isUndoable(edits: readonly RevenueEdit[]): boolean {
  return edits.length > 0 && edits.every(({ before }) => before !== null)
}

function reverse({ amount, before, ...cell }: RevenueEdit): RevenueEdit {
  return { ...cell, amount: before ?? amount, before: amount }
}

/** Of two edits of a cell the later one. */
function mergeEdits(before: readonly RevenueEdit[], after: readonly RevenueEdit[]): readonly RevenueEdit[] {
  const all = [...before, ...after].map((edit) => [`${edit.date} ${edit.department}`, edit] as const)
  return [...new Map(all).values()]
}

/** The server was not reached, or could not do it now. */
function isTemporary(error: Error): boolean {
  return error instanceof RequestError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

interface PastedEdits {
  readonly edits: readonly CellEdit[]
  /** Number of values that have no cell to be saved in, or are no amounts. */
  readonly skipped: number
}

/** Pasted spreadsheet cells, starting at a cell; empty ones change nothing. */
export function parsePastedEdits(
  text: string,
  language: Language,
  { rows }: GridModel,
  { row, column }: { row: number; column: number },
): PastedEdits {
  const values = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .flatMap((line, down) =>
      line.split('\t').map((typed, across) => ({ typed, target: rows[row + down], column: column + across })),
    )
    .filter(({ typed }) => typed.trim() !== '')
  const edits = values.flatMap(({ typed, target, column: at }): CellEdit[] => {
    const cell = target?.cells[at]
    const amount = parseTypedAmount(typed, language)
    if (target === undefined || cell === undefined || amount === null || cell.records > 1) return []
    return [{ cell, departmentId: target.departmentId, amount }]
  })
  return { edits, skipped: values.length - edits.length }
}
