// Export lines of a destination, page by page: waiting, failed, exported.
import { createActorNames } from '../actors.ts'
import type { AppRequest } from '../route.ts'
import { routeParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { listLines, type ListedLine } from '../../store/export/export-lines.ts'
import { parseChoice, parseId } from '../request-values.ts'

/** A hundred lines below the id `before`, latest first; amounts are ten-thousandths, timestamps microseconds. */
export async function listExportLines({
  store,
  request,
  sessionUser,
  clock,
}: AppRequest): Promise<{ rows: ListedLine[] }> {
  const query = parseQuery(request.search, routeParameters(parameters, 'rejected'))
  const list = parseChoice(query.get('list') ?? 'waiting', lineLists, 'list')
  const rows = await listLines(store, sessionUser.caller.companyId, list, {
    destinationId: parseId(query.get('destination') ?? '1', 'destination'),
    before: parseId(query.get('before') ?? '999999999999999', 'before'),
    top: pageRows,
    now: clock(),
    departments: sessionUser.departments,
  })
  const nameActor = await createActorNames(store, sessionUser)
  return {
    rows: rows.map((row) => ({ ...row, holder: nameActor(row.holder), acknowledgedBy: nameActor(row.acknowledgedBy) })),
  }
}

const parameters = ['destination', 'list', 'before'] as const

const lineLists = ['waiting', 'failed', 'finished'] as const

const pageRows = 100
