// API call log: failed calls of integrations, latest first or by request id.
import type { RejectedCall, RejectedCallSummary } from '../contract/administration.ts'
import { queryIn } from '../request-values.ts'
import type { AppRequest } from '../route.ts'
import { listRejectedCalls, findRejectedCalls } from '../../store/audit/api-call-log.ts'
import { listCredentialNames } from '../../store/accounts/credentials.ts'
import type { RejectedCallTable } from '../../store/tables/operations.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import { ApiError } from '../../errors/api-error.ts'

/** A hundred failed calls before the time `before`, or those with request id `id`; timestamps are microseconds. */
export async function listFailedCalls({ store, request, sessionUser }: AppRequest): Promise<{ rows: RejectedCall[] }> {
  const { companyId } = sessionUser.caller
  const query = queryIn(request, ['before', 'id'])
  const text = query.get('before') ?? ''
  if (!/^\d{0,16}$/.test(text)) throw new ApiError('InvalidTop', { target: 'before', params: { name: 'before' } })
  const before = text === '' ? Number.MAX_SAFE_INTEGER : Number(text)
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
