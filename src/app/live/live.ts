// `GET /app/data/hendelser`: live updates as server-sent events, for the duration of the session.
import type { Topic } from '../contract/live.ts'
import { queryIn } from '../request-values.ts'
import type { AppRequest } from '../route.ts'
import type { SessionUser } from '../../auth/sessions/sessions.ts'
import type { Reply } from '../../http/request.ts'

export async function live(appRequest: AppRequest): Promise<Reply> {
  const { feed, sessions, request, sessionUser, today, companyId, company } = appRequest
  // HEAD opens no stream.
  if (request.method === 'HEAD') return { status: 200, headers, body: null }
  const topics = topicsFor(sessionUser)
  const since = queryIn(request, ['since']).get('since')
  const page = feed.subscribe({
    companyId,
    session: sessionUser.csrf,
    topics,
    position: (request.header('last-event-id') ?? since ?? '').slice(0, 100),
    today: () => today(company.zone),
    // A user whose role has changed reconnects, and gets the topics of the new role.
    isStillIn: async () => String(topicsFor(await sessions.getUserInBackground(request))) === String(topics),
  })
  return { status: 200, headers, body: page, onStop: () => page.end() }
}

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // A buffering proxy would never forward the stream.
  'X-Accel-Buffering': 'no',
} as const

export function topicsFor({ caller: { scopes } }: SessionUser): Topic[] {
  return [
    ...(scopes.has('material:read') || scopes.has('material:write') ? (['material'] as const) : []),
    ...(scopes.has('material:read') ? (['retrievals'] as const) : []),
    ...(scopes.has('revenue:read') ? (['revenue'] as const) : []),
    ...(scopes.has('directory:read') ? (['directory'] as const) : []),
  ]
}
