// Journal writer: appends committed ledger entries to the export journal before the reply is sent.
import { ApiError, type RequestOutcome } from '../../errors/api-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import type { ExportJournal } from '../../journal/export-journal.ts'
import type { JournalAction, JournalRecord } from '../../journal/record.ts'
import { shareRunning } from '../../lib/share-running.ts'
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'
import {
  listJournaledEntries,
  entriesMax,
  journalKinds,
  getLedgerPosition,
  listLedgerPositions,
  type JournaledEntry,
  type LedgerPosition,
} from './journaled-entries.ts'
import type { CommitJournal, Reader } from '../store.ts'

/** Repeats what the journal has and the ledger lacks, and reserves ids that a company has lost. */
type Replay = (hasLostIds: (position: LedgerPosition) => boolean) => Promise<void>

export class JournalWriter implements CommitJournal {
  readonly #journal: ExportJournal
  readonly #reader: Reader
  readonly #replay: Replay
  /** By company: the last ledger id that was read, the running flush, and the next one. */
  readonly #readUntil = new Map<number, number>()
  /** By company: the last id of a transaction or line that was committed; the ceiling in the journal is above it. */
  readonly #materialIds = new Map<number, number>()
  readonly #running = new Map<number, Promise<void>>()
  readonly #next = new Map<number, Promise<void>>()
  /** Companies whose last flush failed. */
  readonly #behind = new Set<number>()
  #connectionLosses = 0
  /** How many of them a replay has followed. */
  #lossesChecked = 0

  constructor(journal: ExportJournal, reader: Reader, replay: Replay) {
    this.#journal = journal
    this.#reader = reader
    this.#replay = replay
  }

  /**
   * Resolves once everything that the company has committed is in the journal. Throws `StorageFull`, or the error of a read
   * of the database, with outcome unknown: the entries are in the database, and the next flush appends them. Throws
   * `DatabaseUnavailable` where it lacks them, or a connection has broken meanwhile: a failover may have lost the commit.
   */
  async flush(companyId: number, ledgerId: number, materialId: number): Promise<void> {
    try {
      const losses = this.#connectionLosses
      await this.#flush(companyId)
      // After a failover the ids may be those of another commit.
      const isLost = this.#lastRead(companyId) < ledgerId || this.#lastMaterialId(companyId) < materialId
      if (isLost || this.#connectionLosses > losses)
        throw new ApiError('DatabaseUnavailable', { outcome: 'unknown', headers: { 'Retry-After': '1' } })
      this.#behind.delete(companyId)
    } catch (error) {
      this.#behind.add(companyId)
      throw error
    }
  }

  /** One flush of a company at a time; those that wait for it share the next one. */
  #flush(companyId: number): Promise<void> {
    const waiting = this.#next.get(companyId)
    if (waiting !== undefined) return waiting
    const before = this.#running.get(companyId) ?? Promise.resolve()
    const flush = before
      .catch(() => undefined)
      .then(() => {
        this.#next.delete(companyId)
        this.#running.set(companyId, flush)
        return this.#flushNow(companyId)
      })
    this.#next.set(companyId, flush)
    return flush
  }

  /** Whether the journal lacks what an earlier flush could not append. */
  isBehind(companyId: number): boolean {
    return this.#behind.has(companyId)
  }

  /** Whether the journal has ids after these, or those of other servers are to be read after a broken connection. */
  mayBeAhead(companyId: number, ledgerId: number, materialId: number): boolean {
    return (
      this.#connectionLosses > this.#lossesChecked ||
      ledgerId < this.#lastRead(companyId) ||
      materialId < this.#lastMaterialId(companyId)
    )
  }

  suspectFailover(): void {
    this.#connectionLosses += 1
  }

