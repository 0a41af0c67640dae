// Export history, alerts and reconciliation: reads for explaining a difference with the receiver.
import { exportOperation } from './export-operation.ts'
import { parseStrictElements, requireRanges, splitRanges, idListSchema } from '../write-pipeline/id-lists.ts'
import { writeResponseFormat } from '../odata/response.ts'
import { parseActionId } from '../odata/resource-url.ts'
import { authorizedHandler, jsonReply, parametersOf, receiveBody, type Operation } from '../operation.ts'
import type { Caller } from '../../auth/caller.ts'
import { ApiError, fieldError } from '../../errors/api-error.ts'
import { formatTimestamp } from '../../lib/timestamp.ts'
import { reconcile, type LineReference } from '../../export/reconcile.ts'
import { claimNames, exportable, historyNames } from '../../model/transaction.ts'
import { queryOptionError, type Query } from '../../engine/odata/options/query.ts'
import { message } from '../../errors/messages.ts'
import {
  listAlerts,
  listLedgerEntries,
  listRetrievalsOfLine,
  listReconcileLines,
  type DestinationKey,
  type LineAlert,
  type LedgerEntry,
  type Retrieval,
  type ReconcileLine,
} from '../../store/export/export-log.ts'
import { getCredentialDestination } from '../../store/export/destinations.ts'
import type { Store } from '../../store/store.ts'
import { getText, type ListElement } from '../../engine/formats/read/read-id-lists.ts'

const common = { ...exportOperation, parameters: parametersOf([]) } as const

/** `TransaksjonsEksport(17)/Historikk`: retrievals and acknowledgements of a line, oldest first. */
export const historyOperation: Operation = {
  ...common,
  summary: 'Read the history of a line',
  body: 'none',
  handle: authorizedHandler(common, async ({ request, api, authorized: { caller } }) => {
    const lineId = parseActionId(request.path, exportable)
    const destination = await destinationKeyOf(caller, api.store)
    const [line] = await listReconcileLines(api.store, { ...destination, after: lineId - 1, limit: 1 })
    if (line?.lineId !== lineId) throw new ApiError('NotFound', { params: { what: `${exportable.wire}(${lineId})` } })
    const retrievals = await listRetrievalsOfLine(api.store, { ...destination, lineId })
    const entries = await listLedgerEntries(api.store, { ...destination, lineId })
    const entriesByTime = [...retrievals.map(describeRetrieval), ...entries.map(describeEntry)]
    const value = entriesByTime.toSorted((one, other) => one[historyNames.at].localeCompare(other[historyNames.at]))
    return jsonReply({ value })
  }),
}

const alertsAccess = { ...common, parameters: parametersOf([historyNames.after]) }

/** `TransaksjonsEksport/Varsler?etter=17`: alerts, a thousand at a time. */
export const alertsOperation: Operation = {
  ...alertsAccess,
  summary: 'Read alerts: possible duplicates, external id mismatches, dropped changes',
  body: 'none',
  handle: authorizedHandler(alertsAccess, async ({ api, authorized: { caller, query } }) => {
    const after = parseAfter(query)
    const alerts = await listAlerts(api.store, { ...(await destinationKeyOf(caller, api.store)), after })
    return jsonReply({ value: alerts.map(describeAlert) })
  }),
}

/** Throws `InvalidQueryOption`. */
function parseAfter(query: Query): number {
  const name = historyNames.after
  const text = query.get(name) ?? '0'
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw queryOptionError(name, message('notAnInteger'))
}

