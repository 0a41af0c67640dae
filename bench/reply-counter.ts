// Counts of the replies of one measurement: their times, rejections, and totals by kind of request and status.
import type { HttpReply } from './http-client.ts'

/** The replies with one status to one kind of request. */
export interface ReplyCount {
  readonly name: string
  readonly status: number
  replies: number
  longestMs: number
}

export class ReplyCounter {
  /** The times of the accepted requests. */
  readonly timesMs: number[] = []
  bytes = 0
  rejected = 0
  firstRejection: string | null = null
  readonly #counts = new Map<string, ReplyCount>()

  get replies(): number {
    return this.timesMs.length + this.rejected
  }

  get byName(): readonly ReplyCount[] {
    return [...this.#counts.values()].toSorted((a, b) => a.name.localeCompare(b.name))
  }

  /** `rejection` is the text of an error reply, null of an accepted request. */
  count(name: string | undefined, reply: HttpReply, ms: number, rejection: string | null): void {
    if (rejection === null) {
      this.timesMs.push(ms)
      this.bytes += reply.bytes
    } else {
      this.rejected++
      this.firstRejection ??= rejection
    }
    if (name !== undefined) this.#countByName(name, reply.status, ms)
  }

  #countByName(name: string, status: number, ms: number): void {
    const key = `${name} ${status}`
    const counted = this.#counts.get(key) ?? { name, status, replies: 0, longestMs: 0 }
    counted.replies++
    counted.longestMs = Math.max(counted.longestMs, ms)
    this.#counts.set(key, counted)
  }
}
