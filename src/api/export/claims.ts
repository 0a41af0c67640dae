// Claim endpoints: leases on lines, for receivers with several workers; not in the specification.
import { destinationWriteHandler, exportOperation } from './export-operation.ts'
import type { DestinationWrite } from '../../export/line-actions.ts'
import { findClaimableLines, listClaimableIds, restrictToDestination, withIds, whereNull } from './retrieval.ts'
import { parseStrictElements, requireReason } from '../write-pipeline/id-lists.ts'
import { serviceRootUrl, writeResponseFormat } from '../odata/response.ts'
import { parseClaimPathId } from '../odata/resource-url.ts'
import { writeParametersOf, type Operation } from '../operation.ts'
import { StaleReadError, writeHandler, type ReceivedWrite } from '../write-pipeline/handle-write.ts'
import { planContextFor } from '../odata/read-resource.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Scope } from '../../auth/scopes.ts'
import { formatTimestamp } from '../../lib/timestamp.ts'
import { forEachChunk } from '../../lib/yield-to-event-loop.ts'
import {
  breakClaim,
  claimLines,
  extendClaim,
  leaseMicrosecondsMax,
  releaseClaim,
  requireClaimAllowed,
} from '../../export/claim.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { claimNames, exportable, materialNames } from '../../model/transaction.ts'
import { planRead } from '../../engine/planner/plan-read.ts'
import { defaultRecordFormat } from '../../engine/planner/record-format.ts'
import type { StoredClaim } from '../../store/export/claims.ts'
import type { WriteReply } from '../../store/idempotency.ts'
import { readInTransaction } from '../../store/read.ts'
import { jsonContentType } from '../../engine/formats/negotiation/odata-format.ts'
import { getCount, getText, type IdListsBody } from '../../engine/formats/read/read-id-lists.ts'

const parameters = writeParametersOf([])

/** A dry run of creating a claim would show lines under a claim that does not exist. */
const existingClaimParameters = writeParametersOf(['dryRun'])

const leaseSchema = { leaseSeconds: { type: 'integer', default: 900 } }

const common = { ...exportOperation, rule: '4.4.1', parameters, body: 'one' } as const

/** `TransaksjonsEksport/Batch`: claims the first unclaimed lines, and replies with them and the lease. */
export const createClaimOperation: Operation = {
  ...common,
  summary: 'Claim lines with a lease',
  requestSchema: {
    type: 'object',
    properties: { max: { type: 'integer' }, filter: { type: 'string' }, ...leaseSchema },
  },
  handle: writeHandler({ ...common, negotiate: writeResponseFormat }, async (write, api) => {
    const { caller, request, context } = write
    const body = await parseBody(write, ['max', 'filter', 'leaseSeconds'])
    const filter = getText(body.members, 'filter', 4000)
    const query = new Map([['$top', String(getCount(body.members, 'max', claimSize))]])
    if (filter !== null) query.set('$filter', filter)
    const recordFormat = { ...defaultRecordFormat, root: serviceRootUrl(request) }
    const planContext = planContextFor(serviceSchema, { request, caller, clock: api.clock, recordFormat })
    const planned = withFilterTarget(() => planRead(exportable, query, planContext))
    const offered = await restrictToDestination(planned, { caller, reader: api.store })
    const available = whereNull(whereNull(offered.plan, 'claimedBy'), 'parkedAt')
    const found = await findClaimableLines(available, offered.destination, { request, api })
    return async (transaction) => {
      const { plan, destination } = await restrictToDestination(
        { ...planned, filter: null },
        { caller, reader: transaction },
      )
      await requireClaimAllowed(transaction, destination, context)
      const lineIds = await listClaimableIds(transaction, destination, found)
      if (lineIds.length === 0) {
        if (found.length > 0) throw new StaleReadError()
        return claimReply(emptyClaim)
      }
      const claimOptions = { lineIds, query: filter ?? '', leaseMicroseconds: parseLease(body) }
      const { claim, retrieval } = await claimLines(transaction, destination, claimOptions, context)
      const lines: string[] = []
      await forEachChunk(lineIds, chunkLines, async (chunk) => {
        lines.push(...(await readInTransaction(transaction, withIds(plan, chunk))))
      })
      const { count, quantity, amount, hash } = retrieval
      const sums = {
        [claimNames.count]: count,
        [claimNames.quantity]: quantity,
        [claimNames.amount]: amount,
        [claimNames.hash]: hash,
      }
      const header = JSON.stringify({ ...describeClaim(claim), ...sums }).slice(0, -1)
      return claimReply(`${header},"value":[${lines.join(',')}]}`)
    }
  }),
}

