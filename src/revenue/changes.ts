// Collects the changes of one write; each record is stored once, with all its change log entries.
import type { Deed } from '../auth/action-context.ts'
import { tell } from '../notifications/webhooks/publish.ts'
import type { Refused } from '../model/outcome.ts'
import { actions } from '../model/revenue-log.ts'
import { revenue, type Revenue } from '../model/revenue.ts'
import type { RowOutcome, StoredRow } from './types.ts'
import type { Transaction } from '../store/store.ts'
import type { LogEntry } from '../store/revenue/revenue-log.ts'
import { writeRevenues, type RevenueChange, type StoredRevenue } from '../store/revenue/revenues.ts'

/** A row's record, which later rows may still change. */
export interface Placed extends Pick<StoredRow, 'isApplied'> {
  readonly record: StoredRevenue
}

interface Change {
  readonly before: StoredRevenue | null
  /** The record after the rows processed so far. */
  readonly record: StoredRevenue
  readonly log: LogEntry[]
}

export class Changes {
  readonly #transaction: Transaction
  readonly #deed: Deed
  readonly #byId = new Map<number, Change>()
  readonly #deleted: RevenueChange[] = []

  constructor(transaction: Transaction, deed: Deed) {
    this.#transaction = transaction
    this.#deed = deed
  }

  /** A new record; missing fields get their defaults (interface 2.1). */
  insert(values: Partial<Revenue>, isLeading: boolean): StoredRevenue {
    const { counters } = this.#transaction
    const stamp = counters.nextStamp(this.#deed.now)
    const record: StoredRevenue = {
      id: counters.nextRevenueId(),
      date: values.date ?? null,
      kind: values.kind ?? revenue.fields.kind.absent,
      departmentId: values.departmentId ?? null,
      amount: values.amount ?? null,
      remark: values.remark ?? null,
      changedAt: stamp,
      createdAt: stamp,
      isLeading,
    }
    this.#byId.set(record.id, { before: null, record, log: [] })
    return record
  }

  /** Changes an existing record; `undefined` keeps a field's value. */
  update(stored: StoredRevenue, values: Partial<Revenue>): StoredRevenue {
    const earlier = this.#byId.get(stored.id)
    const current = this.latest(stored)
    const record = {
      ...current,
      ...values,
      id: current.id,
      changedAt: earlier?.record.changedAt ?? this.#transaction.counters.nextStamp(this.#deed.now),
    }
    const before = earlier === undefined ? stored : earlier.before
    this.#byId.set(record.id, { before, record, log: earlier?.log ?? [] })
    return record
  }

  /** Deletes a record; its key is never reused. */
  delete(stored: StoredRevenue): void {
    const { actor, requestId } = this.#deed
    const changedAt = this.#transaction.counters.nextStamp(this.#deed.now)
    const entry = { action: actions.delete, amount: null, before: stored.amount, after: null }
    this.#deleted.push({
      before: { ...stored, changedAt },
      after: null,
      log: [{ ...entry, reference: null, actor, requestId }],
    })
  }

  /** Adds a change log entry for a change of a record's amount. */
  log(record: Revenue, entry: Omit<LogEntry, 'actor' | 'requestId'>): void {
    const { actor, requestId } = this.#deed
    this.#byId.get(record.id)?.log.push({ ...entry, actor, requestId })
  }

  /** The record after the rows processed so far. */
  latest(record: StoredRevenue): StoredRevenue {
    return this.#byId.get(record.id)?.record ?? record
  }

  /** The outcome of each row; several rows of one record all get its final values. */
  outcomes(rows: readonly (Placed | Refused)[]): RowOutcome[] {
    return rows.map((row) => {
      if ('refused' in row) return row
      const isNew = this.#byId.get(row.record.id)?.before === null
      return { ...row, record: this.latest(row.record), isNew }
    })
  }

  async store(): Promise<void> {
    const changed = [...this.#byId.values()].map(({ before, record, log }) => ({
      before,
      after: record,
      log,
    }))
    const all = [...changed, ...this.#deleted]
    await writeRevenues(this.#transaction, all)
    if (all.length === 0) return
    const { actor, requestId, now } = this.#deed
    const data = { count: all.length, actor, requestId }
    const { companyId } = this.#transaction
    await tell(this.#transaction, companyId, { type: 'revenue.changed', at: now, data })
  }
}
