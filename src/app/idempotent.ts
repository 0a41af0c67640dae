// Idempotent app writes: a repeated request runs once per Idempotency-Key (ADR 0047).
import type { BodyFields } from './body.ts'
import { JsonReply, SerializedBody, type AppRequest } from './route.ts'
import type { SerializedText } from '../engine/formats/write/long-list.ts'
import { executeWrite, identifyRequest } from '../store/idempotency.ts'
import type { Transaction } from '../store/store.ts'

/**
 * Runs `execute` in a transaction of the company, which returns the body of the reply as JSON; a repeat with the same key
 * gets the stored one. `isLong`: whether the transaction may be. Throws `IdempotencyKeyInvalid`, and
 * `IdempotencyKeyReused` when the fields differ.
 */
export async function runIdempotent<Body>(
  { store, request, sessionUser, clock }: AppRequest,
  fields: BodyFields,
  execute: (transaction: Transaction) => Promise<SerializedText>,
  isLong = false,
): Promise<JsonReply<Body>> {
  const { companyId, owner } = sessionUser.caller
  const parts = ['app', request.path, ...fields]
  const content = () => ({ owner, parts, body: '', now: clock() }) as const
  const idempotent = identifyRequest(request.header('idempotency-key'), content)
  const { headers, body } = await executeWrite(
    store,
    companyId,
    { idempotent, isDryRun: false, isLong },
    async (transaction) => ({ status: 200, headers: {}, body: await execute(transaction) }),
  )
  return new JsonReply<Body>(new SerializedBody(body ?? ''), { headers })
}
