// API call log: failed calls of integrations, latest first or by request id.
import type { RejectedCall, RejectedCallSummary } from '../contract/administration.ts'
import { countIn, queryIn } from '../request-values.ts'
import type { AppRequest } from '../route.ts'
import { listRejectedCalls, findRejectedCalls } from '../../store/audit/api-call-log.ts'
import { listCredentialNames } from '../../store/accounts/credentials.ts'
import type { RejectedCallTable } from '../../store/tables/operations.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'

/** A hundred failed calls before the time `before`, or those with request id `id`; timestamps are microseconds. */
export async function listFailedCalls({ store, request, companyId }: AppRequest): Promise<{ rows: RejectedCall[] }> {
  const query = queryIn(request, ['before', 'id'])
  const before = countIn(query, 'before', Number.MAX_SAFE_INTEGER)
  const requestId = query.get('id') ?? ''
  const rows =
    requestId === ''
      ? await listRejectedCalls(store, { companyId, before, top })
      : await findRejectedCalls(store, { companyId, requestId: requestId.slice(0, 200), top })
  const keys = await listCredentialNames(store, { companyId })
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const language = negotiateLanguage(request.header('accept-language'))
  return {
    rows: rows.map((row) => ({
      ...describeFailedCall(row, language),
      method: row.method,
      route: row.route,
      credential: { id: row.credentialId, name: names.get(row.credentialId) ?? null },
    })),
  }
}

/** A failed call with the error message that the caller got. */
export function describeFailedCall(
  { at, requestId, status, code, ...words }: RejectedCallTable,
  language: 'nb' | 'en',
): RejectedCallSummary {
  return { at, requestId, status, code, text: words[language] }
}

const top = 100
