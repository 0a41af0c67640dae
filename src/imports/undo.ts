// Undoes an import: restores the records that nobody changed since.
import { ApiError, notFoundError } from '../errors/api-error.ts'
import { undoMicrosecondsMax } from './import.ts'
import type { ImportActor, NotUndone, ImportTarget } from './import-target.ts'
import { importTargets } from './import-targets.ts'
import { message } from '../errors/messages.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import { insertAuditEntry } from '../store/audit/audit.ts'
import {
  deleteExpiredImportChanges,
  listImportChanges,
  findImportRun,
  recordImportUndone,
  type ImportChange,
  type ImportRun,
} from '../store/imports/imports.ts'
import type { Transaction } from '../store/store.ts'

/** An import and its target. Throws `NotFound`. */
export async function getImport(
  transaction: Transaction,
  id: number,
): Promise<{ run: ImportRun; target: ImportTarget }> {
  const run = await findImportRun(transaction, { id })
  const target = importTargets.get(run?.resource ?? '')
  if (run === undefined || target === undefined) throw notFoundError(message('theImport'))
  return { run, target }
}

/**
 * Returns the number of restored records, and those that were kept. Throws `ImportNotUndoable` when it is already undone or too
 * old, and `InvalidValue` for records of departments that the caller may not write.
 */
export async function undoImport(
  transaction: Transaction,
  { run, target }: { readonly run: ImportRun; readonly target: ImportTarget },
  by: ImportActor,
): Promise<{ undone: number; kept: readonly NotUndone[] }> {
  const { context } = by
  if (!isUndoable(run, context.now)) throw new ApiError('ImportNotUndoable')
  const changes = await changesOf(transaction, run.id)
  const kept = await target.undo(transaction, changes, by)
  const undone = changes.length - kept.length
  const { actor, now } = context
  await recordImportUndone(transaction, { id: run.id, undoneAt: now, undoneBy: actor })
  await deleteExpiredImportChanges(transaction, now - undoMicrosecondsMax)
  const data = { run: run.id, undone, kept: kept.length }
  await insertAuditEntry(transaction, context, { action: 'import-undo', target: run.resource, data })
  return { undone, kept }
}

export function isUndoable({ at, undoneAt }: ImportRun, now: number): boolean {
  return undoneAt === null && now - at < undoMicrosecondsMax
}

async function changesOf(transaction: Transaction, runId: number): Promise<ImportChange[]> {
  const all: ImportChange[] = []
  for (let after = ''; ;) {
    const page = await listImportChanges(transaction, { runId, after, top: pageRows })
    for (const change of page) all.push(change)
    if (page.length < pageRows) return all
    after = page.at(-1)?.key ?? after
    await yieldToEventLoop()
  }
}

const pageRows = 2000
