// Reads a body: never more than its limit, never slower than its clock, never too many at once.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../errors/catalog.ts'
import type { Limits } from './limits.ts'

/** Counts the bytes of all bodies that are being received or worked on. */
export class BodyReader {
  readonly #limits: Limits
  readonly #held = new Map<IncomingMessage, number>()
  #bytesInFlight = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get bytesInFlight(): number {
    return this.#bytesInFlight
  }

  /**
   * The whole body. Throws `BodyTooLarge`, `RequestTimeout`, `Overloaded` and `UnsupportedContentEncoding`.
   * Its bytes stay counted until `release`. Who waits for `100 Continue` gets it here, where the address, the caller
   * and the size have been found good (RFC 9110, 10.1.1).
   */
  async read(
    message: IncomingMessage,
    response: ServerResponse,
    bytesMax: number,
  ): Promise<Buffer> {
    const { headers } = message
    if (headers['content-encoding'] !== undefined)
      throw new Fault('UnsupportedContentEncoding', { target: 'header:Content-Encoding' })
    const declared = Number(headers['content-length'] ?? 0)
    if (declared > bytesMax) throw tooLarge(bytesMax)
    // `Content-Length` is checked against the limit, not counted: a client that sends nothing uses nothing of it.
    this.#requireRoom(declared)
    // Most bodies come with their headers, and are all there by now.
    if (message.complete && declared > 0) {
      this.#hold(message, declared)
      return message.read() ?? nothing
    }
    const { httpVersion } = message
    if (headers.expect !== undefined && httpVersion !== '1.0') response.writeContinue()
    return this.#receive(message, bytesMax)
  }

  /** The request is answered: whatever was held of it is free again. */
  release(message: IncomingMessage): void {
    const held = this.#held.get(message)
    if (held === undefined) return
    this.#held.delete(message)
    this.#bytesInFlight -= held
  }

  /** Counts the bytes received of a body. Throws `Overloaded`. */
  #hold(message: IncomingMessage, bytes: number): void {
    const added = bytes - (this.#held.get(message) ?? 0)
    this.#requireRoom(added)
    this.#held.set(message, bytes)
    this.#bytesInFlight += added
  }

  /** Throws `Overloaded` where these bytes would exceed the limit. */
  #requireRoom(bytes: number): void {
    if (this.#bytesInFlight + bytes > this.#limits.bodyBytesInFlightMax)
      throw new Fault('Overloaded', { headers: { 'Retry-After': '2' } })
  }

  #receive(message: IncomingMessage, bytesMax: number): Promise<Buffer> {
    const { bodyTimeoutMs, bodyBytesPerSecondMin } = this.#limits
    return new Promise((resolve, reject) => {
      // Chunks are copied into one buffer as they come: a chunk may be a single byte, and costs hundreds as an object.
      let body: Buffer = nothing
      let bytes = 0
      let ticks = 0
      const clock = setInterval(() => {
        ticks += 1
        const allowedMs = bodyTimeoutMs + (bytes / bodyBytesPerSecondMin) * 1000
        if (ticks * tickMs > allowedMs) fail(new Fault('RequestTimeout'))
      }, tickMs)
      const take = (chunk: Buffer) => {
        try {
          const before = bytes
          bytes += chunk.length
          if (bytes > bytesMax) throw tooLarge(bytesMax)
          this.#hold(message, bytes)
          if (bytes > body.length) body = grown(body, bytes, bytesMax)
          chunk.copy(body, before)
        } catch (error) {
          fail(error)
        }
      }
      const end = () => {
        stop()
        resolve(body.subarray(0, bytes))
      }
      const fail = (error: unknown) => {
        stop()
        message.pause()
        reject(error)
      }
      const stop = () => {
        clearInterval(clock)
        message.off('data', take).off('end', end)
      }
      const breakOff = () => fail(new Fault('MalformedRequest'))
      if (message.destroyed) return breakOff()
      message.on('data', take).on('end', end).on('error', breakOff)
    })
  }
}

/** The bytes of what was sent and not read would be taken for the next request: it must not come on this connection. */
export function isLeftUnread(message: IncomingMessage): boolean {
  if (!message.complete) return true
  const { headers } = message
  const length = headers['content-length']
  const isBodiless = headers['transfer-encoding'] === undefined && (length ?? '0') === '0'
  return !isBodiless && !message.readableDidRead
}

/** The same bytes in a buffer of twice the size, so that each byte is copied about once. */
function grown(body: Buffer, bytes: number, bytesMax: number): Buffer {
  const larger: Buffer = Buffer.allocUnsafeSlow(Math.min(2 * bytes, bytesMax))
  body.copy(larger)
  return larger
}

const nothing = Buffer.alloc(0)

/** How often the clock of a body is looked at. */
const tickMs = 1000

function tooLarge(max: number) {
  return new Fault('BodyTooLarge', { says: { max } })
}
