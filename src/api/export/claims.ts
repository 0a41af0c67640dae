// Claim endpoints: leases on lines, for receivers with several workers; not in the specification.
import {
  withCondition,
  selectClaimableIds,
  withIds,
  requireAffordable,
  restrictToDestination,
} from './retrieval.ts'
import { requiredReason } from '../material/decisions.ts'
import { writeResponseFormat } from '../odata/response.ts'
import { beginWrite, parseId } from '../material/material-writes.ts'
import { writeParametersOf, type Operation } from '../operation.ts'
import { executeWrite, type IdempotentWrite } from '../write-pipeline/idempotent-write.ts'
import { planOptionsFor } from '../odata/read-resource.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Request } from '../../http/request.ts'
import { formatTimestamp } from '../../lib/timestamp.ts'
import {
  breakClaim,
  claimLines,
  extendClaim,
  leaseMicrosecondsMax,
  releaseClaim,
  requireClaimAllowed,
} from '../../export/claim.ts'
import { materialActionContext } from '../../material/action-context.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { claimNames, exportable, materialNames } from '../../model/transaction.ts'
import { planRead } from '../../engine/planner/plan-read.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import type { StoredClaim } from '../../store/export/claims.ts'
import { getCredentialDestination, type Destination } from '../../store/export/destinations.ts'
import { readParameters, rowStatement } from '../../store/read.ts'
import type { Transaction } from '../../store/store.ts'
import { jsonContentType } from '../../engine/formats/negotiation/odata-format.ts'
import {
  getCount,
  parseElementsBody,
  rejectUnknownFields,
  getText,
  type ElementsBody,
} from '../../engine/formats/read/read-elements.ts'

const scope = 'material:export'
const parameters = writeParametersOf([])

const leaseSchema = { leaseSeconds: { type: 'integer', default: 900 } }

const common = { rule: '4.4.1', scope, resource: exportable, input: null, parameters } as const

/** `TransaksjonsEksport/Batch`: claims the first unclaimed lines, and replies with them and the lease. */
export const createClaimOperation: Operation = {
  ...common,
  summary: 'Claim lines with a lease',
  body: 'one',
  requestSchema: {
    type: 'object',
    properties: { max: { type: 'integer' }, filter: { type: 'string' }, ...leaseSchema },
  },
  responseKind: 'results',
  handle: async (request, api) => {
    const { write } = await beginWrite(request, api, common)
    writeResponseFormat(request)
    return executeWrite(write, api, async () => {
      const body = await readBody(write, ['max', 'filter', 'leaseSeconds'])
      const { caller } = write
      const filter = getText(body.members, 'filter', 4000)
      const query = new Map([['$top', String(getCount(body.members, 'max', claimSize))]])
      if (filter !== null) query.set('$filter', filter)
      const planned = withFilterTarget(() =>
        planRead(exportable, query, {
          ...planOptionsFor(serviceSchema, request, caller),
          clock: api.clock,
          form: writeResponseFormat(request).form,
        }),
      )
      const preview = await restrictToDestination(planned, { caller, reader: api.store })
      await requireAffordable(preview.plan, api.store, request)
      return async (transaction) => {
        const { plan, destination } = await restrictToDestination(planned, {
          caller,
          reader: transaction,
        })
        const context = materialActionContext(caller, request.id, write.now)
        await requireClaimAllowed(transaction, destination, context)
        const lineIds = await selectClaimableIds(transaction, unclaimed(plan), destination)
        if (lineIds.length === 0) return jsonReply(200, emptyClaim)
        const claimOptions = { lineIds, query: filter ?? '', leaseMicroseconds: parseLease(body) }
        const { claim, retrieval } = await claimLines(
          transaction,
          destination,
          claimOptions,
          context,
        )
        const lines = await readLines(
          transaction,
          withIds(atDestination(plan, destination), lineIds),
        )
        const { count, quantity, amount, hash } = retrieval
        const sums = {
          [claimNames.count]: count,
          [claimNames.quantity]: quantity,
          [claimNames.amount]: amount,
          [claimNames.hash]: hash,
        }
        const header = JSON.stringify({ ...describeClaim(claim), ...sums }).slice(0, -1)
        return jsonReply(200, `${header},"value":[${lines.join(',')}]}`)
      }
    })
  },
}

/** `Batch/7/Forleng`: renews the lease from now. */
export const extendClaimOperation: Operation = {
  ...common,
  summary: 'Extend a claim',
  body: 'one',
  requestSchema: { type: 'object', properties: leaseSchema },
  responseKind: 'results',
  handle: (request, api) =>
    runClaimAction(request, api, {
      members: ['leaseSeconds'],
      requiredScope: scope,
      apply: async (transaction, { destination, write, body }) => {
        const extending = { id: parseId(request.path), leaseMicroseconds: parseLease(body) }
        const context = materialActionContext(write.caller, request.id, write.now)
        return extendClaim(transaction, destination, extending, context)
      },
    }),
}

