// Public routes: health, version, limits, the OpenAPI document, and first-run set-up.
import { jsonReply } from './operation.ts'
import type { OpenapiDocument, PublicRoute, ServerState } from './public-route.ts'
import { setupRoute } from './setup/setup-route.ts'
import { parseCredentials } from '../auth/authenticator/credentials.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Reply, Request } from '../http/request.ts'
import { memoize } from '../lib/memoize.ts'
import { expressionLimits } from '../engine/odata/expressions/complexity.ts'
import { levelsMax } from '../engine/odata/options/select-expand.ts'
import { batchRequestsMax } from '../engine/formats/batch/batch-request.ts'
import { jsonDepthMax } from '../engine/formats/json/json-reader.ts'
import { elementCharactersMax } from '../engine/formats/read/body-parts.ts'
import { listRowsMax } from '../engine/formats/read/read-records.ts'
import { xmlAttributesMax, xmlDepthMax } from '../engine/formats/xml/xml-document.ts'
import { costlyReadsMax, streamsMax } from '../store/company-slots.ts'

async function getReadiness(
  _: unknown,
  { checkDatabase, unavailableFeatures, isStopping }: ServerState,
): Promise<Reply> {
  if (isStopping()) throw new ApiError('ShuttingDown', { headers: { 'Retry-After': '1' } })
  const { isExportSuspended } = await checkDatabase()
  const unavailable = isExportSuspended ? [...unavailableFeatures(), 'export-held'] : unavailableFeatures()
  return jsonReply({ status: 'ready', degraded: unavailable })
}

/**
 * The document; with a credential also `info.x-company`: when the days of its company end, and whether its amounts
 * contain tax, which changes no record (ADR 0005).
 */
async function getOpenapi(request: Request, { document: load, authenticator }: ServerState): Promise<Reply> {
  const document = await load()
  if (parseCredentials(request).length === 0) return { ...jsonReply({}), body: textOf(document) }
  const caller = await authenticator.authenticate(request, null)
  const { name, zone: timezone, currency, settings } = caller.company
  const company = { name, timezone, currency, dayEndsAt: settings.dayEndsAt, amounts: settings.amounts }
  const reply = jsonReply({ ...document, info: { ...document.info, 'x-company': company } })
  return { ...reply, headers: { ...reply.headers, ...authenticator.headersFor(caller) } }
}

/** One buffer for all unknown clients, who may be many and slow. */
const textOf = memoize((document: OpenapiDocument) => Buffer.from(JSON.stringify(document)))

function getRoute(path: string, summary: string, schema: object, handle: PublicRoute['handle']): PublicRoute {
  return { method: 'GET', path, summary, responseSchemas: { 'application/json': schema }, handle }
}

const text = { type: 'string' } as const

const readySchema = {
  type: 'object',
  required: ['status', 'degraded'],
  properties: { status: text, degraded: { type: 'array', items: text } },
}

const fixedLimits = {
  batchRequestsMax,
  listRowsMax,
  filterNodesMax: expressionLimits.nodes,
  filterDepthMax: expressionLimits.depth,
  filterListValuesMax: expressionLimits.listValues,
  expandDepthMax: levelsMax,
  elementCharactersMax,
  jsonDepthMax,
  xmlDepthMax,
  xmlAttributesMax,
  streamsMax,
}

export const publicRoutes: readonly PublicRoute[] = [
  ...[
    getRoute(
      '/livez',
      'Liveness probe',
      { type: 'object', required: ['status'], properties: { status: text } },
      // Without the database: a supervisor must not restart the server because its database is unavailable.
      async () => jsonReply({ status: 'alive' }),
    ),
    getRoute('/readyz', 'Readiness probe', readySchema, getReadiness),
    getRoute('/healthz', 'The same as /readyz', readySchema, getReadiness),
    getRoute(
      '/version',
      'Name, version and commit of the server',
      { type: 'object', required: ['name', 'version'], properties: { name: text, version: text, commit: text } },
      async (_, { version, commit }) => jsonReply({ name: 'dagsverk', version, commit }),
    ),
  ].map((route) => ({ ...route, isServedBeforeSetup: true as const })),
  getRoute(
    '/limits',
    'Limits of a request',
    { type: 'object', additionalProperties: { type: 'integer' } },
    // Those that a client can act on; those of the runtime are internal.
    async (_, { limits: { nodeHeaderBytesMax: _internal, ...limits }, authenticator }) =>
      jsonReply({
        ...limits,
        ...fixedLimits,
        costlyReadsMax,
        ...(authenticator.rate && {
          callsPerMinuteMax: authenticator.rate.callsPerMinute,
          callsBurstMax: authenticator.rate.burst,
        }),
      }),
  ),
  getRoute(
    '/openapi.json',
    'This interface as an OpenAPI 3.1 document',
    { type: 'object', required: ['openapi', 'info', 'paths'], additionalProperties: true },
    getOpenapi,
  ),
  setupRoute,
]
