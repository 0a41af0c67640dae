// The header X-Sandbox-Fault: failure on request, so that a client's retries can be tried before they are needed.
import { setTimeout } from 'node:timers/promises'
import { Fault } from '../errors/catalog.ts'
import type { Reply, Request } from '../http/request.ts'
import { phrase } from '../errors/messages.ts'

/**
 * Answers as the request wishes to be treated: refused before anything is done, or done and then answered
 * late or not at all. Throws `RateLimited` and `Overloaded` as asked, and `InvalidValue` for what it cannot play.
 */
export async function misbehave(request: Request, answer: () => Promise<Reply>): Promise<Reply> {
  const asked = request.header(header.toLowerCase())?.trim().toLowerCase()
  if (asked === undefined) return answer()
  const retryAfter = { headers: { 'Retry-After': '1' } }
  if (asked === '429') throw new Fault('RateLimited', { says: { seconds: 1 }, ...retryAfter })
  if (asked === '503') throw new Fault('Overloaded', retryAfter)
  const delayMs = Number(/^slow=(\d{1,6})$/.exec(asked)?.[1] ?? Number.NaN)
  if (asked !== drop && !(delayMs <= delayMsMax))
    throw new Fault('InvalidValue', {
      target: `header:${header}`,
      says: { field: header, problem: phrase('noSandboxFault', { max: delayMsMax, drop }) },
    })
  const reply = await answer()
  if (asked === drop) return { ...reply, isDropped: true }
  // Nothing waits for it when the sandbox ends.
  await setTimeout(delayMs, undefined, { ref: false })
  return reply
}

const header = 'X-Sandbox-Fault'
const drop = 'drop-after-commit'

/** Above what clients wait for: the default of .NET is 100 seconds. */
const delayMsMax = 600_000
