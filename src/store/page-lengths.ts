// Page lengths: pages of long records, which are streams, because reading one at once takes long and much memory.
import type { ReadPlan } from '../engine/planner/read-plan.ts'
import type { SqlValue } from '../engine/sql/dialect.ts'
import { LeastRecentlyUsed } from '../lib/least-recently-used.ts'
import { pageRowsMax } from './read.ts'

export class PageLengths {
  /**
   * The greatest mean length of the records of a page that was read, by company, resource and number of relations, where the
   * longest page of such records is too long.
   */
  readonly #recordLengths = new LeastRecentlyUsed<string, number>(keysMin)

  /** Whether a page of so many records may be too long to be read at once. */
  isLong(plan: ReadPlan, records: number): boolean {
    if (records <= shortPageRecords || this.#recordLengths.isEmpty) return false
    return records * (this.#recordLengths.get(keyOf(plan)) ?? 0) > lengthMax
  }

  /** Remembers the length of a page that was read. */
  add(plan: ReadPlan, records: number, length: () => number): void {
    if (records <= shortPageRecords) return
    const recordLength = length() / records
    if (recordLength * pageRowsMax <= lengthMax) return
    const key = keyOf(plan)
    this.#recordLengths.set(key, Math.max(recordLength, this.#recordLengths.get(key) ?? 0))
  }
}

/** As XML, which has the names of the elements too. */
export function lengthOf(rows: readonly (readonly SqlValue[])[]): number {
  let length = 0
  for (const row of rows)
    for (const value of row) length += elementLength + (typeof value === 'string' ? value.length : 0)
  return length
}

function keyOf({ companyId, resource, expand }: ReadPlan): string {
  return `${companyId} ${resource.wire} ${expand.length}`
}

const elementLength = 40
const shortPageRecords = 100
const keysMin = 10_000
/** A page of 10,000 records of usual length has half as much, and takes some 10 ms. */
const lengthMax = 4 * 1024 * 1024
