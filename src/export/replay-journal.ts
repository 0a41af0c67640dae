// Replay of the export journal after a restore or a failover, and skipping of ids that may be lost.
import {
  isAction,
  type JournalAction,
  type JournalEntry,
  type JournalRecord,
  type CompanyWatermark,
} from '../journal/record.ts'
import { utcDate } from '../lib/timestamp.ts'
import { newRecord, type CompanyId } from '../engine/model/resource.ts'
import { materialTransaction, transactionStates } from '../model/transaction.ts'
import { offerLines, saveDecision } from '../store/material/approvals.ts'
import { saveLineChanges } from '../store/material/line-changes.ts'
import { listDestinations } from '../store/export/destinations.ts'
import { exportsSuspendedSince, resumeExports } from '../store/export/export-suspension.ts'
import { companyIdForOperator } from '../auth/caller.ts'
import { listCompanies } from '../store/accounts/companies.ts'
import { listLedgerPositions, type LedgerPosition } from '../store/export/journaled-entries.ts'
import { insertLedgerEntries, replayActor, type NewLedgerEntry } from '../store/material/ledger.ts'
import {
  closeLines,
  acknowledgeLines,
  getLineStatuses,
  isFinished,
  type LineStatus,
} from '../store/export/acknowledgements.ts'
import { findMaterials, revisionUnknown, type StoredMaterial } from '../store/material/materials.ts'
import type { Store, Transaction } from '../store/store.ts'
import { undecided } from '../material/content.ts'
import { requeueLines } from '../store/export/line-actions.ts'

export interface ReplayOptions {
  readonly store: Store
  readonly watermarks: readonly CompanyWatermark[]
  readonly records: () => AsyncIterable<JournalRecord>
  /** Microseconds since 1970. */
  readonly clock: () => number
  /** Whether the company has lost transaction ids above its last one, which receivers may know. */
  readonly hasLostIds?: ((position: LedgerPosition) => boolean) | undefined
}

/**
 * Brings the ledger of every company up to the journal's watermark, and resumes the exports that the restore suspended. After a
 * restore, or where ids are lost, transactions get ids above all that were assigned. Returns the number of entries replayed. One
 * transaction for each company.
 */
export async function replayJournal({
  store,
  watermarks,
  records,
  clock,
  hasLostIds = () => false,
}: ReplayOptions): Promise<number> {
  const isRestored = (await exportsSuspendedSince(store)) !== null
  const behind = await findCompaniesBehind(store, watermarks, isRestored ? () => true : hasLostIds)
  if (behind.some(isLedgerBehind)) await collectActions(behind, records())
  let count = 0
  for (const { companyId, watermark, actions } of behind) {
    const work = async (transaction: Transaction) => {
      // Another server or worker may have replayed them since.
      const ordered = inLedgerOrder(actions, transaction.sequences.last('ledgerId'))
      await replayCompany(transaction, watermark, ordered, clock())
      return ordered.reduce((sum, { entries }) => sum + entries.length, 0)
    }
    count += await store.inTransaction(companyId, work, { isReplay: true })
  }
  if (watermarks.length > 0) await resumeExports(store)
  return count
}

/** Each entry after `ledgerId` once: every server journals what the others have written too, and its files follow those of another one. */
function inLedgerOrder(actions: readonly JournalAction[], ledgerId: number): JournalAction[] {
  const seen = new Set<number>()
  const first = ({ entries }: JournalAction) => entries[0]?.ledger ?? 0
  return actions
    .toSorted((one, other) => first(one) - first(other))
    .flatMap((action) => {
      const entries = action.entries.filter(({ ledger }) => ledger > ledgerId && !seen.has(ledger))
      for (const { ledger } of entries) seen.add(ledger)
      return entries.length === 0 ? [] : [{ ...action, entries }]
    })
}

interface CompanyBehind {
  readonly companyId: CompanyId
  readonly watermark: CompanyWatermark
  /** The id of the last entry of its ledger. */
  readonly ledgerId: number
  readonly actions: JournalAction[]
}

/** The companies of which the journal has exports that their ledger lacks, and those that have lost ids. */
export async function findCompaniesBehind(
  store: Store,
  watermarks: readonly CompanyWatermark[],
  hasLostIds: (position: LedgerPosition) => boolean = () => false,
): Promise<CompanyBehind[]> {
  const positions = new Map((await listLedgerPositions(store)).map((position) => [position.companyId, position]))
  const behind: CompanyBehind[] = []
  for (const company of await listCompanies(store)) {
    const watermark = watermarks.find((one) => one.companyId === company.id)
    const position = positions.get(company.id) ?? { companyId: company.id, ledgerId: 0, materialId: 0 }
    if (watermark === undefined) continue
    const one = { companyId: companyIdForOperator(company), watermark, ledgerId: position.ledgerId, actions: [] }
    if (isLedgerBehind(one) || (watermark.ceiling > position.materialId && hasLostIds(position))) behind.push(one)
  }
  return behind
}

function isLedgerBehind({ watermark, ledgerId }: CompanyBehind): boolean {
  return watermark.through > ledgerId
}

async function collectActions(behind: readonly CompanyBehind[], records: AsyncIterable<JournalRecord>): Promise<void> {
  const byCompany = new Map(behind.map((one) => [Number(one.companyId), one]))
  for await (const record of records) {
    const company = isAction(record) ? byCompany.get(record.companyId) : undefined
    if (!isAction(record) || company === undefined) continue
    const entries = record.entries.filter(({ ledger }) => ledger > company.ledgerId)
    if (entries.length > 0) company.actions.push({ ...record, entries })
  }
}

