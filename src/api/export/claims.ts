// Claim endpoints: leases on lines, for receivers with several workers; not in the specification.
import { and, idsOfPairs, listed, requireAffordable, within } from './retrieval.ts'
import { requiredReason } from '../material/decisions.ts'
import { answeringWrite } from '../odata/response.ts'
import { begun, idIn } from '../material/material-writes.ts'
import { writeParametersOf, type Operation } from '../operation.ts'
import { perform, type Performing } from '../write-pipeline/idempotent-write.ts'
import { readingOf } from '../odata/read-resource.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Request } from '../../http/request.ts'
import { writeStamp } from '../../lib/timestamp.ts'
import {
  breakClaim,
  claimLines,
  extendClaim,
  leaseMax,
  releaseClaim,
  requireFree,
} from '../../export/claim.ts'
import { deedOf } from '../../material/action-context.ts'
import { dagsverk } from '../../model/service-schema.ts'
import { batchWords, exportable, materialWords } from '../../model/transaction.ts'
import { planRead } from '../../engine/planner/plan-read.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import type { Batch } from '../../store/export/claims.ts'
import { destinationOf, type Destination } from '../../store/export/destinations.ts'
import { readValues, rowStatement } from '../../store/read.ts'
import type { Transaction } from '../../store/store.ts'
import { jsonContentType } from '../../engine/formats/negotiation/odata-format.ts'
import {
  countIn,
  readElements,
  requireKnown,
  textIn,
  type ElementsBody,
} from '../../engine/formats/read/read-elements.ts'

const scope = 'material:export'
const parameters = writeParametersOf([])

const leaseSchema = { leaseSeconds: { type: 'integer', default: 900 } }

const common = { rule: '4.4.1', scope, resource: exportable, input: null, parameters } as const

/** `TransaksjonsEksport/Batch`: claims the first unclaimed lines, and replies with them and the lease. */
export const claimsLines: Operation = {
  ...common,
  summary: 'Claim lines with a lease',
  body: 'one',
  takes: {
    type: 'object',
    properties: { max: { type: 'integer' }, filter: { type: 'string' }, ...leaseSchema },
  },
  answer: 'results',
  handle: async (request, serving) => {
    const { asked } = await begun(request, serving, common)
    answeringWrite(request)
    return perform(asked, serving, async () => {
      const body = await bodyOf(asked, ['max', 'filter', 'leaseSeconds'])
      const { caller } = asked
      const filter = textIn(body.members, 'filter', 4000)
      const query = new Map([['$top', String(countIn(body.members, 'max', claimSize))]])
      if (filter !== null) query.set('$filter', filter)
      const planned = withMember(() =>
        planRead(exportable, query, {
          ...readingOf(dagsverk, request, caller),
          clock: serving.clock,
          form: answeringWrite(request).form,
        }),
      )
      const tried = await within(planned, { caller, reader: serving.store })
      await requireAffordable(tried.plan, serving.store, request)
      return async (transaction) => {
        const { plan, destination } = await within(planned, { caller, reader: transaction })
        const deed = deedOf(caller, request.id, asked.now)
        await requireFree(transaction, destination, deed)
        const lineIds = await idsOfPairs(transaction, free(plan), destination)
        if (lineIds.length === 0) return answered(200, nothing)
        const claiming = { lineIds, query: filter ?? '', leaseMicroseconds: leaseIn(body) }
        const { batch, handOut } = await claimLines(transaction, destination, claiming, deed)
        const lines = await linesOf(transaction, listed(offeredTo(plan, destination), lineIds))
        const { count, quantity, amount, hash } = handOut
        const sums = {
          [batchWords.count]: count,
          [batchWords.quantity]: quantity,
          [batchWords.amount]: amount,
          [batchWords.hash]: hash,
        }
        const told = JSON.stringify({ ...toldOf(batch), ...sums }).slice(0, -1)
        return answered(200, `${told},"value":[${lines.join(',')}]}`)
      }
    })
  },
}

/** `Batch/7/Forleng`: renews the lease from now. */
export const extendsClaim: Operation = {
  ...common,
  summary: 'Extend a claim',
  body: 'one',
  takes: { type: 'object', properties: leaseSchema },
  answer: 'results',
  handle: (request, serving) =>
    onClaim(request, serving, {
      members: ['leaseSeconds'],
      right: scope,
      act: async (transaction, { destination, asked, body }) => {
        const extending = { id: idIn(request.path), leaseMicroseconds: leaseIn(body) }
        const deed = deedOf(asked.caller, request.id, asked.now)
        return extendClaim(transaction, destination, extending, deed)
      },
    }),
}

