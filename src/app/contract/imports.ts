// Imports: columns of a file, saved mappings, progress, report and undo.
import type { TextFields } from './path.ts'
import type { Primitive } from '../../engine/model/resource.ts'
import type { TableLine } from '../../engine/formats/csv/csv.ts'
import type { ImportReport } from '../../imports/import.ts'
import type { NotUndone } from '../../imports/import-target.ts'
import type { AppliedMapping } from '../../imports/mapping.ts'
import type { ImportRun } from '../../store/imports/imports.ts'
import type { importedSets } from './screens.ts'

export type { AppliedMapping }

export type ImportedSet = (typeof importedSets)[number]

export interface ImportRunSummary extends ImportRun {
  readonly resource: ImportedSet
  readonly isUndoable: boolean
}

export interface ImportList {
  /** The sets that the user may import. */
  readonly subjects: readonly ImportedSet[]
  readonly runs: readonly ImportRunSummary[]
}

/** A field by its public name, with its titles. */
export interface ImportField {
  readonly wire: string
  readonly type: Exclude<Primitive, 'timeOfDay' | 'duration'>
  readonly nb: string
  readonly en: string
}

export interface FileColumns {
  readonly headers: readonly string[]
  /** A field per header, or null. */
  readonly guessed: readonly (string | null)[]
  /** Saved mappings applied to these columns, the last saved first. */
  readonly mappings: readonly AppliedMapping[]
  readonly rows: number
  readonly first: readonly TableLine[]
  /** At least one field of each group is required. */
  readonly needs: readonly (readonly string[])[]
  readonly fields: readonly ImportField[]
}

/** The field of a column; '' ignores it. */
export type ColumnField = TextFields<'header' | 'field'>

export interface ImportRunReport extends Omit<ImportReport, 'invalid'> {
  readonly invalidCount: number
  /** The first 100. */
  readonly invalid: readonly { readonly line: number; readonly problems: readonly string[] }[]
  /** CSV of the rejected rows; null when there are none. */
  readonly errors: string | null
}

export interface ImportProgress {
  readonly step: 'reading' | 'storing'
  readonly rows: number
}

/** A line of the streamed reply: progress, and finally the report or an error. */
export type ImportEvent =
  | ImportProgress
  | { readonly report: ImportRunReport }
  | { readonly error: { readonly code: string; readonly message: string; readonly requestId: string } }

export interface ImportUndoReport {
  readonly undone: number
  /** The first 100. */
  readonly kept: readonly NotUndone[]
  readonly keptCount: number
}
