// Export lines of a destination, page by page: waiting, failed, exported; the first two are searched and sorted.
import { createActorNames } from '../actors.ts'
import type { AppRequest } from '../route.ts'
import { listLines, type ListedLine } from '../../store/export/export-lines.ts'
import { searchIn, sortIn } from '../line-query.ts'
import { countIn, parseChoice, parseId, queryIn } from '../request-values.ts'

/**
 * A hundred lines, or `top`, after the first `skip` of those below the id `before`, the latest first unless sorted; amounts are
 * ten-thousandths, timestamps microseconds.
 */
export async function listExportLines(appRequest: AppRequest): Promise<{ rows: ListedLine[] }> {
  const { store, request, sessionUser, clock, companyId } = appRequest
  const query = queryIn(request, parameters)
  const list = parseChoice(query.get('list') ?? 'waiting', lineLists, 'list')
  const isUnbounded = list === 'finished'
  const [search, sort] = [searchIn(query, { isUnbounded }), sortIn(query, { isUnbounded })]
  const top = Math.min(countIn(query, 'top', pageRows), pageRowsMax)
  // A search and a sort visit every line of the list.
  const isShort = search === '' && sort === undefined && top <= pageRows
  const reader = isShort ? store : store.reports(companyId, request)
  const rows = await listLines(reader, companyId, list, {
    destinationId: parseId(query.get('destination') ?? '1', 'destination'),
    before: parseId(query.get('before') ?? '999999999999999', 'before'),
    skip: countIn(query, 'skip', 0),
    top,
    search,
    sort,
    now: clock(),
    departments: sessionUser.departments,
  })
  const nameActor = await createActorNames(store, companyId)
  return {
    rows: rows.map((row) => ({ ...row, holder: nameActor(row.holder), acknowledgedBy: nameActor(row.acknowledgedBy) })),
  }
}

const parameters = ['destination', 'list', 'before', 'skip', 'top', 'search', 'sort'] as const

const lineLists = ['waiting', 'failed', 'finished'] as const

const pageRows = 100
/** Of a file. */
const pageRowsMax = 2_000
