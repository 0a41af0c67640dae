// Reads of collections: entities, `$count`, `$ref`.
import { requireStartEntity, type ReadReply, type ReadRequest } from './read-request.ts'
import { readDelta, getTrackingStart, buildDeltaLink, trackChangesHeaders } from './delta.ts'
import { readPage, parsePageRequest } from './page.ts'
import { writeBody, isEmpty, writeJsonBody } from './rows-body.ts'
import { controlInformationName } from '../../engine/planner/record-format.ts'
import { envelopeStart, collectionEnd, collectionStart } from '../../engine/formats/write/envelope.ts'
import { recordUrl } from '../../engine/formats/write/record-url.ts'
import { jsonArraySerializer, type ArraySerializer } from '../../engine/formats/write/row-serializer.ts'

/** `Set`, `Set(key)/Nav`. */
export async function readCollection(readRequest: ReadRequest): Promise<ReadReply> {
  const deltaToken = readRequest.authorized.query.get('$deltatoken')
  if (deltaToken !== undefined) return readDelta(readRequest, deltaToken)
  const pageRequest = await parsePageRequest(readRequest)
  if (pageRequest !== null) return readPage(readRequest, pageRequest)
  const { plan, countPlan, api, request } = readRequest
  const since = await getTrackingStart(readRequest)
  const count = plan.count ? await api.store.count(countPlan, request) : null
  const rows = await api.store.readJson(plan, request)
  // Aggregation returns a row even for an empty collection.
  if (plan.apply !== null || isEmpty(rows)) await requireStartEntity(readRequest)
  const start = `${collectionStart(plan, count)}[`
  const link = since === null ? null : { deltaLink: buildDeltaLink(readRequest, since) }
  const array = { ...jsonArraySerializer, start, end: collectionEnd(plan.recordFormat, link) }
  return {
    status: 200,
    headers: since === null ? {} : trackChangesHeaders(plan),
    body: await writeJsonBody(rows, array),
  }
}

/** `Set/$ref`, `Set(key)/Nav/$ref`. */
export async function readReferences(readRequest: ReadRequest): Promise<ReadReply> {
  const { plan, countPlan, api, request } = readRequest
  const count = plan.count ? await api.store.count(countPlan, request) : null
  const rows = await api.store.readRows(plan, 'values', request)
  if (isEmpty(rows)) await requireStartEntity(readRequest)
  const array: ArraySerializer = {
    start: `${envelopeStart(plan.recordFormat, `${plan.recordFormat.root}/$metadata#Collection($ref)`, count)}[`,
    rows: (batch, isFirst) =>
      jsonArraySerializer.rows(
        batch.map((key) => [referenceTo(key)]),
        isFirst,
      ),
    end: ']}',
  }
  const referenceTo = (key: Parameters<typeof recordUrl>[1]) =>
    `{"${controlInformationName(plan.recordFormat, 'id')}":${JSON.stringify(recordUrl(plan.resource, key))}}`
  return { status: 200, headers: {}, body: await writeBody(rows, array) }
}

/** `Set/$count`, `Set(key)/Nav/$count`. */
export async function readCount(readRequest: ReadRequest): Promise<ReadReply> {
  const count = await readRequest.api.store.count(readRequest.countPlan, readRequest.request)
  if (count === 0) await requireStartEntity(readRequest)
  return { status: 200, headers: {}, body: String(count) }
}
