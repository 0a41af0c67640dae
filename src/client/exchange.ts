// HTTP exchange of the client: one call with retries and a de-duplication key.
import { DagsverkError, parseErrorReply, unreachableError } from './error.ts'
import { backoff, pause } from './pause.ts'

export interface ClientOptions {
  /** Base URL of the server, like `https://dagsverk.example.no`. */
  readonly url: string
  /** An API key with the required scopes. */
  readonly key: string
  /** Maximum number of attempts per call; `Infinity` for services that never give up. */
  readonly attempts?: number
  /** Timeout of one attempt. */
  readonly timeoutSeconds?: number
}

export interface HttpCall {
  readonly method: 'GET' | 'POST'
  /** Path with query. */
  readonly path: string
  readonly json?: unknown
  /** Sends an `Idempotency-Key`, so that the server executes the call once. */
  readonly isIdempotent?: boolean
  readonly attempts?: number
  readonly signal?: AbortSignal | undefined
}

export type Exchange = <T>(call: HttpCall) => Promise<T>

/** Creates the function that calls the server. It throws `DagsverkError`, or the reason of an aborted signal. */
export function createExchange(options: ClientOptions): Exchange {
  const { attempts: attemptsMax = 8 } = options
  return async <T>(call: HttpCall): Promise<T> => {
    const headers = headersOf(options, call)
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce<T>(options, call, headers)
      } catch (error) {
        const isRetryable = error instanceof DagsverkError && error.isRetryable
        if (!isRetryable || attempt >= (call.attempts ?? attemptsMax)) throw error
        const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000
        await pause(Math.max(backoff(attempt), retryAfterMs), call.signal)
      }
    }
  }
}

/** All attempts have the same headers, so that the server recognizes repeats by their key. */
function headersOf({ key }: ClientOptions, { json, isIdempotent }: HttpCall): Record<string, string> {
  return {
    Accept: 'application/json',
    Authorization: `Bearer ${key}`,
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(isIdempotent ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
  }
}

async function sendOnce<T>(
  { url, timeoutSeconds = 60 }: ClientOptions,
  { method, path, json, signal }: HttpCall,
  headers: Record<string, string>,
): Promise<T> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  const received = await fetchText(`${url.replace(/\/+$/, '')}${path}`, {
    method,
    headers,
    // Redirects are not followed, so that the key is sent to no other server.
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  }).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw unreachableError(url, error)
  })
  const { response, text } = received
  if (!response.ok) throw parseErrorReply(response, text)
  try {
    return JSON.parse(text)
  } catch {
    throw parseErrorReply(response, text)
  }
}

/** An interrupted response counts as none. */
async function fetchText(address: string, init: RequestInit) {
  const response = await fetch(address, init)
  return { response, text: await response.text() }
}
