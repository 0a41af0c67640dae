// Collects the changes of one write; each record is stored once, with all its change log entries.
import type { ActionContext } from '../auth/action-context.ts'
import { newRecord } from '../engine/model/resource.ts'
import { publishChange } from '../notifications/webhooks/publish.ts'
import type { RejectedOutcome } from '../model/outcome.ts'
import { revenueActions } from '../model/revenue-log.ts'
import { revenue, type Revenue } from '../model/revenue.ts'
import type { RevenueRowOutcome, StoredRevenueRow } from './types.ts'
import type { Transaction } from '../store/store.ts'
import type { NewRevenueLogEntry } from '../store/revenue/revenue-log.ts'
import { saveRevenues, type RevenueChange, type StoredRevenue } from '../store/revenue/revenues.ts'

/** A row's record, which later rows may still change. */
export interface RowChange extends Pick<StoredRevenueRow, 'isApplied'> {
  readonly record: StoredRevenue
}

interface PendingChange {
  readonly before: StoredRevenue | null
  /** The record after the rows processed so far. */
  readonly record: StoredRevenue
  readonly log: NewRevenueLogEntry[]
}

export class RevenueChanges {
  readonly #transaction: Transaction
  readonly context: ActionContext
  readonly #byId = new Map<number, PendingChange>()
  readonly #deleted: RevenueChange[] = []

  constructor(transaction: Transaction, context: ActionContext) {
    this.#transaction = transaction
    this.context = context
  }

  /** A new record; missing fields get their defaults (interface 2.1). */
  insert(values: Partial<Revenue>, isLeading: boolean): StoredRevenue {
    const { sequences } = this.#transaction
    const stamp = sequences.nextStamp(this.context.now)
    const record: StoredRevenue = {
      ...blankRevenue,
      ...values,
      id: sequences.nextRevenueId(),
      changedAt: stamp,
      createdAt: stamp,
      logId: null,
      isLeading,
    }
    this.#byId.set(record.id, { before: null, record, log: [] })
    return record
  }

  /** Changes an existing record; `undefined` keeps a field's value. */
  update(stored: StoredRevenue, values: Partial<Revenue>): StoredRevenue {
    const earlier = this.#byId.get(stored.id)
    const current = this.latestOf(stored)
    const record = {
      ...current,
      ...values,
      id: current.id,
      changedAt:
        earlier?.record.changedAt ?? this.#transaction.sequences.nextStamp(this.context.now),
    }
    const before = earlier === undefined ? stored : earlier.before
    this.#byId.set(record.id, { before, record, log: earlier?.log ?? [] })
    return record
  }

  /** Deletes a record; its key is never reused. */
  delete(stored: StoredRevenue): void {
    const { actor, requestId } = this.context
    const changedAt = this.#transaction.sequences.nextStamp(this.context.now)
    const entry = {
      action: revenueActions.delete,
      amount: null,
      before: stored.amount,
      after: null,
    }
    this.#deleted.push({
      before: { ...stored, changedAt },
      after: null,
      log: [{ ...entry, reference: null, actor, requestId }],
    })
  }

  /** Adds a change log entry for a change of a record's amount. */
  log(record: Revenue, entry: Omit<NewRevenueLogEntry, 'actor' | 'requestId'>): void {
    const { actor, requestId } = this.context
    this.#byId.get(record.id)?.log.push({ ...entry, actor, requestId })
  }

  /** The record after the rows processed so far. */
  latestOf(record: StoredRevenue): StoredRevenue {
    return this.#byId.get(record.id)?.record ?? record
  }

  /** The outcome of each row; several rows of one record all get its final values. */
  listOutcomes(rows: readonly (RowChange | RejectedOutcome)[]): RevenueRowOutcome[] {
    return rows.map((row) => {
      if ('problem' in row) return row
      const isNew = this.#byId.get(row.record.id)?.before === null
      return { ...row, record: this.latestOf(row.record), isNew }
    })
  }

  async save(): Promise<void> {
    const changed = [...this.#byId.values()].map(({ before, record, log }) => ({
      before,
      after: record,
      log,
    }))
    // Ids and timestamps of the log rise together.
    const all = [...changed, ...this.#deleted].toSorted(
      (one, other) => stampOf(one) - stampOf(other),
    )
    await saveRevenues(this.#transaction, all)
    const ids = all.flatMap(({ before, after }) => (after ?? before)?.id ?? [])
    await publishChange(this.#transaction, this.context, 'revenue.changed', ids)
  }
}

function stampOf({ before, after }: RevenueChange): number {
  return (after ?? before)?.changedAt ?? 0
}

const blankRevenue = newRecord(revenue)
