// Export history, alarms and reconciliation: reads for explaining a difference with the receiver.
import { answeringWrite } from '../odata/response.ts'
import { begun, idIn } from '../material/material-writes.ts'
import { admit, parametersOf, type Operation } from '../operation.ts'
import { Fault } from '../../errors/catalog.ts'
import { writeStamp } from '../../lib/timestamp.ts'
import { reconcile, type Named } from '../../export/reconcile.ts'
import { batchWords, exportable, historyWords } from '../../model/transaction.ts'
import type { Query } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import { destinationOf } from '../../store/export/destinations.ts'
import {
  alarmsAfter,
  entriesOfLine,
  retrievalsOfLine,
  standingsAfter,
  type Alarm,
  type Entry,
  type Retrieval,
  type Standing,
} from '../../store/export/export-log.ts'
import { jsonContentType } from '../../engine/formats/negotiation/odata-format.ts'
import {
  readElements,
  requireKnown,
  textIn,
  type Element,
  type ElementsBody,
} from '../../engine/formats/read/read-elements.ts'

const scope = 'material:export'
const parameters = parametersOf([])
const common = { rule: '3', scope, resource: exportable, input: null, parameters } as const

/** `TransaksjonsEksport(17)/Historikk`: retrievals and acknowledgements of a line, oldest first. */
export const tellsHistory: Operation = {
  ...common,
  summary: 'Read the history of a line',
  body: 'none',
  answer: 'results',
  handle: async (request, { store, ...serving }) => {
    const { caller, headers } = await admit(request, { store, ...serving }, common)
    const { companyId, credentialId } = caller
    const lineId = idIn(request.path)
    const destination = await destinationOf(store, companyId, credentialId)
    const receiving = { companyId, destinationId: destination.id }
    const [standing] = await standingsAfter(store, receiving, lineId - 1, 1)
    if (standing?.lineId !== lineId)
      throw new Fault('NotFound', { says: { what: `${exportable.wire}(${lineId})` } })
    const retrievals = await retrievalsOfLine(store, receiving, lineId)
    const entries = await entriesOfLine(store, receiving, lineId)
    const told = [...retrievals.map(toldRetrieval), ...entries.map(toldEntry)]
    const value = told.toSorted((one, other) =>
      one[historyWords.at].localeCompare(other[historyWords.at]),
    )
    return answered(headers, { value })
  },
}

/** `TransaksjonsEksport/Varsler?etter=17`: alarms, a thousand at a time. */
export const tellsAlarms: Operation = {
  ...common,
  summary: 'Read alarms: possible duplicates, external id mismatches, dropped changes',
  parameters: parametersOf([historyWords.after]),
  body: 'none',
  answer: 'results',
  handle: async (request, serving) => {
    const { caller, query, headers } = await admit(request, serving, tellsAlarms)
    const { companyId, credentialId } = caller
    const after = afterIn(query)
    const destination = await destinationOf(serving.store, companyId, credentialId)
    const receiving = { companyId, destinationId: destination.id }
    const alarms = await alarmsAfter(serving.store, receiving, after)
    return answered(headers, { value: alarms.map(toldAlarm) })
  },
}

/** Throws `InvalidQueryOption`. */
function afterIn(query: Query): number {
  const name = historyWords.after
  const text = query.get(name) ?? '0'
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Fault('InvalidQueryOption', {
    target: name,
    says: { name, problem: phrase('noWholeNumber') },
  })
}