/** `Batch/7/Frigi`: releases the lines. */
export const releaseClaimOperation: Operation = {
  ...common,
  summary: 'Release a claim',
  body: 'one',
  requestSchema: { type: 'object' },
  responseKind: 'results',
  handle: (request, api) =>
    runClaimAction(request, api, {
      members: [],
      requiredScope: scope,
      apply: (transaction, { destination, write }) => {
        const context = materialActionContext(write.caller, request.id, write.now)
        return releaseClaim(transaction, destination, parseId(request.path), context)
      },
    }),
}

/** `Batch/7/Bryt`: revokes a claim of any caller. */
export const breakClaimOperation: Operation = {
  ...common,
  scope: 'export:undo',
  summary: 'Break a claim, with a reason',
  body: 'one',
  requestSchema: {
    type: 'object',
    required: [materialNames.reason],
    properties: { [materialNames.reason]: { type: 'string' } },
  },
  responseKind: 'results',
  handle: (request, api) =>
    runClaimAction(request, api, {
      members: [materialNames.reason],
      requiredScope: 'export:undo',
      apply: (transaction, { destination, write, body }) => {
        const breaking = { id: parseId(request.path), reason: requiredReason(body) }
        const context = materialActionContext(write.caller, request.id, write.now)
        return breakClaim(transaction, destination, breaking, context)
      },
    }),
}

/** The filter is in the body: errors point to `filter` instead of `$filter`. */
function withFilterTarget<T>(plan: () => T): T {
  try {
    return plan()
  } catch (error) {
    if (!(error instanceof ApiError) || error.target?.startsWith('$filter') !== true) throw error
    const target = error.target.replace('$filter', 'filter')
    throw new ApiError(error.code, { target, params: { ...error.params, option: 'filter' } })
  }
}

/** Without the filter: the lines of the claim are known by id. */
function atDestination(plan: ReadPlan, { id }: Destination): ReadPlan {
  return withCondition({ ...plan, filter: null }, 'eq', 'destinationId', id)
}

/** Unclaimed lines that are not parked after repeated failures. */
function unclaimed(plan: ReadPlan): ReadPlan {
  return withCondition(withCondition(plan, 'isNull', 'heldBy', null), 'isNull', 'parkedAt', null)
}

interface ClaimAction {
  /** The allowed members of the body. */
  readonly members: readonly string[]
  readonly requiredScope: Scope
  readonly apply: (transaction: Transaction, on: ClaimActionContext) => Promise<StoredClaim>
}

interface ClaimActionContext {
  readonly destination: Destination
  readonly write: IdempotentWrite
  readonly body: ElementsBody
}

async function runClaimAction(
  request: Request,
  api: Parameters<Operation['handle']>[1],
  { members, requiredScope, apply }: ClaimAction,
) {
  const { write } = await beginWrite(request, api, { ...common, scope: requiredScope })
  writeResponseFormat(request)
  const { companyId, credentialId } = write.caller
  return executeWrite(write, api, async () => {
    const body = await readBody(write, members)
    return async (transaction) => {
      const destination = await getCredentialDestination(transaction, companyId, credentialId)
      const claim = await apply(transaction, { destination, write, body })
      return jsonReply(200, JSON.stringify(describeClaim(claim)))
    }
  })
}

/** An empty body counts as an empty object. Throws `UnknownField`. */
async function readBody(
  { body, request }: IdempotentWrite,
  members: readonly string[],
): Promise<ElementsBody> {
  if (body.length === 0) return { lists: new Map(), members: new Map(), unknownFields: new Set() }
  const read = await parseElementsBody(body, request.header('content-type'), { members })
  rejectUnknownFields(read, { members })
  return read
}

/** The default and the maximum number of lines in a claim. */
const claimSize = { defaultValue: 1000, max: 10_000 } as const

function parseLease({ members }: ElementsBody): number {
  return (
    getCount(members, 'leaseSeconds', {
      defaultValue: 900,
      max: leaseMicrosecondsMax / 1_000_000,
    }) * 1_000_000
  )
}

async function readLines(transaction: Transaction, plan: ReadPlan): Promise<string[]> {
  const values = { ...readParameters(plan), limit: plan.top ?? 0 }
  const rows = await transaction.all(rowStatement(plan, 'json'), values)
  return rows.map((row) => String(Object.values(row)[0]))
}

function describeClaim({ id, fencingToken, state, holder, expiresAt }: StoredClaim) {
  return {
    [claimNames.id]: id,
    [claimNames.fencingToken]: fencingToken,
    [claimNames.state]: state,
    [materialNames.by]: holder,
    [exportable.fields.heldUntil.wire]: formatTimestamp(expiresAt),
  }
}

const emptyClaim = JSON.stringify({ [claimNames.id]: null, [claimNames.count]: 0, value: [] })

function jsonReply(status: number, body: string) {
  return {
    status,
    headers: { 'Content-Type': jsonContentType },
    body,
  }
}
