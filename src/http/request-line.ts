// What is checked of a request before anything of it is believed: its sizes, and its name in the log.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Fault } from '../errors/catalog.ts'
import type { Limits } from './limits.ts'

/** Throws `UrlTooLong`, `HeadersTooLarge`, `MalformedRequest`, `ExpectationFailed`. */
export function checkHeaders(
  { url = '', rawHeaders, headers, httpVersion }: IncomingMessage,
  limits: Limits,
): void {
  if (url.length > limits.urlBytesMax)
    throw new Fault('UrlTooLong', { says: { max: limits.urlBytesMax } })
  let bytes = 0
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    bytes += name.length + (rawHeaders[index + 1] ?? '').length + 4
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (bytes > limits.headersBytesMax || rawHeaders.length > 2 * limits.headersMax)
    throw new Fault('HeadersTooLarge')
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) throw new Fault('MalformedRequest')
  // Two names for the host are one too many: which of them was meant?
  if (isAbsolute(url) && authorityOf(url) !== headers.host?.toLowerCase())
    throw new Fault('MalformedRequest')
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    throw new Fault('MalformedRequest')
  const { expect } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new Fault('ExpectationFailed', { says: { expect } })
}

/** The address as proxies are asked for it, `http://host/path`, without its host. */
export function pathAndQuery(url: string): string {
  return isAbsolute(url) ? url.replace(absolute, '') : url
}

function isAbsolute(url: string): boolean {
  return url.charCodeAt(0) !== slash && absolute.test(url)
}

function authorityOf(url: string): string | undefined {
  return absolute.exec(url)?.[1]?.toLowerCase()
}

const slash = '/'.charCodeAt(0)
const absolute = /^https?:\/\/([^/?#]*)/i

/** The caller's own id where it is harmless in logs and headers, or one of ours. */
export function requestId(asked: string | string[] | undefined): string {
  return typeof asked === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(asked)
    ? asked
    : processId + ++requests
}

/** Unlike that of any other process; the number after it is unlike any other request's. */
const processId = `${randomBytes(9).toString('base64url')}-`
let requests = 0
