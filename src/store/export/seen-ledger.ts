// Seen ledger: without an export journal, the ids that a server has seen tell that a failover has lost exports or lines.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { listLedgerPositions, type LedgerPosition } from './journaled-entries.ts'
import { ApiError } from '../../errors/api-error.ts'
import { shareRunning } from '../../lib/share-running.ts'
import type { CommitJournal, Reader } from '../store.ts'

interface SeenLedgerOptions {
  readonly reader: Reader
  /** Skips the ids that were lost. */
  readonly skipLostIds: () => Promise<void>
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
  /** Company, last ledger id, and last id of a transaction or line. */
  readonly ids: readonly (readonly [number, number, number])[]
}

/**
 * Skips ids where a company is behind an id that was seen, and suspends all exports where its ledger is: lines that were lost
 * with their approval are sent again by their source, but nothing tells which lines were exported.
 */
export class SeenLedger implements CommitJournal {
  readonly #options: SeenLedgerOptions
  readonly #seen: Map<number, LedgerPosition>
  /** Positions behind it that transactions have found, until they are dealt with. */
  readonly #found: LedgerPosition[] = []
  #savedText = ''

  constructor(options: SeenLedgerOptions) {
    this.#options = options
    this.#seen = new Map(readPositions(options).map((position) => [position.companyId, position]))
  }

  async flush(companyId: number, ledgerId: number, materialId: number): Promise<void> {
    const seen = this.#seen.get(companyId)
    this.#seen.set(companyId, {
      companyId,
      ledgerId: Math.max(seen?.ledgerId ?? 0, ledgerId),
      materialId: Math.max(seen?.materialId ?? 0, materialId),
    })
  }

  isBehind(): boolean {
    return false
  }

  mayBeAhead(companyId: number, ledgerId: number, materialId: number): boolean {
    const position = { companyId, ledgerId, materialId }
    return hasLostExports(position, this.#seen) || hasLostLines(position, this.#seen)
  }

  /** Another server sees its own ids. */
  suspectFailover(): void {}

  /** Skips ids. Throws `DatabaseUnavailable` where exports are suspended: a retrieval that is repeated finds them so. */
  async replay(companyId: number, ledgerId: number, materialId: number): Promise<void> {
    this.#found.push({ companyId, ledgerId, materialId })
    if (await this.#compare())
      throw new ApiError('DatabaseUnavailable', { outcome: 'not_applied', headers: { 'Retry-After': '1' } })
  }

  /** Sees what commands and other servers have exported, and saves the ids. */
  async flushAll(): Promise<void> {
    await this.#compare()
    this.#save()
  }

  /** Compares every company with the database. Returns whether exports were suspended. */
  readonly #compare = shareRunning(async () => {
    // As of before the positions are read: exports that are committed meanwhile are after both.
    const seen = new Map(this.#seen)
    let positions = await listLedgerPositions(this.#options.reader)
    // Another server may have assigned the lost ids again since a transaction found them lost.
    const compared = [...this.#found, ...positions]
    const isLedgerLost = compared.some((position) => hasLostExports(position, seen))
    if (isLedgerLost || compared.some((position) => hasLostLines(position, seen))) {
      await this.#options.skipLostIds()
      if (isLedgerLost) await this.#options.suspend()
      this.#seen.clear()
      this.#found.length = 0
      positions = await listLedgerPositions(this.#options.reader)
    }
    for (const { companyId, ledgerId, materialId } of positions) await this.flush(companyId, ledgerId, materialId)
    return isLedgerLost
  })

  #save(): void {
    const { path, database } = this.#options
    const ids = [...this.#seen.values()].map((one) => [one.companyId, one.ledgerId, one.materialId] as const)
    const text = JSON.stringify({ database, ids } satisfies SavedIds)
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

type Positions = ReadonlyMap<number, LedgerPosition>

function hasLostExports({ companyId, ledgerId }: LedgerPosition, seen: Positions): boolean {
  return ledgerId < (seen.get(companyId)?.ledgerId ?? 0)
}

function hasLostLines({ companyId, materialId }: LedgerPosition, seen: Positions): boolean {
  return materialId < (seen.get(companyId)?.materialId ?? 0)
}

/** None where the file is missing, of another database, or damaged. */
function readPositions({ path, database }: SeenLedgerOptions): LedgerPosition[] {
  try {
    const saved: SavedIds = JSON.parse(readFileSync(path, 'utf8'))
    if (saved.database !== database) return []
    return saved.ids.map(([companyId, ledgerId, materialId]) => ({ companyId, ledgerId, materialId }))
  } catch {
    return []
  }
}
