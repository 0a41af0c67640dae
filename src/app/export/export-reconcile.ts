// Reconciliation with the receiver's list, and acknowledging lines that the receiver has.
import type { ReconcileReport, AcknowledgeResult } from '../contract/export.ts'
import { readList, textIn } from '../body.ts'
import { parseDay } from '../date-range.ts'
import { plusDays } from '../../lib/calendar.ts'
import { inCompanyTransaction } from '../company-transaction.ts'
import type { AppRequest } from '../route.ts'
import { parseLineList, identifierKinds } from '../../imports/line-list.ts'
import { startOfDate } from '../../lib/calendar-date.ts'
import { newAcknowledgement } from '../../export/evaluate-acknowledgement.ts'
import { applyAcknowledgements, evaluateAcknowledgements } from '../../export/acknowledge.ts'
import { reconcile } from '../../export/reconcile.ts'
import { listCompanyDestinations, listDestinations, type Destination } from '../../store/export/destinations.ts'
import { notFoundError } from '../../errors/api-error.ts'
import { parseChoice, parseId, queryIn } from '../request-values.ts'

/**
 * The number of lines in both lists, the lines exported only here within the requested days, and the lines only at the
 * receiver; the first thousand of each. Changes nothing.
 */
export async function reconcileList({ store, request, companyId, company }: AppRequest): Promise<ReconcileReport> {
  const query = queryIn(request, parameters)
  const destination = requireDestination(await listCompanyDestinations(store, { companyId }), query.get('destination'))
  const by = parseChoice(query.get('by') ?? 'id', identifierKinds, 'by')
  const from = query.get('from')
  const to = query.get('to')
  const span = {
    from: from === undefined ? 0 : startOfDate(company.zone, parseDay(from, 'from')),
    to: to === undefined ? Number.MAX_SAFE_INTEGER : startOfDate(company.zone, plusDays(parseDay(to, 'to'), 1)),
  }
  const list = await parseLineList(await request.body(), by, { companyId, client: request })
  const destinationKey = { companyId, destinationId: destination.id }
  const found = await reconcile(store, destinationKey, list, { span, onProgress: () => {} })
  return {
    listed: list.length,
    both: found.both,
    onlyOurs: found.onlyOurs.slice(0, shownMax),
    onlyOursCount: found.onlyOurs.length,
    onlyTheirs: found.onlyTheirs.slice(0, shownMax).map(({ reference, line }) => ({
      ...reference,
      ...(line === null ? { state: null } : { ...line, id: line.lineId }),
      // The external id in the list takes precedence over the acknowledged one.
      externalId: reference.externalId ?? line?.externalId ?? null,
    })),
    onlyTheirsCount: found.onlyTheirs.length,
  }
}

const parameters = ['destination', 'by', 'from', 'to'] as const

const shownMax = 1000

/** Acknowledges lines that the receiver already has, as through the API; each may have an external id. */
export async function acknowledgeListedLines(appRequest: AppRequest): Promise<AcknowledgeResult> {
  const { request } = appRequest
  const query = queryIn(request, ['destination'])
  const acknowledgements = (await readList(request)).map((fields) =>
    newAcknowledgement(parseId(textIn(fields, 'id'), 'id'), (fields.get('externalId') ?? '').slice(0, 200) || null),
  )
  return inCompanyTransaction(appRequest, async (transaction, context) => {
    const destination = requireDestination(await listDestinations(transaction), query.get('destination'))
    const distinct = [...new Map(acknowledgements.map((one) => [one.id, one])).values()]
    const evaluated = await evaluateAcknowledgements(transaction, destination, distinct, context)
    await applyAcknowledgements(transaction, destination, evaluated, { context, externalBatchId: null })
    const isDone = (code: string) => code === 'exported' || code === 'exported_with_correction'
    return {
      done: evaluated.filter(({ code }) => isDone(code)).map(({ acknowledgement }) => acknowledgement.id),
      others: evaluated
        .filter(({ code }) => !isDone(code))
        .map(({ acknowledgement, code, status }) => ({ id: acknowledgement.id, code, state: status?.state ?? null })),
    }
  })
}

function requireDestination(destinations: readonly Destination[], text: string | undefined): Destination {
  const found = destinations.find(({ id }) => String(id) === (text ?? '1'))
  if (found === undefined) throw notFoundError(`destination ${text?.slice(0, 20)}`)
  return found
}
