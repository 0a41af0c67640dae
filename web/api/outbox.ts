// Outbox: writes made offline, stored in this browser and sent once each when online (ADR 0047).
import type { Session } from '../../src/app/contract/session.ts'
import { hasErrorCode, post, RequestError, type PostBody, type PostReply } from './client.ts'
import { getConnectivity, subscribeConnectivity } from './connectivity.ts'

/** Writes that are queued while offline. */
type QueuedEndpoint = 'materialDecide' | 'ownMaterial'

export interface PendingRequest {
  /** Also its Idempotency-Key: executed once, however often it is sent. */
  readonly key: string
  /** Description for the user. */
  readonly label: string
  /** The lines that a decision is about. */
  readonly ids: readonly number[]
  readonly endpoint: QueuedEndpoint
  readonly body: PostBody<QueuedEndpoint>
  /** Why the server rejected it; null while it waits. */
  readonly problem: string | null
  /** The lines that the server did not decide, because others had decided or changed them; without any until it was sent. */
  readonly undecided?: readonly number[]
  readonly email: string
  readonly company: string
}

export interface OutboxRequest<Endpoint extends QueuedEndpoint = QueuedEndpoint> extends Pick<
  PendingRequest,
  'key' | 'label' | 'ids'
> {
  readonly endpoint: Endpoint
  readonly body: PostBody<Endpoint>
}

const storageKey = 'dagsverk-outbox'
const listeners = new Set<() => void>()
let stored = ''
let all: readonly PendingRequest[] = []

/** All pending requests of this browser, of any user; the same array while nothing changes. */
export function getPending(): readonly PendingRequest[] {
  const text = localStorage.getItem(storageKey) ?? '[]'
  if (text !== stored) {
    stored = text
    all = JSON.parse(text)
  }
  return all
}

export function subscribeOutbox(changed: () => void): () => void {
  listeners.add(changed)
  // Changes made in another tab.
  window.addEventListener('storage', changed)
  return () => {
    listeners.delete(changed)
    window.removeEventListener('storage', changed)
  }
}

export function belongsTo({ email, company }: Session) {
  return (one: PendingRequest): boolean => one.email === email && one.company === company
}

export function isWaiting({ problem, undecided = [] }: PendingRequest): boolean {
  return problem === null && undecided.length === 0
}

/** Sends it now, or queues it and returns null when the server cannot be reached. */
export async function sendOrQueue<Endpoint extends QueuedEndpoint>(
  outboxRequest: OutboxRequest<Endpoint>,
  { email, company }: Session,
): Promise<PostReply<Endpoint> | null> {
  try {
    return await send(outboxRequest)
  } catch (error) {
    if (!hasErrorCode(error, 'Offline')) throw error
    savePending([...getPending(), { ...outboxRequest, problem: null, email, company }])
    return null
  }
}

export function discardPending(key: string): void {
  return savePending(getPending().filter((one) => one.key !== key))
}

/** Sends pending requests whenever the server is reachable, until the returned function is called. */
export function drainOutbox(
  session: Session,
  { findSession, onSent }: { findSession: () => Promise<Session | null>; onSent: () => void },
): () => void {
  let isSending = false
  const isMine = belongsTo(session)
  const next = () => getPending().find((one) => isMine(one) && isWaiting(one))
  const sendAll = async () => {
    if (isSending || getConnectivity().isOffline || next() === undefined) return
    isSending = true
    try {
      // Another user may have signed in here; and a page that was opened offline has no CSRF token yet.
      const found = await findSession()
      if (found === null || found.email !== session.email || found.company !== session.company) return
      for (let one = next(); one !== undefined; one = next()) await deliver(one)
    } catch {
      // Offline again, or the session has expired: requests stay queued.
    } finally {
      isSending = false
      onSent()
    }
  }
  const stop = subscribeConnectivity(() => void sendAll())
  void sendAll()
  return stop
}

async function deliver(one: PendingRequest): Promise<void> {
  try {
    const reply = await send(one)
    const undecided = 'others' in reply ? reply.others.map(({ id }) => id).toSorted((one, other) => one - other) : []
    if (undecided.length === 0) discardPending(one.key)
    else changePending({ ...one, undecided })
  } catch (error) {
    const isRejected = error instanceof RequestError && error.status >= 400 && error.status < 500
    if (!isRejected || error.status === 401 || error.status === 429) throw error
    changePending({ ...one, problem: error.message })
  }
}

function send<Endpoint extends QueuedEndpoint>({
  endpoint,
  body,
  key,
}: OutboxRequest<Endpoint>): Promise<PostReply<Endpoint>> {
  return post(endpoint, body, { headers: { 'Idempotency-Key': key } })
}

function changePending(changed: PendingRequest): void {
  return savePending(getPending().map((one) => (one.key === changed.key ? changed : one)))
}

function savePending(waiting: readonly PendingRequest[]): void {
  localStorage.setItem(storageKey, JSON.stringify(waiting))
  for (const changed of listeners) changed()
}
