// Outbox: writes made offline, stored in this browser and sent once each when online (ADR 0106).
import { act, Refusal } from './client.ts'
import { reachNow, watchReach } from './connectivity.ts'
import type { Session } from './session.ts'

export interface Waiting {
  /** Also its Idempotency-Key: executed once, however often it is sent. */
  readonly key: string
  readonly kind: 'line' | 'decision'
  /** Description for the user. */
  readonly label: string
  /** The lines that a decision is about. */
  readonly ids: readonly number[]
  readonly path: string
  readonly body: object
  /** Why the server rejected it; null while it waits. */
  readonly problem: string | null
  readonly email: string
  readonly company: string
}

export type Errand = Pick<Waiting, 'key' | 'kind' | 'label' | 'ids' | 'path' | 'body'>

const storedAs = 'dagsverk-outbox'
const watchers = new Set<() => void>()
let stored = ''
let all: readonly Waiting[] = []

/** All pending requests of this browser, of any user; the same array while nothing changes. */
export function waitingNow(): readonly Waiting[] {
  const text = localStorage.getItem(storedAs) ?? '[]'
  if (text !== stored) {
    stored = text
    all = JSON.parse(text)
  }
  return all
}

export function watchWaiting(changed: () => void): () => void {
  watchers.add(changed)
  // Changes made in another tab.
  window.addEventListener('storage', changed)
  return () => {
    watchers.delete(changed)
    window.removeEventListener('storage', changed)
  }
}

export function isOf({ email, company }: Session) {
  return (one: Waiting): boolean => one.email === email && one.company === company
}

/** Sends it now, or queues it and returns null when the server cannot be reached. */
export async function sendOrKeep<Answer>(
  errand: Errand,
  { email, company }: Session,
): Promise<Answer | null> {
  try {
    return await send<Answer>(errand)
  } catch (error) {
    if (!isAway(error)) throw error
    store([...waitingNow(), { ...errand, problem: null, email, company }])
    return null
  }
}

export function takeBack(key: string): void {
  return store(waitingNow().filter((one) => one.key !== key))
}

/** Sends pending requests whenever the server is reachable, until the returned function is called. */
export function emptyOutbox(
  session: Session,
  { findSession, onSent }: { findSession: () => Promise<Session | null>; onSent: () => void },
): () => void {
  let isSending = false
  const isMine = isOf(session)
  const next = () => waitingNow().find((one) => isMine(one) && one.problem === null)
  const sendAll = async () => {
    if (isSending || reachNow().isAway || next() === undefined) return
    isSending = true
    try {
      // Another user may have signed in here; and a page that was opened offline has no CSRF token yet.
      const found = await findSession()
      if (found === null || found.email !== session.email || found.company !== session.company)
        return
      for (let one = next(); one !== undefined; one = next()) await deliver(one)
    } catch {
      // Offline again, or the session has expired: requests stay queued.
    } finally {
      isSending = false
      onSent()
    }
  }
  const stop = watchReach(() => void sendAll())
  void sendAll()
  return stop
}

async function deliver(one: Waiting): Promise<void> {
  try {
    await send(one)
    takeBack(one.key)
  } catch (error) {
    const isRefused = error instanceof Refusal && error.status >= 400 && error.status < 500
    if (!isRefused || error.status === 401 || error.status === 429) throw error
    const { message } = error
    store(
      waitingNow().map((other) => (other.key === one.key ? { ...other, problem: message } : other)),
    )
  }
}

function send<Answer>({ path, body, key }: Errand): Promise<Answer> {
  return act<Answer>('POST', path, body, { 'Idempotency-Key': key })
}

function isAway(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'Offline'
}

function store(waiting: readonly Waiting[]): void {
  localStorage.setItem(storedAs, JSON.stringify(waiting))
  for (const changed of watchers) changed()
}
