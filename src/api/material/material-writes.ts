// Material endpoints (interface 4.4): register a batch or one transaction, update, delete.
import { authorize, writeParametersOf, type Operation, type ApiContext } from '../operation.ts'
import { writeResponseFormat, serviceRootUrl } from '../odata/response.ts'
import {
  executeWrite,
  type WriteReply,
  type IdempotentWrite,
} from '../write-pipeline/idempotent-write.ts'
import { requireMatch } from '../write-pipeline/preconditions.ts'
import type { Scope } from '../../auth/scopes.ts'
import { detailsMax, ApiError, type ErrorDetail, type ItemResult } from '../../errors/api-error.ts'
import { errorMessage } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import { updateMaterialById, getMaterial, deleteMaterialById } from '../../material/change.ts'
import { toMaterialRecord } from '../../material/content.ts'
import { materialActionContext } from '../../material/action-context.ts'
import { registerBatch, type RegisterOutcome } from '../../material/register-batch.ts'
import { etagOf } from '../../engine/model/etag.ts'
import { materialTransaction, materialNames } from '../../model/transaction.ts'
import { parseFlag, type Query } from '../../engine/odata/options/query.ts'
import { message } from '../../errors/messages.ts'
import type { StoredMaterial } from '../../store/material/materials.ts'
import { negotiateFormat, negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import { withContext, withEtag } from '../../engine/formats/write/envelope.ts'
import { parseRecords } from '../../engine/formats/read/read-records.ts'
import { serializeItemResults } from '../../engine/formats/write/write-outcomes.ts'
import { serializeRecords } from '../../engine/formats/write/write-records.ts'

const scope = 'material:write'
const resource = materialTransaction
const description = { resource, rule: '4.4' } as const

export const registerBatchOperation: Operation = {
  ...description,
  summary: 'Register transactions from another system',
  scope,
  input: resource,
  parameters: writeParametersOf(['dryRun', 'atomic']),
  body: 'many',
  responseKind: 'results',
  handle: async (request, api) => {
    const { parameters } = registerBatchOperation
    const { write, query } = await beginWrite(request, api, { scope, parameters })
    const isAtomic = parseFlag(query, 'atomic', true)
    return executeWrite({ ...write, options: [String(isAtomic)] }, api, async () => {
      const body = await parseRecords(write.body, {
        ...readOptions(write),
        shape: 'many',
        listMember: materialNames.transactions,
      })
      const valid = body.rows.filter(({ details }) => details.length === 0)
      return async (transaction) => {
        const context = materialActionContext(write.caller, request.id, write.now)
        const outcomes = await registerBatch(transaction, valid, context)
        const outcomesInOrder = mergeOutcomes(
          body.rows.map(({ details }) => details),
          outcomes,
        )
        requireApplied(outcomesInOrder, isAtomic, request)
        const results = outcomesInOrder.map((outcome, index) => toResult(outcome, index, write))
        const format = negotiateFormat(request.header('accept'))
        const headers = { 'Content-Type': `application/${format}; charset=utf-8` }
        return { status: 200, headers, body: serializeItemResults(results, format) }
      }
    })
  },
}

export const registerMaterialOperation: Operation = {
  ...description,
  summary: 'Register one transaction',
  scope,
  input: resource,
  parameters: writeParametersOf(['dryRun']),
  body: 'one',
  responseKind: 'created',
  handle: async (request, api) => {
    const { parameters } = registerMaterialOperation
    const { write } = await beginWrite(request, api, { scope, parameters })
    writeResponseFormat(request)
    return executeWrite(write, api, async () => {
      const row = await readSingleRow(write)
      return async (transaction) => {
        const context = materialActionContext(write.caller, request.id, write.now)
        const [outcome] = await registerBatch(transaction, [row], context)
        if (outcome === undefined) throw new Error('a row without an outcome')
        if ('refused' in outcome) throw toError(outcome.refused)
        const { code, material } = outcome
        const reply = await entityReply(request, material, write.isDryRun && code === 'registered')
        if (code !== 'registered') return reply
        const location = `${serviceRootUrl(request)}/${resource.wire}(${material.id})`
        const headers = { ...reply.headers, ...(write.isDryRun ? {} : { Location: location }) }
        return { ...reply, status: 201, headers }
      }
    })
  },
}

export const updateMaterialOperation: Operation = {
  ...description,
  summary: 'Change a transaction that is not approved',
  scope,
  input: resource,
  parameters: writeParametersOf(['dryRun']),
  body: 'one',
  responseKind: 'one',
  handle: async (request, api) => {
    const { parameters } = updateMaterialOperation
    const { write } = await beginWrite(request, api, { scope, parameters })
    writeResponseFormat(request)
    const id = parseId(request.path)
    return executeWrite(write, api, async () => {
      const { values } = await readSingleRow(write)
      if (Object.keys(values).length === 0) throw new ApiError('NothingToChange')
      return async (transaction) => {
        requireMatch(request, resource, toMaterialRecord(await getMaterial(transaction, id)))
        const context = materialActionContext(write.caller, request.id, write.now)
        return entityReply(request, await updateMaterialById(transaction, id, values, context))
      }
    })
  },
}

export const deleteMaterialOperation: Operation = {
  ...description,
  summary: 'Delete a transaction that is not approved',
  scope,
  input: null,
  parameters: writeParametersOf(['dryRun']),
  body: 'none',
  responseKind: 'nothing',
  handle: async (request, api) => {
    const { parameters } = deleteMaterialOperation
    const { write } = await beginWrite(request, api, { scope, parameters })
    const id = parseId(request.path)
    return executeWrite(write, api, async () => async (transaction) => {
      requireMatch(request, resource, toMaterialRecord(await getMaterial(transaction, id)))
      await deleteMaterialById(
        transaction,
        id,
        materialActionContext(write.caller, request.id, write.now),
      )
      return { status: 204, headers: {}, body: null }
    })
  },
}

/** Authorizes a write and reads its parameters; the caller parses the body. */
export async function beginWrite(
  request: Request,
  api: ApiContext,
  options: { readonly scope: Scope; readonly parameters: Operation['parameters'] },
): Promise<{ write: IdempotentWrite; query: Query }> {
  const { caller, query, headers } = await authorize(request, api, options)
  const isDryRun = query.has('dryRun') && parseFlag(query, 'dryRun', false)
  const body = await request.body()
  const now = api.clock()
  return { write: { request, caller, body, options: [], isDryRun, now, headers }, query }
}

/** The id in `Transaksjon(17)…` or `Batch/7/…`. Throws `NotFound`. */
export function parseId(path: string): number {
  const digits = /[(/](\d{1,15})(?=[)/])/.exec(path)?.[1]
  if (digits === undefined) throw new ApiError('NotFound', { params: { what: message('thisUrl') } })
  return Number(digits)
}

/** A reply with one transaction as an OData entity. */
export async function entityReply(
  request: Request,
  material: StoredMaterial,
  hidesId = false,
): Promise<WriteReply> {
  const record = { ...toMaterialRecord(material), ...(hidesId ? { id: null } : {}) }
  const format = { resource, format: 'json', dates: 'date', isList: false } as const
  const text = await serializeRecords([record], format)
  const { form, headers } = writeResponseFormat(request)
  const context = `${form.root}/$metadata#${resource.wire}/$entity`
  const etag = etagOf(resource, record) ?? ''
  const body = withContext(form, context, withEtag(form, String(text), etag))
  return { status: 200, headers: { ...headers, ETag: etag }, body }
}

/** Bodies of v3 are strict: unknown and read-only fields are errors. */
function readOptions({ request, caller: { company } }: IdempotentWrite) {
  return {
    contentType: request.header('content-type'),
    resource,
    zone: company.zone,
    refuseZones: company.settings.refusesZones,
    isStrict: true,
    isExact: true,
  }
}

async function readSingleRow(write: IdempotentWrite) {
  const { rows } = await parseRecords(write.body, {
    ...readOptions(write),
    acceptedKinds: ['json'],
    shape: 'one',
  })
  const [row] = rows
  if (row === undefined) throw new Error('a body of one row without it')
  if (row.details.length > 0) throw toError(row.details)
  return row
}

/** The outcomes of all rows in the order of the body, invalid rows included. */
function mergeOutcomes(
  rowErrors: readonly (readonly ErrorDetail[])[],
  outcomes: readonly RegisterOutcome[],
): RegisterOutcome[] {
  const done = outcomes.values()
  return rowErrors.map((details) => {
    if (details.length > 0) return { refused: details }
    const { value } = done.next()
    if (value === undefined) throw new Error('a row without an outcome')
    return value
  })
}

function requireApplied(
  outcomesInOrder: readonly RegisterOutcome[],
  isAtomic: boolean,
  request: Request,
): void {
  const failed = outcomesInOrder.flatMap((outcome, index) =>
    'refused' in outcome ? { index, ...outcome } : [],
  )
  if (failed.length === 0 || (!isAtomic && failed.length < outcomesInOrder.length)) return
  const details = failed.flatMap(({ refused }) => refused)
  const language = negotiateLanguage(request.header('accept-language'))
  throw new ApiError(isAtomic ? 'InvalidRows' : 'NoItemsProcessed', {
    details: details.slice(0, detailsMax),
    problems: details.length,
    params: { count: failed.length },
    results: failed.map(({ index, refused }) => toErrorResult(refused, index, language)),
  })
}

function toResult(
  outcome: RegisterOutcome,
  index: number,
  { request, isDryRun }: IdempotentWrite,
): ItemResult {
  if ('refused' in outcome)
    return toErrorResult(
      outcome.refused,
      index,
      negotiateLanguage(request.header('accept-language')),
    )
  const { code, material } = outcome
  return { index, id: isDryRun && code === 'registered' ? null : material.id, code }
}

function toErrorResult(
  [detail]: readonly ErrorDetail[],
  index: number,
  language: Parameters<typeof errorMessage>[2],
): ItemResult {
  if (detail === undefined) throw new Error('an error without a detail')
  const { code, params, target, existing } = detail
  return {
    index,
    code,
    message: errorMessage(code, params, language),
    target,
    ...(existing === undefined ? {} : { existing }),
  }
}

function toError(details: readonly ErrorDetail[]): ApiError {
  const [first] = details
  if (first === undefined) throw new Error('an error without a detail')
  return new ApiError(first.code, {
    ...(first.target === null ? {} : { target: first.target }),
    ...(first.existing === undefined ? {} : { existing: first.existing }),
    params: first.params,
    ...(details.length === 1 ? {} : { details }),
  })
}
