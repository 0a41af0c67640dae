// Webhook delivery: posts signed events and retries failures for a day.
import type { Random } from '../../auth/tokens/secret.ts'
import type { Encryptor } from '../../auth/tokens/encryptor.ts'
import { sendWebhook, WebhookSendError } from './send.ts'
import { messageIdOf, signatureHeaders } from './signature.ts'
import { createMutex } from '../../lib/mutex.ts'
import type { Networks } from '../../lib/network.ts'
import {
  formatTimestamp,
  microsecondsPerDay,
  microsecondsPerHour,
  microsecondsPerMinute,
  microsecondsPerSecond,
} from '../../lib/timestamp.ts'
import {
  deliveryQueue as queue,
  deleteExpiredEvents,
  recordDeliveryAttempt,
  leaseDelivery,
  type DueDelivery,
} from '../../store/notifications/deliveries.ts'
import type { Store } from '../../store/store.ts'
import { disableWebhook } from '../../store/notifications/webhooks.ts'

export interface WebhookDeliveryOptions {
  readonly store: Store
  readonly encryptor: Encryptor
  /** Microseconds since 1970. */
  readonly clock: () => number
  readonly random: Random
  /** Private networks that webhooks may reach. */
  readonly allowed: Networks
  /** Receives failures: ids, type and reason, never a URL. */
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

export class WebhookDelivery {
  readonly #options: WebhookDeliveryOptions
  readonly #workers = new Set<Promise<void>>()
  readonly #inProgress = new Set<DueDelivery>()
  readonly #takeNext = createMutex()
  readonly #abort = new AbortController()
  #isStopping = false

  constructor(options: WebhookDeliveryOptions) {
    this.#options = options
  }

  /** Delivers all due events and waits for deliveries in progress. Servers on one database share the work. */
  async deliverDue(): Promise<void> {
    const { store, clock } = this.#options
    // The queue is nearly always empty, and this check needs no transaction.
    if (await queue.hasDueJob(store, { now: clock() })) this.#startWorkers()
    await Promise.all(this.#workers)
  }

  /** Finishes deliveries in progress for a short time, then aborts them; they are retried after the next start. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const end = setTimeout(() => this.#abort.abort(new WebhookSendError('server stopped')), stopAfterMs)
    await Promise.all(this.#workers)
    clearTimeout(end)
  }

  /** Deletes events that were finished more than 30 days ago. */
  async deleteExpired(): Promise<void> {
    const { store, clock } = this.#options
    await deleteExpiredEvents(store, clock() - retention)
  }

  /** Starts workers up to the limit, so that a slow receiver does not delay others. */
  #startWorkers(): void {
    while (this.#workers.size < workersMax) {
      const worker = this.#runWorker().finally(() => this.#workers.delete(worker))
      this.#workers.add(worker)
    }
  }

  async #runWorker(): Promise<void> {
    while (!this.#isStopping) {
      const due = await this.#take()
      if (due === undefined) return
      try {
        await this.#deliver(due)
      } finally {
        this.#inProgress.delete(due)
      }
    }
  }

