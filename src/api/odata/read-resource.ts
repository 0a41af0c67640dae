// OData reads, from request to reply: resolve the path, plan, restrict, read (interface 4.3).
import { recordNotFoundError, type ReadRequest } from './read-request.ts'
import { resolvePath, serviceRootOf } from './resource-url.ts'
import { responseFormat, textResponseFormat } from './response.ts'
import { parseServiceUrl } from './service-url.ts'
import { authorizedHandler, type AuthorizedCall, type Handler } from '../operation.ts'
import { recordRetrieval, restrictToDestination, type RestrictedRead } from '../export/retrieval.ts'
import { retryStaleReads } from '../write-pipeline/handle-write.ts'
import { scopes, type Scope } from '../../auth/scopes.ts'
import type { Caller } from '../../auth/caller.ts'
import { ApiError, notFoundError, notSupportedError } from '../../errors/api-error.ts'
import type { Reply, Request } from '../../http/request.ts'
import type { Resource } from '../../engine/model/resource.ts'
import type { Schema } from '../../engine/model/schema.ts'
import { exportable } from '../../model/transaction.ts'
import { withAliases } from '../../engine/odata/options/aliases.ts'
import { standardDialect } from '../../engine/odata/dialect.ts'
import { queryOptionError, requireParameter, type Query } from '../../engine/odata/options/query.ts'
import { message } from '../../errors/messages.ts'
import { memoize } from '../../lib/memoize.ts'
import type { ResolvedPath, PathTarget } from '../../engine/planner/path/resolved-path.ts'
import { PlanCache } from '../../engine/planner/plan-cache.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { planResourcePath, type PlanContext } from '../../engine/planner/plan-read.ts'
import { type ResourceReader, resourceReaders, readerFor } from './resource-readers.ts'

/** Reads what the path addresses; format and options are those of each request. */
export function resourceHandler(schema: Schema, resolved: ResolvedPath): Handler {
  const reader = readerFor(resolved)
  const authorization = { scope: scopeOf(resolved), parameters: reader.parameters }
  return authorizedHandler(authorization, async (call) => {
    const { request, authorized } = call
    const aliased = [...authorized.query.keys()].some((name) => name.startsWith('@'))
      ? resolvePath(schema, request.path, withAliases(standardDialect, authorized.query))
      : resolved
    return replyTo({ ...call, schema }, aliased ?? resolved, reader)
  })
}

/** The entity with the id in `$id`: `$entity?$id=Ansatt(7)` (OData 4.01 part 1, 11.2.9). */
export function entityIdHandler(schema: Schema): Handler {
  const { parameters } = resourceReaders.identified
  return authorizedHandler({ scope: null, parameters }, async (call) => {
    const { request, authorized } = call
    const id = requireParameter(authorized.query, '$id', 'expectedRecordAddress')
    const url = parseServiceUrl(id, { origin: request.origin, root: serviceRootOf(request.path) })
    const [, , ...casts] = request.path.split('/').filter((part) => part !== '')
    const resolved = url === null ? null : resolvePath(schema, [url.path, ...casts].join('/'))
    const isPart = resolved !== null && (resolved.field !== null || resolved.complexProperty !== null)
    if (resolved === null || resolved.key.length === 0 || isPart) throw notFoundError(message('theRecord'))
    const scope = scopeOf(resolved)
    if (!authorized.caller.scopes.has(scope)) throw new ApiError('ScopeMissing', { params: { scope } })
    return replyTo({ ...call, schema }, resolved, resourceReaders.identified)
  })
}

