// HTTP exchange of the client: one call with retries and a de-duplication key.
import { DagsverkError, refusalIn, unreachable } from './error.ts'
import { backoff, pause } from './pause.ts'

export interface Connecting {
  /** Base URL of the server, like `https://dagsverk.example.no`. */
  readonly url: string
  /** An API key with the required scopes. */
  readonly key: string
  /** Maximum number of attempts per call; `Infinity` for services that never give up. */
  readonly attempts?: number
  /** Timeout of one attempt. */
  readonly timeoutSeconds?: number
}

export interface Call {
  readonly method: 'GET' | 'POST'
  /** Path with query. */
  readonly path: string
  readonly json?: unknown
  /** Sends an `Idempotency-Key`, so that the server executes the call once. */
  readonly isOnce?: boolean
  readonly attempts?: number
  readonly signal?: AbortSignal | undefined
}

export type Exchange = <T>(call: Call) => Promise<T>

/** Creates the function that calls the server. It throws `DagsverkError`, or the reason of an aborted signal. */
export function exchangeWith(connecting: Connecting): Exchange {
  const { attempts: attemptsMax = 8 } = connecting
  return async <T>(call: Call): Promise<T> => {
    const headers = headersOf(connecting, call)
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce<T>(connecting, call, headers)
      } catch (error) {
        const isPassing = error instanceof DagsverkError && error.isPassing
        if (!isPassing || attempt >= (call.attempts ?? attemptsMax)) throw error
        const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000
        await pause(Math.max(backoff(attempt), retryAfterMs), call.signal)
      }
    }
  }
}

/** All attempts have the same headers, so that the server recognizes repeats by their key. */
function headersOf({ key }: Connecting, { json, isOnce }: Call): Record<string, string> {
  return {
    Accept: 'application/json',
    Authorization: `Bearer ${key}`,
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(isOnce ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
  }
}

async function sendOnce<T>(
  { url, timeoutSeconds = 60 }: Connecting,
  { method, path, json, signal }: Call,
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
    throw unreachable(url, error)
  })
  const { answer, text } = received
  if (!answer.ok) throw refusalIn(answer, text)
  try {
    return JSON.parse(text)
  } catch {
    throw refusalIn(answer, text)
  }
}

/** An interrupted response counts as none. */
async function fetchText(address: string, init: RequestInit) {
  const answer = await fetch(address, init)
  return { answer, text: await answer.text() }
}
