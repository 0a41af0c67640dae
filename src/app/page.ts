// The one page of the browser app, and what it may load: from this server alone, and no style without its nonce.
import type { Assets } from './assets.ts'
import { Fault } from '../errors/catalog.ts'
import type { Reply } from '../http/request.ts'
import { phrase } from '../errors/messages.ts'
import type { Random } from '../auth/tokens/secret.ts'

/** Served over plain http too, to whoever asks: it holds no data, and says itself why signing in cannot work. */
export function pageReply({ page }: Assets, random: Random): Reply {
  if (page === null) throw new Fault('AppNotBuilt')
  const nonce = random(18).toString('base64url')
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policyWith(nonce),
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    },
    body: page.replaceAll('%nonce%', nonce),
  }
}

/** The same for an address that no screen has: the page says so to a person, and to a program it is refused as elsewhere. */
export function noPageReply(assets: Assets, random: Random, accepted = ''): Reply {
  if (!accepted.includes('text/html'))
    throw new Fault('NotFound', { says: { what: phrase('theAddress') } })
  return { ...pageReply(assets, random), status: 404 }
}

function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}
