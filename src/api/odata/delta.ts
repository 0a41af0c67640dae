// Delta links: added, changed and removed records since a read (OData 4.01 part 1, 11.3).
import { invalidTokenError, type ReadReply, type ReadRequest } from './read-request.ts'
import { buildLink } from './continuation-link.ts'
import { writeBody } from './rows-body.ts'
import { ApiError } from '../../errors/api-error.ts'
import { changedAfter, leftSetAfter } from '../../engine/planner/after-timestamp.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { preferencePrefix } from '../../engine/planner/record-format.ts'
import { getDeltaPosition, listDeletedKeys, tracksDeletions } from '../../store/delta.ts'
import { deltaStart, removedEntity, collectionEnd, type RemovalReason } from '../../engine/formats/write/envelope.ts'
import { parsePreferences } from '../../engine/formats/negotiation/preferences.ts'
import { recordUrl } from '../../engine/formats/write/record-url.ts'
import {
  jsonArraySerializer,
  type ArraySerializer,
  type StoredValue,
} from '../../engine/formats/write/row-serializer.ts'

/**
 * The timestamp from which changes are tracked; null when the caller does not prefer it, or the read does not support
 * it.
 */
export async function getTrackingStart({ plan, request, api }: ReadRequest): Promise<number | null> {
  const isPreferred = parsePreferences(request.header('prefer')).has('track-changes')
  if (!isPreferred || !canTrackChanges(plan) || plan.top !== null || plan.skip > 0) return null
  // Taken before the read: a concurrent change is reported twice rather than never.
  return (await getDeltaPosition(api.store, plan.companyId)).lastStamp
}

/** The delta link for changes after the timestamp: the same set, fields and filter. */
export function buildDeltaLink({ plan, request, api }: ReadRequest, stamp: number): string {
  const token = api.encryptor.encrypt(String(stamp), tokenContext(plan))
  return buildLink(request, { $deltatoken: token }, 'filter select search format schemaversion')
}

export function trackChangesHeaders({ recordFormat }: ReadPlan) {
  return { 'Preference-Applied': `${preferencePrefix(recordFormat)}track-changes` }
}

/** Throws `DeltaLinkExpired` after too many changes, or when the database was restored. */
export async function readDelta(readRequest: ReadRequest, token: string): Promise<ReadReply> {
  const { plan, api } = readRequest
  const decrypted = canTrackChanges(plan) ? api.encryptor.decrypt(token, tokenContext(plan)) : null
  if (decrypted === null) throw invalidTokenError('$deltatoken')
  const since = Number(decrypted)
  const { lastStamp, restoredAt } = await getDeltaPosition(api.store, plan.companyId)
  // After a failover that lost changes, too, until as many have followed.
  if (since < restoredAt || since > lastStamp) throw new ApiError('DeltaLinkExpired')
  const removed = await listRemoved(readRequest, since)
  const rows = await api.store.readRows(changedAfter(plan, since), 'json', readRequest.request)
  const start = `${deltaStart(plan)}[${removed.join(',')}`
  const closing = collectionEnd(plan.recordFormat, { deltaLink: buildDeltaLink(readRequest, lastStamp) })
  const array: ArraySerializer = {
    start,
    rows: (batch, isFirst) =>
      (isFirst && removed.length > 0 && batch.length > 0 ? ',' : '') + jsonArraySerializer.rows(batch, isFirst),
    end: closing,
  }
  return { status: 200, headers: {}, body: await writeBody(rows, array) }
}

/** A filter on related records also depends on their changes, which are not tracked. */
function canTrackChanges({ resource, parent, apply, relationCount, computed }: ReadPlan): boolean {
  return tracksDeletions(resource) && parent === null && apply === null && relationCount === 0 && computed.length === 0
}

async function listRemoved(readRequest: ReadRequest, stamp: number): Promise<string[]> {
  const { plan, api } = readRequest
  const { companyId, resource } = plan
  const limit = removedMax + 1
  const deleted = await listDeletedKeys(api.store, resource, { companyId, stamp, limit })
  const leftPlan = leftSetAfter(plan, stamp)
  const changed = leftPlan === null ? [] : await readKeys(leftPlan, readRequest)
  if (deleted.length + changed.length > removedMax) throw new ApiError('DeltaLinkExpired')
  const removedEntry = (key: readonly StoredValue[], reason: RemovalReason) =>
    removedEntity(plan, recordUrl(resource, key), reason)
  return [
    ...deleted.map(({ key }) => removedEntry([key], 'deleted')),
    ...changed.map((key) => removedEntry(key, 'changed')),
  ]
}

async function readKeys(plan: ReadPlan, { api, request }: ReadRequest): Promise<(readonly StoredValue[])[]> {
  const rows = await api.store.readRows(plan, 'values', request)
  if ('whole' in rows) return rows.whole
  const keys: (readonly StoredValue[])[] = []
  for await (const batch of rows.chunks) {
    keys.push(...batch)
    if (keys.length > removedMax) break
  }
  return keys
}

/** With more removals than this the client must read the whole set again. */
const removedMax = 100_000

/** A token is bound to the company and the set. */
function tokenContext({ companyId, resource }: ReadPlan): string {
  return JSON.stringify([companyId, resource.wire, 'changes'])
}
