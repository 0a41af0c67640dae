// Runs an import: binds rows to columns, stores them or dry-runs, and records the changes for undo.
import { readRows, wrongLines, type WrongLine } from './rows.ts'
import type { Fate, ImportJob, Subject } from './import-target.ts'
import { inSlices } from '../lib/yield-to-event-loop.ts'
import type { CompanyId } from '../engine/model/resource.ts'
import { analyze } from '../store/analyze.ts'
import { writeAudit } from '../store/audit/audit.ts'
import { forgetImportChanges, noteImport, noteImportChanges } from '../store/imports/imports.ts'
import type { Store, Transaction } from '../store/store.ts'

export interface Import extends Omit<ImportJob, 'resource'> {
  readonly subject: Subject
  /** The name of the file. */
  readonly file: string
  /** All rows or none, or only the valid ones. */
  readonly takes: 'all' | 'good'
  readonly isDryRun: boolean
}

/** The result of an import, or of a dry run or rejected table what it would have been. */
export interface ImportReport {
  readonly isStored: boolean
  readonly inserted: number
  readonly changed: number
  readonly unchanged: number
  readonly wrong: readonly WrongLine[]
  /** The id for undoing it; null when nothing changed. */
  readonly run: number | null
}

/** Runs in one transaction, which is rolled back for a dry run or a rejected table. */
export async function runImport(
  store: Store,
  companyId: CompanyId,
  job: Import,
): Promise<ImportReport> {
  const whole = { ...job, resource: job.subject.resource }
  const read = await readRows(whole)
  try {
    const report = await store.inTransaction(companyId, async (transaction) => {
      const fates = await job.subject.act(transaction, read.rows, whole)
      const wrong = new Map(read.wrong)
      for (const fate of fates) if ('refused' in fate) wrong.set(fate.index, [fate.refused])
      const report = { ...countsOf(fates), wrong: wrongLines(wrong, job), run: null }
      const isStored = !job.isDryRun && (wrong.size === 0 || job.takes === 'good')
      if (!isStored) throw new Undone({ ...report, isStored })
      return { ...report, isStored, run: await remember(transaction, job, fates, report) }
    })
    if (report.inserted + report.changed >= manyRows)
      await analyze(store, [job.subject.resource.table, 'revenueLog', 'importChange'])
    return report
  } catch (error) {
    if (error instanceof Undone) return error.report
    throw error
  }
}

/** How long an import can be undone; microseconds. */
export const takenBackWithin = 30 * 24 * 60 * 60_000_000

class Undone extends Error {
  readonly report: ImportReport

  constructor(report: ImportReport) {
    super('an import is rolled back')
    this.report = report
  }
}

function countsOf(fates: readonly Fate[]) {
  const counts = { inserted: 0, changed: 0, unchanged: 0 }
  for (const fate of fates) if ('effect' in fate) counts[fate.effect] += 1
  return counts
}

async function remember(
  transaction: Transaction,
  { subject, file, deed }: Import,
  fates: readonly Fate[],
  { inserted, changed, unchanged, wrong }: Omit<ImportReport, 'isStored'>,
): Promise<number | null> {
  const changes = fates.flatMap((fate) => ('change' in fate ? [fate.change] : []))
  if (changes.length === 0) return null
  const { actor, requestId, now } = deed
  const resource = subject.resource.wire
  const counts = { inserted, changed, unchanged, wrong: wrong.length }
  await forgetImportChanges(transaction, now - takenBackWithin)
  const run = await noteImport(transaction, {
    at: now,
    actor,
    requestId,
    resource,
    file,
    ...counts,
  })
  await inSlices(changes, changesAtOnce, (slice) => noteImportChanges(transaction, run, slice))
  const about = { at: now, actor, action: 'import' as const, target: resource, requestId }
  await writeAudit(transaction, { ...about, data: { run, ...counts } })
  return run
}

const changesAtOnce = 500
/** An import of this size can outdate the planner statistics of a table. */
const manyRows = 1000
