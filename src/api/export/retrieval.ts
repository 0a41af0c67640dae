// Retrieval: reads of export lines, limited to the caller's destination and logged (interface 3.2).
import type { AuthorizedCall } from '../operation.ts'
import { StaleReadError } from '../write-pipeline/handle-write.ts'
import type { Caller } from '../../auth/caller.ts'
import { ApiError } from '../../errors/api-error.ts'
import { writeContext } from '../../auth/action-context.ts'
import { logFullRetrieval, logPartialRetrieval, type LoggedRetrieval } from '../../export/retrieval.ts'
import { offeredLines } from '../../export/offered-lines.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import type { Condition, FieldValue, PlanValue } from '../../engine/planner/expressions/bound-expression.ts'
import { addLiteral } from '../../engine/planner/binding.ts'
import { compare, conjunctionOf, nullCondition } from '../../engine/planner/expressions/conditions.ts'
import { fieldValue } from '../../engine/planner/expressions/field-value.ts'
import { expireClaims, expireClaimsBeforeRead, hasClaimOfOthers } from '../../store/export/claims.ts'
import { getCredentialDestination, type Destination } from '../../store/export/destinations.ts'
import { exportsSuspendedSince } from '../../store/export/export-suspension.ts'
import { findPairedLines, type PairedLine } from '../../store/export/correction-pairs.ts'
import {
  hasManyReadyLines,
  listReadyLines,
  manyLines,
  type FoundLine,
  type ReadyLine,
} from '../../store/export/retrievals.ts'
import { allRows } from '../../store/read.ts'
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
  const destination = await getCredentialDestination(reader, caller)
  return { plan: withDestination(caller, plan, destination), destination }
}

function withDestination({ actor }: Caller, plan: ReadPlan, { id, isExclusive }: Destination): ReadPlan {
  const ofDestination = { ...plan, resource: offeredLines }
  const restricted = withCondition(ofDestination, 'eq', 'destinationId', id)
  if (isExclusive === 0) return restricted
  // Lines that others have claimed are hidden.
  const holder = ownField(restricted, 'claimedBy')
  const values = [...restricted.values]
  const isOwn = compare('eq', holder, addLiteral({ values }, actor, holder.type))
  return withFilter({ ...restricted, values }, { kind: 'or', of: [nullCondition(holder), isOwn] })
}

/**
 * Logs the retrieval, unless the request is a HEAD, and returns the plan of exactly the logged lines. Throws
 * `StaleReadError`.
 */
export async function recordRetrieval(requestedPlan: ReadPlan, source: AuthorizedCall): Promise<RestrictedRead> {
  const { request, authorized, api } = source
  const { caller } = authorized
  const now = api.clock()
  const { plan, destination } = await restrictToDestination(requestedPlan, { caller, reader: api.store })
  if (request.method === 'HEAD') return { plan, countPlan: plan, headers: noStore }
  const context = writeContext(caller, request.id, now)
  const { companyId, actor } = caller
  const claims = { companyId, destinationId: destination.id, actor }
  // An exclusive destination does not offer what others have claimed.
  const hidesLines = (reader: Reader) => destination.isExclusive === 1 && hasClaimOfOthers(reader, claims)
  const asksForAll = requestedPlan.filter === null && requestedPlan.skip === 0 && requestedPlan.top === null
  const isFullRetrieval = asksForAll && !(await hidesLines(api.store))
  const found = isFullRetrieval ? null : await findLinesWithPairs(plan, destination, source)
  const offered = withDestination(caller, { ...requestedPlan, filter: null }, destination)
  const retrieve = async (transaction: Transaction) => {
    await expireClaims(transaction, now)
    if (found === null) {
      if (await hidesLines(transaction)) throw new StaleReadError()
      const all = await logFullRetrieval(transaction, destination, context)
      const logged = withCondition(offered, 'le', 'readyAt', all.at)
      const top = all.count <= linesReadAtOnceMax ? all.count : null
      return { retrieval: all, plan: { ...logged, top, matchCount: all.count } }
    }
    const ready = await listReadyLines(transaction, found, { destinationId: destination.id })
    const isAvailable = ({ holder }: ReadyLine) => destination.isExclusive === 0 || holder === null || holder === actor
    const lineIds = idsOf(ready.filter(isAvailable))
    // With a limit, others may be ready; an empty reply means that none was.
    if (requestedPlan.top !== null && found.length > 0 && lineIds.length === 0) throw new StaleReadError()
    // The parsed options only, so that the log contains no credentials, however they were spelled.
    const options = [...authorized.query].filter(([name]) => name.startsWith('$') || name.startsWith('@'))
    const query = `${request.path}?${options.map((option) => option.join('=')).join('&')}`.slice(0, 4000)
    const some = await logPartialRetrieval(transaction, destination, { lineIds, query }, context)
    return { retrieval: some, plan: withIds(offered, lineIds) }
  }
  const isLong =
    found === null
      ? await hasManyReadyLines(api.store, { companyId, destinationId: destination.id })
      : found.length > manyLines
  // A line that is withdrawn in the same commit would be logged, and missing from the reply.
  const result = await api.store.inTransaction(companyId, retrieve, { isLastOfCommit: true, isLong })
  return { plan: result.plan, countPlan: plan, headers: { ...noStore, ...retrievalHeaders(result.retrieval, now) } }
}

/** So many lines are read at once, with their number as `top`. More are a stream, which a plan without `top` can become. */
const linesReadAtOnceMax = 2000

/** A 304 would hide that a retrieval was logged. */
const noStore = { 'Cache-Control': 'no-store' } as const