  /**
   * Repeats what any server of the folder has journaled and the ledger lacks. Throws `StorageError` where the journal cannot be
   * read, and the error of a read or write of the database, with outcome not applied: what waits for the replay has not begun.
   */
  replay(): Promise<void> {
    return this.#replayOnce().catch((cause: unknown) => {
      throw toApiError(cause, 'StorageError', 'not_applied')
    })
  }

  /** Throws the error itself. */
  readonly #replayOnce = shareRunning(async () => {
    const losses = this.#connectionLosses
    // As of before the positions are read, as in `flushAll`.
    const lastMaterialIds = new Map(this.#materialIds)
    // Numbers that are not in the journal may be assigned again.
    this.#readUntil.clear()
    await this.#journal.readAppended()
    await this.#replay(({ companyId, materialId }) => materialId < (lastMaterialIds.get(companyId) ?? 0))
    this.#lossesChecked = losses
  })

  /**
   * Flushes every company whose journal lacks entries: of other servers, of commands, and of an earlier server. Before, it repeats
   * what a failover has lost. For the log, it throws the `OperatorError` of a damaged journal, which names the file.
   */
  async flushAll(): Promise<void> {
    // As of before the positions are read: exports that are committed meanwhile are after both.
    const lastRead = new Map(this.#journal.watermarks.map(({ companyId }) => [companyId, this.#lastRead(companyId)]))
    const lastMaterialIds = new Map(this.#materialIds)
    let positions = await listLedgerPositions(this.#reader)
    const isAhead = positions.some(
      ({ companyId, ledgerId, materialId }) =>
        ledgerId < (lastRead.get(companyId) ?? 0) || materialId < (lastMaterialIds.get(companyId) ?? 0),
    )
    if (isAhead || this.#connectionLosses > this.#lossesChecked) {
      await this.#replayOnce()
      positions = await listLedgerPositions(this.#reader)
    }
    for (const { companyId, ledgerId, materialId } of positions) {
      const isComplete =
        ledgerId <= this.#lastRead(companyId) && materialId <= this.#journal.watermarkOf(companyId).ceiling
      if (!isComplete) await this.#flush(companyId)
    }
  }

  async #flushNow(companyId: number): Promise<void> {
    try {
      const position = await getLedgerPosition(this.#reader, { companyId })
      if (position === undefined) return
      await this.#catchUp(position)
      this.#materialIds.set(companyId, Math.max(this.#lastMaterialId(companyId), position.materialId))
    } catch (cause) {
      throw toApiError(cause, 'StorageFull', 'unknown')
    }
  }

  async #catchUp({ companyId, ledgerId, materialId }: LedgerPosition): Promise<void> {
    if (materialId > this.#journal.watermarkOf(companyId).ceiling) {
      const next = (Math.floor(materialId / idBlock) + 2) * idBlock
      await this.#append([{ kind: 'ceiling', companyId, ceiling: next }])
    }
    let [readUntil, last] = [this.#lastRead(companyId), ledgerId]
    while (readUntil < last) {
      const records: JournalRecord[] = []
      for (let reads = 0; reads < readsPerWrite && readUntil < last; reads += 1) {
        if (reads > 0) await yieldToEventLoop()
        const entries = await listJournaledEntries(this.#reader, { companyId, after: readUntil })
        records.push(...groupByRequest(companyId, entries))
        const lastEntry = entries.at(-1)?.ledger ?? readUntil
        // The ids after the last entry need no journal, unless a failover between the two reads has lost them.
        if (entries.length < entriesMax && lastEntry < last)
          last = Math.min(last, (await getLedgerPosition(this.#reader, { companyId }))?.ledgerId ?? 0)
        readUntil = entries.length < entriesMax ? last : lastEntry
      }
      await this.#append(records)
      this.#readUntil.set(companyId, readUntil)
    }
  }

  #lastMaterialId(companyId: number): number {
    return this.#materialIds.get(companyId) ?? 0
  }

  /** The last ledger id of the company that was read for the journal, or is in it. */
  #lastRead(companyId: number): number {
    return Math.max(this.#journal.watermarkOf(companyId).through, this.#readUntil.get(companyId) ?? 0)
  }

  async #append(records: readonly JournalRecord[]): Promise<void> {
    if (records.length > 0) await this.#journal.append(records)
  }
}

/** A write waits for the disk; a read, of which the rows are made at once, for nothing. */
const readsPerWrite = 10

/** The error of the database, or `code` for one of the journal's disk, with the outcome of what waits for the journal. */
function toApiError(cause: unknown, code: ErrorCode, outcome: RequestOutcome): ApiError {
  if (!(cause instanceof ApiError)) return new ApiError(code, { outcome, cause })
  const { params, headers } = cause
  return new ApiError(cause.code, { params, headers, outcome, cause })
}

/** The journal reserves ids in blocks of this size: a restored database continues after the block. */
const idBlock = 10_000

/** Consecutive entries of one request, action and destination become one journal record. */
function groupByRequest(companyId: number, entries: readonly JournaledEntry[]): JournalAction[] {
  const groups: JournaledEntry[][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    const [first] = group ?? []
    const isSame =
      first?.action === entry.action &&
      first.requestId === entry.requestId &&
      first.destinationId === entry.destinationId
    if (isSame) group?.push(entry)
    else groups.push([entry])
  }
  return groups.flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)]
    if (first === undefined || last === undefined) return []
    const { action, at, destinationId, requestId } = first
    const kind = journalKinds[action]
    return [{ kind, companyId, through: last.ledger, at, destinationId, requestId, entries: group }]
  })
}
