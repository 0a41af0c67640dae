// Retrieval: reads of export lines, limited to the caller's destination and logged (interface 3.2).
import type { AuthorizedRead } from '../odata/read-request.ts'
import type { Query } from '../../engine/odata/options/query.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Request } from '../../http/request.ts'
import { ApiError } from '../../errors/api-error.ts'
import { writeContext } from '../../auth/action-context.ts'
import {
  logFullRetrieval,
  logPartialRetrieval,
  type LoggedRetrieval,
} from '../../export/retrieval.ts'
import { offeredLines } from '../../export/offered-lines.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import type { Condition, PlanValue } from '../../engine/planner/expressions/bound-expression.ts'
import { expireClaims } from '../../store/export/claims.ts'
import { getCredentialDestination, type Destination } from '../../store/export/destinations.ts'
import { exportsSuspendedSince } from '../../store/export/export-suspension.ts'
import { findPairedLines, type PairedLine } from '../../store/export/correction-pairs.ts'
import { namedRowStatement, readParameters } from '../../store/read.ts'
import type { RequestClient, Reader, Store, Transaction } from '../../store/store.ts'

/** The plan of exactly the logged lines, the plan that `$count` counts, and the headers of the reply. */
export interface RestrictedRead {
  readonly plan: ReadPlan
  readonly countPlan: ReadPlan
  readonly headers: Readonly<Record<string, string>>
}

/** The plan, restricted to the lines of the caller's destination. Throws `ExportSuspended`. */
export async function restrictToDestination(
  plan: ReadPlan,
  { caller, reader }: { readonly caller: Caller; readonly reader: Reader },
): Promise<{ plan: ReadPlan; destination: Destination }> {
  if ((await exportsSuspendedSince(reader)) !== null) throw new ApiError('ExportSuspended')
  const destination = await getCredentialDestination(reader, caller.companyId, caller.credentialId)
  const restricted = withCondition(
    { ...plan, resource: offeredLines },
    'eq',
    'destinationId',
    destination.id,
  )
  const isShared = destination.isExclusive === 0
  return {
    plan: isShared ? restricted : withoutClaimedByOthers(restricted, caller.actor),
    destination,
  }
}

/** Hides lines claimed by others, for an exclusive destination. */
function withoutClaimedByOthers(plan: ReadPlan, actor: string): ReadPlan {
  const left = {
    kind: 'field',
    recordNumber: plan.number,
    field: 'claimedBy',
    type: 'text',
    isOptional: true,
  } as const
  const right = { kind: 'literal', index: plan.values.length, type: 'text' } as const
  const isAvailable: Condition = {
    kind: 'or',
    of: [
      { kind: 'compare', operator: 'eq', left, right: { kind: 'null' } },
      { kind: 'compare', operator: 'eq', left, right },
    ],
  }
  const filter: Condition =
    plan.filter === null ? isAvailable : { kind: 'and', of: [plan.filter, isAvailable] }
  return { ...plan, filter, values: [...plan.values, actor] }
}

/** Logs the retrieval, unless the request is a HEAD, and returns the plan of exactly the logged lines. */
export async function recordRetrieval(
  requestedPlan: ReadPlan,
  source: AuthorizedRead,
): Promise<RestrictedRead> {
  const { request, authorized, api } = source
  const now = api.clock()
  const { plan, destination } = await restrictToDestination(requestedPlan, {
    caller: authorized.caller,
    reader: api.store,
  })
  if (request.method === 'HEAD') return { plan, countPlan: plan, headers: noStore }
  const context = writeContext(authorized.caller, request.id, now)
  await requireWithinTimeLimit(plan, api.store, request)
  const isFullRetrieval =
    requestedPlan.filter === null && requestedPlan.skip === 0 && requestedPlan.top === null
  const retrieve = async (transaction: Transaction) => {
    await expireClaims(transaction, now)
    if (isFullRetrieval) {
      const all = await logFullRetrieval(transaction, destination, context)
      return { retrieval: all, plan: withCondition(plan, 'le', 'readyAt', all.at) }
    }
    const lineIds = await selectIdsWithPairs(transaction, plan, destination)
    const query = describeQuery(request, authorized.query)
    const some = await logPartialRetrieval(transaction, destination, { lineIds, query }, context)
    return { retrieval: some, plan: withIds(plan, lineIds) }
  }
  const { companyId } = authorized.caller
  // A line that is withdrawn in the same commit would be logged, and missing from the reply.
  const result = await api.store.inTransaction(companyId, retrieve, { isLastOfCommit: true })
  return {
    plan: result.plan,
    countPlan: plan,
    headers: { ...noStore, ...retrievalHeaders(result.retrieval, now) },
  }
}

/**
 * Runs a filter over related collections once before the write transaction: outside of it a slow query blocks nobody,
 * and is limited to the time of a read (ADR 0015). Throws `QueryTooExpensive`.
 */
