// Lost data: what a SQLite database lacks at the start of a server, and its audit (ADR 0016).
import { existsSync } from 'node:fs'
import { masterKeyPath } from './master-key-file.ts'
import { withDatabaseErrors } from './with-store.ts'
import type { Runtime } from './environment.ts'
import { companyIdForOperator } from '../auth/caller.ts'
import type { Config } from '../config/settings.ts'
import { listJournalFiles, setJournalAside } from '../journal/files.ts'
import { configurationError } from '../lib/operator-error.ts'
import { formatTimestamp } from '../lib/timestamp.ts'
import { listCompanies } from '../store/accounts/companies.ts'
import { insertAuditEntry } from '../store/audit/audit.ts'
import { findLostChanges, sqlitePath } from '../store/open-store.ts'
import { lastChangePath } from '../store/sqlite/last-change.ts'
import type { Store } from '../store/store.ts'

interface LostDataOptions {
  /** Whether the operator accepts the loss. */
  readonly isAccepted: boolean
  readonly runtime: Pick<Runtime, 'clock' | 'printMessage'>
}

/** What a start has found to be lost. */
export class LostData {
  readonly #options: LostDataOptions
  readonly #findings: object[] = []

  constructor(options: LostDataOptions) {
    this.#options = options
  }

  /** Throws an `OperatorError` (78) unless the loss is accepted. `data` is that of the audit entries. */
  report(message: string, data: object): void {
    const { isAccepted, runtime } = this.#options
    if (!isAccepted)
      throw configurationError(
        `${message} Put back what is missing, or restore a backup with "dagsverk restore". "dagsverk serve --accept-loss" goes on without it.`,
      )
    runtime.printMessage(`Accepted: ${message}\n`)
    this.#findings.push(data)
  }

  /** Microseconds since 1970. */
  get now(): number {
    return this.#options.runtime.clock()
  }

  /** Writes an entry for each finding into the audit of every company. */
  async audit(store: Store): Promise<void> {
    if (this.#findings.length === 0) return
    for (const company of await listCompanies(store))
      await store.inTransaction(companyIdForOperator(company), async (transaction) => {
        const operator = { actor: 'operator', requestId: '', now: this.now }
        for (const data of this.#findings)
          await insertAuditEntry(transaction, operator, { action: 'loss-accept', data })
      })
  }
}

/** Reports a missing database file and missing changes, before anything is opened for writing. */
export async function checkDatabaseFile(config: Config, lostData: LostData): Promise<void> {
  await checkFileExists(config, lostData)
  const lost = await withDatabaseErrors(findLostChanges(config.databaseUrl))
  if (lost === null) return
  const { path } = lost
  const after = lost.lastFound === 0 ? null : formatTimestamp(lost.lastFound)
  const until = formatTimestamp(lost.lastStored)
  const found = after === null ? 'it has none' : `its last one is of ${after}`
  lostData.report(
    `${path} lacks changes: ${found}, but the server that was killed had stored changes until ${until}. The write-ahead log ${path}-wal is missing or incomplete.`,
    { lost: 'changes', after, until },
  )
}

/** A missing file is a new database only where nothing of an earlier one exists. */
async function checkFileExists(config: Config, lostData: LostData): Promise<void> {
  const path = sqlitePath(config.databaseUrl)
  if (path === null || existsSync(path)) return
  const { exportJournal: folder, masterKey } = config
  const journals = folder === null || !existsSync(folder) ? [] : await listJournalFiles(folder)
  const traces = [
    `${path}-wal`,
    lastChangePath(path),
    // A key that is configured may have been made for a new database.
    ...(masterKey === '' ? [masterKeyPath(config)] : []),
    ...journals.slice(-1).map((file) => file.path),
  ].filter((trace) => existsSync(trace))
  if (traces.length === 0) return
  lostData.report(`There is no database at ${path}, but there is ${traces.join(', ')}.`, { lost: 'database' })
  // The new database has other companies with the same ids.
  await setJournalAside(journals, lostData.now)
}
