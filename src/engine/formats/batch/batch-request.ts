// One request of a batch, however it was written.
import { Fault } from '../../../errors/catalog.ts'
import { phrase, type PhraseCode } from '../../../errors/messages.ts'

export interface BatchRequest {
  /** By which others of the batch name it; null where it has no name. */
  readonly id: string | null
  /** Requests of one group are done together or not at all. */
  readonly group: string | null
  /** Requests and groups before it, which must have gone well. */
  readonly dependsOn: readonly string[]
  readonly method: string
  /** As it was written: absolute, from the host's root, or from the service's. */
  readonly url: string
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** Carries a condition on other answers. */
  readonly isConditional?: true
}

export const batchRequestsMax = 1000

/** `place` is where in the batch: `part 3`, `requests[2].url`. */
export function invalidBatch(place: string, problem: PhraseCode): Fault {
  return new Fault('InvalidBatch', { target: place, says: { problem: phrase(problem) } })
}

export function tooManyRequests(): Fault {
  return new Fault('BatchTooLarge', { says: { max: batchRequestsMax } })
}
