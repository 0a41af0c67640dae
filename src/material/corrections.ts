// Correction lines: reversal and replacement pairs that bring a destination up to date.
import { plusDays } from '../lib/calendar.ts'
import { dateInZone } from '../lib/calendar-date.ts'
import { listDifferences } from './content.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { lineKinds, transactionStates, type TransactionState } from '../model/transaction.ts'
import {
  insertCorrections,
  insertCorrectionsAtDestinations,
  listLinesAtDestination,
  type LineAtDestination,
  type NewExportLine,
  type NewDestinationLine,
} from '../store/export/corrections.ts'
import type { Destination } from '../store/export/destinations.ts'
import { withdrawReadyLines } from '../store/export/line-actions.ts'
import { findMaterials, pickContent, type StoredContent, type StoredMaterial } from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

/**
 * Adds the missing lines for each transaction that the destination has received: a reversal of the line it has, and a
 * replacement where the transaction is approved. Lines that were never retrieved are removed first, so that several
 * changes between two retrievals add at most one pair; retrieved lines stay and are themselves corrected. Returns the
 * transactions the destination has received, and whether each has a line waiting.
 */
export async function applyCorrectionsAt(
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  context: WriteContext,
): Promise<ReadonlyMap<number, boolean>> {
  if (ids.length === 0) return new Map()
  const materials = await findMaterials(transaction, ids)
  const linesById = await listLinesAtDestination(transaction, destination, ids)
  const corrections = new Corrections(transaction, destination, context)
  const isWaitingById = new Map<number, boolean>()
  for (const id of ids) {
    const lines = linesById.get(id)
    if (lines === undefined) continue
    const material = materials.get(id)
    const isApproved = material !== undefined && approvedStates.has(material.state)
    isWaitingById.set(id, corrections.correct(id, isApproved ? material : null, lines))
  }
  await corrections.save()
  return isWaitingById
}

/** Another destination may have exported it already. */
const approvedStates: ReadonlySet<TransactionState> = new Set([transactionStates.approved, transactionStates.exported])

class Corrections {
  readonly #transaction: Transaction
  readonly #destination: Destination
  readonly #context: WriteContext
  readonly #timestamp: number
  readonly #withdrawnIds: number[] = []
  readonly #lines: NewExportLine[] = []
  readonly #destinationLines: NewDestinationLine[] = []

  constructor(transaction: Transaction, destination: Destination, context: WriteContext) {
    this.#transaction = transaction
    this.#destination = destination
    this.#context = context
    this.#timestamp = transaction.sequences.nextStamp(context.now)
  }

  /** Returns whether the transaction has a line waiting afterwards. */
  correct(id: number, approved: StoredMaterial | null, lines: readonly LineAtDestination[]): boolean {
    const delivered = lines.filter(({ isDelivered }) => isDelivered === 1)
    this.#withdrawnIds.push(...lines.filter(({ isDelivered }) => isDelivered === 0).map((line) => line.id))
    const reversed = new Set(delivered.map(({ reversesId }) => reversesId))
    const current = delivered.findLast((line) => line.lineKind !== lineKinds.reversal && !reversed.has(line.id))
    const isWaiting = delivered.some(({ state }) => state === 'ready')
    if (current !== undefined && approved !== null && this.#hasSameExportedFields(current, approved)) return isWaiting
    if (current !== undefined) this.#reverse(current)
    const last = delivered.findLast(({ lineKind }) => lineKind !== lineKinds.reversal)
    if (approved !== null) this.#replace(id, approved, last?.id ?? id)
    return isWaiting || current !== undefined || approved !== null
  }

  /** An exact copy with quantity and amount negated; prices, project and department stay the same. */
  #reverse(line: LineAtDestination): void {
    const { id: _, state: __, isDelivered: ___, ...copied } = line
    const quantity = -line.quantity
    const amount = line.amount === null ? null : 0 - line.amount
    this.#add(
      {
        ...copied,
        quantity,
        amount,
        lineKind: lineKinds.reversal,
        reversesId: line.id,
        replacesId: null,
        exportKey: `${line.exportKey}.rev`,
      },
      null,
    )
  }

  #replace(materialId: number, approved: StoredMaterial, replacedId: number): void {
    const { revision } = approved
    this.#add(
      {
        ...pickContent(approved),
        revision,
        materialId,
        lineKind: lineKinds.replacement,
        reversesId: null,
        replacesId: replacedId,
        exportKey: `T${materialId}.r${revision}`,
        createdAt: this.#timestamp,
      },
      materialId,
    )
  }

  /** `materialId` is the transaction that becomes exported when this line is acknowledged; null for a reversal. */
  #add(line: Omit<NewExportLine, 'id'>, materialId: number | null): void {
    const id = this.#transaction.sequences.next('materialId')
    const exportKey = line.lineKind === lineKinds.replacement ? `${line.exportKey}.l${id}` : line.exportKey
    const { lockDate, id: destinationId } = this.#destination
    const today = dateInZone(this.#context.zone, this.#context.now)
    const firstOpen = lockDate === null ? today : plusDays(lockDate, 1)
    this.#lines.push({ ...line, id, exportKey })
    this.#destinationLines.push({
      destinationId,
      lineId: id,
      materialId,
      revision: line.revision,
      generation: 1,
      state: 'ready',
      readyAt: this.#timestamp,
      postingDate: today < firstOpen ? firstOpen : today,
      approvedAt: this.#timestamp,
      approvedBy: this.#context.actor,
      failures: 0,
      parkedAt: null,
      claimId: null,
      acknowledgedAt: null,
      acknowledgedBy: null,
      externalId: null,
    })
  }

  /** Only a change in a field that the destination exports needs a correction. */
  #hasSameExportedFields(line: StoredContent, approved: StoredContent): boolean {
    const { exportedFields } = this.#destination
    const names: readonly string[] | null = exportedFields === null ? null : JSON.parse(exportedFields)
    return !listDifferences(line, approved).some((name) => names === null || names.includes(name))
  }

  async save(): Promise<void> {
    await withdrawReadyLines(this.#transaction, this.#withdrawnIds, { destinationId: this.#destination.id })
    await insertCorrections(this.#transaction, this.#lines)
    await insertCorrectionsAtDestinations(this.#transaction, this.#destinationLines)
  }
}
