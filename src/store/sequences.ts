// The numbers of one company: record ids, journal ids and stamps, given out in the order of commits (ADR 0013).
import type { CounterTable } from './tables/revenue.ts'

/** What callers number above this leaves the counting alone: one such number would use it up. */
export const numberedBelow = 1_000_000_000

type Sequence = 'materialId' | 'ledgerId' | 'handOutId' | 'batchId' | 'auditId' | 'passages'

/** Held by the company's only writer; what it gives out is stored with the commit or never seen. */
export class Counters {
  #row: CounterTable
  #isChanged = false

  constructor(row: CounterTable) {
    this.#row = row
  }

  nextRevenueId(): number {
    this.#isChanged = true
    return ++this.#row.revenueId
  }

  nextRevenueLogId(): number {
    this.#isChanged = true
    return ++this.#row.revenueLogId
  }

  /** One above every number that was given out, be it by the caller. `highest` is the highest in use. */
  nextEmployeeId(highest: number): number {
    this.#isChanged = true
    return (this.#row.employeeId = Math.max(this.#row.employeeId, highest) + 1)
  }

  /** An employee's number was given by the caller: none below it is given out any more. */
  keepEmployeeId(id: number): void {
    if (id <= this.#row.employeeId || id >= numberedBelow) return
    this.#isChanged = true
    this.#row.employeeId = id
  }

  /** The first of so many numbers in a row. */
  take(sequence: Sequence, count = 1): number {
    this.#isChanged = true
    const first = this.#row[sequence] + 1
    this.#row[sequence] += count
    return first
  }

  /** No number up to this one is given out any more. */
  raise(sequence: Sequence, to: number): void {
    this.#isChanged = true
    this.#row[sequence] = Math.max(this.#row[sequence], to)
  }

  /** A moment in microseconds that no other change of the company has: now, or just after the last. */
  nextStamp(now: number): number {
    this.#isChanged = true
    return (this.#row.stamp = Math.max(now, this.#row.stamp + 1))
  }

  /** The first of so many such moments, a microsecond apart. */
  takeStamps(now: number, count: number): number {
    const first = this.nextStamp(now)
    this.#row.stamp += Math.max(0, count - 1)
    return first
  }

  get isChanged(): boolean {
    return this.#isChanged
  }

  /** A copy to go back to when an act is undone. */
  save(): CounterTable {
    return { ...this.#row }
  }

  restore(row: CounterTable): void {
    this.#row = { ...row }
  }
}
