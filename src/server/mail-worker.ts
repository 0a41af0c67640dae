// Mail worker: every 2 seconds creates requested password-reset mails and delivers queued mail.
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
  #current: Promise<void> | null = null

  constructor(options: CarrierOptions) {
    const { store, outbox, minting, smtpUrl, mailFrom, log } = options
    this.#options = options
    this.#delivery = new Delivery({
      store,
      outbox,
      clock: minting.clock,
      sender: senderTo(smtpUrl, mailFrom),
      onUnsent: (told) => log().warn(told, 'mail delivery failed'),
    })
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#current ??= this.#process().finally(() => (this.#current = null))
    }, intervalMs)
  }

  /** Finishes the message that is being sent. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#delivery.stop()
    await this.#current
  }

  tidy(): Promise<void> {
    return this.#delivery.tidy()
  }

  async #process(): Promise<void> {
    const { store, outbox, minting, log } = this.#options
    try {
      await answerForgotten({ store, outbox, minting })
      await this.#delivery.round()
    } catch (error) {
      log().error({ err: error }, 'processing the mail queue failed')
    }
  }
}

/** Maximum delay of a message; each check costs two index reads. */
const intervalMs = 2_000
