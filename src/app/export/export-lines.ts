// Export lines of a destination, page by page: waiting, failed, exported.
import { actorNames } from '../actors.ts'
import { json, type Asked } from '../route.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import { linesAt, type Whereabouts } from '../../store/export/export-lines.ts'

/** A hundred lines below the id `before`, latest first; amounts are ten-thousandths, timestamps microseconds. */
export async function exportLines({ store, request, visitor, clock }: Asked): Promise<Reply> {
  const query = parseQuery(request.search, knownParameters(parameters, 'refused'))
  const number = (name: string, otherwise: number) => {
    const text = query.get(name)
    if (text === undefined) return otherwise
    if (/^\d{1,15}$/.test(text)) return Number(text)
    throw invalid(name)
  }
  const named = query.get('list') ?? 'waiting'
  const whereabouts = lists.find((one) => one === named)
  if (whereabouts === undefined) throw invalid('list')
  const rows = await linesAt(store, visitor.caller.companyId, whereabouts, {
    destinationId: number('destination', 1),
    before: number('before', Number.MAX_SAFE_INTEGER),
    top: pageRows,
    now: clock(),
  })
  const name = await actorNames(store, visitor)
  return json({
    rows: rows.map((row) => ({
      ...row,
      holder: name(row.holder),
      markedBy: name(row.markedBy),
    })),
  })
}

const parameters = ['destination', 'list', 'before'] as const

const lists: readonly Whereabouts[] = ['waiting', 'failed', 'gone']

const pageRows = 100

function invalid(field: string): Fault {
  return new Fault('InvalidValue', {
    target: field,
    says: { field, problem: phrase('noSuchChoice') },
  })
}
