// Mail delivery: sends queued messages one at a time and retries failures.
import { Unsent, type Sender } from './sender.ts'
import type { Outbox } from './mail-queue.ts'
import { letters, noteSent, noteUnsent, type DueMail } from '../../store/notifications/mail.ts'
import type { Store } from '../../store/store.ts'

export interface DeliveryOptions {
  readonly store: Store
  readonly outbox: Outbox
  readonly sender: Sender
  /** Microseconds since 1970. */
  readonly clock: () => number
  /** Receives failures: id and kind of a message, never its recipient or content. */
  readonly onUnsent: (unsent: Undelivered) => void
}

export interface Undelivered {
  readonly mail: number
  readonly kind: string
  readonly attempts: number
  readonly problem: string
  readonly isGivenUp: boolean
}

export class Delivery {
  readonly #options: DeliveryOptions
  #current: Promise<void> | null = null
  #isStopping = false

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Sends all due messages. Servers on one database share the work; concurrent calls share one round. */
  round(): Promise<void> {
    this.#current ??= this.#sendDue().finally(() => (this.#current = null))
    return this.#current
  }

  /** Finishes the message that is being sent. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#current
  }

  /** Deletes messages that were finished more than 30 days ago. */
  async tidy(): Promise<void> {
    const { store, clock } = this.#options
    await store.inHouseTransaction((writer) => letters.forget(writer, clock() - retention))
  }

  async #sendDue(): Promise<void> {
    const { store, clock } = this.#options
    // The queue is nearly always empty, and this check needs no transaction.
    while (!this.#isStopping && (await letters.isDue(store, clock()))) {
      const now = clock()
      const mail = await store.inHouseTransaction((writer) =>
        letters.take(writer, { now, againAt: now + leaseTime }),
      )
      if (mail === undefined) return
      await this.#send(mail)
    }
  }

  async #send(mail: DueMail): Promise<void> {
    const { store, outbox, sender, clock } = this.#options
    try {
      const letter = outbox.open(mail)
      if (letter === null) throw new Unsent(true, 'another master key', null)
      if (clock() >= mail.untilAt) throw new Unsent(true, 'too late', null)
      await sender.send(letter, `${mail.createdAt}.${mail.id}`)
      await store.inHouseTransaction((writer) => noteSent(writer, mail.id, clock()))
    } catch (error) {
      if (!(error instanceof Unsent)) throw error
      await this.#recordFailure(mail, error)
    }
  }

  async #recordFailure(mail: DueMail, { isFinal, problem }: Unsent): Promise<void> {
    const { store, clock, onUnsent } = this.#options
    const { id, kind, attempts } = mail
    const next = clock() + retryDelay(attempts)
    const isGivenUp = isFinal || next >= mail.untilAt
    await store.inHouseTransaction((writer) =>
      noteUnsent(writer, {
        id,
        problem,
        dueAt: isGivenUp ? null : next,
        content: isGivenUp ? '' : mail.content,
      }),
    )
    onUnsent({ mail: id, kind, attempts, problem, isGivenUp })
  }
}

/** Microseconds. */
const minute = 60_000_000
/** Longer than one send can take. */
const leaseTime = 5 * minute
const retention = 30 * 24 * 60 * minute

/** One minute, doubled with each attempt up to one hour. */
function retryDelay(attempts: number): number {
  return Math.min(60, 2 ** (attempts - 1)) * minute
}
