// Material endpoints (interface 4.4): register one transaction, update, delete.
import { bindRulesFor } from '../odata/bind-rules.ts'
import { entityWriteParametersOf, representationOptions, type ApiContext, type Operation } from '../operation.ts'
import { requireRecordKey } from '../odata/resource-url.ts'
import { writeHandler, type PrepareWrite, type ReceivedWrite, type WriteWork } from '../write-pipeline/handle-write.ts'
import { requireMatch } from '../write-pipeline/preconditions.ts'
import { findContradiction, findParentLink, linkRow, requireParent } from '../write-pipeline/related-inserts.ts'
import { planRepresentation, type Representation } from '../write-pipeline/representation.ts'
import { withReturnPreference } from '../write-pipeline/return-preference.ts'
import { ApiError, errorOfDetails } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import { updateMaterialById, getMaterial, deleteMaterialById } from '../../material/change.ts'
import { toMaterialRecord } from '../../material/content.ts'
import { registerBatch, type RegisterOutcome } from '../../material/register-batch.ts'
import { etagHeader, etagOf } from '../../engine/model/etag.ts'
import { materialTransaction } from '../../model/transaction.ts'
import type { WriteReply } from '../../store/idempotency.ts'
import type { StoredMaterial } from '../../store/material/materials.ts'
import type { Transaction } from '../../store/store.ts'
import { parseRecords } from '../../engine/formats/read/read-records.ts'

const resource = materialTransaction
export const writeDescription = {
  resource,
  rule: '4.4',
  scope: 'material:write',
  parameters: entityWriteParametersOf(['dryRun']),
} as const
/** Of writes that reply with one transaction. */
const entityParameters = entityWriteParametersOf(['dryRun', ...representationOptions])
export const registerMaterialOperation: Operation = {
  ...writeDescription,
  summary: 'Register one transaction',
  input: resource,
  parameters: entityParameters,
  body: 'one',
  responseKind: 'created',
  handle: entityWriteHandler(async (write, api, representation) => {
    const { request, isDryRun } = write
    const parent = findParentLink(request.path)
    const sent = await parseSingleRow(write, api)
    const contradiction = parent === null ? null : findContradiction(sent, parent)
    if (contradiction !== null) throw errorOfDetails([contradiction])
    return async (transaction) => {
      if (parent !== null) await requireParent(transaction, parent)
      const row = parent === null ? sent : linkRow(sent, parent)
      const [first] = await registerBatch(transaction, [row], write.context)
      const outcome = requireOutcome(first)
      if ('details' in outcome) throw errorOfDetails(outcome.details)
      const { code, material } = outcome
      const isNew = code === 'registered'
      const hidesId = isDryRun && isNew
      const reply = await entityReply(transaction, material, { representation, hidesId })
      const url = `${representation.root}/${resource.wire}(${material.id})`
      // A reply without its record must name it, also one that was known already.
      const entityId: Record<string, string> = isDryRun ? {} : { 'OData-EntityId': url }
      const location: Record<string, string> = isDryRun || !isNew ? {} : { Location: url }
      const headers = { ...reply.headers, ...entityId, ...location }
      return { ...reply, status: isNew ? 201 : 200, headers }
    }
  }),
}

export const updateMaterialOperation: Operation = {
  ...writeDescription,
  summary: 'Change a transaction that is not approved',
  input: resource,
  parameters: entityParameters,
  body: 'one',
  responseKind: 'one',
  handle: entityWriteHandler(async (write, api, representation) => {
    const id = Number(requireRecordKey(write.request.path, resource))
    const row = await parseSingleRow(write, api)
    if (Object.keys(row.values).length === 0) throw new ApiError('NothingToChange')
    return async (transaction) => {
      await requireMaterialMatch(transaction, id, write.request)
      const changed = await updateMaterialById(transaction, id, row, write.context)
      return entityReply(transaction, changed, { representation })
    }
  }),
}

export const deleteMaterialOperation: Operation = {
  ...writeDescription,
  summary: 'Delete a transaction that is not approved',
  input: null,
  body: 'none',
  responseKind: 'nothing',
  handle: writeHandler(writeDescription, async ({ request, context }) => {
    const id = Number(requireRecordKey(request.path, resource))
    return async (transaction) => {
      await requireMaterialMatch(transaction, id, request)
      await deleteMaterialById(transaction, id, context)
      return { status: 204, headers: {}, body: null }
    }
  }),
}

function entityWriteHandler(
  prepare: (...args: [...Parameters<PrepareWrite>, representation: Representation]) => Promise<WriteWork>,
): Operation['handle'] {
  return writeHandler({ ...writeDescription, parameters: entityParameters }, async (write, api) => {
    const work = await prepare(write, api, planRepresentation(resource, write, api.clock))
    return async (transaction) => withReturnPreference(write.request, await work(transaction))
  })
}

/** A reply with one transaction as an OData entity. */
export async function entityReply(
  transaction: Transaction,
  material: StoredMaterial,
  { representation, hidesId = false }: { representation: Representation; hidesId?: boolean },
): Promise<WriteReply> {
  const record = { ...toMaterialRecord(material), ...(hidesId ? { id: null } : {}) }
  const { contentType, headers, serialize } = representation
  return {
    status: 200,
    headers: { ...headers, 'Content-Type': contentType, ...etagHeader(etagOf(resource, record)) },
    body: await serialize(transaction, record),
  }
}

/** Throws `NotFound`, and `PreconditionFailed` when `If-Match` or `If-None-Match` is about another state. */
export async function requireMaterialMatch(transaction: Transaction, id: number, request: Request): Promise<void> {
  requireMatch(request, resource, toMaterialRecord(await getMaterial(transaction, id)))
}

/** Bodies of v3 are strict: unknown and read-only fields are errors. */
export function bodyOptions({ request, caller: { company } }: ReceivedWrite, api: ApiContext) {
  return {
    contentType: request.header('content-type'),
    resource,
    zone: company.zone,
    refuseZones: company.settings.refusesZones,
    isStrict: true,
    hasODataSemantics: true,
    bindRules: bindRulesFor(resource, request, api),
  }
}

async function parseSingleRow(write: ReceivedWrite, api: ApiContext) {
  const { rows } = await parseRecords(write.body, { ...bodyOptions(write, api), acceptedKinds: ['json'], shape: 'one' })
  const [row] = rows.slice()
  if (row === undefined) throw new Error('a body of one row without it')
  if (row.details.length > 0) throw errorOfDetails(row.details)
  return row
}

export function requireOutcome(outcome: RegisterOutcome | undefined): RegisterOutcome {
  if (outcome === undefined) throw new Error('a row without an outcome')
  return outcome
}
