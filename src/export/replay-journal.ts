// Replays the export journal after a restore: repeats what the restored ledger lacks.
import type { JournalAct, JournalRecord, CompanyExtent } from '../journal/record.ts'
import { isAct } from '../journal/record.ts'
import { stampDay } from '../lib/timestamp.ts'
import type { CompanyId } from '../engine/model/resource.ts'
import { states } from '../model/transaction.ts'
import { decide, freezeLines, offerLines } from '../store/material/approvals.ts'
import { releaseExports } from '../store/export/export-suspension.ts'
import { openedByOperator } from '../auth/caller.ts'
import { listCompanies } from '../store/accounts/companies.ts'
import { numbersOf } from '../store/export/ledger-since.ts'
import { writeLedger, type NewEntry } from '../store/material/ledger.ts'
import {
  closeLines,
  markLines,
  standingsOf,
  type Standing,
} from '../store/export/acknowledgements.ts'
import { insertMaterials, materialsById, type StoredMaterial } from '../store/material/materials.ts'
import type { Store, Transaction } from '../store/store.ts'
import { revisionUnknown } from '../material/content.ts'
import { offerAgain } from '../store/export/export-undo.ts'

export interface Replay {
  readonly store: Store
  /** The watermarks of the journal, by company. */
  readonly extents: readonly CompanyExtent[]
  readonly records: () => AsyncIterable<JournalRecord>
  /** Microseconds since 1970. */
  readonly clock: () => number
}

/**
 * Brings the ledger of every company up to the journal's watermark, and resumes the exports that the restore suspended.
 * Returns the number of entries replayed. One transaction for each company.
 */
export async function replayJournal({ store, extents, records, clock }: Replay): Promise<number> {
  const behind = await companiesBehind(store, extents)
  if (behind.length > 0) await gather(behind, records())
  for (const { companyId, extent, acts } of behind)
    await store.inTransaction(companyId, (transaction) =>
      replay(transaction, extent, acts, clock()),
    )
  if (extents.length > 0) await releaseExports(store)
  return behind.reduce((sum, { acts }) => sum + acts.flatMap(({ entries }) => entries).length, 0)
}

interface Behind {
  readonly companyId: CompanyId
  readonly extent: CompanyExtent
  /** The id of the last entry of its ledger. */
  readonly ledgerId: number
  readonly acts: JournalAct[]
}

async function companiesBehind(store: Store, extents: readonly CompanyExtent[]): Promise<Behind[]> {
  const behind: Behind[] = []
  for (const company of await listCompanies(store)) {
    const companyId = openedByOperator(company)
    const extent = extents.find((one) => one.companyId === company.id)
    const ledgerId = (await numbersOf(store, companyId))?.ledgerId ?? 0
    if (extent !== undefined && extent.through > ledgerId)
      behind.push({ companyId, extent, ledgerId, acts: [] })
  }
  return behind
}

async function gather(
  behind: readonly Behind[],
  records: AsyncIterable<JournalRecord>,
): Promise<void> {
  const byCompany = new Map(behind.map((one) => [Number(one.companyId), one]))
  for await (const record of records) {
    const company = isAct(record) ? byCompany.get(record.companyId) : undefined
    if (!isAct(record) || company === undefined) continue
    const entries = record.entries.filter(({ ledger }) => ledger > company.ledgerId)
    if (entries.length > 0) company.acts.push({ ...record, entries })
  }
}

const actor = 'journal'

async function replay(
  transaction: Transaction,
  extent: CompanyExtent,
  acts: readonly JournalAct[],
  now: number,
): Promise<void> {
  transaction.counters.raise('ledgerId', extent.through)
  transaction.counters.raise('materialId', extent.ceiling)
  for (const act of acts) {
    const done = await (act.kind === 'undo' ? undoAgain : takeAgain)(transaction, act, now)
    await writeLedger(transaction, entriesOf(act, done))
  }
}

/** The lines that an action changed, each with its current generation. */
type Done = ReadonlyMap<number, number>

async function undoAgain(
  transaction: Transaction,
  { destinationId, entries }: JournalAct,
  now: number,
): Promise<Done> {
  const ids = entries.map(({ lineId }) => lineId)
  const gone = [
    ...(await standingsOf(transaction, { id: destinationId, servedAt: 0 }, ids)).values(),
  ].filter(({ state }) => state === 'exported' || state === 'closed')
  const first = transaction.counters.takeStamps(now, gone.length)
  const undone = gone.map(({ id, materialId }, index) => ({ id, materialId, at: first + index }))
  await offerAgain(transaction, destinationId, undone, {
    from: states.exported,
    to: states.approved,
  })
  return new Map(gone.map(({ id, generation }) => [id, (generation ?? 0) + 1]))
}

