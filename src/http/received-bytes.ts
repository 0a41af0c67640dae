// Received bytes: a body in segments, so that no turn of the event loop copies much of a long one.
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'

/** Chunks are copied: one may be a single byte, and costs hundreds of bytes as an object. */
export class ReceivedBytes {
  readonly #full: Buffer[] = []
  #last: Buffer = Buffer.alloc(0)
  #lastBytes = 0

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#lastBytes === this.#last.length) this.#grow(chunk.length - at)
      const copied = chunk.copy(this.#last, this.#lastBytes, at)
      this.#lastBytes += copied
      at += copied
    }
  }

  /**
   * All bytes in one buffer, copied in turns of the event loop. Called once: each segment is dropped after its copy, so that
   * a long body is not held twice.
   */
  async join(): Promise<Buffer> {
    const last = this.#last.subarray(0, this.#lastBytes)
    let at = this.#full.length * segmentBytes
    if (at === 0) return last
    const joined: Buffer = Buffer.allocUnsafeSlow(at + last.length)
    last.copy(joined, at)
    for (let segment = this.#full.pop(); segment !== undefined; segment = this.#full.pop()) {
      await yieldToEventLoop()
      segment.copy(joined, (at -= segmentBytes))
    }
    return joined
  }

  #grow(needed: number): void {
    const { length } = this.#last
    if (length === segmentBytes) {
      this.#full.push(this.#last)
      this.#last = Buffer.allocUnsafeSlow(segmentBytes)
      this.#lastBytes = 0
      return
    }
    // Doubled, so that a body of many small chunks is copied about once.
    const larger: Buffer = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * length, needed), segmentBytes))
    this.#last.copy(larger)
    this.#last = larger
  }
}

/** Some 0.1 ms to copy. */
export const segmentBytes = 256 * 1024
