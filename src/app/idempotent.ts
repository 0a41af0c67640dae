// Idempotent app writes: a repeated request runs once per Idempotency-Key (ADR 0047).
import type { Fields } from './body.ts'
import type { AppRequest } from './route.ts'
import { executeWrite, identifyRequest } from '../store/idempotency.ts'
import type { Transaction } from '../store/store.ts'

export interface IdempotentResult<Result> {
  readonly result: Result
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Runs `execute` in a transaction of the company; a repeat with the same key gets the stored result, which is plain JSON
 * data. Throws `IdempotencyKeyInvalid`, and `IdempotencyKeyReused` when the fields differ.
 */
export async function runIdempotent<Result extends object>(
  { store, request, sessionUser, clock }: AppRequest,
  fields: Fields,
  execute: (transaction: Transaction) => Promise<Result>,
): Promise<IdempotentResult<Result>> {
  const { companyId, owner } = sessionUser.caller
  const parts = ['app', request.path, ...fields]
  const content = () => ({ owner, parts, body: '', now: clock() }) as const
  const idempotent = identifyRequest(request.header('idempotency-key'), content)
  const { headers, body } = await executeWrite(
    store,
    companyId,
    { idempotent, isDryRun: false },
    async (transaction) => {
      const result = JSON.stringify(await execute(transaction))
      return { status: 200, headers: {}, body: result }
    },
  )
  return { result: JSON.parse(String(body)), headers }
}
