// Delta links: added, changed and removed records since a read (OData 4.01 part 1, 11.3).
import { notOurLink, type Answer, type Asked } from './read-request.ts'
import { linkTo } from './continuation-link.ts'
import { bodyOf } from './rows-body.ts'
import { Fault } from '../../errors/catalog.ts'
import { changedAfter, leftAfter } from '../../engine/planner/select/after-timestamp.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { preferencePrefix } from '../../engine/planner/select/record-form.ts'
import { lastStamp, removedAfter, tracesRemovals } from '../../store/delta.ts'
import {
  changesOpening,
  removedMember,
  setClosing,
  type Reason,
} from '../../engine/formats/write/envelope.ts'
import { readPreferences } from '../../engine/formats/negotiation/preferences.ts'
import { recordAddress } from '../../engine/formats/write/record-address.ts'
import { jsonArray, type ArrayWriter, type Value } from '../../engine/formats/write/write-rows.ts'

/**
 * The timestamp from which changes are tracked; null when the caller does not prefer it, or the read does not support
 * it.
 */
export async function followedFrom({ plan, request, serving }: Asked): Promise<number | null> {
  const isAsked = readPreferences(request.header('prefer')).has('track-changes')
  if (!isAsked || !isFollowed(plan) || plan.top !== null || plan.skip > 0) return null
  // Taken before the read: a concurrent change is reported twice rather than never.
  return lastStamp(serving.store, plan.companyId)
}

/** The delta link for changes after the timestamp: the same set, fields and filter. */
export function linkToChanges({ plan, request, serving }: Asked, stamp: number): string {
  const token = serving.seal.close(String(stamp), aboutOf(plan))
  return linkTo(request, { $deltatoken: token }, 'filter select search format schemaversion')
}

export function trackedHeaders({ form }: ReadPlan) {
  return {
    'Preference-Applied': `${preferencePrefix(form)}track-changes`,
  }
}

/** Throws `DeltaLinkExpired` after too many changes, or when the database was restored. */
export async function answerChanges(asked: Asked, token: string): Promise<Answer> {
  const { plan, serving } = asked
  const opened = isFollowed(plan) ? serving.seal.open(token, aboutOf(plan)) : null
  if (opened === null) throw notOurLink('$deltatoken')
  const since = Number(opened)
  const now = await lastStamp(serving.store, plan.companyId)
  if (since > now) throw new Fault('DeltaLinkExpired')
  const gone = await removedSince(asked, since)
  const rows = await serving.store.readRows(changedAfter(plan, since), 'json', asked.request)
  const start = `${changesOpening(plan)}[${gone.join(',')}`
  const closing = setClosing(plan.form, { deltaLink: linkToChanges(asked, now) })
  const array: ArrayWriter = {
    start,
    rows: (batch, isFirst) =>
      (isFirst && gone.length > 0 && batch.length > 0 ? ',' : '') + jsonArray.rows(batch, isFirst),
    end: closing,
  }
  return { status: 200, headers: {}, body: await bodyOf(rows, array) }
}

/** A filter on related records also depends on their changes, which are not tracked. */
function isFollowed({ resource, start, apply, relations, computed }: ReadPlan): boolean {
  return (
    tracesRemovals(resource) &&
    start === null &&
    apply === null &&
    relations === 0 &&
    computed.length === 0
  )
}

async function removedSince(asked: Asked, stamp: number): Promise<string[]> {
  const { plan, serving } = asked
  const { companyId, resource } = plan
  const limit = removedMax + 1
  const deleted = await removedAfter(serving.store, resource, { companyId, stamp, limit })
  const left = leftAfter(plan, stamp)
  const changed = left === null ? [] : await keysOf(left, asked)
  if (deleted.length + changed.length > removedMax) throw new Fault('DeltaLinkExpired')
  const told = (key: readonly Value[], reason: Reason) =>
    removedMember(plan, recordAddress(resource, key), reason)
  return [
    ...deleted.map(({ key }) => told([key], 'deleted')),
    ...changed.map((key) => told(key, 'changed')),
  ]
}

async function keysOf(plan: ReadPlan, { serving, request }: Asked): Promise<(readonly Value[])[]> {
  const rows = await serving.store.readRows(plan, 'values', request)
  if ('whole' in rows) return rows.whole
  const keys: (readonly Value[])[] = []
  for await (const batch of rows.batches) {
    keys.push(...batch)
    if (keys.length > removedMax) break
  }
  return keys
}

/** With more removals than this the client must read the whole set again. */
const removedMax = 100_000

/** A token is bound to the company and the set. */
function aboutOf({ companyId, resource }: ReadPlan): string {
  return JSON.stringify([companyId, resource.wire, 'changes'])
}
