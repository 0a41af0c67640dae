// Calls that the server makes itself: to named hosts alone, over TLS, within a time and a size, and nothing decoded.
import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestTls } from 'node:https'

export interface OutboundCall {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Makes a call, and follows no redirect. Rejects for a host that is not named, and for plain http beyond this machine. */
export type Outbound = (address: string, call: OutboundCall) => Promise<Response>

export function outboundTo(hosts: readonly string[]): Outbound {
  return async (address, call) => {
    const url = new URL(address)
    const isSafe = url.protocol === 'https:' || ownNames.includes(url.hostname)
    if (!isSafe || !hosts.includes(url.hostname)) throw new OutboundRefused(url.hostname)
    return send(url, call)
  }
}

/** This machine, which no network stands before. */
export const ownNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

class OutboundRefused extends Error {
  readonly code = 'OUTBOUND_REFUSED'
  constructor(host: string) {
    super(`no calls are made to ${host}`)
  }
}

function send(url: URL, { method, headers, body }: OutboundCall): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestTls : requestPlain)(url, {
      method,
      // What came compressed would have to be decoded.
      headers: { ...headers, 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(timeoutMs),
      agent: false,
    })
    request.on('error', reject)
    request.on('response', (message) => {
      const pieces: Buffer[] = []
      let bytes = 0
      message.on('error', reject)
      message.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (bytes > answerBytesMax) message.destroy(new Error('an answer that is too long'))
        else pieces.push(piece)
      })
      message.on('end', () => {
        try {
          resolve(responseOf(message, Buffer.concat(pieces)))
        } catch (error) {
          // A status that HTTP does not know: nobody hears what is thrown in here.
          reject(error)
        }
      })
    })
    request.end(body ?? undefined)
  })
}

function responseOf(
  { statusCode = 502, headers }: IncomingMessage,
  body: Buffer<ArrayBuffer>,
): Response {
  const type = headers['content-type']
  return new Response(bodiless.includes(statusCode) ? null : body, {
    status: statusCode,
    headers: type === undefined ? {} : { 'content-type': type },
  })
}

/** Statuses that go with no body (RFC 9110, 15). */
const bodiless: readonly number[] = [204, 205, 304]

const timeoutMs = 10_000
const answerBytesMax = 1 << 20
