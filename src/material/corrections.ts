// Correction lines: reversal and replacement pairs that bring a destination up to date.
import { dayAfter } from '../lib/calendar.ts'
import { dayIn } from '../lib/civil-date.ts'
import { differing } from './content.ts'
import type { Deed } from './action-context.ts'
import { lineKinds } from '../model/transaction.ts'
import {
  insertCorrections,
  linesThere,
  takeBack,
  type LineThere,
  type NewLine,
  type NewOffer,
} from '../store/export/corrections.ts'
import type { Destination } from '../store/export/destinations.ts'
import { contentOfRow, type StoredContent } from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

/** The approved content of a transaction; null when it was deleted or its approval was withdrawn. */
export interface Settlement {
  readonly id: number
  readonly approved: (StoredContent & { readonly revision: number }) | null
}

/**
 * Adds the missing lines for each transaction that the destination has received: a reversal of the line it has, and a
 * replacement. Lines that were never retrieved are removed first, so that several changes between two retrievals add
 * at most one pair; retrieved lines stay and are themselves corrected. Returns the transactions the destination has
 * received, and whether each has a line waiting.
 */
export async function settle(
  transaction: Transaction,
  destination: Destination,
  settlements: readonly Settlement[],
  deed: Deed,
): Promise<ReadonlyMap<number, boolean>> {
  const ids = settlements.map(({ id }) => id)
  const there = await linesThere(transaction, destination, ids)
  const made = new Corrections(transaction, destination, deed)
  const settled = new Map<number, boolean>()
  for (const settlement of settlements) {
    const lines = there.get(settlement.id)
    if (lines === undefined) continue
    const isWaiting = made.correct(settlement, lines)
    settled.set(settlement.id, isWaiting)
  }
  await made.store()
  return settled
}

class Corrections {
  readonly #transaction: Transaction
  readonly #destination: Destination
  readonly #deed: Deed
  readonly #timestamp: number
  readonly #withdrawnIds: number[] = []
  readonly #lines: NewLine[] = []
  readonly #destinationLines: NewOffer[] = []

  constructor(transaction: Transaction, destination: Destination, deed: Deed) {
    this.#transaction = transaction
    this.#destination = destination
    this.#deed = deed
    this.#timestamp = transaction.counters.nextStamp(deed.now)
  }

  /** Returns whether the transaction has a line waiting afterwards. */
  correct({ id, approved }: Settlement, lines: readonly LineThere[]): boolean {
    const firm = lines.filter(({ isFirm }) => isFirm === 1)
    this.#withdrawnIds.push(...lines.filter(({ isFirm }) => isFirm === 0).map((line) => line.id))
    const reversed = new Set(firm.map(({ reversesId }) => reversesId))
    const standing = firm.findLast(
      (line) => line.lineKind !== lineKinds.reversal && !reversed.has(line.id),
    )
    const isWaiting = firm.some(({ state }) => state === 'ready')
    if (
      standing !== undefined &&
      approved !== null &&
      this.#hasSameExportedFields(standing, approved)
    )
      return isWaiting
    if (standing !== undefined) this.#reverse(standing)
    const last = firm.findLast(({ lineKind }) => lineKind !== lineKinds.reversal)
    if (approved !== null) this.#replace(id, approved, last?.id ?? id)
    return isWaiting || standing !== undefined || approved !== null
  }

  /** An exact copy with quantity and amount negated; prices, project and department stay the same. */
  #reverse(line: LineThere): void {
    const { id: _, state: __, isFirm: ___, ...copied } = line
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

  #replace(materialId: number, approved: NonNullable<Settlement['approved']>, of: number): void {
    const { revision } = approved
    this.#add(
      {
        ...contentOfRow(approved),
        revision,
        materialId,
        lineKind: lineKinds.replacement,
        reversesId: null,
        replacesId: of,
        exportKey: `T${materialId}.r${revision}`,
        createdAt: this.#timestamp,
      },
      materialId,
    )
  }

  /** `materialId` is the transaction that becomes exported when this line is acknowledged; null for a reversal. */
  #add(line: Omit<NewLine, 'id'>, materialId: number | null): void {
    const id = this.#transaction.counters.take('materialId')
    const exportKey =
      line.lineKind === lineKinds.replacement ? `${line.exportKey}.l${id}` : line.exportKey
    const { lockDate, id: destinationId } = this.#destination
    const today = dayIn(this.#deed.zone, this.#deed.now)
    const firstOpen = lockDate === null ? today : dayAfter(lockDate)
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
      approvedBy: this.#deed.actor,
      failures: 0,
      parkedAt: null,
      batchId: null,
      markedAt: null,
      markedBy: null,
      externalId: null,
    })
  }

  /** Only a change in a field that the destination exports needs a correction. */
  #hasSameExportedFields(line: StoredContent, approved: StoredContent): boolean {
    const { exportedFields } = this.#destination
    const names: readonly string[] | null =
      exportedFields === null ? null : JSON.parse(exportedFields)
    return !differing(line, approved).some((name) => names === null || names.includes(name))
  }

  async store(): Promise<void> {
    await takeBack(this.#transaction, this.#destination.id, this.#withdrawnIds)
    await insertCorrections(this.#transaction, this.#lines, this.#destinationLines)
  }
}