/** Makes a line exported, restoring its transaction and approval first where they are missing; an exported line stays so. */
async function takeAgain(transaction: Transaction, act: JournalAct, now: number): Promise<Done> {
  const { destinationId, entries, kind } = act
  const ids = entries.map(({ lineId }) => lineId)
  await bringBack(transaction, act)
  const before = [
    ...(await standingsOf(transaction, { id: destinationId, servedAt: 0 }, ids)).values(),
  ]
  const waiting = before.filter(({ state }) => state !== 'exported' && state !== 'closed')
  const first = transaction.counters.takeStamps(now, waiting.length)
  const stamps = new Map(waiting.map(({ id }, index) => [id, first + index]))
  await approveAgain(
    transaction,
    waiting.filter(({ state, isKnown }) => state !== 'ready' && isKnown === 1),
    { destinationId, stamps },
  )
  const ready = [
    ...(
      await standingsOf(transaction, { id: destinationId, servedAt: 0 }, [...stamps.keys()])
    ).values(),
  ].filter(({ state }) => state === 'ready')
  const taken = ready.map(({ id, materialId, revision }) => ({
    id,
    materialId,
    revision: revision ?? revisionUnknown,
    at: stamps.get(id) ?? first,
    externalId: null,
  }))
  const take = kind === 'mark' ? markLines : closeLines
  const becoming = { actor, from: states.approved, to: states.exported }
  await take(transaction, destinationId, taken, becoming)
  return new Map(ready.map(({ id, generation }) => [id, generation ?? 1]))
}

/** Restores approvals that were made after the backup. */
async function approveAgain(
  transaction: Transaction,
  unoffered: readonly Standing[],
  { destinationId, stamps }: { destinationId: number; stamps: ReadonlyMap<number, number> },
): Promise<void> {
  if (unoffered.length === 0) return
  const decided = unoffered.map(({ id }) => ({ id, at: stamps.get(id) ?? 0 }))
  const approval = { state: states.approved, rejectionReason: null, actor, isApproval: true }
  await decide(transaction, decided, approval)
  await freezeLines(transaction, decided)
  await offerLines(transaction, decided, destinationId, '')
}

/** Restores transactions that were registered after the backup; only source and external id are known of them. */
async function bringBack(transaction: Transaction, { entries, at }: JournalAct): Promise<void> {
  const known = await materialsById(
    transaction,
    entries.map(({ lineId }) => lineId),
  )
  const missing = entries.flatMap(({ lineId, source, externalId }): StoredMaterial[] => {
    if (known.has(lineId) || source === null || externalId === null) return []
    return [{ ...nothingKnown, id: lineId, source, externalId, date: stampDay(at), ...stamped(at) }]
  })
  await insertMaterials(transaction, missing)
}

const nothingKnown = {
  revision: revisionUnknown,
  employeeId: null,
  departmentId: null,
  projectId: null,
  siteId: null,
  itemId: null,
  itemName: null,
  quantity: 0,
  unit: null,
  costPrice: null,
  salesPrice: null,
  amount: null,
  isBillable: null,
  remark: null,
  state: states.registered,
  rejectionReason: null,
  approvedAt: null,
  approvedBy: null,
  exportedAt: null,
  registeredBy: actor,
  decidedAt: null,
  decidedBy: null,
} as const

function stamped(at: number) {
  return { changedAt: at, createdAt: at }
}

function entriesOf(
  { kind, destinationId, entries, at, requestId }: JournalAct,
  done: Done,
): NewEntry[] {
  return entries.flatMap(({ lineId, revision }) => {
    const generation = done.get(lineId)
    if (generation === undefined) return []
    const what = { destinationId, lineId, revision, generation, act: acts[kind], at, actor }
    return [{ ...what, requestId, ...nothingElse }]
  })
}

const nothingElse = {
  wasServed: 1,
  externalId: null,
  externalUrl: null,
  externalBatchId: null,
  batchId: null,
  code: 'Replayed',
  reason: null,
} as const

const acts = { mark: 'marked', close: 'closed', undo: 'undone' } as const
