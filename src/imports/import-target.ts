// What files can be imported of: how their rows are stored, and how that is taken back.
import type { Deed } from '../auth/action-context.ts'
import type { Detail } from '../errors/catalog.ts'
import type { Importable } from './columns.ts'
import type { ImportRow, TableRows } from './rows.ts'
import type { ImportChange } from '../store/imports/imports.ts'
import type { Transaction } from '../store/store.ts'

export interface Subject extends Importable {
  /** The right that it takes. */
  readonly right: string
  /** Stores the rows that can be stored. */
  readonly act: ImportAct
  /** Takes back what nobody changed since; the keys of the others with what stands in the way. Throws `InvalidValue` for what is of others' departments. */
  readonly takeBack: (
    transaction: Transaction,
    changes: readonly ImportChange[],
    by: Pick<ImportJob, 'deed' | 'departments'>,
  ) => Promise<readonly Kept[]>
}

export type ImportAct = (
  transaction: Transaction,
  rows: readonly ImportRow[],
  job: ImportJob,
) => Promise<readonly Fate[]>

export interface ImportJob extends TableRows {
  readonly deed: Deed
  /** Departments that the one who imports may write in; null for all. */
  readonly departments: readonly string[] | null
}

/** What became of the row of a line. */
export type Fate =
  | { readonly index: number; readonly refused: Detail }
  | { readonly index: number; readonly effect: 'unchanged' }
  | {
      readonly index: number
      readonly effect: 'inserted' | 'changed'
      readonly change: ImportChange
    }

/** Why a record stays as the import left it: changed since, gone, referred to, or what it was cannot be again. */
export interface Kept {
  readonly key: string
  readonly why: 'changed' | 'gone' | 'used' | 'refused'
}
