// Collects the inserts and updates of one write; each transaction is stored once.
import type { Deed } from './action-context.ts'
import { nextState, nextStateCorrected } from './lifecycle.ts'
import { states, type State } from '../model/transaction.ts'
import { noteItems } from '../store/material/items.ts'
import {
  contentOfRow,
  insertMaterials,
  insertRevisions,
  updateMaterials,
  type NewRevision,
  type StoredContent,
  type StoredMaterial,
} from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

export class Changes {
  readonly #transaction: Transaction
  readonly #deed: Deed
  readonly #inserted = new Map<number, StoredMaterial>()
  readonly #edited = new Map<number, StoredMaterial>()
  readonly #revisions: NewRevision[] = []

  constructor(transaction: Transaction, deed: Deed) {
    this.#transaction = transaction
    this.#deed = deed
  }

  register(content: StoredContent): StoredMaterial {
    const { counters } = this.#transaction
    const stamp = counters.nextStamp(this.#deed.now)
    const material: StoredMaterial = {
      id: counters.take('materialId'),
      revision: 1,
      ...content,
      state: states.registered,
      rejectionReason: null,
      approvedAt: null,
      approvedBy: null,
      exportedAt: null,
      registeredBy: this.#deed.actor,
      decidedAt: null,
      decidedBy: null,
      changedAt: stamp,
      createdAt: stamp,
    }
    this.#inserted.set(material.id, material)
    return material
  }

  /** New content; the transaction awaits approval again. Null when the state allows no edit. */
  edit(stored: StoredMaterial, content: StoredContent): StoredMaterial | null {
    const before = this.#inserted.get(stored.id) ?? this.#edited.get(stored.id) ?? stored
    const state = nextState(before.state, 'edit')
    return state === null ? null : this.#applyEdit(before, content, state)
  }

  /** New content of an exported transaction, when every destination accepts corrections. */
  correct(stored: StoredMaterial, content: StoredContent): StoredMaterial | null {
    const state = nextStateCorrected(stored.state, 'edit')
    return state === null ? null : this.#applyEdit(stored, content, state)
  }

  #applyEdit(before: StoredMaterial, content: StoredContent, state: State): StoredMaterial {
    const { actor, requestId, now } = this.#deed
    const changedAt = this.#transaction.counters.nextStamp(now)
    this.#revisions.push({
      materialId: before.id,
      revision: before.revision,
      content: JSON.stringify(contentOfRow(before)),
      replacedAt: changedAt,
      replacedBy: actor,
      requestId,
    })
    const material: StoredMaterial = {
      ...before,
      ...content,
      revision: before.revision + 1,
      state,
      rejectionReason: null,
      approvedAt: null,
      approvedBy: null,
      registeredBy: actor,
      changedAt,
    }
    const changed = this.#inserted.has(material.id) ? this.#inserted : this.#edited
    changed.set(material.id, material)
    return material
  }

  /** Fills in the content of a transaction that was restored from the export journal; it stays exported. */
  complete(stored: StoredMaterial, content: StoredContent): StoredMaterial {
    const changedAt = this.#transaction.counters.nextStamp(this.#deed.now)
    const material: StoredMaterial = { ...stored, ...content, revision: 1, changedAt }
    this.#edited.set(material.id, material)
    return material
  }

  async store(): Promise<void> {
    const [inserted, edited] = [[...this.#inserted.values()], [...this.#edited.values()]]
    await insertMaterials(this.#transaction, inserted)
    await updateMaterials(this.#transaction, edited)
    await noteItems(this.#transaction, [...inserted, ...edited])
    await insertRevisions(this.#transaction, this.#revisions)
  }
}
