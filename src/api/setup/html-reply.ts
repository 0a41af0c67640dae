// HTML replies: the set-up pages, and the error pages for browsers.
import type { Reply, Request } from '../../http/request.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'

export function htmlReply(request: Request, status: number, content: string): Reply {
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': negotiateLanguage(request.header('accept-language')),
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      Vary: 'Accept-Language',
    },
    body: request.method === 'HEAD' ? null : content,
  }
}

/** The page loads from this server only, and sends to it only. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')
