// The cookie that a session lives in, and the two marks that tell our own pages from everybody else's.
import { createHmac, hash } from 'node:crypto'
import { isSameHash } from '../passwords/password-hash.ts'
import { Fault } from '../../errors/catalog.ts'

/** What is looked at of a request. */
export interface FromBrowser {
  readonly origin: string
  header(name: string): string | undefined
}

const cookieName = '__Host-sid'

/** Browsers keep it for https and for this machine alone. Lax: a link in a mail finds its reader signed in. */
export function sessionCookie(id: string): string {
  return `${cookieName}=${id}; ${attributes}`
}

export const noCookie = `${cookieName}=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax`

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** The session's id; null without one, and where two came and nobody knows whose they are. */
export function sessionIdIn(request: FromBrowser): string | null {
  return cookieIn(request, cookieName)
}

/** 256 bits in a cookie of ours, by the same rule. */
export function cookieIn(request: FromBrowser, name: string): string | null {
  const value = valueIn(request, name) ?? ''
  return /^[\w-]{43}$/.test(value) ? value : null
}

/** What stands in the one cookie of this name. */
export function valueIn(request: FromBrowser, name: string): string | null {
  const [value = null, ...others] = (request.header('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return others.length === 0 ? value : null
}

export function hashOfSession(id: string): string {
  return hash('sha256', id)
}

/** What a page shows to prove that it could read an answer of ours: bound to the session, never stored. */
export function csrfToken(id: string, pepper: Buffer): string {
  return createHmac('sha256', pepper).update(`csrf ${id}`).digest('base64url')
}

/** Throws `CsrfRejected` for whatever another site, or a sibling of ours, had the browser send. */
export function requireOwnPage(request: FromBrowser): void {
  const site = request.header('sec-fetch-site')
  const isOwn =
    site === undefined ? request.header('origin') === request.origin : site === 'same-origin'
  if (!isOwn) throw new Fault('CsrfRejected', { target: 'header:Origin' })
}

/** Throws `CsrfRejected` unless the page knows the token of its session. */
export function requireToken(request: FromBrowser, token: string): void {
  requireOwnPage(request)
  if (!isSameHash(request.header('x-csrf-token') ?? '', token))
    throw new Fault('CsrfRejected', { target: 'header:X-CSRF-Token' })
}
