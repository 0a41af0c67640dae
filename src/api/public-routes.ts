// Public routes: health, version, limits, the OpenAPI document, and first-run set-up.
import type { OpenRoute, ServerState } from './public-route.ts'
import { routes } from './routes.ts'
import { setupRoutes } from './setup/routes.ts'
import { Fault } from '../errors/catalog.ts'
import type { Limits } from '../http/limits.ts'
import type { Reply } from '../http/request.ts'
import { expressionLimits } from '../engine/odata/expressions/complexity.ts'
import { exportsHeldSince } from '../store/export/export-suspension.ts'
import { batchRequestsMax } from '../engine/formats/batch/batch-request.ts'
import { listRowsMax } from '../engine/formats/read/read-records.ts'

function json(status: number, body: object): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: JSON.stringify(body),
  }
}

/** Never uses the database: a supervisor must not restart the server because its database is unavailable. */
async function livez(): Promise<Reply> {
  return json(200, { status: 'alive' })
}

async function readyz(_: unknown, { store, degraded, isStopping }: ServerState): Promise<Reply> {
  if (isStopping()) throw new Fault('ShuttingDown', { headers: { 'Retry-After': '1' } })
  await store.ping()
  const isHeld = (await exportsHeldSince(store)) !== null
  const lacking = isHeld ? [...degraded(), 'export-held'] : degraded()
  return json(200, { status: 'ready', degraded: lacking })
}

function read(
  path: string,
  summary: string,
  schema: object,
  answer: OpenRoute['answer'],
): OpenRoute {
  return { method: 'GET', path, summary, answers: { 'application/json': schema }, answer }
}

const text = { type: 'string' } as const

const readySchema = {
  type: 'object',
  required: ['status', 'degraded'],
  properties: { status: text, degraded: { type: 'array', items: text } },
}

const early = { isEarly: true } as const

/** Limits that a client can act on; those of the runtime are internal. */
function toldLimits(limits: Limits): object {
  return Object.fromEntries(
    Object.entries(limits).filter(([name]) => name !== 'nodeHeaderBytesMax'),
  )
}

const rowLimits = {
  batchRequestsMax,
  listRowsMax,
  filterNodesMax: expressionLimits.nodes,
  filterDepthMax: expressionLimits.depth,
  filterListValuesMax: expressionLimits.listValues,
}

export const openRoutes: readonly OpenRoute[] = [
  {
    ...read(
      '/livez',
      'Liveness probe',
      { type: 'object', required: ['status'], properties: { status: text } },
      livez,
    ),
    ...early,
  },
  { ...read('/readyz', 'Readiness probe', readySchema, readyz), ...early },
  { ...read('/healthz', 'The same as /readyz', readySchema, readyz), ...early },
  {
    ...read(
      '/version',
      'Name and version of the server',
      {
        type: 'object',
        required: ['name', 'version'],
        properties: { name: text, version: text },
      },
      async (_, { version }) => json(200, { name: 'dagsverk', version }),
    ),
    ...early,
  },
  read(
    '/limits',
    'Limits of a request',
    { type: 'object', additionalProperties: { type: 'integer' } },
    async (_, { limits }) => json(200, { ...toldLimits(limits), ...rowLimits }),
  ),
  read(
    '/openapi.json',
    'This interface as an OpenAPI 3.1 document',
    { type: 'object', required: ['openapi', 'info', 'paths'], additionalProperties: true },
    async (_, { document }) => json(200, document),
  ),
  ...setupRoutes(routes[0]?.path ?? '/'),
]
