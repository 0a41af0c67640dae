// Carries letters from the outbox to the mail server, one after the other, and tries again where it failed.
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
  /** Told of what failed: the number and kind of a letter, never whom it is to or what it says. */
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
  #round: Promise<void> | null = null
  #isStopping = false

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Sends everything that is due. Servers on one database share the work; a round that goes on is waited for. */
  round(): Promise<void> {
    this.#round ??= this.#sendDue().finally(() => (this.#round = null))
    return this.#round
  }

  /** The letter that is being sent still goes. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#round
  }

  /** Forgets what was over a month ago. */
  async tidy(): Promise<void> {
    const { store, clock } = this.#options
    await store.inHouseTransaction((writer) => letters.forget(writer, clock() - keptFor))
  }

  async #sendDue(): Promise<void> {
    const { store, clock } = this.#options
    // Nearly always there is nothing, and looking costs no transaction.
    while (!this.#isStopping && (await letters.isDue(store, clock()))) {
      const now = clock()
      const mail = await store.inHouseTransaction((writer) =>
        letters.take(writer, { now, againAt: now + takenFor }),
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
      await this.#keep(mail, error)
    }
  }

  async #keep(mail: DueMail, { isFinal, problem }: Unsent): Promise<void> {
    const { store, clock, onUnsent } = this.#options
    const { id, kind, attempts } = mail
    const next = clock() + waitAfter(attempts)
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
/** Longer than sending one takes at the most. */
const takenFor = 5 * minute
const keptFor = 30 * 24 * 60 * minute

/** A minute, twice as long each time, and an hour at the most. */
function waitAfter(attempts: number): number {
  return Math.min(60, 2 ** (attempts - 1)) * minute
}