/** `Batch/7/Forleng`: renews the lease from now. */
export const extendClaimOperation = claimOperation({
  summary: 'Extend a claim',
  members: leaseSchema,
  apply: ({ transaction, destination, context }, id, body) => {
    const extending = { id, leaseMicroseconds: parseLease(body) }
    return extendClaim(transaction, destination, extending, context)
  },
})

/** `Batch/7/Frigi`: releases the lines. */
export const releaseClaimOperation = claimOperation({
  summary: 'Release a claim',
  apply: ({ transaction, destination, context }, id) => releaseClaim(transaction, destination, id, context),
})

/** `Batch/7/Bryt`: revokes a claim of any caller. */
export const breakClaimOperation = claimOperation({
  summary: 'Break a claim, with a reason',
  scope: 'export:undo',
  members: { [materialNames.reason]: { type: 'string' } },
  required: [materialNames.reason],
  apply: ({ transaction, destination, context }, id, body) =>
    breakClaim(transaction, destination, { id, reason: requireReason(body) }, context),
})

interface ClaimAction extends Pick<Operation, 'summary'> {
  /** Default: that of all export operations. */
  readonly scope?: Scope
  /** The schemas of the members of the body. */
  readonly members?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  readonly apply: (on: DestinationWrite, id: number, body: IdListsBody) => Promise<StoredClaim>
}

function claimOperation({ summary, scope = common.scope, members, required, apply }: ClaimAction): Operation {
  return {
    ...common,
    summary,
    scope,
    parameters: existingClaimParameters,
    requestSchema: {
      type: 'object',
      ...(required === undefined ? {} : { required }),
      ...(members === undefined ? {} : { properties: members }),
    },
    handle: destinationWriteHandler({ scope, parameters: existingClaimParameters }, async (write) => {
      const body = await parseBody(write, Object.keys(members ?? {}))
      return async (on) => {
        const claim = await apply(on, parseClaimPathId(write.request.path), body)
        return claimReply(JSON.stringify(describeClaim(claim)))
      }
    }),
  }
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

/** An empty body counts as an empty object. Throws `UnknownField`. */
async function parseBody(write: ReceivedWrite, members: readonly string[]): Promise<IdListsBody> {
  return write.body.length === 0
    ? { lists: new Map(), members: new Map(), unknownFields: new Set() }
    : parseStrictElements(write, { members })
}

/** The default and the maximum number of lines in a claim. */
const claimSize = { defaultValue: 1000, max: 10_000 } as const

function parseLease({ members }: IdListsBody): number {
  return getCount(members, 'leaseSeconds', { defaultValue: 900, max: leaseMicrosecondsMax / 1_000_000 }) * 1_000_000
}

/** Serializing this many lines takes some milliseconds. */
const chunkLines = 1000

function describeClaim({ id, fencingToken, state, holder, expiresAt }: StoredClaim) {
  return {
    [claimNames.id]: id,
    [claimNames.fencingToken]: fencingToken,
    [claimNames.state]: state,
    [materialNames.by]: holder,
    [exportable.fields.claimedUntil.wire]: formatTimestamp(expiresAt),
  }
}

const emptyClaim = JSON.stringify({ [claimNames.id]: null, [claimNames.count]: 0, value: [] })

function claimReply(body: string): WriteReply {
  return { status: 200, headers: { 'Content-Type': jsonContentType }, body }
}
