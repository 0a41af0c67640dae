// Retrieval: reads of export lines, limited to the caller's destination and logged (interface 3.2).
import type { AuthorizedRead } from '../odata/read-request.ts'
import type { Query } from '../../engine/odata/options/query.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Request } from '../../http/request.ts'
import { Fault } from '../../errors/catalog.ts'
import { deedOf } from '../../material/action-context.ts'
import { handOutAll, handOutSome, type HandOut } from '../../export/retrieval.ts'
import { offered } from '../../export/offered-lines.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import type { Condition, PlanValue } from '../../engine/planner/expressions/expression.ts'
import { expireBatches } from '../../store/export/claims.ts'
import { destinationOf, type Destination } from '../../store/export/destinations.ts'
import { exportsHeldSince } from '../../store/export/export-suspension.ts'
import { otherHalves, type OtherHalf } from '../../store/export/correction-pairs.ts'
import { namedRowStatement, readValues } from '../../store/read.ts'
import type { Client, Reader, Store, Transaction } from '../../store/store.ts'

/** The plan of exactly the logged lines, the plan that `$count` counts, and the headers of the reply. */
export interface HandedOut {
  readonly plan: ReadPlan
  readonly counted: ReadPlan
  readonly headers: Readonly<Record<string, string>>
}

/** The plan, restricted to the lines of the caller's destination. Throws `ExportHeld`. */
export async function within(
  plan: ReadPlan,
  { caller, reader }: { readonly caller: Caller; readonly reader: Reader },
): Promise<{ plan: ReadPlan; destination: Destination }> {
  if ((await exportsHeldSince(reader)) !== null) throw new Fault('ExportHeld')
  const destination = await destinationOf(reader, caller.companyId, caller.credentialId)
  const held = and({ ...plan, resource: offered }, 'eq', 'destinationId', destination.id)
  const isShared = destination.isExclusive === 0
  return { plan: isShared ? held : withoutOthers(held, caller.actor), destination }
}

/** Hides lines claimed by others, for an exclusive destination. */
function withoutOthers(plan: ReadPlan, actor: string): ReadPlan {
  const left = {
    kind: 'field',
    of: plan.number,
    field: 'heldBy',
    type: 'text',
    isOptional: true,
  } as const
  const right = { kind: 'literal', index: plan.values.length, type: 'text' } as const
  const free: Condition = {
    kind: 'or',
    of: [
      { kind: 'compare', operator: 'eq', left, right: { kind: 'null' } },
      { kind: 'compare', operator: 'eq', left, right },
    ],
  }
  const filter: Condition = plan.filter === null ? free : { kind: 'and', of: [plan.filter, free] }
  return { ...plan, filter, values: [...plan.values, actor] }
}

/** Logs the retrieval and returns the plan of exactly the logged lines. HEAD logs nothing. */
export async function handOut(asked: ReadPlan, source: AuthorizedRead): Promise<HandedOut> {
  const { request, admitted, serving } = source
  const now = serving.clock()
  const { plan, destination } = await within(asked, {
    caller: admitted.caller,
    reader: serving.store,
  })
  if (request.method === 'HEAD') return { plan, counted: plan, headers }
  const deed = deedOf(admitted.caller, request.id, now)
  await requireAffordable(plan, serving.store, request)
  const isWhole = asked.filter === null && asked.skip === 0 && asked.top === null
  const handedOut = await serving.store.inTransaction(
    admitted.caller.companyId,
    async (transaction) => {
      await expireBatches(transaction, now)
      if (isWhole) {
        const all = await handOutAll(transaction, destination, deed)
        return { handOut: all, plan: and(plan, 'le', 'readyAt', all.at) }
      }
      const lineIds = await idsInPairs(transaction, plan, destination)
      const query = queryOf(request, admitted.query)
      const some = await handOutSome(transaction, destination, { lineIds, query }, deed)
      return { handOut: some, plan: listed(plan, lineIds) }
    },
  )
  return {
    plan: handedOut.plan,
    counted: plan,
    headers: { ...headers, ...told(handedOut.handOut, now) },
  }
}

