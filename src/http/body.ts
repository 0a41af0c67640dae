// Reads a body: never more than its limit, never slower than its clock, never too many at once.
import type { IncomingMessage } from 'node:http'
import { Fault } from '#faults.ts'
import { limits } from '#http/limits.ts'

/** Counts the bytes of all bodies that are being received or worked on. */
export class BodyReader {
  #bytesInFlight = 0

  /**
   * The whole body. Throws `BodyTooLarge`, `RequestTimeout`, `Overloaded` and `UnsupportedContentEncoding`.
   * The bytes stay counted until `release`.
   */
  async read(message: IncomingMessage, bytesMax: number): Promise<Buffer> {
    if (message.headers['content-encoding'] !== undefined)
      throw new Fault('UnsupportedContentEncoding', { target: 'header:Content-Encoding' })
    const declared = Number(message.headers['content-length'] ?? 0)
    if (declared > bytesMax) throw tooLarge(bytesMax)
    const reserved = new Reservation(this)
    try {
      reserved.raiseTo(declared)
      const chunks = await receive(message, bytesMax, (bytes) => reserved.raiseTo(bytes))
      message.once('close', () => reserved.release())
      return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
    } catch (error) {
      reserved.release()
      throw error
    }
  }

  /** Throws `Overloaded` when the house holds too much already. */
  add(bytes: number): void {
    if (this.#bytesInFlight + bytes > limits.bodyBytesInFlightMax)
      throw new Fault('Overloaded', { headers: { 'Retry-After': '2', Connection: 'close' } })
    this.#bytesInFlight += bytes
  }

  remove(bytes: number): void {
    this.#bytesInFlight -= bytes
  }
}

class Reservation {
  readonly #reader: BodyReader
  #bytes = 0

  constructor(reader: BodyReader) {
    this.#reader = reader
  }

  raiseTo(bytes: number): void {
    if (bytes <= this.#bytes) return
    this.#reader.add(bytes - this.#bytes)
    this.#bytes = bytes
  }

  release(): void {
    this.#reader.remove(this.#bytes)
    this.#bytes = 0
  }
}

const receive = (
  message: IncomingMessage,
  bytesMax: number,
  onBytes: (bytesSoFar: number) => void,
): Promise<Buffer[]> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    let secondsLeft = limits.bodyTimeoutMs / 1000
    const end = (finish: () => void) => {
      clearInterval(clock)
      message.removeAllListeners('data').removeAllListeners('end')
      finish()
    }
    const fail = (error: unknown) => end(() => reject(error))
    const clock = setInterval(() => {
      secondsLeft -= 1
      if (secondsLeft + bytes / limits.bodyBytesPerSecondMin < 0)
        fail(new Fault('RequestTimeout', { headers: { Connection: 'close' } }))
    }, 1000)
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bytesMax) return fail(tooLarge(bytesMax))
      try {
        onBytes(bytes)
        chunks.push(chunk)
      } catch (error) {
        fail(error)
      }
    })
    message.on('end', () => end(() => resolve(chunks)))
    message.on('error', (cause) => fail(new Fault('MalformedRequest', { cause })))
    message.on('aborted', () => fail(new Fault('MalformedRequest')))
  })

/** The rest of the body is not read: the connection ends with the answer. */
const tooLarge = (max: number) =>
  new Fault('BodyTooLarge', { says: { max }, headers: { Connection: 'close' } })
