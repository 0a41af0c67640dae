// Undoes an import: restores the records that nobody changed since.
import { Fault } from '../errors/catalog.ts'
import { takenBackWithin } from './import.ts'
import type { ImportActor, Kept, Subject } from './import-target.ts'
import { subjects } from './import-targets.ts'
import { phrase } from '../errors/messages.ts'
import { writeAudit } from '../store/audit/audit.ts'
import {
  forgetImportChanges,
  importChanges,
  importRun,
  noteImportUndone,
  type ImportChange,
  type ImportRun,
} from '../store/imports/imports.ts'
import type { Transaction } from '../store/store.ts'

export interface UndoneImport {
  /** The number of restored records. */
  readonly undone: number
  readonly kept: readonly Kept[]
}

/** An import and its target. Throws `NotFound`. */
export async function subjectOf(
  transaction: Transaction,
  id: number,
): Promise<{ run: ImportRun; subject: Subject }> {
  const run = await importRun(transaction, id)
  const subject = subjects.get(run?.resource ?? '')
  if (run === undefined || subject === undefined)
    throw new Fault('NotFound', { says: { what: phrase('theImport') } })
  return { run, subject }
}

/**
 * Throws `ImportSettled` when it is already undone or too old, and `InvalidValue` for records of departments that the
 * caller may not write.
 */
export async function undoImport(
  transaction: Transaction,
  { run, subject }: { readonly run: ImportRun; readonly subject: Subject },
  by: ImportActor,
): Promise<UndoneImport> {
  const { deed } = by
  if (!isUndoable(run, deed.now)) throw new Fault('ImportSettled')
  const changes = await changesOf(transaction, run.id)
  const kept = await subject.takeBack(transaction, changes, by)
  const undone = changes.length - kept.length
  const { actor, requestId, now } = deed
  await noteImportUndone(transaction, run.id, { at: now, by: actor })
  await forgetImportChanges(transaction, now - takenBackWithin)
  const about = { at: now, actor, action: 'import-undo' as const, target: run.resource, requestId }
  await writeAudit(transaction, { ...about, data: { run: run.id, undone, kept: kept.length } })
  return { undone, kept }
}

export function isUndoable({ at, undoneAt }: ImportRun, now: number): boolean {
  return undoneAt === null && now - at < takenBackWithin
}

async function changesOf(transaction: Transaction, runId: number): Promise<ImportChange[]> {
  const all: ImportChange[] = []
  for (let after = ''; ;) {
    const page = await importChanges(transaction, runId, { after, top: pageRows })
    for (const change of page) all.push(change)
    if (page.length < pageRows) return all
    after = page.at(-1)?.key ?? after
  }
}

const pageRows = 2000
