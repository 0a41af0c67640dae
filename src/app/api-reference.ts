// The API reference at `/docs`, and its trial keys, which are valid for ten minutes (ADR 0046).
import { auditedAction } from './company-transaction.ts'
import type { Assets } from './assets.ts'
import { htmlReply } from './page.ts'
import type { AppRequest } from './route.ts'
import { createCredential } from '../auth/tokens/credential-factory.ts'
import type { Scope } from '../auth/scopes.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Reply } from '../http/request.ts'
import { microsecondsPerMinute } from '../lib/timestamp.ts'
import { deleteTrialKeys, insertCredential, trialKeyOwner } from '../store/accounts/credentials.ts'

/** Public, like the `/openapi.json` that it shows. The page uses inline styles. */
export function referenceReply({ reference }: Assets): Reply {
  if (reference === null) throw new ApiError('AppNotBuilt')
  return htmlReply(reference, ["style-src 'self' 'unsafe-inline'", "img-src 'self' data:"])
}

/**
 * Creates a key with the user's read scopes, which replaces the user's previous trial key; audited. A key is not bound to
 * departments, so an approver of some gets none that reads material.
 */
export function createTrialKey(appRequest: AppRequest): Promise<{ key: string }> {
  return auditedAction(appRequest, 'key-trial', async (transaction, { now }) => {
    const { sessionUser, cryptoContext } = appRequest
    const { companyId, scopes } = sessionUser.caller
    const owner = trialKeyOwner(sessionUser.userId)
    const { secret: key, row } = createCredential(cryptoContext, {
      companyId,
      kind: 'key',
      name: trialName,
      scopes: trialKeyScopes.filter(
        (scope) => scopes.has(scope) && (scope !== 'material:read' || sessionUser.departments === null),
      ),
      allowedNetworks: null,
      expiresInDays: null,
    })
    await deleteTrialKeys(transaction, sessionUser.userId)
    await insertCredential(transaction, { ...row, owner, expiresAt: now + lifetime })
    return { result: { key }, auditData: { key: row.id } }
  })
}

const trialName = 'docs'

/** Scopes for exporting, writing or personal data need a key from an administrator. */
const trialKeyScopes: readonly Scope[] = ['revenue:read', 'directory:read', 'material:read']

const lifetime = 10 * microsecondsPerMinute
