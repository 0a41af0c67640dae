// Sequences of a company: record ids, log ids and timestamps, assigned in commit order (ADR 0011).
import { isDeepStrictEqual } from 'node:util'
import type { SequenceTable } from './tables/revenue.ts'

/** Ids at or above this, chosen by callers, do not advance the sequence: one large id would exhaust it. */
export const sequenceKeyLimit = 1_000_000_000

/**
 * How many ids of a kind a restore or a failover is taken to have lost. Others know records by these ids, so no later record may
 * get one of them.
 */
export const lostIdsMax = [
  ['revenueId', 1_000_000],
  ['materialId', 1_000_000],
  ['employeeId', 1000],
] as const

type SequenceName =
  | 'revenueId'
  | 'revenueLogId'
  | 'materialId'
  | 'ledgerId'
  | 'retrievalId'
  | 'claimId'
  | 'auditId'
  | 'signInEvents'

/** Used by the company's only writer; a number is saved with the commit, or discarded with the rollback. */
export class Sequences {
  #row: SequenceTable
  #isChanged = false

  constructor(row: SequenceTable) {
    this.#row = row
  }

  /** One above every number that was assigned, also by a caller. `highest` is the highest in use. */
  nextEmployeeId(highest: number): number {
    this.#isChanged = true
    return (this.#row.employeeId = Math.max(this.#row.employeeId, highest) + 1)
  }

  /** Skips the sequence past an employee id that a caller chose. */
  reserveEmployeeId(id: number): void {
    if (id <= this.#row.employeeId || id >= sequenceKeyLimit) return
    this.#isChanged = true
    this.#row.employeeId = id
  }

  /** Assigns `count` consecutive numbers and returns the first. */
  next(sequence: SequenceName, count = 1): number {
    this.#isChanged = true
    const first = this.#row[sequence] + 1
    this.#row[sequence] += count
    return first
  }

  /** The last number that was assigned. */
  last(sequence: SequenceName): number {
    return this.#row[sequence]
  }

  /** Skips the sequence past this number. */
  advanceTo(sequence: SequenceName, to: number): void {
    this.#isChanged = true
    this.#row[sequence] = Math.max(this.#row[sequence], to)
  }

  /** Skips the ids that a restore or a failover may have lost. */
  skipLostIds(): void {
    this.#isChanged = true
    for (const [sequence, count] of lostIdsMax) this.#row[sequence] += count
  }

  /** A unique timestamp in microseconds: now, or one microsecond after the previous timestamp of the company. */
  nextStamp(now: number): number {
    this.#isChanged = true
    return (this.#row.lastTimestamp = this.stampAfter(now))
  }

  /** The timestamp that `nextStamp` would assign. */
  stampAfter(now: number): number {
    return Math.max(now, this.#row.lastTimestamp + 1)
  }

  /** Assigns `count` such timestamps, a microsecond apart, and returns the first. */
  nextStamps(now: number, count: number): number {
    const first = this.nextStamp(now)
    this.#row.lastTimestamp += Math.max(0, count - 1)
    return first
  }

  get lastTimestamp(): number {
    return this.#row.lastTimestamp
  }

  get isChanged(): boolean {
    return this.#isChanged
  }

  /** Whether all numbers are those of the row. */
  isAt(row: SequenceTable): boolean {
    return isDeepStrictEqual(this.#row, row)
  }

  /** A copy to restore when a savepoint is rolled back. */
  snapshot(): SequenceTable {
    return { ...this.#row }
  }

  restore(row: SequenceTable): void {
    this.#row = { ...row }
  }
}
