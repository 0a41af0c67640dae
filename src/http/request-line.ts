// Checks of request line and headers before processing, and the request id.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../errors/api-error.ts'
import { requireShortHeaders, urlTooLongError } from '../errors/request-limits.ts'
import type { Limits } from './limits.ts'

/** Throws `UrlTooLong`, `HeadersTooLarge`, `MalformedRequest`, `ExpectationFailed`. */
export function checkHeaders({ url = '', rawHeaders, headers, httpVersion }: IncomingMessage, limits: Limits): void {
  if (url.length > limits.urlBytesMax) throw urlTooLongError(limits, 'urlBytesMax')
  let bytes = 0
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    bytes += name.length + (rawHeaders[index + 1] ?? '').length + 4
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  requireShortHeaders(bytes, rawHeaders.length / 2, limits)
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) throw new ApiError('MalformedRequest')
  // An absolute URL and the Host header must name the same host.
  if (isAbsolute(url) && absolute.exec(url)?.[1]?.toLowerCase() !== headers.host?.toLowerCase())
    throw new ApiError('MalformedRequest')
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') throw new ApiError('MalformedRequest')
  const { expect } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new ApiError('ExpectationFailed', { params: { expect } })
}

/** The error for a URL that cannot be decoded: its escapes are invalid, or what they encode is not UTF-8. */
export function urlDecodingError(url: string, cause: unknown): ApiError {
  const code = /%(?![\da-f]{2})/i.test(url) ? 'InvalidEncoding' : 'InvalidUtf8'
  return new ApiError(code, { cause })
}

/** Strips scheme and host of an absolute URL (`http://host/path`), as sent to proxies. */
export function pathAndQuery(url: string): string {
  return isAbsolute(url) ? url.replace(absolute, '') : url
}

function isAbsolute(url: string): boolean {
  return url.charCodeAt(0) !== slash && absolute.test(url)
}

const slash = '/'.charCodeAt(0)
const absolute = /^https?:\/\/([^/?#]*)/i

/** The client's `X-Request-Id` if it is safe for logs and headers, or a generated one. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : processId + ++requests
}

/** Unique per process; the counter after it is unique per request. */
const processId = `${randomBytes(9).toString('base64url')}-`
let requests = 0
