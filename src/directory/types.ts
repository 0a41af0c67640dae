// Types of directory writes: rows in, outcomes out, and the handler between.
import type { ActionContext } from '../auth/action-context.ts'
import type { WriteOutcome } from '../model/outcome.ts'
import type { RecordKey } from '../engine/model/resource.ts'
import type { StoredRecord } from '../store/directory/directory-records.ts'
import type { Transaction } from '../store/store.ts'

/** A valid row and its position in the body: `[3]`, or '' for a single object. */
export interface DirectoryRow {
  readonly location: string
  /** By internal field name; fields that were not sent are missing. */
  readonly values: Readonly<Record<string, string | number | boolean | null | undefined>>
  /** The members that set references in place of their fields, by the names of these. */
  readonly bindAnnotations?: ReadonlyMap<string, string>
}

/** A row with its key: the one sent, or one that the service assigned. */
export interface KeyedRow extends DirectoryRow {
  readonly key: RecordKey
  readonly isKeyGiven: boolean
}

/** Applies every row it can; the caller decides whether a failed row rolls back all (ADR 0007). */
export type DirectoryWriteHandler = (
  transaction: Transaction,
  rows: readonly DirectoryRow[],
  context: ActionContext,
) => Promise<readonly WriteOutcome<StoredRecord>[]>

/** The name of a record in error messages; an unknown key can be long. */
export function recordName({ wire }: { readonly wire: string }, key: RecordKey): string {
  return `${wire}(${String(key).slice(0, 60).toWellFormed()})`
}
