// Carries events to those who asked for them, and tries again for a day where it failed.
import type { Random } from '../../auth/tokens/secret.ts'
import type { Seal } from '../../auth/tokens/encryptor.ts'
import { post, Unposted } from './send.ts'
import { signedHeaders } from './signature.ts'
import type { Networks } from '../../lib/network.ts'
import { writeStamp } from '../../lib/timestamp.ts'
import {
  due as queue,
  forgetEvents,
  noteDelivery,
  takeDelivery,
  type DueDelivery,
} from '../../store/notifications/deliveries.ts'
import type { Store } from '../../store/store.ts'
import { disableWebhook } from '../../store/notifications/webhooks.ts'

export interface EventDeliveryOptions {
  readonly store: Store
  readonly seal: Seal
  /** Microseconds since 1970. */
  readonly clock: () => number
  readonly random: Random
  /** Private networks that may be reached. */
  readonly allowed: Networks
  /** Told of what failed: numbers, a type and a word, never an address. */
  readonly onFailure: (failed: FailedDelivery) => void
}

export interface FailedDelivery {
  readonly delivery: number
  readonly webhook: number
  readonly type: string
  readonly attempts: number
  readonly problem: string
  readonly isGivenUp: boolean
}

export class EventDelivery {
  readonly #options: EventDeliveryOptions
  readonly #carriers = new Set<Promise<void>>()
  /** How many deliveries each webhook is being told. */
  readonly #telling = new Map<number, number>()
  #taken: Promise<unknown> = Promise.resolve()
  readonly #ending = new AbortController()
  #isStopping = false

  constructor(options: EventDeliveryOptions) {
    this.#options = options
  }

  /** Tells everything that is due, and waits for what is being told. Servers on one database share the work. */
  async round(): Promise<void> {
    const { store, clock } = this.#options
    // Nearly always there is nothing, and looking costs no transaction.
    if (await queue.isDue(store, clock())) this.#sendOut()
    await Promise.all(this.#carriers)
  }

  /** What is being told is still told, but to a receiver that hangs: it is told again when a server is there. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const end = setTimeout(() => this.#ending.abort(new Unposted('server stopped')), stopAfterMs)
    await Promise.all(this.#carriers)
    clearTimeout(end)
  }

  /** Forgets what was over a month ago. */
  async tidy(): Promise<void> {
    const { store, clock } = this.#options
    await store.inHouseTransaction((writer) => forgetEvents(writer, clock() - keptFor))
  }

  /** What came while a slow receiver is waited for is carried by those that are free. */
  #sendOut(): void {
    while (this.#carriers.size < atOnce) {
      const carrier = this.#deliverDue().finally(() => this.#carriers.delete(carrier))
      this.#carriers.add(carrier)
    }
  }

  async #deliverDue(): Promise<void> {
    while (!this.#isStopping) {
      const due = await this.#take()
      if (due === undefined) return
      try {
        await this.#deliver(due)
      } finally {
        this.#count(due.webhookId, -1)
      }
    }
  }

  /** One after the other, so that each knows what the others took: a receiver that hangs holds two at the most. */
  #take(): Promise<DueDelivery | undefined> {
    const { store, clock } = this.#options
    const taking = this.#taken.then(async () => {
      const now = clock()
      const busy = [...this.#telling].flatMap(([id, count]) => (count < ofOne ? [] : [id]))
      const due = await store.inHouseTransaction((writer) =>
        takeDelivery(writer, { now, againAt: now + takenFor, busy }),
      )
      if (due !== undefined) this.#count(due.webhookId, 1)
      return due
    })
    this.#taken = taking.catch(() => undefined)
    return taking
  }

  #count(webhookId: number, change: number): void {
    const count = (this.#telling.get(webhookId) ?? 0) + change
    if (count === 0) this.#telling.delete(webhookId)
    else this.#telling.set(webhookId, count)
  }

  async #deliver(due: DueDelivery): Promise<void> {
    const { store, clock, allowed } = this.#options
    const { id, companyId, webhookId } = due
    try {
      if (due.disabledAt !== null) throw new Unposted('webhook disabled')
      const { headers, body } = this.#signed(due)
      const { signal } = this.#ending
      const status = await post({ url: due.url, headers, body, allowed, signal })
      const isTaken = status >= 200 && status < 300
      if (isTaken) {
        const over = { id, dueAt: null, deliveredAt: clock(), status, problem: null }
        await store.inHouseTransaction((writer) => noteDelivery(writer, over))
        return
      }
      // Gone: it does not want to be told any more.
      if (status === 410)
        await store.inHouseTransaction((writer) =>
          disableWebhook(writer, companyId, webhookId, clock()),
        )
      await this.#keep(due, { status, problem: `status ${status}`, isFinal: status === 410 })
    } catch (error) {
      if (!(error instanceof Unposted)) throw error
      const { problem } = error
      await this.#keep(due, { status: null, problem, isFinal: due.disabledAt !== null })
    }
  }

  #signed(due: DueDelivery) {
    const { clock, seal } = this.#options
    const now = clock()
    const { type, at, data, secretBefore, secretBeforeUntil, companyId } = due
    const body = `{"type":${JSON.stringify(type)},"timestamp":"${writeStamp(at)}","data":${data}}`
    const isBoth = secretBefore !== null && now < (secretBeforeUntil ?? 0)
    const secrets = [due.secret, ...(isBoth ? [secretBefore] : [])].map((sealed) => {
      const secret = seal.open(sealed, aboutSecret(companyId))
      if (secret === null) throw new Unposted('another master key')
      return secret
    })
    const signed = { id: `evt_${due.eventId}`, timestamp: Math.floor(now / 1_000_000), body }
    const headers = { 'Content-Type': 'application/json', ...signedHeaders(signed, secrets) }
    return { body, headers }
  }

  async #keep(
    { id, webhookId, type, attempts, createdAt }: DueDelivery,
    failed: { readonly status: number | null; readonly problem: string; readonly isFinal: boolean },
  ): Promise<void> {
    const { store, clock, random, onFailure } = this.#options
    const { status, problem } = failed
    const next = clock() + waitAfter(attempts, random)
    const isGivenUp = failed.isFinal || next >= createdAt + triedFor
    const dueAt = isGivenUp ? null : next
    await store.inHouseTransaction((writer) =>
      noteDelivery(writer, { id, dueAt, deliveredAt: null, status, problem }),
    )
    onFailure({ delivery: id, webhook: webhookId, type, attempts, problem, isGivenUp })
  }
}

/** A secret opens only for the company that it was made for. */
export function aboutSecret(companyId: number): string {
  return `webhook of ${companyId}`
}

/** Every receiver that works answers within it, and a server that stops has other things to end. */
const stopAfterMs = 2_000
const atOnce = 8
/** Of one webhook. */
const ofOne = 2

/** Microseconds. */
const second = 1_000_000
const hour = 3600 * second
/** Longer than telling one takes at the most. */
const takenFor = 60 * second
const triedFor = 24 * hour
const keptFor = 30 * 24 * hour

/** 5 s, 20 s, 80 s … and two hours at the most, a fifth more or less, so that what failed together comes back apart. */
function waitAfter(attempts: number, random: Random): number {
  const wait = Math.min(2 * hour, 5 * second * 4 ** (attempts - 1))
  return Math.round(wait * (0.8 + (0.4 * random(2).readUInt16BE(0)) / 65_535))
}
