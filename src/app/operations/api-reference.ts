// The API reference at `/docs`: a page of its own, and a key of ten minutes to try calls with (ADR 0107).
import { administered } from '../audited-action.ts'
import type { Assets } from '../assets.ts'
import type { Asked } from '../route.ts'
import { newKey } from '../../auth/tokens/credential-factory.ts'
import type { Scope } from '../../auth/scopes.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { endTrialKeys, insertCredential, trialOwner } from '../../store/accounts/credentials.ts'

/** Open to everybody: what it shows is the document that `/openapi.json` is. */
export function referenceReply({ reference }: Assets): Reply {
  if (reference === null) throw new Fault('AppNotBuilt')
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy,
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    },
    body: reference,
  }
}

/** No script but our own, and no request to another server. The reference writes styles into its elements. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

/** A key that reads what its person may read, in place of the one they had before; audited. */
export function trialKey(asked: Asked): Promise<Reply> {
  return administered(asked, 'key-trial', async (transaction, now) => {
    const { visitor, minting } = asked
    const { companyId, scopes } = visitor.caller
    const owner = trialOwner(visitor.userId)
    const { key, row } = newKey(minting, trialName, {
      companyId,
      scopes: readScopes.filter((scope) => scopes.has(scope)),
      allowFrom: null,
      expiresInDays: null,
    })
    await endTrialKeys(transaction, visitor.userId)
    await insertCredential(transaction, { ...row, owner, expiresAt: now + lifetime })
    return { answer: { key }, about: { key: row.id } }
  })
}

const trialName = 'docs'

/** What hands out, changes or tells of persons takes a key that an administrator makes. */
const readScopes: readonly Scope[] = ['revenue:read', 'directory:read', 'material:read']

/** Microseconds: 10 minutes. */
const lifetime = 10 * 60_000_000
