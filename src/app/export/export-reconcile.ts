// Reconciliation with the receiver's list, and acknowledging lines that the receiver has.
import { readList, textIn } from '../body.ts'
import { dayAt, plusDays } from '../date-range.ts'
import { json, type Asked } from '../route.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { lineListIn, namings, type Naming } from '../../imports/line-list.ts'
import { dayStart } from '../../lib/civil-date.ts'
import { deedOf } from '../../material/action-context.ts'
import type { Mark } from '../../export/evaluate-acknowledgement.ts'
import { applyMarks, judgeMarks } from '../../export/acknowledge.ts'
import { reconcile } from '../../export/reconcile.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import {
  destinationsIn,
  destinationsOf,
  type Destination,
} from '../../store/export/destinations.ts'

/**
 * The number of lines in both lists, the lines exported only here within the requested days, and the lines only at the
 * receiver; the first thousand of each. Changes nothing.
 */
export async function reconcileList({ store, request, visitor }: Asked): Promise<Reply> {
  const { companyId, company } = visitor.caller
  const query = parseQuery(request.search, knownParameters(parameters, 'refused'))
  const destination = chosen(await destinationsIn(store, companyId), query.get('destination'))
  const by = namingIn(query.get('by') ?? 'id')
  const from = query.get('from')
  const to = query.get('to')
  const span = {
    from: from === undefined ? 0 : dayStart(company.zone, dayAt(from, 'from')),
    to:
      to === undefined
        ? Number.MAX_SAFE_INTEGER
        : dayStart(company.zone, plusDays(dayAt(to, 'to'), 1)),
  }
  const list = await lineListIn(await request.body(), by)
  const receiving = { companyId, destinationId: destination.id }
  const found = await reconcile(store, receiving, list, { span, onProgress: () => {} })
  return json({
    listed: list.length,
    both: found.both,
    onlyOurs: found.onlyOurs.slice(0, shownMax),
    onlyOursCount: found.onlyOurs.length,
    onlyTheirs: found.onlyTheirs.slice(0, shownMax).map(({ named, standing }) => ({
      ...named,
      ...(standing === null ? { state: null } : { ...standing, id: standing.lineId }),
      // The external id in the list takes precedence over the acknowledged one.
      externalId: named.externalId ?? standing?.externalId ?? null,
    })),
    onlyTheirsCount: found.onlyTheirs.length,
  })
}

const parameters = ['destination', 'by', 'from', 'to'] as const

const shownMax = 1000

/** Acknowledges lines that the receiver already has, as through the API; each may have an external id. */
export async function markLines({ store, request, visitor, clock }: Asked): Promise<Reply> {
  const query = parseQuery(request.search, knownParameters(['destination'], 'refused'))
  const marks = (await readList(request)).map((fields): Mark => ({
    id: idIn(textIn(fields, 'id')),
    failure: null,
    revision: null,
    externalId: (fields.get('externalId') ?? '').slice(0, 200) || null,
    externalUrl: null,
  }))
  const deed = deedOf(visitor.caller, request.id, clock())
  return store.inTransaction(visitor.caller.companyId, async (transaction) => {
    const destination = chosen(await destinationsOf(transaction), query.get('destination'))
    const once = [...new Map(marks.map((mark) => [mark.id, mark])).values()]
    const judged = await judgeMarks(transaction, destination, once, deed)
    await applyMarks(transaction, destination, judged, { deed, externalBatchId: null })
    const isDone = (code: string) => code === 'exported' || code === 'exported_with_correction'
    return json({
      done: judged.filter(({ code }) => isDone(code)).map(({ mark }) => mark.id),
      others: judged
        .filter(({ code }) => !isDone(code))
        .map(({ mark, code, met }) => ({ id: mark.id, code, state: met?.state ?? null })),
    })
  })
}

function chosen(destinations: readonly Destination[], text: string | undefined): Destination {
  const found = destinations.find(({ id }) => String(id) === (text ?? '1'))
  if (found === undefined)
    throw new Fault('NotFound', { says: { what: `destination ${text?.slice(0, 20)}` } })
  return found
}

function namingIn(text: string): Naming {
  const naming = namings.find((one) => one === text)
  if (naming === undefined) throw noChoice('by')
  return naming
}

function idIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw noChoice('id')
  return Number(text)
}

function noChoice(field: string): Fault {
  return new Fault('InvalidValue', {
    target: field,
    says: { field, problem: phrase('noSuchChoice') },
  })
}
