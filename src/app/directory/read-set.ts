// `GET /app/les/<set>?…`: OData queries with the company and role of the session (ADR 0046).
import { materialScope, relatedScopes, resourcesWithXml } from './set-names.ts'
import { roleMissingError, type AppRequest } from '../route.ts'
import { appPaths } from '../contract/endpoints.ts'
import type { Reply } from '../../http/request.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { standardDialect } from '../../engine/odata/dialect.ts'
import { routeParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { setInPath } from '../request-values.ts'
import { planRead, setOptions } from '../../engine/planner/plan-read.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { defaultRecordFormat } from '../../engine/planner/record-format.ts'
import { allRows } from '../../store/read.ts'
import type { RequestClient, Store } from '../../store/store.ts'
import { collectionStart } from '../../engine/formats/write/envelope.ts'
import { negotiateFormat } from '../../engine/formats/negotiation/negotiate.ts'
import { xmlArraySerializer } from '../../engine/formats/write/row-serializer.ts'
import { ApiError } from '../../errors/api-error.ts'

/**
 * A set in the OData envelope, or as the XML of `Finn` when preferred; at most a thousand records, the next ones with
 * `$skip`.
 */
export async function readSet({ request, sessionUser, store, clock }: AppRequest): Promise<Reply> {
  const { companyId, company, scopes } = sessionUser.caller
  const resource = setInPath(request, appPaths.read, serviceSchema.resources)
  if (!new Set<string>(scopes).has(resource.readScope)) throw roleMissingError(sessionUser)
  const format = negotiateFormat(request.header('accept'))
  const context = {
    schema: serviceSchema,
    companyId,
    grantedScopes: relatedScopes(sessionUser),
    zone: company.zone,
    dialect: standardDialect,
    dates: format === 'xml' ? 'midnight' : 'date',
    naming: 'declared',
    clock,
    recordFormat: { ...defaultRecordFormat, root: `${request.origin}/odata` },
  } as const
  const { departments } = sessionUser
  const restriction =
    departments !== null && resource.readScope === materialScope ? { field: 'departmentId', values: departments } : null
  const plan = planRead(resource, parseQuery(request.search, parameters), context, restriction)
  const page = { ...plan, top: Math.min(plan.top ?? rowsMax, rowsMax) }
  if (format === 'xml') return xmlReply(store, page, request)
  const count = plan.count ? await store.count(plan, request) : null
  const opening = collectionStart(plan, count)
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: `${opening}[${await recordsOf(store, page, request)}]}`,
  }
}

/** Throws `NotAcceptable` for what `Finn` does not support: other sets, counts, computed and expanded fields. */
async function xmlReply(store: Store, plan: ReadPlan, client: RequestClient): Promise<Reply> {
  const isFlat = plan.expand.length + plan.computed.length === 0 && plan.apply === null
  if (!resourcesWithXml.has(plan.resource) || !isFlat || plan.count)
    throw new ApiError('NotAcceptable', { target: 'header:Accept', params: { type: 'application/json' } })
  const rows = await allRows(await store.readRows(plan, 'values', client))
  const array = xmlArraySerializer(plan)
  return {
    status: 200,
    headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'no-store' },
    body: array.start + array.rows(rows, true) + array.end,
  }
}

const rowsMax = 1_000

const parameters = routeParameters(setOptions, 'rejected')

async function recordsOf(store: Store, plan: ReadPlan, client: RequestClient): Promise<string> {
  const records = await store.readJson(plan, client)
  if ('whole' in records) return String(records.whole)
  const texts = await Array.fromAsync(records.chunks)
  return texts.join(',')
}