export async function requireWithinTimeLimit(
  plan: ReadPlan,
  store: Store,
  client: RequestClient,
): Promise<void> {
  if (plan.collectionCount > 0) await store.count(plan, client)
}

/** A 304 would hide that a retrieval was logged. */
const noStore = { 'Cache-Control': 'no-store' } as const

/** The id, line count and hash of the retrieval, and the age of its oldest line in seconds. */
function retrievalHeaders({ id, count, hash, oldestReadyAt }: LoggedRetrieval, now: number) {
  return {
    'X-Retrieval': `${id}; lines=${count}; sha256=${hash}`,
    'X-Oldest-Waiting':
      oldestReadyAt === null ? '0' : String(Math.max(0, Math.floor((now - oldestReadyAt) / 1e6))),
  }
}

/** The ids of the plan's lines, ascending. */
async function selectIds(transaction: Transaction, plan: ReadPlan): Promise<number[]> {
  const idPlan = { ...plan, select: [{ field: 'id', as: 'id' }], computed: [], expand: [] }
  const values = { ...readParameters(idPlan), limit: plan.top ?? Number.MAX_SAFE_INTEGER }
  const rows = await transaction.all(namedRowStatement(idPlan), values)
  return sortAscending(rows.map(({ id }) => Number(id)))
}

/** With `$top` or `$skip`, adds the missing halves of correction pairs, so that no pair is split. */
async function selectIdsWithPairs(
  transaction: Transaction,
  plan: ReadPlan,
  { id: destinationId }: Destination,
): Promise<number[]> {
  const ids = await selectIds(transaction, plan)
  if (plan.top === null && plan.skip === 0) return ids
  const missing = listMissingPairs(ids, await findPairedLines(transaction, destinationId, ids))
  if (missing.length === 0) return ids
  const added = await selectIds(
    transaction,
    withCondition({ ...plan, skip: 0, top: null }, 'in', 'id', missing),
  )
  return sortAscending([...ids, ...added])
}

/** The ids for a claim: both halves of a correction pair or none, even if the filter matches only one. */
export async function selectClaimableIds(
  transaction: Transaction,
  plan: ReadPlan,
  { id: destinationId }: Destination,
): Promise<number[]> {
  const wanted = plan.top ?? Infinity
  for (let skippedCount = 0; ;) {
    const top = plan.top === null ? null : plan.top + skippedCount
    const found = await selectIds(transaction, { ...plan, top })
    const pairs = await findPairedLines(transaction, destinationId, found)
    const skipped = new Set(pairs.filter(({ isFree }) => isFree === 0).map(({ id }) => id))
    // Pairs that are left out must not use up the limit.
    if (skipped.size > skippedCount && found.length === top) {
      skippedCount = skipped.size
      continue
    }
    const ids = found.filter((id) => !skipped.has(id)).slice(0, wanted)
    const taken = new Set(ids)
    return sortAscending([
      ...ids,
      ...listMissingPairs(
        ids,
        pairs.filter(({ id }) => taken.has(id)),
      ),
    ])
  }
}

function listMissingPairs(ids: readonly number[], pairs: readonly PairedLine[]): number[] {
  const present = new Set(ids)
  return pairs.map(({ pairedId }) => pairedId).filter((id) => !present.has(id))
}

function sortAscending(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other)
}

/** The plan of exactly these lines, whatever has changed since. */
export function withIds(plan: ReadPlan, ids: readonly number[]): ReadPlan {
  return withCondition({ ...plan, skip: 0, top: ids.length }, 'in', 'id', ids)
}

export function withCondition(
  plan: ReadPlan,
  operator: 'eq' | 'le' | 'in' | 'isNull',
  field: 'destinationId' | 'readyAt' | 'id' | 'claimedBy' | 'parkedAt',
  value: PlanValue | null,
): ReadPlan {
  const { type } = offeredLines.fields[field]
  const left = {
    kind: 'field',
    recordNumber: plan.number,
    field,
    type,
    isOptional: field === 'claimedBy' || field === 'parkedAt',
  } as const
  const right = { kind: 'literal', index: plan.values.length, type } as const
  const conditions: Record<typeof operator, Condition> = {
    eq: { kind: 'compare', operator: 'eq', left, right },
    le: { kind: 'compare', operator: 'le', left, right },
    in: { kind: 'in', left, right },
    isNull: { kind: 'compare', operator: 'eq', left, right: { kind: 'null' } },
  }
  const condition = conditions[operator]
  const filter: Condition =
    plan.filter === null ? condition : { kind: 'and', of: [plan.filter, condition] }
  return { ...plan, filter, values: value === null ? plan.values : [...plan.values, value] }
}

/** The parsed options only, so that the log contains no credentials, however they were spelled. */
function describeQuery({ path }: Request, query: Query): string {
  const options = [...query].filter(([name]) => name.startsWith('$') || name.startsWith('@'))
  return `${path}?${options.map((option) => option.join('=')).join('&')}`.slice(0, 4000)
}
