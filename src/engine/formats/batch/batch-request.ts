// A request of an OData batch, parsed from multipart or JSON, and the errors of batch parsing.
import { Fault } from '../../../errors/catalog.ts'
import { phrase, type PhraseCode } from '../../../errors/messages.ts'

export interface BatchRequest {
  /** The name that other requests of the batch refer to it by; null if it has none. */
  readonly id: string | null
  /** Requests of one group (a change set) are executed atomically. */
  readonly group: string | null
  /** Preceding requests and groups that must have succeeded. */
  readonly dependsOn: readonly string[]
  readonly method: string
  /** As sent: absolute, relative to the host, or relative to the service root. */
  readonly url: string
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** Has an `if` condition on other replies. */
  readonly isConditional?: true
}

export const batchRequestsMax = 1000

/** `target` is the location in the batch: `part 3`, `requests[2].url`. */
export function invalidBatch(place: string, problem: PhraseCode): Fault {
  return new Fault('InvalidBatch', { target: place, says: { problem: phrase(problem) } })
}

export function tooManyRequests(): Fault {
  return new Fault('BatchTooLarge', { says: { max: batchRequestsMax } })
}