async function replayCompany(
  transaction: Transaction,
  watermark: CompanyWatermark,
  actions: readonly JournalAction[],
  now: number,
): Promise<void> {
  transaction.sequences.advanceTo('ledgerId', watermark.through)
  transaction.sequences.advanceTo('materialId', watermark.ceiling)
  for (const action of actions) {
    const replayed = await (action.kind === 'undo' ? replayUndo : replayExport)(transaction, action, now)
    await insertLedgerEntries(transaction, ledgerEntries(action, replayed))
  }
}

/** The lines that an action changed, each with its current generation. */
type ReplayedLines = ReadonlyMap<number, number>

async function replayUndo(
  transaction: Transaction,
  { destinationId, entries }: JournalAction,
  now: number,
): Promise<ReplayedLines> {
  const lines = await listLines(transaction, destinationId, lineIdsOf(entries))
  const exported = lines.filter(isFinished)
  const first = transaction.sequences.nextStamps(now, exported.length)
  const undone = exported.map(({ id, materialId }, index) => ({ id, materialId, at: first + index }))
  await requeueLines(transaction, destinationId, undone)
  return new Map(exported.map(({ id, generation }) => [id, (generation ?? 0) + 1]))
}

/** Makes a line exported, restoring its transaction and approval first where they are missing; an exported line stays so. */
async function replayExport(transaction: Transaction, action: JournalAction, now: number): Promise<ReplayedLines> {
  const { destinationId, entries, kind } = action
  await restoreTransactions(transaction, action)
  const before = await listLines(transaction, destinationId, lineIdsOf(entries))
  const unfinished = before.filter((line) => !isFinished(line))
  const first = transaction.sequences.nextStamps(now, unfinished.length)
  const stamps = new Map(unfinished.map(({ id }, index) => [id, first + index]))
  await restoreApprovals(
    transaction,
    unfinished.filter(({ state, isKnown }) => state !== 'ready' && isKnown === 1),
    { destinationId, stamps },
  )
  const ready = (await listLines(transaction, destinationId, [...stamps.keys()])).filter(
    ({ state }) => state === 'ready',
  )
  const exported = ready.map(({ id, materialId, revision }) => ({
    id,
    materialId,
    revision: revision ?? revisionUnknown,
    at: stamps.get(id) ?? first,
    externalId: null,
  }))
  const exportLines = kind === 'acknowledge' ? acknowledgeLines : closeLines
  await exportLines(transaction, destinationId, exported, replayActor)
  return new Map(ready.map(({ id, generation }) => [id, generation ?? 1]))
}

async function listLines(transaction: Transaction, id: number, lineIds: readonly number[]): Promise<LineStatus[]> {
  return [...(await getLineStatuses(transaction, { id, retrievedThrough: 0 }, lineIds)).values()]
}

function lineIdsOf(entries: readonly JournalEntry[]): number[] {
  return entries.map(({ lineId }) => lineId)
}

/**
 * Restores approvals that were made after the backup, at every destination. A line without content is offered at the others
 * when its source has sent it.
 */
async function restoreApprovals(
  transaction: Transaction,
  unapproved: readonly LineStatus[],
  { destinationId, stamps }: { destinationId: number; stamps: ReadonlyMap<number, number> },
): Promise<void> {
  if (unapproved.length === 0) return
  const lineIds = unapproved.map(({ id }) => id)
  const decided = lineIds.map((id) => ({ id, at: stamps.get(id) ?? 0 }))
  const approval = { state: transactionStates.approved, rejectionReason: null, actor: replayActor, isApproval: true }
  await saveDecision(transaction, decided, approval)
  const stored = await findMaterials(transaction, lineIds)
  const complete = decided.filter(({ id }) => stored.get(id)?.revision !== revisionUnknown)
  await offerLines(transaction, complete, await listDestinations(transaction))
  // This destination may have been added after the backup.
  await offerLines(transaction, decided, [{ id: destinationId, lockDate: null }])
}

/** Restores transactions that were registered after the backup; only source and external id are known of them. */
async function restoreTransactions(transaction: Transaction, { entries, at }: JournalAction): Promise<void> {
  const known = await findMaterials(transaction, lineIdsOf(entries))
  const missing = entries.flatMap(({ lineId, source, externalId }): StoredMaterial[] => {
    if (known.has(lineId) || source === null || externalId === null) return []
    return [{ ...unknownContent, id: lineId, source, externalId, date: utcDate(at), changedAt: at, createdAt: at }]
  })
  await saveLineChanges(
    transaction,
    missing.map((after) => ({ before: null, after })),
  )
}

const unknownContent = {
  ...newRecord(materialTransaction),
  quantity: 0,
  isBillable: null,
  revision: revisionUnknown,
  ...undecided,
  registeredBy: replayActor,
}

function ledgerEntries(
  { kind, destinationId, entries, at, requestId }: JournalAction,
  replayed: ReplayedLines,
): NewLedgerEntry[] {
  return entries.flatMap(({ lineId, revision }) => {
    const generation = replayed.get(lineId)
    if (generation === undefined) return []
    const action = ledgerActions[kind]
    const line = { destinationId, lineId, revision, generation }
    return [{ ...line, action, at, actor: replayActor, requestId, code: 'Replayed' }]
  })
}

const ledgerActions = { acknowledge: 'acknowledged', close: 'closed', undo: 'undone' } as const

/** Skips the ids that a failover may have lost. One transaction for each company. To run it again skips more of them. */
export async function skipLostIds(store: Store): Promise<void> {
  for (const company of await listCompanies(store))
    await store.inTransaction(companyIdForOperator(company), ({ sequences }) => sequences.skipLostIds(), {
      isReplay: true,
    })
}