/** `Batch/7/Frigi`: releases the lines. */
export const releasesClaim: Operation = {
  ...common,
  summary: 'Release a claim',
  body: 'one',
  takes: { type: 'object' },
  answer: 'results',
  handle: (request, serving) =>
    onClaim(request, serving, {
      members: [],
      right: scope,
      act: (transaction, { destination, asked }) => {
        const deed = deedOf(asked.caller, request.id, asked.now)
        return releaseClaim(transaction, destination, idIn(request.path), deed)
      },
    }),
}

/** `Batch/7/Bryt`: revokes a claim of any caller. */
export const breaksClaim: Operation = {
  ...common,
  scope: 'export:undo',
  summary: 'Break a claim, with a reason',
  body: 'one',
  takes: {
    type: 'object',
    required: [materialWords.reason],
    properties: { [materialWords.reason]: { type: 'string' } },
  },
  answer: 'results',
  handle: (request, serving) =>
    onClaim(request, serving, {
      members: [materialWords.reason],
      right: 'export:undo',
      act: (transaction, { destination, asked, body }) => {
        const breaking = { id: idIn(request.path), reason: requiredReason(body) }
        const deed = deedOf(asked.caller, request.id, asked.now)
        return breakClaim(transaction, destination, breaking, deed)
      },
    }),
}

/** The filter is in the body: errors point to `filter` instead of `$filter`. */
function withMember<T>(plan: () => T): T {
  try {
    return plan()
  } catch (error) {
    if (!(error instanceof Fault) || error.target?.startsWith('$filter') !== true) throw error
    const target = error.target.replace('$filter', 'filter')
    throw new Fault(error.code, { target, says: { ...error.says, option: 'filter' } })
  }
}

/** Without the filter: the lines of the claim are known by id. */
function offeredTo(plan: ReadPlan, { id }: Destination): ReadPlan {
  return and({ ...plan, filter: null }, 'eq', 'destinationId', id)
}

/** Unclaimed lines that are not parked after repeated failures. */
function free(plan: ReadPlan): ReadPlan {
  return and(and(plan, 'isNull', 'heldBy', null), 'isNull', 'parkedAt', null)
}

interface Acting {
  /** The allowed members of the body. */
  readonly members: readonly string[]
  readonly right: Scope
  readonly act: (transaction: Transaction, on: OnClaim) => Promise<Batch>
}

interface OnClaim {
  readonly destination: Destination
  readonly asked: Performing
  readonly body: ElementsBody
}

async function onClaim(
  request: Request,
  serving: Parameters<Operation['handle']>[1],
  { members, right, act }: Acting,
) {
  const { asked } = await begun(request, serving, { ...common, scope: right })
  answeringWrite(request)
  const { companyId, credentialId } = asked.caller
  return perform(asked, serving, async () => {
    const body = await bodyOf(asked, members)
    return async (transaction) => {
      const destination = await destinationOf(transaction, companyId, credentialId)
      const batch = await act(transaction, { destination, asked, body })
      return answered(200, JSON.stringify(toldOf(batch)))
    }
  })
}

/** An empty body counts as an empty object. Throws `UnknownField`. */
async function bodyOf(
  { body, request }: Performing,
  members: readonly string[],
): Promise<ElementsBody> {
  if (body.length === 0) return { lists: new Map(), members: new Map(), strangers: new Set() }
  const read = await readElements(body, request.header('content-type'), { members })
  requireKnown(read, { members })
  return read
}

/** The default and the maximum number of lines in a claim. */
const claimSize = { absent: 1000, max: 10_000 } as const

function leaseIn({ members }: ElementsBody): number {
  return countIn(members, 'leaseSeconds', { absent: 900, max: leaseMax / 1_000_000 }) * 1_000_000
}

async function linesOf(transaction: Transaction, plan: ReadPlan): Promise<string[]> {
  const values = { ...readValues(plan), limit: plan.top ?? 0 }
  const rows = await transaction.all(rowStatement(plan, 'json'), values)
  return rows.map((row) => String(Object.values(row)[0]))
}

function toldOf({ id, fence, state, holder, expiresAt }: Batch) {
  return {
    [batchWords.id]: id,
    [batchWords.fence]: fence,
    [batchWords.state]: state,
    [materialWords.by]: holder,
    [exportable.fields.heldUntil.wire]: writeStamp(expiresAt),
  }
}

const nothing = JSON.stringify({ [batchWords.id]: null, [batchWords.count]: 0, value: [] })

function answered(status: number, body: string) {
  return {
    status,
    headers: { 'Content-Type': jsonContentType },
    body,
  }
}
