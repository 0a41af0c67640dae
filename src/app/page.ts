// The app's HTML page and its content security policy.
import type { Assets } from './assets.ts'
import { ApiError, notFoundError } from '../errors/api-error.ts'
import type { Reply } from '../http/request.ts'
import { message } from '../errors/messages.ts'
import type { Random } from '../auth/tokens/secret.ts'

/** Public, also over plain HTTP: it contains no data, and explains itself why sign-in needs HTTPS. */
export function pageReply({ page }: Assets, random: Random): Reply {
  if (page === null) throw new ApiError('AppNotBuilt')
  const nonce = random(18).toString('base64url')
  return htmlReply(page.replaceAll('%nonce%', nonce), [
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "manifest-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ])
}

/** For an unknown path: the page with status 404 for a browser, the usual error for a program. */
export function notFoundPageReply(assets: Assets, random: Random, accepted = ''): Reply {
  if (!accepted.includes('text/html')) throw notFoundError(message('thisUrl'))
  return { ...pageReply(assets, random), status: 404 }
}

/** An HTML page with a policy that allows own scripts, no requests to other servers, and its `allowed` directives. */
export function htmlReply(body: string, allowed: readonly string[]): Reply {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    ...allowed,
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ]
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy.join('; '),
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    },
    body,
  }
}
