// `Prefer: return` of writes (RFC 7240, 4.2; OData 4.01 part 1, 8.2.8.7).
import type { Request } from '../../http/request.ts'
import { parsePreferences } from '../../engine/formats/negotiation/preferences.ts'
import type { WriteReply } from '../../store/idempotency.ts'

/** Without a preference, and with `representation`, a reply has its records; with `minimal` it is 204. */
export function withReturnPreference(request: Request, reply: WriteReply): WriteReply {
  const preferred = parsePreferences(request.header('prefer')).get('return')?.toLowerCase()
  if (preferred !== 'minimal' && preferred !== 'representation') return reply
  const headers: Record<string, string> = { ...reply.headers, 'Preference-Applied': `return=${preferred}` }
  if (preferred === 'representation') return { ...reply, headers }
  const { 'Content-Type': _, ...others } = headers
  return { status: 204, headers: others, body: null }
}
