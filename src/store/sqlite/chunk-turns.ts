// Chunk turns: all streams of a process together read few chunks in each turn of the event loop.
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'

export class ChunkTurns {
  readonly #requests: () => number
  /** Streams that wait for their next chunk, in the order of their turns. */
  readonly #waiting: (() => void)[] = []
  #isRunning = false
  /** The chunks that may still be read in this turn. */
  #left = 0

  /** `requests` counts the reads and writes of all others so far. */
  constructor(requests: () => number) {
    this.#requests = requests
  }

  /** Resolves when the caller may read a chunk. */
  async next(): Promise<void> {
    if (this.#left > 0 && this.#waiting.length === 0) {
      this.#left--
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    if (!this.#isRunning) void this.#run()
    await promise
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    let requestsBefore = this.#requests()
    while (this.#waiting.length > 0) {
      await yieldToEventLoop()
      const requests = this.#requests()
      const chunks = chunksBeside(requests - requestsBefore)
      requestsBefore = requests
      const resumed = this.#waiting.splice(0, chunks)
      this.#left = chunks - resumed.length
      for (const resume of resumed) resume()
      setImmediate(() => {
        this.#left = 0
      })
    }
    this.#isRunning = false
  }
}

/**
 * In proportion to what the turn did for others: beside few callers one chunk is most of a turn, and beside many it is so
 * little of a long turn that the snapshot of the stream, and with it the write-ahead log, would grow for minutes.
 */
function chunksBeside(requests: number): number {
  return Math.min(chunksPerTurnMax, Math.max(1, Math.floor(requests / requestsPerChunk)))
}

const chunksPerTurnMax = 4
/** A chunk takes about as long as so many point reads (measured). */
const requestsPerChunk = 8