/**
 * Runs a filter over related collections once before the write transaction: outside of it a slow query blocks nobody,
 * and is limited to the time of a read (ADR 0125). Throws `ReadTooCostly`.
 */
export async function requireAffordable(
  plan: ReadPlan,
  store: Store,
  client: Client,
): Promise<void> {
  if (plan.collections > 0) await store.count(plan, client)
}

/** A 304 would hide that a retrieval was logged. */
const headers = { 'Cache-Control': 'no-store' } as const

/** The id, line count and hash of the retrieval, and the age of its oldest line in seconds. */
function told({ id, count, hash, oldestReadyAt }: HandOut, now: number) {
  return {
    'X-Hand-Out': `${id}; lines=${count}; sha256=${hash}`,
    'X-Oldest-Waiting':
      oldestReadyAt === null ? '0' : String(Math.max(0, Math.floor((now - oldestReadyAt) / 1e6))),
  }
}

/** The ids of the plan's lines, ascending. */
async function idsOf(transaction: Transaction, plan: ReadPlan): Promise<number[]> {
  const slim = { ...plan, select: [{ field: 'id', as: 'id' }], computed: [], expand: [] }
  const values = { ...readValues(slim), limit: plan.top ?? Number.MAX_SAFE_INTEGER }
  const rows = await transaction.all(namedRowStatement(slim), values)
  return ascending(rows.map(({ id }) => Number(id)))
}

/** With `$top` or `$skip`, adds the missing halves of correction pairs, so that no pair is split. */
async function idsInPairs(
  transaction: Transaction,
  plan: ReadPlan,
  { id: destinationId }: Destination,
): Promise<number[]> {
  const ids = await idsOf(transaction, plan)
  if (plan.top === null && plan.skip === 0) return ids
  const missing = missingFrom(ids, await otherHalves(transaction, destinationId, ids))
  if (missing.length === 0) return ids
  const fitting = await idsOf(
    transaction,
    and({ ...plan, skip: 0, top: null }, 'in', 'id', missing),
  )
  return ascending([...ids, ...fitting])
}

/** The ids for a claim: both halves of a correction pair or none, even if the filter matches only one. */
export async function idsOfPairs(
  transaction: Transaction,
  plan: ReadPlan,
  { id: destinationId }: Destination,
): Promise<number[]> {
  const wanted = plan.top ?? Infinity
  for (let more = 0; ;) {
    const top = plan.top === null ? null : plan.top + more
    const found = await idsOf(transaction, { ...plan, top })
    const halves = await otherHalves(transaction, destinationId, found)
    const left = new Set(halves.filter(({ isFree }) => isFree === 0).map(({ id }) => id))
    // Pairs that are left out must not use up the limit.
    if (left.size > more && found.length === top) {
      more = left.size
      continue
    }
    const ids = found.filter((id) => !left.has(id)).slice(0, wanted)
    const taken = new Set(ids)
    return ascending([
      ...ids,
      ...missingFrom(
        ids,
        halves.filter(({ id }) => taken.has(id)),
      ),
    ])
  }
}

function missingFrom(ids: readonly number[], halves: readonly OtherHalf[]): number[] {
  const there = new Set(ids)
  return halves.map(({ otherId }) => otherId).filter((id) => !there.has(id))
}

function ascending(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other)
}

/** The plan of exactly these lines, whatever has changed since. */
export function listed(plan: ReadPlan, ids: readonly number[]): ReadPlan {
  return and({ ...plan, skip: 0, top: ids.length }, 'in', 'id', ids)
}

export function and(
  plan: ReadPlan,
  operator: 'eq' | 'le' | 'in' | 'isNull',
  field: 'destinationId' | 'readyAt' | 'id' | 'heldBy' | 'parkedAt',
  value: PlanValue | null,
): ReadPlan {
  const { type } = offered.fields[field]
  const left = {
    kind: 'field',
    of: plan.number,
    field,
    type,
    isOptional: field === 'heldBy' || field === 'parkedAt',
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
function queryOf({ path }: Request, query: Query): string {
  const options = [...query].filter(([name]) => name.startsWith('$') || name.startsWith('@'))
  return `${path}?${options.map((option) => option.join('=')).join('&')}`.slice(0, 4000)
}
