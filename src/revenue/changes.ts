// Collects the changes of one write; each record is stored once, with all its change log entries.
import type { ActionContext } from '../auth/action-context.ts'
import { newRecord } from '../engine/model/resource.ts'
import { expectChange } from '../notifications/webhooks/publish.ts'
import type { RejectedOutcome } from '../model/outcome.ts'
import { revenueActions } from '../model/revenue-log.ts'
import { revenue, type Revenue } from '../model/revenue.ts'
import type { RevenueRowOutcome, StoredRevenueRow } from './types.ts'
import type { Transaction } from '../store/store.ts'
import type { NewRevenueLogEntry } from '../store/revenue/revenue-log.ts'
import { saveRevenues, type StoredRevenue } from '../store/revenue/revenues.ts'

/** A row's record, which later rows may still change. */
export interface RowChange extends Pick<StoredRevenueRow, 'isApplied'> {
  readonly record: StoredRevenue
}

/** A change log entry without the amounts before and after the change. */
type LoggedAction = Pick<NewRevenueLogEntry, 'action' | 'amount' | 'reference'>

/** A change as far as the rows are processed. */
interface PendingChange {
  readonly before: StoredRevenue | null
  after: StoredRevenue | null
  readonly log: NewRevenueLogEntry[]
}

export class RevenueChanges {
  readonly #transaction: Transaction
  readonly context: ActionContext
  /** In the order of their timestamps. */
  readonly #byId = new Map<number, PendingChange>()

  constructor(transaction: Transaction, context: ActionContext) {
    this.#transaction = transaction
    this.context = context
    expectChange(transaction, 'revenue.changed')
  }

  /** A new record; missing fields get their defaults (interface 2.1). */
  insert(values: Partial<Revenue>, isLeading: boolean, logged: LoggedAction): StoredRevenue {
    const { sequences } = this.#transaction
    const stamp = sequences.nextStamp(this.context.now)
    const id = sequences.next('revenueId')
    const record: StoredRevenue = {
      ...blankRevenue,
      ...values,
      id,
      changedAt: stamp,
      createdAt: stamp,
      cellRank: isLeading ? 0 : id,
      logId: null,
    }
    const log = [toEntry(logged, null, record)]
    this.#byId.set(id, { before: null, after: record, log })
    return record
  }

  /** Changes an existing record; `undefined` keeps a field's value. */
  update(stored: StoredRevenue, values: Partial<Revenue>, logged: LoggedAction): StoredRevenue {
    const { id } = stored
    const pending = this.#byId.get(id)
    const current = pending?.after ?? stored
    const changedAt =
      pending === undefined ? this.#transaction.sequences.nextStamp(this.context.now) : current.changedAt
    const record: StoredRevenue = { ...current, ...values, id, changedAt }
    const entry = toEntry(logged, current.amount, record)
    if (pending === undefined) {
      this.#byId.set(id, { before: stored, after: record, log: [entry] })
    } else {
      pending.after = record
      pending.log.push(entry)
    }
    return record
  }

  /** Deletes a record; its key is never reused. */
  delete(stored: StoredRevenue): void {
    const changedAt = this.#transaction.sequences.nextStamp(this.context.now)
    const entry = { action: revenueActions.delete, amount: null, reference: null }
    this.#byId.set(stored.id, {
      before: { ...stored, changedAt },
      after: null,
      log: [{ ...entry, before: stored.amount, after: null }],
    })
  }

  /** The outcome of each row; several rows of one record all get its final values. */
  listOutcomes(rows: readonly (RowChange | RejectedOutcome)[]): RevenueRowOutcome[] {
    return rows.map((row) => {
      if ('problem' in row) return row
      const { record, isApplied } = row
      const change = this.#byId.get(record.id)
      return { record: change?.after ?? record, isApplied, isNew: change?.before === null }
    })
  }

  /** Without the event `revenue.changed`: there is one for all records that a write changed (docs/webhooks.md). */
  save(): Promise<void> {
    return saveRevenues(this.#transaction, [...this.#byId.values()], this.context)
  }
}

function toEntry(
  { action, amount, reference }: LoggedAction,
  before: number | null,
  record: Revenue,
): NewRevenueLogEntry {
  return { action, amount, before, after: record.amount, reference }
}

const blankRevenue = newRecord(revenue)
