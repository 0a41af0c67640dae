// Session cookie and CSRF checks (Origin, Sec-Fetch-Site, X-CSRF-Token).
import { createHmac } from 'node:crypto'
import { hashesEqual } from '../passwords/password-hash.ts'
import { ApiError } from '../../errors/api-error.ts'
import { microsecondsPerSecond } from '../../lib/timestamp.ts'

/** The parts of a browser request that are checked. */
export interface BrowserRequest {
  readonly origin: string
  header(name: string): string | undefined
}

const cookieName = '__Host-sid'

/** Browsers accept it over HTTPS and from localhost. Lax, so that links in e-mails open in a signed-in session. */
export function sessionCookie(id: string): string {
  return hostCookie(cookieName, id)
}

export const clearedSessionCookie = hostCookie(cookieName, '', 0)

/** `lifetime` in microseconds; without one the cookie lasts until the browser is closed. */
export function hostCookie(name: string, value: string, lifetime?: number): string {
  const maxAge = lifetime === undefined ? '' : ` Max-Age=${lifetime / microsecondsPerSecond};`
  return `${name}=${value};${maxAge} Path=/; Secure; HttpOnly; SameSite=Lax`
}

/** Whether the browser sent a session, which may have ended. */
export function hasSessionCookie(request: BrowserRequest): boolean {
  return (request.header('cookie') ?? '').includes(`${cookieName}=`)
}

/** The session id; null without a cookie, and when two were sent and neither can be trusted. */
export function readSessionId(request: BrowserRequest): string | null {
  return readSecretCookie(request, cookieName)
}

/** The value of a cookie with 256 bits, by the same rule. */
export function readSecretCookie(request: BrowserRequest, name: string): string | null {
  const value = readCookie(request, name) ?? ''
  return /^[\w-]{43}$/.test(value) ? value : null
}

/** The value of a cookie; null when it is missing or sent more than once. */
export function readCookie(request: BrowserRequest, name: string): string | null {
  const [value = null, ...others] = (request.header('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return others.length === 0 ? value : null
}

/** The CSRF token: derived from the session id and not stored. */
export function csrfToken(id: string, pepper: Buffer): string {
  return createHmac('sha256', pepper).update(`csrf ${id}`).digest('base64url')
}

/** Throws `CsrfRejected` for requests that come from another site or from a sibling domain. */
export function requireSameOrigin(request: BrowserRequest): void {
  const site = request.header('sec-fetch-site')
  const isOwn = site === undefined ? request.header('origin') === request.origin : site === 'same-origin'
  if (!isOwn) throw new ApiError('CsrfRejected', { target: 'header:Origin' })
}

/** Throws `CsrfRejected` unless the request carries the CSRF token of its session. */
export function requireCsrfToken(request: BrowserRequest, token: string): void {
  requireSameOrigin(request)
  if (!hashesEqual(request.header('x-csrf-token') ?? '', token))
    throw new ApiError('CsrfRejected', { target: 'header:X-CSRF-Token' })
}
