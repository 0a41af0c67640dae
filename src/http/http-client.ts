// HTTP client for outbound calls: allowed hosts only, TLS, time and size limits, no decompression.
import type { IncomingMessage } from 'node:http'
import { request as requestTls } from 'node:https'
import type { Duplex } from 'node:stream'
import { isLoopbackHost } from '../lib/network.ts'
import { request as requestPlain } from '../lib/node-http.ts'

export interface HttpClientRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Sends a request without following redirects. Rejects for hosts that are not allowed, and for plain HTTP except to this machine. */
export type HttpClient = (address: string, call: HttpClientRequest) => Promise<Response>

export function createHttpClient(hosts: readonly string[]): HttpClient {
  return async (address, call) => {
    const url = new URL(address)
    const isSafe = url.protocol === 'https:' || isLoopbackHost(url.hostname)
    if (!isSafe || !hosts.includes(url.hostname)) throw new HostNotAllowedError(url.hostname)
    return send(url, call)
  }
}

class HostNotAllowedError extends Error {
  readonly code = 'OUTBOUND_REFUSED'
  constructor(host: string) {
    super(`calls to ${host} are not allowed`)
  }
}

function send(url: URL, { method, headers, body }: HttpClientRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestTls : requestPlain)(url, {
      method,
      // Compressed replies would have to be decoded.
      headers: { ...headers, 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(timeoutMs),
      agent: false,
    })
    request.on('error', reject)
    // With 101 there is no response, and without a listener no error.
    request.on('upgrade', (_message, socket: Duplex) => {
      socket.destroy()
      reject(new Error('the reply switches protocols'))
    })
    request.on('response', (message) => {
      const chunks: Buffer[] = []
      let bytes = 0
      message.on('error', reject)
      message.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > responseBytesMax) message.destroy(new Error('the reply is too large'))
        else chunks.push(chunk)
      })
      message.on('end', () => {
        try {
          resolve(responseOf(message, Buffer.concat(chunks)))
        } catch (error) {
          // Response throws for an invalid status; an exception in this listener would be lost.
          reject(error)
        }
      })
    })
    request.end(body ?? undefined)
  })
}

function responseOf({ statusCode = 502, headers }: IncomingMessage, body: Buffer<ArrayBuffer>): Response {
  const type = headers['content-type']
  return new Response(bodilessStatuses.includes(statusCode) ? null : body, {
    status: statusCode,
    headers: type === undefined ? {} : { 'content-type': type },
  })
}

/** Statuses without a body (RFC 9110, 15). */
const bodilessStatuses: readonly number[] = [204, 205, 304]

const timeoutMs = 10_000
const responseBytesMax = 1 << 20
