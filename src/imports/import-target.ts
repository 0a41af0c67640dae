// Import target: how rows of one resource are stored, and how an import of them is undone.
import type { ActionContext } from '../auth/action-context.ts'
import type { ErrorDetail } from '../errors/api-error.ts'
import type { Importable } from './columns.ts'
import type { ImportRow, TableRows } from './rows.ts'
import type { ImportChange } from '../store/imports/imports.ts'
import type { Transaction } from '../store/store.ts'

export interface ImportTarget extends Importable {
  readonly scope: string
  /** Stores every row it can. */
  readonly importRows: ImportHandler
  /**
   * Undoes the changes of records that nobody changed since; returns the others with the reason. Throws `InvalidValue`
   * for records of departments that the caller may not write.
   */
  readonly undo: (
    transaction: Transaction,
    changes: readonly ImportChange[],
    by: ImportActor,
  ) => Promise<readonly NotUndone[]>
}

export type ImportHandler = (
  transaction: Transaction,
  rows: readonly ImportRow[],
  job: ImportJob,
) => Promise<readonly ImportRowResult[]>

export interface ImportActor {
  readonly context: ActionContext
  /** The departments whose records the caller may write; null for all. */
  readonly departments: readonly string[] | null
}

export interface ImportJob extends TableRows, ImportActor {}

export type ImportRowResult =
  | { readonly index: number; readonly rejected: ErrorDetail }
  | { readonly index: number; readonly effect: 'unchanged' }
  | { readonly index: number; readonly effect: 'inserted' | 'changed'; readonly change: ImportChange }

/** A record that could not be undone: changed since, deleted, referenced, or its previous values are invalid now. */
export interface NotUndone {
  readonly key: string
  readonly why: 'changed' | 'deleted' | 'referenced' | 'invalid'
}