/** The id, line count and hash of the retrieval, and the age of its oldest line in seconds. */
function retrievalHeaders({ id, count, hash, oldestReadyAt }: LoggedRetrieval, now: number) {
  return {
    'X-Retrieval': `${id}; lines=${count}; sha256=${hash}`,
    'X-Oldest-Waiting': oldestReadyAt === null ? '0' : String(Math.max(0, Math.floor((now - oldestReadyAt) / 1e6))),
  }
}

/** Where a query is evaluated, and for whom. */
type LineSource = Pick<AuthorizedCall, 'request' | 'api'>

/** The lines of the plan. With `$top` or `$skip`, adds the missing halves of correction pairs, so that no pair is split. */
async function findLinesWithPairs(
  plan: ReadPlan,
  { id: destinationId }: Destination,
  { request, api: { store, clock } }: LineSource,
): Promise<FoundLine[]> {
  const { companyId } = plan
  await expireClaimsBeforeRead(store, companyId, clock())
  const found = await findLines(plan, store, request)
  if (plan.top === null && plan.skip === 0) return found
  const ids = idsOf(found)
  const pairs = await findPairedLines(store, { companyId, destinationId }, ids)
  const missing = listMissingPairs(ids, pairs)
  if (missing.length === 0) return found
  const ofMissing = withCondition({ ...plan, skip: 0, top: null }, 'in', 'id', missing)
  return [...found, ...(await findLines(ofMissing, store, request))]
}

/** The lines for a claim: not those of a correction pair of which one is claimed or parked. */
export async function findClaimableLines(
  plan: ReadPlan,
  { id: destinationId }: Destination,
  { request, api: { store, clock } }: LineSource,
): Promise<FoundLine[]> {
  const { companyId } = plan
  const wanted = plan.top ?? Infinity
  await expireClaimsBeforeRead(store, companyId, clock())
  for (let skippedCount = 0; ;) {
    const top = plan.top === null ? null : plan.top + skippedCount
    const found = await findLines({ ...plan, top }, store, request)
    const pairs = await findPairedLines(store, { companyId, destinationId }, idsOf(found))
    const split = idsOfSplitPairs(pairs)
    // Pairs that are left out must not use up the limit.
    if (split.size > skippedCount && found.length === top) {
      skippedCount = split.size
      continue
    }
    return found.filter(({ id }) => !split.has(id)).slice(0, wanted)
  }
}

/**
 * The lines of the plan by id. They are read before the transaction that logs them, because a costly filter would block
 * all other callers there; inside, each of them is checked by its id (ADR 0031). Throws `QueryTooExpensive`.
 */
async function findLines(plan: ReadPlan, store: Store, client: RequestClient): Promise<FoundLine[]> {
  const select = ['id', 'revision'].map((field) => ({ field, as: field }))
  const idPlan = { ...plan, select, computed: [], expand: [], extraColumns: [] }
  const found = await allRows(await store.readRows(idPlan, 'values', client))
  return found.map(([id, revision]) => ({ id: Number(id), revision: Number(revision) }))
}

/** The ids for a claim of these lines: both halves of a correction pair or none, even if the filter matches only one. */
export async function listClaimableIds(
  transaction: Transaction,
  { id: destinationId }: Destination,
  found: readonly FoundLine[],
): Promise<number[]> {
  const ready = await listReadyLines(transaction, found, { destinationId })
  const free = idsOf(ready.filter(({ holder, isParked }) => holder === null && isParked === 0))
  const pairs = await findPairedLines(transaction, { companyId: transaction.companyId, destinationId }, free)
  const split = idsOfSplitPairs(pairs)
  const ids = free.filter((id) => !split.has(id))
  const whole = pairs.filter(({ id }) => !split.has(id))
  return sortAscending([...ids, ...listMissingPairs(ids, whole)])
}

function idsOfSplitPairs(pairs: readonly PairedLine[]): ReadonlySet<number> {
  return new Set(pairs.filter(({ isFree }) => isFree === 0).map(({ id }) => id))
}

function idsOf(lines: readonly { readonly id: number }[]): number[] {
  return sortAscending(lines.map(({ id }) => id))
}

function listMissingPairs(ids: readonly number[], pairs: readonly PairedLine[]): number[] {
  const present = new Set(ids)
  return pairs.map(({ pairedId }) => pairedId).filter((id) => !present.has(id))
}

function sortAscending(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other)
}

/** The plan of exactly these lines. */
export function withIds(plan: ReadPlan, ids: readonly number[]): ReadPlan {
  return withCondition({ ...plan, skip: 0, top: ids.length }, 'in', 'id', ids)
}

/** The plan of the lines whose field fits the value, which the plan keeps as a literal. */
export function withCondition(
  plan: ReadPlan,
  operator: 'eq' | 'le' | 'in',
  name: OfferedField,
  value: PlanValue,
): ReadPlan {
  const left = ownField(plan, name)
  const values = [...plan.values]
  const right = addLiteral({ values }, value, left.type)
  const condition: Condition = operator === 'in' ? { kind: 'in', left, right } : compare(operator, left, right)
  return withFilter({ ...plan, values }, condition)
}

/** The plan of the lines where the field is null. */
export function whereNull(plan: ReadPlan, name: OfferedField): ReadPlan {
  return withFilter(plan, nullCondition(ownField(plan, name)))
}

type OfferedField = keyof typeof offeredLines.fields

function ownField({ number }: ReadPlan, name: OfferedField): FieldValue {
  return fieldValue({ number, isJoined: false }, { name, ...offeredLines.fields[name] })
}

function withFilter(plan: ReadPlan, condition: Condition): ReadPlan {
  const conditions = plan.filter === null ? [condition] : [plan.filter, condition]
  return { ...plan, filter: conjunctionOf(conditions) }
}
