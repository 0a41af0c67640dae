// Export lines of a destination, page by page: waiting, failed, exported.
import { createActorNames } from '../actors.ts'
import { jsonReply, type AppRequest } from '../route.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Reply } from '../../http/request.ts'
import { routeParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { message } from '../../errors/messages.ts'
import { listLines, type LineListName } from '../../store/export/export-lines.ts'

/** A hundred lines below the id `before`, latest first; amounts are ten-thousandths, timestamps microseconds. */
export async function exportLines({
  store,
  request,
  sessionUser,
  clock,
}: AppRequest): Promise<Reply> {
  const query = parseQuery(request.search, routeParameters(parameters, 'refused'))
  const number = (name: string, otherwise: number) => {
    const text = query.get(name)
    if (text === undefined) return otherwise
    if (/^\d{1,15}$/.test(text)) return Number(text)
    throw invalid(name)
  }
  const named = query.get('list') ?? 'waiting'
  const whereabouts = lists.find((one) => one === named)
  if (whereabouts === undefined) throw invalid('list')
  const rows = await listLines(store, sessionUser.caller.companyId, whereabouts, {
    destinationId: number('destination', 1),
    before: number('before', Number.MAX_SAFE_INTEGER),
    top: pageRows,
    now: clock(),
  })
  const name = await createActorNames(store, sessionUser)
  return jsonReply({
    rows: rows.map((row) => ({
      ...row,
      holder: name(row.holder),
      markedBy: name(row.markedBy),
    })),
  })
}

const parameters = ['destination', 'list', 'before'] as const

const lists: readonly LineListName[] = ['waiting', 'failed', 'gone']

const pageRows = 100

function invalid(field: string): ApiError {
  return new ApiError('InvalidValue', {
    target: field,
    params: { field, problem: message('notAnAllowedValue') },
  })
}
