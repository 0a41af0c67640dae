// Collects the inserts and updates of one write; each transaction is stored once.
import type { WriteContext } from '../auth/action-context.ts'
import { nextState, nextCorrectedState } from './lifecycle.ts'
import { toRevision, undecided } from './content.ts'
import type { TransactionState } from '../model/transaction.ts'
import { getLineStatuses, isFinished } from '../store/export/acknowledgements.ts'
import { publishChange } from '../notifications/webhooks/publish.ts'
import { listDestinations } from '../store/export/destinations.ts'
import { setFirstRevision } from '../store/export/line-actions.ts'
import { offerLines } from '../store/material/approvals.ts'
import { saveItems } from '../store/material/items.ts'
import { saveLineChanges } from '../store/material/line-changes.ts'
import {
  insertRevisions,
  type NewRevision,
  type StoredContent,
  type StoredMaterial,
} from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

export class MaterialChanges {
  readonly #transaction: Transaction
  readonly context: WriteContext
  readonly #inserted = new Map<number, StoredMaterial>()
  readonly #edited = new Map<number, StoredMaterial>()
  /** The edited ones as they were stored. */
  readonly #before = new Map<number, StoredMaterial>()
  readonly #filledIn: StoredMaterial[] = []
  readonly #revisions: NewRevision[] = []

  constructor(transaction: Transaction, context: WriteContext) {
    this.#transaction = transaction
    this.context = context
  }

  register(content: StoredContent): StoredMaterial {
    const { sequences } = this.#transaction
    const stamp = sequences.nextStamp(this.context.now)
    const material: StoredMaterial = {
      id: sequences.next('materialId'),
      revision: 1,
      ...content,
      ...undecided,
      registeredBy: this.context.actor,
      changedAt: stamp,
      createdAt: stamp,
    }
    this.#inserted.set(material.id, material)
    return material
  }

  /** New content; the transaction awaits approval again. Null when the state allows no edit. */
  edit(stored: StoredMaterial, content: StoredContent): StoredMaterial | null {
    const current = this.#inserted.get(stored.id) ?? this.#edited.get(stored.id) ?? stored
    const state = nextState(current.state, 'edit')
    return state === null ? null : this.#applyEdit(current, content, state)
  }

  /** New content of an exported transaction, when every destination accepts corrections. */
  correct(stored: StoredMaterial, content: StoredContent): StoredMaterial | null {
    const state = nextCorrectedState(stored.state, 'edit')
    return state === null ? null : this.#applyEdit(stored, content, state)
  }

  #applyEdit(current: StoredMaterial, content: StoredContent, state: TransactionState): StoredMaterial {
    const changedAt = this.#transaction.sequences.nextStamp(this.context.now)
    this.#revisions.push(toRevision(current, this.context, changedAt))
    const material: StoredMaterial = {
      ...current,
      ...content,
      revision: current.revision + 1,
      state,
      rejectionReason: null,
      approvedAt: null,
      approvedBy: null,
      changedAt,
    }
    if (this.#inserted.has(material.id)) this.#inserted.set(material.id, material)
    else this.#setEdited(current, material)
    return material
  }

  /** Fills in the content of a transaction that was restored from the export journal; it stays exported. */
  fillIn(stored: StoredMaterial, content: StoredContent): StoredMaterial {
    const changedAt = this.#transaction.sequences.nextStamp(this.context.now)
    const material: StoredMaterial = { ...stored, ...content, revision: 1, changedAt }
    this.#setEdited(stored, material)
    this.#filledIn.push(material)
    return material
  }

  #setEdited(before: StoredMaterial, after: StoredMaterial): void {
    if (!this.#before.has(after.id)) this.#before.set(after.id, before)
    this.#edited.set(after.id, after)
  }

  /** Returns the ids of those that were stored before. */
  async save(): Promise<readonly number[]> {
    const [inserted, edited] = [[...this.#inserted.values()], [...this.#edited.values()]]
    await saveLineChanges(this.#transaction, [
      ...inserted.map((after) => ({ before: null, after })),
      ...edited.map((after) => ({ before: this.#before.get(after.id) ?? null, after })),
    ])
    await saveItems(this.#transaction, [...inserted, ...edited])
    await insertRevisions(this.#transaction, this.#revisions)
    if (this.#filledIn.length > 0) await this.#offerFilledIn()
    return [...this.#edited.keys()]
  }

  /**
   * Offers approved transactions at the destinations that existed at their approval, unless they have acknowledged them, and sets
   * the revision of the acknowledged lines.
   */
  async #offerFilledIn(): Promise<void> {
    const ids = this.#filledIn.map(({ id }) => id)
    for (const destination of await listDestinations(this.#transaction)) {
      const statuses = await getLineStatuses(this.#transaction, destination, ids)
      const offered = this.#filledIn.filter(({ id, approvedAt }) => {
        const status = statuses.get(id)
        const isApproved = approvedAt !== null && approvedAt >= destination.createdAt
        return isApproved && (status === undefined || !isFinished(status))
      })
      const ready = offered.map(({ id, changedAt: at }) => ({ id, at }))
      await offerLines(this.#transaction, ready, [destination])
      await setFirstRevision(this.#transaction, ids, { destinationId: destination.id })
      const readyIds = offered.map(({ id }) => id)
      await publishChange(this.#transaction, this.context, 'export.ready', readyIds, { destination: destination.name })
    }
  }
}