  /** Takes one delivery at a time, so that a hanging receiver occupies at most two workers, and those of a company six. */
  #take(): Promise<DueDelivery | undefined> {
    const { store, clock } = this.#options
    return this.#takeNext(async () => {
      const now = clock()
      const busy = {
        webhooks: this.#idsWith(perWebhookMax, ({ webhookId }) => webhookId),
        companies: this.#idsWith(perCompanyMax, ({ companyId }) => companyId),
      }
      const due = await store.inSystemTransaction((writer) =>
        leaseDelivery(writer, { now, leaseUntil: now + leaseTime, busy }),
      )
      if (due !== undefined) this.#inProgress.add(due)
      return due
    })
  }

  /** The ids that so many deliveries in progress have. */
  #idsWith(count: number, idOf: (due: DueDelivery) => number): number[] {
    const ids = [...this.#inProgress].map(idOf)
    return [...new Set(ids)].filter((id) => ids.filter((one) => one === id).length >= count)
  }

  async #deliver(due: DueDelivery): Promise<void> {
    const { store, clock, allowed } = this.#options
    const { id, companyId, webhookId } = due
    try {
      if (due.disabledAt !== null) throw new WebhookSendError('webhook disabled')
      const { headers, body } = this.#signed(due)
      const { signal } = this.#abort
      const status = await sendWebhook({ url: due.url, headers, body, allowed, signal })
      const isDelivered = status >= 200 && status < 300
      if (isDelivered) {
        const delivered = { id, nextAttemptAt: null, deliveredAt: clock(), status, lastError: null }
        await store.inSystemTransaction((writer) => recordDeliveryAttempt(writer, delivered))
        return
      }
      // 410 Gone: the receiver wants no more events.
      if (status === 410)
        await store.inSystemTransaction((writer) =>
          disableWebhook(writer, { companyId, id: webhookId, disabledAt: clock() }),
        )
      await this.#recordFailure(due, { status, problem: `status ${status}`, isFinal: status === 410 })
    } catch (error) {
      if (!(error instanceof WebhookSendError)) throw error
      await this.#recordFailure(due, { status: null, problem: error.problem, isFinal: due.disabledAt !== null })
    }
  }

  #signed(due: DueDelivery) {
    const { clock, encryptor } = this.#options
    const now = clock()
    const { type, at, data, previousSecret, previousSecretUntil, companyId } = due
    const body = `{"type":${JSON.stringify(type)},"timestamp":"${formatTimestamp(at)}","data":${data}}`
    const isBoth = previousSecret !== null && now < (previousSecretUntil ?? 0)
    const secrets = [due.secret, ...(isBoth ? [previousSecret] : [])].map((encrypted) => {
      const secret = encryptor.decrypt(encrypted, webhookSecretContext(companyId))
      if (secret === null) throw new WebhookSendError('another master key')
      return secret
    })
    const signed = { id: messageIdOf(due), timestamp: Math.floor(now / microsecondsPerSecond), body }
    const headers = { 'Content-Type': 'application/json', ...signatureHeaders(signed, secrets) }
    return { body, headers }
  }

  async #recordFailure(
    { id, webhookId, type, attempts, createdAt }: DueDelivery,
    failed: { readonly status: number | null; readonly problem: string; readonly isFinal: boolean },
  ): Promise<void> {
    const { store, clock, random, onFailure } = this.#options
    const { status, problem } = failed
    const next = clock() + retryDelay(attempts, random)
    const isGivenUp = failed.isFinal || next >= createdAt + retryPeriod
    const nextAttemptAt = isGivenUp ? null : next
    await store.inSystemTransaction((writer) =>
      recordDeliveryAttempt(writer, { id, nextAttemptAt, deliveredAt: null, status, lastError: problem }),
    )
    onFailure({ delivery: id, webhook: webhookId, type, attempts, problem, isGivenUp })
  }
}

/** Binds the encrypted secret to its company. */
export function webhookSecretContext(companyId: number): string {
  return `webhook of ${companyId}`
}

/** Enough for a working receiver, and short enough for a server that stops. */
const stopAfterMs = 2_000
const workersMax = 8
const perWebhookMax = 2
/** Three quarters, as of other things that companies share (ADR 0015). */
const perCompanyMax = 6

/** Longer than one delivery can take. */
const leaseTime = microsecondsPerMinute
const retryPeriod = microsecondsPerDay
const retention = 30 * microsecondsPerDay

/** 5 s, 20 s, 80 s … up to two hours, with ±20 % jitter. */
function retryDelay(attempts: number, random: Random): number {
  const wait = Math.min(2 * microsecondsPerHour, 5 * microsecondsPerSecond * 4 ** (attempts - 1))
  return Math.round(wait * (0.8 + (0.4 * random(2).readUInt16BE(0)) / 65_535))
}