/** `TransaksjonsEksport/Avstem`: lines in both lists, only here, only at the receiver. */
export const reconciles: Operation = {
  ...common,
  summary: "Compare the receiver's list with what counts as exported",
  body: 'many',
  takes: {
    type: 'object',
    properties: {
      ids: { type: 'array', items: { type: 'integer' } },
      items: { type: 'array', items: { type: 'object' } },
    },
  },
  answer: 'results',
  handle: async (request, serving) => {
    const { asked } = await begun(request, serving, common)
    answeringWrite(request)
    const known = { ofIds: ['ids'], ofObjects: ['items'] }
    const body = await readElements(asked.body, request.header('content-type'), known)
    requireKnown(body, known)
    const list = namedIn(body)
    const { companyId, credentialId } = asked.caller
    const destination = await destinationOf(serving.store, companyId, credentialId)
    const receiving = { companyId, destinationId: destination.id }
    const span = { from: 0, to: Number.MAX_SAFE_INTEGER }
    const found = await reconcile(serving.store, receiving, list, { span, onProgress: () => {} })
    return answered(asked.headers, {
      [historyWords.both]: found.both,
      [historyWords.onlyOurs]: found.onlyOurs.map(toldStanding),
      [historyWords.onlyTheirs]: found.onlyTheirs.map(({ named, standing }) =>
        standing === null ? toldNamed(named) : toldStanding(standing),
      ),
    })
  },
}

/** Throws `MissingField` without a list, and for an element that identifies no line. */
function namedIn({ lists }: ElementsBody): Named[] {
  const [ids, items] = [lists.get('ids'), lists.get('items')]
  if (ids === undefined && items === undefined)
    throw new Fault('MissingField', { target: 'ids', says: { field: 'ids' } })
  return [...(ids ?? []), ...(items ?? [])].map(namedBy)
}

function namedBy({ id, members }: Element, index: number): Named {
  const externalId = textIn(members, 'externalId', 200)
  const exportKey = textIn(members, exportable.fields.exportKey.wire, 200)
  if (id === null && externalId === null && exportKey === null)
    throw new Fault('MissingField', { target: `[${index}].id`, says: { field: 'id' } })
  return { id, externalId, exportKey }
}

const { fields } = exportable

function toldRetrieval({ id, at, actor, requestId }: Retrieval) {
  return {
    [historyWords.at]: writeStamp(at),
    [historyWords.act]: 'handed_out',
    [historyWords.by]: actor,
    [historyWords.request]: requestId,
    [historyWords.handOut]: id,
  }
}

function toldEntry(entry: Entry) {
  return {
    [historyWords.at]: writeStamp(entry.at),
    [historyWords.act]: entry.act,
    [historyWords.by]: entry.actor,
    [historyWords.request]: entry.requestId,
    [fields.revision.wire]: entry.revision,
    [historyWords.generation]: entry.generation,
    externalId: entry.externalId,
    externalBatchId: entry.externalBatchId,
    code: entry.code,
    message: entry.reason,
  }
}

function toldAlarm(alarm: Alarm) {
  return {
    [historyWords.number]: alarm.id,
    [historyWords.at]: writeStamp(alarm.at),
    [historyWords.alarm]: alarm.code,
    [fields.id.wire]: alarm.lineId,
    [fields.exportKey.wire]: alarm.exportKey,
    [historyWords.by]: alarm.actor,
    [historyWords.request]: alarm.requestId,
    externalId: alarm.externalId,
    [historyWords.markedAt]: alarm.markedAt === null ? null : writeStamp(alarm.markedAt),
    [historyWords.firstBy]: alarm.markedBy,
    [historyWords.firstExternalId]: alarm.firstExternalId,
  }
}

function toldStanding({ lineId, state, exportKey, externalId, markedAt }: Standing) {
  return {
    [fields.id.wire]: lineId,
    [fields.exportKey.wire]: exportKey,
    externalId,
    [batchWords.state]: state,
    [historyWords.markedAt]: markedAt === null ? null : writeStamp(markedAt),
  }
}

function toldNamed({ id, exportKey, externalId }: Named) {
  return {
    [fields.id.wire]: id,
    [fields.exportKey.wire]: exportKey,
    externalId,
    [batchWords.state]: null,
  }
}

function answered(headers: Readonly<Record<string, string>>, told: object) {
  return {
    status: 200,
    headers: { ...headers, 'Content-Type': jsonContentType, 'Cache-Control': 'no-store' },
    body: JSON.stringify(told),
  }
}
