// Request body reader with limits on size, time and the bytes of bodies in flight.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../errors/api-error.ts'
import { BodyQuota, type BodySender } from './body-quota.ts'
import type { Limits } from './limits.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import { ReceivedBytes, segmentBytes } from './received-bytes.ts'

/** A body that is received or processed. */
export interface BodyInFlight {
  readonly sender: BodySender
  /** The number of its bytes that are counted. */
  bytes: number
}

/** Reads bodies, and counts the bytes of all that are being received or processed. */
export class BodyReader {
  readonly #limits: Limits
  readonly #quota: BodyQuota

  constructor(limits: Limits) {
    this.#limits = limits
    this.#quota = new BodyQuota(limits)
  }

  get bytesInFlight(): number {
    return this.#quota.bytesInFlight
  }

  /**
   * The whole body. Throws `BodyTooLarge`, `RequestTimeout`, `Overloaded` and `UnsupportedContentEncoding`.
   * Its bytes are counted until `release`. `100 Continue` is sent here, after the URL, the caller and the size have been
   * checked (RFC 9110, 10.1.1).
   */
  async read(
    message: IncomingMessage,
    response: ServerResponse,
    body: BodyInFlight,
    endpointBytesMax: number,
  ): Promise<Buffer> {
    const { headers } = message
    const { sender } = body
    const bytesMax =
      sender.caller === undefined ? Math.min(endpointBytesMax, this.#limits.publicBodyBytesMax) : endpointBytesMax
    if (headers['content-encoding'] !== undefined)
      throw new ApiError('UnsupportedContentEncoding', { target: 'header:Content-Encoding' })
    const declared = Number(headers['content-length'] ?? 0)
    if (declared > bytesMax) throw this.#tooLarge(bytesMax)
    // `Content-Length` is checked against the limit, but not counted: a client that sends nothing uses no memory.
    this.#quota.requireCapacity(sender, declared)
    // Most bodies arrive together with their headers. Node's parser reports their end only after this.
    if (declared > 0 && message.readableLength === declared) {
      this.#count(body, declared)
      const bytes: Buffer | null = message.read()
      if (!message.complete) message.resume()
      return bytes ?? emptyBody
    }
    if (headers.expect !== undefined && message.httpVersion !== '1.0') response.writeContinue()
    return this.#receive(message, body, bytesMax)
  }

  /** Whether body bytes are unread. They would be parsed as the next request, so the connection must be closed. */
  hasUnreadBody(message: IncomingMessage, body: BodyInFlight | null): boolean {
    const { headers } = message
    const length = headers['content-length']
    if (body?.bytes === Number(length)) return false
    if (!message.complete) return true
    const isBodiless = headers['transfer-encoding'] === undefined && (length ?? '0') === '0'
    return !isBodiless && !message.readableDidRead
  }

  /** Frees the counted bytes of a request that has its reply; called once. */
  release({ sender, bytes }: BodyInFlight): void {
    if (bytes > 0) this.#quota.add(sender, -bytes)
  }

  /** Counts the bytes received of a body. Throws `Overloaded`. */
  #count(body: BodyInFlight, bytes: number): void {
    const added = bytes - body.bytes
    this.#quota.requireCapacity(body.sender, added)
    this.#quota.add(body.sender, added)
    body.bytes = bytes
  }

  #tooLarge(max: number): ApiError {
    const limitName = bodyLimitNames.find((name) => this.#limits[name] === max)
    const params = limitName === undefined ? { max } : { max, limitName }
    return new ApiError('BodyTooLarge', { params })
  }

  #receive(message: IncomingMessage, body: BodyInFlight, bytesMax: number): Promise<Buffer> {
    const { bodyTimeoutMs, bodyBytesPerSecondMin } = this.#limits
    return new Promise((resolve, reject) => {
      const received = new ReceivedBytes()
      let bytes = 0
      let bytesSincePause = 0
      let isReceiving = true
      let ticks = 0
      const clock = setInterval(() => {
        ticks += 1
        const allowedMs = bodyTimeoutMs + (bytes / bodyBytesPerSecondMin) * 1000
        if (ticks * tickMs <= allowedMs) return
        const params = { seconds: Math.floor(allowedMs / 1000), limitName: 'bodyTimeoutMs' }
        fail(new ApiError('RequestTimeout', { params }))
      }, tickMs)
      const take = (chunk: Buffer) => {
        try {
          bytes += chunk.length
          if (bytes > bytesMax) throw this.#tooLarge(bytesMax)
          this.#count(body, bytes)
          received.add(chunk)
          bytesSincePause += chunk.length
          if (bytesSincePause >= segmentBytes) pauseForTurn()
        } catch (error) {
          fail(error)
        }
      }
      // Node would read two MiB of a fast client in one turn of the event loop.
      const pauseForTurn = () => {
        message.pause()
        void yieldToEventLoop().then(() => {
          bytesSincePause = 0
          if (isReceiving) message.resume()
        })
      }
      const end = () => {
        stop()
        resolve(received.join())
      }
      const fail = (error: unknown) => {
        stop()
        message.pause()
        reject(error)
      }
      const stop = () => {
        isReceiving = false
        clearInterval(clock)
        message.off('data', take).off('end', end)
      }
      const failBroken = () => fail(new ApiError('MalformedRequest'))
      if (message.destroyed) return failBroken()
      message.on('data', take).on('end', end).on('error', failBroken)
    })
  }
}

const emptyBody = Buffer.alloc(0)

/** How often the time limit of a body is checked. */
const tickMs = 1000

/** The limits that endpoints have for their bodies. */
const bodyLimitNames = ['bodyBytesMax', 'listBytesMax', 'publicBodyBytesMax'] as const
