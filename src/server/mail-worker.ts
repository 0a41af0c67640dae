// Every few seconds of a server's life: answers who forgot a password, and carries letters to the mail server.
import type { Minting } from '../auth/tokens/credential-factory.ts'
import type { HttpServer } from '../http/server.ts'
import { answerForgotten } from '../notifications/mail/password-reset-mailer.ts'
import { Delivery } from '../notifications/mail/deliver.ts'
import type { Outbox } from '../notifications/mail/mail-queue.ts'
import { senderTo } from '../notifications/mail/sender.ts'
import type { Store } from '../store/store.ts'

export interface CarrierOptions {
  readonly store: Store
  readonly outbox: Outbox
  readonly minting: Minting
  readonly smtpUrl: string
  readonly mailFrom: string
  readonly log: () => HttpServer['log']
}

export class MailCarrier {
  readonly #options: CarrierOptions
  readonly #delivery: Delivery
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> | null = null

  constructor(options: CarrierOptions) {
    const { store, outbox, minting, smtpUrl, mailFrom, log } = options
    this.#options = options
    this.#delivery = new Delivery({
      store,
      outbox,
      clock: minting.clock,
      sender: senderTo(smtpUrl, mailFrom),
      onUnsent: (told) => log().warn(told, 'a letter was not taken'),
    })
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#round ??= this.#carry().finally(() => (this.#round = null))
    }, everyMs)
  }

  /** The letter that is being sent still goes. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#delivery.stop()
    await this.#round
  }

  tidy(): Promise<void> {
    return this.#delivery.tidy()
  }

  async #carry(): Promise<void> {
    const { store, outbox, minting, log } = this.#options
    try {
      await answerForgotten({ store, outbox, minting })
      await this.#delivery.round()
    } catch (error) {
      log().error({ err: error }, 'the outbox was not emptied')
    }
  }
}

/** How long a letter waits at the most before it is tried; looking costs two reads of an index. */
const everyMs = 2_000
