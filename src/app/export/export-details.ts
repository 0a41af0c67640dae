// Details of one export line and of one retrieval.
import { actorNames } from '../actors.ts'
import { json, type Asked } from '../route.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import { entriesOfLine, retrievalsOfLine } from '../../store/export/export-log.ts'
import { handOutOf, linesOfHandOut, originOf, threadOf } from '../../store/export/line-details.ts'

/**
 * A line with its corrections, its transaction, its ledger entries and its retrievals. Amounts are ten-thousandths,
 * timestamps microseconds; actors have display names.
 */
export async function exportLine({ store, request, visitor }: Asked): Promise<Reply> {
  const { companyId } = visitor.caller
  const query = parseQuery(request.search, knownParameters(['destination', 'id'], 'refused'))
  const lineId = numberIn(query.get('id'), 'id')
  const receiving = { companyId, destinationId: numberIn(query.get('destination'), 'destination') }
  const thread = await threadOf(store, receiving, lineId)
  const line = thread.find(({ id }) => id === lineId)
  if (line === undefined) throw new Fault('NotFound', { says: { what: phrase('theRecord') } })
  const name = await actorNames(store, visitor)
  const origin = await originOf(store, companyId, line.materialId)
  const retrievals = await retrievalsOfLine(store, receiving, lineId)
  const entries = await entriesOfLine(store, receiving, lineId)
  return json({
    thread: thread.map((one) => ({
      ...one,
      approvedBy: name(one.approvedBy),
      markedBy: name(one.markedBy),
    })),
    origin: origin === undefined ? null : { ...origin, registeredBy: name(origin.registeredBy) },
    retrievals: retrievals.slice(-shownMax).map(({ id, at, actor, requestId, count }) => ({
      id,
      at,
      actor: name(actor),
      requestId,
      count,
    })),
    entries: entries.map((entry) => ({ ...entry, actor: name(entry.actor) })),
  })
}

const shownMax = 100

/** A retrieval with up to a thousand of its lines below the id `before`, and their current state. */
export async function exportHandOut({ store, request, visitor }: Asked): Promise<Reply> {
  const { companyId } = visitor.caller
  const query = parseQuery(request.search, knownParameters(['id', 'before'], 'refused'))
  const before = query.get('before')
  const handOut = await handOutOf(store, companyId, numberIn(query.get('id'), 'id'))
  if (handOut === undefined) throw new Fault('NotFound', { says: { what: phrase('theRecord') } })
  const name = await actorNames(store, visitor)
  const lines = await linesOfHandOut(store, companyId, handOut, {
    before: before === undefined ? Number.MAX_SAFE_INTEGER : numberIn(before, 'before'),
    top: pageRows,
  })
  return json({
    handOut: { ...handOut, actor: name(handOut.actor) },
    lines: lines.map((line) => ({ ...line, markedBy: name(line.markedBy) })),
  })
}

const pageRows = 1000

/** Throws `InvalidValue`. */
function numberIn(text: string | undefined, field: string): number {
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text)
  throw new Fault('InvalidValue', {
    target: field,
    says: { field, problem: phrase('noSuchChoice') },
  })
}
