// Fault injection by the header X-Sandbox-Fault, for testing the retries of clients.
import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../errors/api-error.ts'
import type { Reply, Request } from '../http/request.ts'
import { message } from '../errors/messages.ts'

/**
 * Injects the requested fault: an error before the request is executed, or a delayed or dropped reply after it. Throws
 * `RateLimited` and `Overloaded` as requested, and `InvalidValue` for an unknown fault.
 */
export async function injectFault(request: Request, handle: () => Promise<Reply>): Promise<Reply> {
  const fault = request.header(header.toLowerCase())?.trim().toLowerCase()
  if (fault === undefined) return handle()
  const retryAfter = { headers: { 'Retry-After': '1' } }
  if (fault === '429') throw new ApiError('RateLimited', { params: { seconds: 1 }, ...retryAfter })
  if (fault === '503') throw new ApiError('Overloaded', retryAfter)
  const delayMs = Number(/^slow=(\d{1,6})$/.exec(fault)?.[1] ?? Number.NaN)
  if (fault !== drop && !(delayMs <= delayMsMax))
    throw new ApiError('InvalidValue', {
      target: `header:${header}`,
      params: { field: header, problem: message('invalidSandboxFault', { max: delayMsMax, drop }) },
    })
  const reply = await handle()
  if (fault === drop) return { ...reply, isDropped: true }
  // Unreferenced, so that it does not delay the exit of the sandbox.
  await setTimeout(delayMs, undefined, { ref: false })
  return reply
}

const header = 'X-Sandbox-Fault'
const drop = 'drop-after-commit'

/** Longer than client timeouts; the default of .NET is 100 seconds. */
const delayMsMax = 600_000