async function replyTo(
  { schema, request, authorized, api }: AuthorizedCall & { readonly schema: Schema },
  resolved: ResolvedPath,
  { read, isText }: ResourceReader,
): Promise<Reply> {
  const { caller, query } = authorized
  const { recordFormat, headers: formatHeaders } = (isText ? textResponseFormat : responseFormat)(request, query)
  requireSupported(resolved, query)
  const context = planContextFor(schema, { request, caller, clock: api.clock, recordFormat })
  const plan = planResolvedPath(resolved, request.path, query, context)
  if (plan === null) throw recordNotFoundError(resolved)
  const readRequest: ReadRequest = { request, authorized, api, resolved, plan, countPlan: plan }
  const { headers: retrievalHeaders, ...restricted } = await restrictExportLines(readRequest)
  const { status, headers, body } = await read({ ...readRequest, ...restricted })
  return { status, headers: mergeHeaders({ ...formatHeaders, ...retrievalHeaders }, headers), body }
}

/** Plans of whole sets are cached; a key or a filter in the path has literals of its own. */
function planResolvedPath(resolved: ResolvedPath, path: string, query: Query, context: PlanContext): ReadPlan | null {
  const plan = (given: PlanContext) => planResourcePath(resolved, query, given)
  const isSet = resolved.via === null && resolved.key.length === 0 && resolved.filters.length === 0
  return isSet ? plansOf(context.schema).get(path, query, context, plan) : plan(context)
}

const plansOf = memoize((_schema: Schema) => new PlanCache())

/** A read of export lines is restricted and logged (ADR 0031); all other plans stay as they are. */
async function restrictExportLines(readRequest: ReadRequest): Promise<RestrictedRead> {
  const { plan, resolved } = readRequest
  if (plan.resource !== exportable) return { plan, countPlan: plan, headers: {} }
  if (resolved.resultKind !== 'count') return retryStaleReads(() => recordRetrieval(plan, readRequest))
  const { plan: restrictedPlan } = await restrictToDestination(plan, {
    caller: readRequest.authorized.caller,
    reader: readRequest.api.store,
  })
  return { plan: restrictedPlan, countPlan: restrictedPlan, headers: {} }
}

/** `Preference-Applied` is set in more than one place. */
function mergeHeaders(common: Reply['headers'], own: Reply['headers']): Reply['headers'] {
  const name = 'Preference-Applied'
  const applied = [common[name], own[name]].filter((one) => one !== undefined)
  return { ...common, ...own, ...(applied.length === 0 ? {} : { [name]: applied.join(', ') }) }
}

function requireSupported({ resource, resultKind, filters }: ResolvedPath, query: Query): void {
  // Retrievals are logged line by line (ADR 0031), which is impossible for aggregated lines.
  if (resource === exportable && query.has('$apply')) throw notSupportedError('applyOnExport', '$apply')
  // A count with a filter both in the path and in `$filter` is ambiguous (OData 4.01 part 2, 4.12).
  if (resultKind === 'count' && filters.length > 0 && query.has('$filter'))
    throw queryOptionError('$filter', message('pathHasFilter'))
}

/** The scope for reading the set that the path begins with. */
function scopeOf({ resource, via }: PathTarget): Scope {
  return via === null ? scopeOfResource(resource) : scopeOf(via.from)
}

export function scopeOfResource({ readScope, wire }: Resource): Scope {
  const scope = scopes.find((one) => one === readScope)
  if (scope === undefined) throw new Error(`${wire} requires an unknown scope: ${readScope}`)
  return scope
}

interface PlannedRequest extends Required<Pick<PlanContext, 'clock' | 'recordFormat'>> {
  readonly request: Request
  readonly caller: Caller
}

/** What the planner knows of a request. */
export function planContextFor(schema: Schema, { request, caller, clock, recordFormat }: PlannedRequest): PlanContext {
  return {
    schema,
    companyId: caller.companyId,
    grantedScopes: caller.scopes,
    zone: caller.company.zone,
    clock,
    recordFormat,
    dialect: standardDialect,
    dates: 'date',
    naming: usesDeclaredNames(request) ? 'declared' : 'requested',
  }
}

/** OData clients, and clients of the original service, get the declared names (ADR 0006). */
function usesDeclaredNames(request: Request): boolean {
  return (
    serviceRootOf(request.path).toLowerCase() === 'odata' ||
    ['x-api-version', 'odata-version', 'odata-maxversion'].some((name) => request.header(name) !== undefined)
  )
}
