// What is answered to everybody: whether the server lives, which one it is, and what its limits are.
import type { Reply } from '#http/request.ts'
import type { Limits } from '#http/limits.ts'
import type { Store } from '#store/store.ts'

export interface OpenRoute {
  readonly path: string
  readonly summary: string
  readonly answer: (state: ServerState) => Promise<Reply>
}

export interface ServerState {
  readonly store: Store
  readonly version: string
  readonly limits: Limits
  /** The OpenAPI document. */
  readonly document: object
  /** What the server does without, while it goes on serving. */
  readonly degraded: () => readonly string[]
}

const json = (status: number, body: object): Reply => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: JSON.stringify(body),
})

/** Never touches the database: a supervisor must not restart a server because its database is away. */
const livez = async (): Promise<Reply> => json(200, { status: 'alive' })

const readyz = async ({ store, degraded }: ServerState): Promise<Reply> => {
  await store.ping()
  return json(200, { status: 'ready', degraded: degraded() })
}

export const openRoutes: readonly OpenRoute[] = [
  { path: '/livez', summary: 'Whether the process lives', answer: livez },
  { path: '/readyz', summary: 'Whether requests can be served', answer: readyz },
  { path: '/healthz', summary: 'The same as /readyz', answer: readyz },
  {
    path: '/version',
    summary: 'Which program this is',
    answer: async ({ version }) => json(200, { name: 'dagsverk', version }),
  },
  {
    path: '/limits',
    summary: 'How much a request may hold',
    answer: async ({ limits }) => json(200, limits),
  },
  {
    path: '/openapi.json',
    summary: 'This interface as an OpenAPI 3.1 document',
    answer: async ({ document }) => json(200, document),
  },
]
