// Runs an import: binds rows to columns, stores them or dry-runs, and records the changes for undo.
import { parseRows, listInvalidLines, type InvalidLine } from './rows.ts'
import type { ImportRowResult, ImportJob, ImportTarget } from './import-target.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import { microsecondsPerDay } from '../lib/timestamp.ts'
import { companyIdForOperator } from '../auth/caller.ts'
import type { CompanyId } from '../engine/model/resource.ts'
import { forEachCompany } from '../store/accounts/companies.ts'
import { analyzeTables } from '../store/analyze.ts'
import { commitIf } from '../store/commit-if.ts'
import { insertAuditEntry } from '../store/audit/audit.ts'
import { deleteExpiredImportChanges, insertImportRun, insertImportChanges } from '../store/imports/imports.ts'
import type { Store, Transaction } from '../store/store.ts'

export interface ImportOptions extends Omit<ImportJob, 'resource'> {
  readonly target: ImportTarget
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
  readonly invalid: readonly InvalidLine[]
  /** The id for undoing it; null when nothing changed. */
  readonly run: number | null
}

/** Runs in one transaction, which is rolled back for a dry run or a rejected table. */
export async function runImport(store: Store, companyId: CompanyId, job: ImportOptions): Promise<ImportReport> {
  const whole = { ...job, resource: job.target.resource }
  const read = await parseRows(whole)
  const isCommitted = ({ isStored }: ImportReport) => isStored
  const runWhole = async (transaction: Transaction): Promise<ImportReport> => {
    const results = await job.target.importRows(transaction, read.rows, whole)
    const invalid = new Map(read.invalid)
    for (const result of results) if ('rejected' in result) invalid.set(result.index, [result.rejected])
    const isStored = !job.isDryRun && (invalid.size === 0 || job.takes === 'good')
    const effects = { inserted: 0, changed: 0, unchanged: 0 }
    for (const result of results) if ('effect' in result) effects[result.effect] += 1
    const counts = { ...effects, invalid: listInvalidLines(invalid, job) }
    const run = isStored ? await recordImport(transaction, job, results, counts) : null
    return { ...counts, isStored, run }
  }
  const report = await commitIf(store, companyId, isCommitted, runWhole, { isLong: true })
  if (report.isStored && report.inserted + report.changed >= manyRows)
    await analyzeTables(store, [job.target.resource.table, 'revenueLog', 'importChange'])
  return report
}

/** How long an import can be undone. */
export const undoMicrosecondsMax = 30 * microsecondsPerDay

async function recordImport(
  transaction: Transaction,
  { target, file, context }: ImportOptions,
  results: readonly ImportRowResult[],
  { inserted, changed, unchanged, invalid }: Omit<ImportReport, 'isStored' | 'run'>,
): Promise<number | null> {
  const changes = results.flatMap((result) => ('change' in result ? [result.change] : []))
  if (changes.length === 0) return null
  const { actor, requestId, now: at } = context
  const resource = target.resource.wire
  const counts = { inserted, changed, unchanged, invalid: invalid.length }
  const run = await insertImportRun(transaction, { at, actor, requestId, resource, file, ...counts })
  const rows = changes.map((change) => ({ ...change, runId: run }))
  await forEachChunk(rows, changesPerChunk, (chunk) => insertImportChanges(transaction, chunk))
  await insertAuditEntry(transaction, context, { action: 'import', target: resource, data: { run, ...counts } })
  return run
}

/** Deletes the previous content of records whose import cannot be undone any more, one company after another. */
export async function deleteExpiredImports(store: Store, now: number): Promise<void> {
  await forEachCompany(store, (company) =>
    store.inTransaction(companyIdForOperator(company), (transaction) =>
      deleteExpiredImportChanges(transaction, now - undoMicrosecondsMax),
    ),
  )
}

const changesPerChunk = 500
/** An import of this size can outdate the planner statistics of a table. */
const manyRows = 1000
