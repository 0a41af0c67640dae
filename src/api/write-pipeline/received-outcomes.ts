// The outcomes of rows as they arrive: serialized chunk by chunk, because a garbage collection moves each record that is in use.
import type { RecordKey } from '../../engine/model/resource.ts'
import { chunkItems, type ListWriter } from '../../engine/formats/write/long-list.ts'
import type { OutputRecord } from '../../engine/formats/write/record-serializer.ts'
import type { ErrorDetail } from '../../errors/api-error.ts'
import { forEachChunk } from '../../lib/yield-to-event-loop.ts'
import { listStored, type RowOutcome, type StoredRow } from './row-results.ts'

export interface OutcomeOptions {
  /** Writes the records of a list; null where the outcomes are kept. */
  readonly writer: ListWriter<OutputRecord> | null
  /** The record as the caller may see it. */
  readonly toVisible: (stored: StoredRow) => OutputRecord
  /** Null where keys are not kept. */
  readonly keyOf: ((record: OutputRecord) => RecordKey) | null
}

export class ReceivedOutcomes {
  readonly writer: OutcomeOptions['writer']
  readonly #options: OutcomeOptions
  /** Those of a writer's records are not kept. */
  readonly kept: RowOutcome[] = []
  /** Of the stored records. */
  readonly keys: RecordKey[] = []
  /** Of the rejected rows. */
  readonly problems: ErrorDetail[] = []
  /** How many rows changed something. */
  applied = 0
  count = 0

  constructor(options: OutcomeOptions) {
    this.writer = options.writer
    this.#options = options
  }

  /** Adds the outcomes of the next rows. */
  add(outcomes: readonly RowOutcome[]): void | Promise<void> {
    const { writer } = this
    const { keyOf, toVisible } = this.#options
    this.count += outcomes.length
    for (const outcome of outcomes) {
      if ('problem' in outcome) this.problems.push(outcome.problem)
      else if (outcome.isApplied) this.applied += 1
      if (writer === null) this.kept.push(outcome)
    }
    if (writer === null && keyOf === null) return
    const stored = listStored(outcomes)
    if (keyOf !== null) for (const { record } of stored) this.keys.push(keyOf(record))
    if (writer !== null) return forEachChunk(stored, chunkItems, (chunk) => writer.add(chunk.map(toVisible)))
  }
}
