// Details of one export line and of one retrieval.
import type { ExportLineHistory, RetrievalPage } from '../contract/export.ts'
import { createActorNames } from '../actors.ts'
import { isVisible } from '../approvals/approval-queue.ts'
import type { AppRequest } from '../route.ts'
import { message } from '../../errors/messages.ts'
import { listLedgerEntries, listRetrievalsOfLine } from '../../store/export/export-log.ts'
import {
  findRetrieval,
  listLinesOfRetrieval,
  findLineOrigin,
  listLinesOfTransaction,
} from '../../store/export/line-details.ts'
import { notFoundError } from '../../errors/api-error.ts'
import { parseId, queryIn } from '../request-values.ts'

/**
 * A line with its corrections, its transaction, its ledger entries and its retrievals. Amounts are ten-thousandths,
 * timestamps microseconds; actors have display names.
 */
export async function getLineDetails(appRequest: AppRequest): Promise<ExportLineHistory> {
  const { store, request, sessionUser, companyId } = appRequest
  const query = queryIn(request, ['destination', 'id'])
  const lineId = parseId(query.get('id'), 'id')
  const destinationKey = { companyId, destinationId: parseId(query.get('destination'), 'destination') }
  const lines = (await listLinesOfTransaction(store, { ...destinationKey, lineId })).filter(({ departmentId }) =>
    isVisible(sessionUser, departmentId),
  )
  const line = lines.find(({ id }) => id === lineId)
  if (line === undefined) throw notFoundError(message('theRecord'))
  const nameActor = await createActorNames(store, companyId)
  const origin = await findLineOrigin(store, { companyId, id: line.materialId })
  const retrievals = await listRetrievalsOfLine(store, { ...destinationKey, lineId })
  const entries = await listLedgerEntries(store, { ...destinationKey, lineId })
  return {
    lines: lines.map((one) => ({
      ...one,
      approvedBy: nameActor(one.approvedBy),
      acknowledgedBy: nameActor(one.acknowledgedBy),
    })),
    origin: origin === undefined ? null : { ...origin, registeredBy: nameActor(origin.registeredBy) },
    retrievals: retrievals
      .slice(-shownMax)
      .map(({ id, at, actor, requestId, count }) => ({ id, at, actor: nameActor(actor), requestId, count })),
    entries: entries.map((entry) => ({ ...entry, actor: nameActor(entry.actor) })),
  }
}

const shownMax = 100

/** A retrieval with up to a thousand of its lines below the id `before`, and their current state. */
export async function getRetrievalDetails(appRequest: AppRequest): Promise<RetrievalPage> {
  const { store, request, companyId } = appRequest
  const query = queryIn(request, ['id', 'before'])
  const before = query.get('before')
  const retrieval = await findRetrieval(store, { companyId, id: parseId(query.get('id'), 'id') })
  if (retrieval === undefined) throw notFoundError(message('theRecord'))
  const nameActor = await createActorNames(store, companyId)
  const lines = await listLinesOfRetrieval(store, companyId, retrieval, {
    before: before === undefined ? Number.MAX_SAFE_INTEGER : parseId(before, 'before'),
    top: pageRows,
  })
  return {
    retrieval: { ...retrieval, actor: nameActor(retrieval.actor) },
    lines: lines.map((line) => ({ ...line, acknowledgedBy: nameActor(line.acknowledgedBy) })),
  }
}

const pageRows = 1000
