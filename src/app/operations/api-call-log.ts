// API call log: failed calls of integrations, latest first or by request id.
import { json, type Asked } from '../route.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { refusedBefore, refusedById } from '../../store/audit/api-call-log.ts'
import { listCredentials } from '../../store/accounts/credentials.ts'
import type { RefusedCallTable } from '../../store/tables/operations.ts'
import { languageOf } from '../../engine/formats/negotiation/negotiate.ts'

/** A hundred failed calls before the time `before`, or those with request id `id`; timestamps are microseconds. */
export async function refusedCalls({ store, request, visitor }: Asked): Promise<Reply> {
  const { companyId } = visitor.caller
  const query = parseQuery(request.search, knownParameters(['before', 'id'], 'refused'))
  const text = query.get('before') ?? ''
  if (!/^\d{0,16}$/.test(text))
    throw new Fault('InvalidTop', { target: 'before', says: { name: 'before' } })
  const before = text === '' ? Number.MAX_SAFE_INTEGER : Number(text)
  const requestId = query.get('id') ?? ''
  const rows =
    requestId === ''
      ? await refusedBefore(store, { companyId, before, top })
      : await refusedById(store, { companyId, requestId: requestId.slice(0, 200), top })
  const keys = await listCredentials(store, companyId)
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const language = languageOf(request.header('accept-language'))
  return json({
    rows: rows.map((row) => ({
      ...toldCall(row, language),
      method: row.method,
      route: row.route,
      credential: { id: row.credentialId, name: names.get(row.credentialId) ?? null },
    })),
  })
}

/** A failed call with the error message that the caller got. */
export function toldCall(
  { at, requestId, status, code, ...words }: RefusedCallTable,
  language: 'nb' | 'en',
) {
  return { at, requestId, status, code, text: words[language] }
}

const top = 100
