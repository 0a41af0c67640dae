// Processes long lists in chunks within one transaction, so that other requests run in between.
import { forEachChunk, yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import type { RejectedOutcome } from '../model/outcome.ts'
import { publishChange } from '../notifications/webhooks/publish.ts'
import { findRevenues } from '../store/revenue/revenues.ts'
import type { Transaction } from '../store/store.ts'
import type { RevenueListWrite, RevenueRowOutcome, RevenueWriteHandler } from './types.ts'

/**
 * Chunks long lists; several rows of one record still all get its final values. Publishes the change. `threadChunkRows` is the
 * length of a chunk whose statements run on a thread of their own.
 */
export function inChunks(handler: RevenueWriteHandler, threadChunkRows = chunkRows) {
  return async (transaction: Transaction, { rows, context, receive }: RevenueListWrite): Promise<void> => {
    const write = async (start: number, end: number) => {
      const outcomes = await handler(transaction, rows.slice(start, end), context)
      await receive(outcomes, start)
      return outcomes
    }
    const publish = (ids: readonly number[]) => publishChange(transaction, context, 'revenue.changed', ids)
    if (rows.length <= chunkRows) return publish(listChanged(await write(0, rows.length)))
    const written = new WrittenRows()
    const length = transaction.hasOwnThread ? threadChunkRows : chunkRows
    for (let start = 0; start < rows.length; start += length) {
      if (start > 0) await yieldToEventLoop()
      written.add(await write(start, start + length))
    }
    const changed = await written.listChanged()
    // Fewer ids than rows: several rows of one record, or rows that changed nothing.
    if (!written.isAscending && changed.length < written.stored) await written.readAgain(transaction, receive)
    return publish(changed)
  }
}

/** The ids of the records that were changed, each once. */
function listChanged(outcomes: readonly RevenueRowOutcome[]): number[] {
  const ids = outcomes.flatMap((outcome) => ('record' in outcome && outcome.isApplied ? outcome.record.id : []))
  return ids.length <= 1 ? ids : [...new Set(ids)]
}

/** Small enough that a concurrent read waits only some 1.5 ms; whole statements of twenty rows. */
export const chunkRows = 120

/** What is kept of the rows of a list: not their records. */
class WrittenRows {
  /** Of each row; 0 for a rejected one. */
  readonly #ids: number[] = []
  readonly #flags: number[] = []
  readonly #rejected = new Map<number, RejectedOutcome>()
  stored = 0
  /** Where ids ascend, as they often do in a list by date, none is there twice, which a set takes longer to find out. */
  isAscending = true
  #last = 0

  /** The outcomes of the next rows. */
  add(outcomes: readonly RevenueRowOutcome[]): void {
    for (const outcome of outcomes) {
      if ('problem' in outcome) {
        this.#rejected.set(this.#ids.length, outcome)
        this.#ids.push(0)
        this.#flags.push(0)
        continue
      }
      const { record, isApplied, isNew } = outcome
      this.#ids.push(record.id)
      this.#flags.push((isApplied ? flags.applied : 0) | (isNew ? flags.new : 0))
      this.stored += 1
      this.isAscending &&= record.id > this.#last
      this.#last = record.id
    }
  }

  /** The ids of the records that were changed, each once. */
  async listChanged(): Promise<readonly number[]> {
    const changed: number[] = []
    await forEachChunk(this.#ids, 10 * chunkRows, (ids, start) => {
      for (const [index, id] of ids.entries()) if (this.#has(start + index, flags.applied)) changed.push(id)
    })
    return this.isAscending ? changed : listDistinct(changed)
  }

  /** Reports all rows once more, with the records as they are now. */
  async readAgain(transaction: Transaction, receive: RevenueListWrite['receive']): Promise<void> {
    const inserted = new Set<number>()
    await forEachChunk(this.#ids, 10 * chunkRows, (ids, start) =>
      ids.forEach((id, index) => this.#has(start + index, flags.new) && inserted.add(id)),
    )
    await forEachChunk(this.#ids, chunkRows, async (ids, start) => {
      const records = await findRevenues(transaction, ids)
      const outcomes = ids.map((id, index): RevenueRowOutcome => {
        const rejected = this.#rejected.get(start + index)
        if (rejected !== undefined) return rejected
        const record = records.get(id)
        if (record === undefined) throw new Error('a written record is missing')
        return { record, isApplied: this.#has(start + index, flags.applied), isNew: inserted.has(id) }
      })
      await receive(outcomes, start)
    })
  }

  #has(index: number, flag: number): boolean {
    return ((this.#flags[index] ?? 0) & flag) > 0
  }
}

const flags = { applied: 1, new: 2 } as const

/** Each id once. A set of 100,000 takes 15 ms each time that it grows, so there are many. */
async function listDistinct(ids: readonly number[]): Promise<number[]> {
  const sets = Array.from({ length: 64 }, () => new Set<number>())
  const distinct: number[] = []
  await forEachChunk(ids, 10 * chunkRows, (chunk) => {
    for (const id of chunk) {
      const seen = sets[id % sets.length]
      if (seen?.has(id) !== false) continue
      seen.add(id)
      distinct.push(id)
    }
  })
  return distinct
}
