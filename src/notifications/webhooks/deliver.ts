// Webhook delivery: posts signed events and retries failures for a day.
import type { CryptoContext } from '../../auth/tokens/credential-factory.ts'
import type { Random } from '../../auth/tokens/secret.ts'
import type { Encryptor } from '../../auth/tokens/encryptor.ts'
import { sendWebhook, timedOut, WebhookSendError } from './send.ts'
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
  giveUpDeliveriesUntil,
  recordDeliveryAttempt,
  leaseDelivery,
  type DueDelivery,
} from '../../store/notifications/deliveries.ts'
import type { Store } from '../../store/store.ts'
import { setWebhookDisabled } from '../../store/notifications/webhooks.ts'

export interface WebhookDeliveryOptions extends Pick<CryptoContext, 'clock' | 'random'> {
  readonly store: Store
  readonly encryptor: Encryptor
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
  /** Webhooks whose receivers did not reply in time, by their ids. */
  readonly #pauses = new Map<number, Pause>()
  readonly #abort = new AbortController()
  #isStopping = false

  constructor(options: WebhookDeliveryOptions) {
    this.#options = options
  }

  /** Delivers all due events; waits for the deliveries that it has begun, not for those of earlier calls. Servers on one database share the work. */
  async deliverDue(): Promise<void> {
    const { store, clock } = this.#options
    // The queue is nearly always empty, and this check needs no transaction.
    if (await queue.hasDueJob(store, { now: clock() })) await Promise.all(this.#startWorkers())
  }

  /**
   * Finishes deliveries in progress for a short time, then aborts them; they are retried after the next start. Errors of the
   * database are those of `deliverDue`.
   */
  async stop(): Promise<void> {
    this.#isStopping = true
    const end = setTimeout(() => this.#abort.abort(new WebhookSendError('server stopped')), stopAfterMs)
    await Promise.allSettled(this.#workers)
    clearTimeout(end)
  }

  /** Deletes events that were finished more than 30 days ago. */
  async deleteExpired(): Promise<void> {
    const { store, clock } = this.#options
    await deleteExpiredEvents(store, clock() - retention)
  }

  /** Starts workers up to the limit, so that a slow receiver does not delay others. */
  #startWorkers(): Promise<void>[] {
    return Array.from({ length: workersMax - this.#workers.size }, () => {
      const worker = this.#runWorker().finally(() => this.#workers.delete(worker))
      this.#workers.add(worker)
      return worker
    })
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

  /**
   * Takes one delivery at a time, so that a hanging receiver occupies at most two workers, and those of a company six. A company
   * without a delivery in progress comes first, so that those of others that wait do not delay it.
   */
  #take(): Promise<DueDelivery | undefined> {
    const { store, clock } = this.#options
    return this.#takeNext(async () => {
      const now = clock()
      const paused = [...this.#pauses].filter(([, { until }]) => until > now).map(([id]) => id)
      const webhooks = [...this.#idsWith(perWebhookMax, ({ webhookId }) => webhookId), ...paused]
      const due = await store.inSystemTransaction(async (writer) => {
        const lease = (companyMax: number) => {
          const companies = this.#idsWith(companyMax, ({ companyId }) => companyId)
          return leaseDelivery(writer, { now, leaseUntil: now + leaseTime, busy: { webhooks, companies } })
        }
        return (await lease(1)) ?? (this.#inProgress.size > 0 ? lease(perCompanyMax) : undefined)
      })
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
      this.#pauses.delete(webhookId)
      const isDelivered = status >= 200 && status < 300
      if (isDelivered) {
        const delivered = { id, nextAttemptAt: null, deliveredAt: clock(), status, lastError: null }
        await store.inSystemTransaction((writer) => recordDeliveryAttempt(writer, delivered))
        return
      }
      // 410 Gone: the receiver wants no more events.
      if (status === 410)
        await store.inSystemTransaction((writer) =>
          setWebhookDisabled(writer, { companyId, id: webhookId, disabledAt: clock() }),
        )
      await this.#recordFailure(due, { status, problem: `status ${status}`, isFinal: status === 410 })
    } catch (error) {
      if (!(error instanceof WebhookSendError)) throw error
      if (error.problem === timedOut) this.#pause(webhookId)
      await this.#recordFailure(due, { status: null, problem: error.problem, isFinal: due.disabledAt !== null })
    }
  }

  /** Attempts nothing at this webhook for a while: each attempt would occupy a worker until its time limit. */
  #pause(webhookId: number): void {
    const { clock, random } = this.#options
    const now = clock()
    const { until, timeouts } = this.#pauses.get(webhookId) ?? { until: now, timeouts: 0 }
    // Of two attempts at once the first has begun a pause.
    if (until > now) return
    const delay = retryDelay(Math.min(timeouts + 1, pauseGrowthMax), random)
    this.#pauses.set(webhookId, { until: now + delay, timeouts: timeouts + 1 })
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
    { id, companyId, webhookId, type, attempts, createdAt }: DueDelivery,
    failed: { readonly status: number | null; readonly problem: string; readonly isFinal: boolean },
  ): Promise<void> {
    const { store, clock, random, onFailure } = this.#options
    const { status, problem } = failed
    const next = clock() + retryDelay(attempts, random)
    const isGivenUp = failed.isFinal || next >= createdAt + retryPeriod
    const nextAttemptAt = isGivenUp ? null : next
    await store.inSystemTransaction(async (writer) => {
      await recordDeliveryAttempt(writer, { id, nextAttemptAt, deliveredAt: null, status, lastError: problem })
      // Those that came too late to be attempted: more may arrive than attempts with a timeout can be made.
      if (isGivenUp && problem === timedOut)
        await giveUpDeliveriesUntil(writer, { companyId, webhookId, createdAt, lastError: problem })
    })
    onFailure({ delivery: id, webhook: webhookId, type, attempts, problem, isGivenUp })
  }
}

interface Pause {
  /** Microseconds. */
  readonly until: number
  /** Consecutive attempts without a reply. */
  readonly timeouts: number
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

/** Pauses of a webhook grow as often as this: up to 80 seconds, so that a repaired receiver is noticed soon. */
const pauseGrowthMax = 3

/** Longer than one delivery can take. */
const leaseTime = microsecondsPerMinute
const retryPeriod = microsecondsPerDay
const retention = 30 * microsecondsPerDay

/** 5 s, 20 s, 80 s … up to two hours, with ±20 % jitter. */
function retryDelay(attempts: number, random: Random): number {
  const wait = Math.min(2 * microsecondsPerHour, 5 * microsecondsPerSecond * 4 ** (attempts - 1))
  return Math.round(wait * (0.8 + (0.4 * random(2).readUInt16BE(0)) / 65_535))
}
