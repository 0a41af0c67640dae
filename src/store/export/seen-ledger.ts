// Seen ledger: without an export journal, the ledger ids that a server has seen tell that a failover has lost exports.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { listLedgerPositions } from './journaled-entries.ts'
import { ApiError } from '../../errors/api-error.ts'
import { shareRunning } from '../../lib/share-running.ts'
import type { CommitJournal, Reader } from '../store.ts'

interface SeenLedgerOptions {
  readonly reader: Reader
  /** Suspends all exports. */
  readonly suspend: () => Promise<void>
  /** The file that keeps the ids while the server is stopped. */
  readonly path: string
  /** The database whose ids these are. */
  readonly database: string
}

/** The content of the file. */
interface SavedIds {
  readonly database: string
  /** Company and last ledger id. */
  readonly ids: readonly (readonly [number, number])[]
}

/** Suspends all exports where the ledger of a company is behind an id that was seen. */
export class SeenLedger implements CommitJournal {
  readonly #options: SeenLedgerOptions
  #ids: Map<number, number>
  #savedText = ''

  constructor(options: SeenLedgerOptions) {
    this.#options = options
    this.#ids = new Map(readIds(options))
  }

  async flush(companyId: number, ledgerId: number): Promise<void> {
    this.#ids.set(companyId, Math.max(this.#seen(companyId), ledgerId))
  }

  isBehind(): boolean {
    return false
  }

  mayBeAhead(companyId: number, ledgerId: number): boolean {
    return ledgerId < this.#seen(companyId)
  }

  /** Another server sees its own ids. */
  suspectFailover(): void {}

  /** Suspends exports. Throws `DatabaseUnavailable`: a retrieval that is repeated finds them suspended. */
  async replay(): Promise<never> {
    await this.#suspend()
    throw new ApiError('DatabaseUnavailable', { outcome: 'not_applied', headers: { 'Retry-After': '1' } })
  }

  /** Sees what commands and other servers have exported, and saves the ids. */
  async flushAll(): Promise<void> {
    // As of before the positions are read: exports that are committed meanwhile are after both.
    const seen = new Map(this.#ids)
    const positions = await listLedgerPositions(this.#options.reader)
    if (positions.some(({ companyId, ledgerId }) => ledgerId < (seen.get(companyId) ?? 0))) await this.#suspend()
    for (const { companyId, ledgerId } of positions) await this.flush(companyId, ledgerId)
    this.#save()
  }

  readonly #suspend = shareRunning(async () => {
    await this.#options.suspend()
    this.#ids.clear()
  })

  #seen(companyId: number): number {
    return this.#ids.get(companyId) ?? 0
  }

  #save(): void {
    const { path, database } = this.#options
    const saved: SavedIds = { database, ids: [...this.#ids] }
    const text = JSON.stringify(saved)
    if (text === this.#savedText) return
    try {
      writeFileSync(`${path}.new`, text, { mode: 0o600 })
      renameSync(`${path}.new`, path)
      this.#savedText = text
    } catch {
      // On a full or read-only disk. What was saved before is still true.
    }
  }
}

/** None where the file is missing, of another database, or damaged. */
function readIds({ path, database }: SeenLedgerOptions): SavedIds['ids'] {
  try {
    const saved: SavedIds = JSON.parse(readFileSync(path, 'utf8'))
    return saved.database === database ? saved.ids : []
  } catch {
    return []
  }
}