/** `TransaksjonsEksport/Avstem`: lines in both lists, only here, only at the receiver. */
export const reconcileOperation: Operation = {
  ...common,
  summary: "Compare the receiver's list with what counts as exported",
  body: 'many',
  requestSchema: {
    type: 'object',
    properties: { ids: idListSchema, items: { type: 'array', items: { type: 'object' } } },
  },
  handle: authorizedHandler(common, async ({ request, api, authorized }) => {
    const known = { idLists: ['ids'], objectLists: ['items'] }
    writeResponseFormat(request)
    const { caller, body: received } = await receiveBody(request, api, {
      caller: authorized.caller,
      scope: common.scope,
    })
    const body = await parseStrictElements({ request, body: received }, known)
    requireRanges(body, ['ids', 'items'])
    const [ids, items] = [body.lists.get('ids') ?? [], body.lists.get('items') ?? []]
    const list = [
      ...splitRanges(ids).map((element, index) => parseLineReference(element, `ids[${index}]`)),
      ...items.map((element, index) => parseLineReference(element, `items[${index}]`, '.id')),
    ]
    const destination = await destinationKeyOf(caller, api.store)
    const { both, onlyOurs, onlyTheirs } = await reconcile(api.store, destination, list, {
      span: { from: 0, to: Number.MAX_SAFE_INTEGER },
      onProgress: () => {},
    })
    return jsonReply({
      [historyNames.both]: both,
      [historyNames.onlyOurs]: onlyOurs.map(describeLine),
      [historyNames.onlyTheirs]: onlyTheirs.map(({ reference, line }) =>
        line === null ? describeLineReference(reference) : describeLine(line),
      ),
    })
  }),
}

async function destinationKeyOf(caller: Caller, store: Store): Promise<DestinationKey> {
  const { id } = await getCredentialDestination(store, caller)
  return { companyId: caller.companyId, destinationId: id }
}

/** Throws `MissingField` and `InvalidType` for an element that identifies no line; `idMember` is where it has its id. */
function parseLineReference({ id, sent, members }: ListElement, location: string, idMember = ''): LineReference {
  const externalId = getText(members, 'externalId', 200, location)
  const exportKey = getText(members, exportable.fields.exportKey.wire, 200, location)
  if (id !== null || externalId !== null || exportKey !== null) return { id, externalId, exportKey }
  const field = `${location}${idMember}`
  if (sent === null) throw fieldError('MissingField', field)
  throw fieldError('InvalidType', field, { expected: message('anInteger'), found: JSON.stringify(sent) })
}

const { fields } = exportable

function describeRetrieval({ id, at, actor, requestId }: Retrieval) {
  return {
    [historyNames.at]: formatTimestamp(at),
    [historyNames.action]: 'retrieved',
    [historyNames.by]: actor,
    [historyNames.request]: requestId,
    [historyNames.retrieval]: id,
  }
}

function describeEntry(entry: LedgerEntry) {
  return {
    [historyNames.at]: formatTimestamp(entry.at),
    [historyNames.action]: entry.action,
    [historyNames.by]: entry.actor,
    [historyNames.request]: entry.requestId,
    [fields.revision.wire]: entry.revision,
    [historyNames.generation]: entry.generation,
    externalId: entry.externalId,
    externalBatchId: entry.externalBatchId,
    code: entry.code,
    message: entry.reason,
  }
}

function describeAlert(alert: LineAlert) {
  return {
    [historyNames.number]: alert.id,
    [historyNames.at]: formatTimestamp(alert.at),
    [historyNames.alert]: alert.code,
    [fields.id.wire]: alert.lineId,
    [fields.exportKey.wire]: alert.exportKey,
    [historyNames.by]: alert.actor,
    [historyNames.request]: alert.requestId,
    externalId: alert.externalId,
    [historyNames.acknowledgedAt]: alert.acknowledgedAt === null ? null : formatTimestamp(alert.acknowledgedAt),
    [historyNames.firstBy]: alert.acknowledgedBy,
    [historyNames.firstExternalId]: alert.firstExternalId,
  }
}

function describeLine({ lineId, state, exportKey, externalId, acknowledgedAt }: ReconcileLine) {
  return {
    [fields.id.wire]: lineId,
    [fields.exportKey.wire]: exportKey,
    externalId,
    [claimNames.state]: state,
    [historyNames.acknowledgedAt]: acknowledgedAt === null ? null : formatTimestamp(acknowledgedAt),
  }
}

function describeLineReference({ id, exportKey, externalId }: LineReference) {
  return { [fields.id.wire]: id, [fields.exportKey.wire]: exportKey, externalId, [claimNames.state]: null }
}
