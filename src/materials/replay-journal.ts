// After an older backup was put back: what the export journal knows and the ledger does not is done again.
import type { JournalAct, JournalRecord, CompanyExtent } from '#journal/record.ts'
import { isAct } from '#journal/record.ts'
import { stampDay } from '#lib/stamp.ts'
import type { CompanyId } from '#model/resource.ts'
import { states } from '#model/transaction.ts'
import { decide, freezeLines, offerLines } from '#store/approvals.ts'
import { releaseExports } from '#store/export-hold.ts'
import { openedByOperator } from '#auth/caller.ts'
import { listCompanies } from '#store/companies.ts'
import { numbersOf } from '#store/ledger-since.ts'
import { writeLedger } from '#store/ledger.ts'
import { closeLines, markLines, standingsOf } from '#store/marks.ts'
import { insertMaterials, materialsById, type StoredMaterial } from '#store/materials.ts'
import type { Store, Transaction } from '#store/store.ts'
import { offerAgain } from '#store/undo.ts'

export interface Replay {
  readonly store: Store
  /** What the journal holds, by company. */
  readonly extents: readonly CompanyExtent[]
  readonly records: () => AsyncIterable<JournalRecord>
  /** Microseconds since 1970. */
  readonly clock: () => number
}

/**
 * Brings the ledger of every company to where the journal says that it was, and releases the exports that a restore
 * has held. Gives the number of entries that were done again. All of a company in one transaction.
 */
export const replayJournal = async ({
  store,
  extents,
  records,
  clock,
}: Replay): Promise<number> => {
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
  /** The last entry of its ledger. */
  readonly ledgerId: number
  readonly acts: JournalAct[]
}

const companiesBehind = async (
  store: Store,
  extents: readonly CompanyExtent[],
): Promise<Behind[]> => {
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

const gather = async (
  behind: readonly Behind[],
  records: AsyncIterable<JournalRecord>,
): Promise<void> => {
  const byCompany = new Map(behind.map((one) => [Number(one.companyId), one]))
  for await (const record of records) {
    const company = isAct(record) ? byCompany.get(record.companyId) : undefined
    if (!isAct(record) || company === undefined) continue
    const entries = record.entries.filter(({ ledger }) => ledger > company.ledgerId)
    if (entries.length > 0) company.acts.push({ ...record, entries })
  }
}

/** `Kilde` and the rest of what only the journal knows: filled in when the source sends it again. */
export const revisionUnknown = 0

const actor = 'journal'

const replay = async (
  transaction: Transaction,
  extent: CompanyExtent,
  acts: readonly JournalAct[],
  now: number,
): Promise<void> => {
  transaction.counters.raise('ledgerId', extent.through)
  transaction.counters.raise('materialId', extent.ceiling)
  for (const act of acts) {
    if (act.kind === 'undo') await undoAgain(transaction, act, now)
    else await takeAgain(transaction, act, now)
    await writeLedger(transaction, entriesOf(act))
  }
}

const undoAgain = async (
  transaction: Transaction,
  { destinationId, entries }: JournalAct,
  now: number,
): Promise<void> => {
  const ids = entries.map(({ lineId }) => lineId)
  const standings = await standingsOf(transaction, destinationId, ids)
  const first = transaction.counters.takeStamps(now, ids.length)
  const undone = ids.map((id, index) => ({
    id,
    materialId: standings.get(id)?.materialId ?? null,
    at: first + index,
  }))
  await offerAgain(transaction, destinationId, undone, {
    from: states.exported,
    to: states.approved,
  })
}

/** A line leaves the offer, whatever had to happen before it could be on it. */
const takeAgain = async (transaction: Transaction, act: JournalAct, now: number): Promise<void> => {
  const ids = act.entries.map(({ lineId }) => lineId)
  await bringBack(transaction, act)
  const standings = await standingsOf(transaction, act.destinationId, ids)
  const first = transaction.counters.takeStamps(now, ids.length)
  const decided = ids.map((id, index) => ({ id, at: first + index }))
  const unoffered = decided.filter(({ id }) => {
    const standing = standings.get(id)
    return standing?.isKnown === 1 && !offeredOnce.has(standing.state)
  })
  if (unoffered.length > 0) {
    const approval = { state: states.approved, rejectionReason: null, actor, isApproval: true }
    await decide(transaction, unoffered, approval)
    await freezeLines(transaction, unoffered)
    await offerLines(transaction, unoffered, act.destinationId, '')
  }
  const offered = await standingsOf(transaction, act.destinationId, ids)
  const taken = decided.flatMap(({ id, at }) => {
    const { revision = null, materialId = null } = offered.get(id) ?? {}
    return revision === null ? [] : [{ id, materialId, revision, at, externalId: null }]
  })
  const take = act.kind === 'mark' ? markLines : closeLines
  const becoming = { actor, from: states.approved, to: states.exported }
  await take(transaction, act.destinationId, taken, becoming)
}

const offeredOnce: ReadonlySet<string | null> = new Set(['ready', 'exported', 'closed'])

/** Transactions that came after the backup: nothing is known of them but what their source calls them. */
const bringBack = async (transaction: Transaction, { entries, at }: JournalAct): Promise<void> => {
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

const stamped = (at: number) => ({ changedAt: at, createdAt: at })

const entriesOf = ({ kind, destinationId, entries, at, requestId }: JournalAct) =>
  entries.map(({ lineId, revision, generation }) => ({
    destinationId,
    lineId,
    revision,
    generation: kind === 'undo' ? generation + 1 : generation,
    act: acts[kind],
    at,
    actor,
    requestId,
    wasServed: 1,
    externalId: null,
    externalUrl: null,
    externalBatchId: null,
    batchId: null,
    code: 'Replayed',
    reason: null,
  }))

const acts = { mark: 'marked', close: 'closed', undo: 'undone' } as const
