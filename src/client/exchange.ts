// One call and its answer. What may pass is tried again, and every call is such that this does nothing twice.
import { DagsverkError, refusalIn, unreachable } from './error.ts'
import { backoff, pause } from './pause.ts'

export interface Connecting {
  /** Where the server is, like `https://dagsverk.example.no`. */
  readonly url: string
  /** An API key with the rights that the calls take. */
  readonly key: string
  /** How often a call is tried before it is given up; a service that never gives up says `Infinity`. */
  readonly attempts?: number
  /** How long an answer is waited for. */
  readonly timeoutSeconds?: number
}

export interface Call {
  readonly method: 'GET' | 'POST'
  /** With its query. */
  readonly path: string
  readonly json?: unknown
  /** The server does the call once, however often it comes. */
  readonly isOnce?: boolean
  readonly attempts?: number
  readonly signal?: AbortSignal | undefined
}

export type Exchange = <T>(call: Call) => Promise<T>

/** Calls of a server. They throw `DagsverkError`, or the reason of a signal that was given. */
export function exchangeWith(connecting: Connecting): Exchange {
  const { attempts: attemptsMax = 8 } = connecting
  return async <T>(call: Call): Promise<T> => {
    const headers = headersOf(connecting, call)
    for (let attempt = 1; ; attempt++) {
      try {
        return await answerTo<T>(connecting, call, headers)
      } catch (error) {
        const isPassing = error instanceof DagsverkError && error.isPassing
        if (!isPassing || attempt >= (call.attempts ?? attemptsMax)) throw error
        const told = (error.retryAfterSeconds ?? 0) * 1000
        await pause(Math.max(backoff(attempt), told), call.signal)
      }
    }
  }
}

/** The same headers for every attempt: a repeat is known by its key. */
function headersOf({ key }: Connecting, { json, isOnce }: Call): Record<string, string> {
  return {
    Accept: 'application/json',
    Authorization: `Bearer ${key}`,
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(isOnce ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
  }
}

async function answerTo<T>(
  { url, timeoutSeconds = 60 }: Connecting,
  { method, path, json, signal }: Call,
  headers: Record<string, string>,
): Promise<T> {
  signal?.throwIfAborted()
  const patience = AbortSignal.timeout(timeoutSeconds * 1000)
  const heard = await heardFrom(`${url.replace(/\/+$/, '')}${path}`, {
    method,
    headers,
    // The key goes to nobody else.
    redirect: 'manual',
    signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  }).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw unreachable(url, error)
  })
  const { answer, text } = heard
  if (!answer.ok) throw refusalIn(answer, text)
  try {
    return JSON.parse(text)
  } catch {
    throw refusalIn(answer, text)
  }
}

/** An answer that breaks off is none. */
async function heardFrom(address: string, asking: RequestInit) {
  const answer = await fetch(address, asking)
  return { answer, text: await answer.text() }
}
