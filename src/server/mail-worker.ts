// Mail worker: every 2 seconds creates requested password-reset mails and delivers queued mail.
import type { CryptoContext } from '../auth/tokens/credential-factory.ts'
import type { HttpServer } from '../http/server.ts'
import { sendPasswordResets } from '../notifications/mail/password-reset-mailer.ts'
import { MailDelivery } from '../notifications/mail/deliver.ts'
import type { MailQueue } from '../notifications/mail/mail-queue.ts'
import { createMailSender } from '../notifications/mail/sender.ts'
import type { Store } from '../store/store.ts'

export interface MailWorkerOptions {
  readonly store: Store
  readonly mailQueue: MailQueue
  readonly cryptoContext: CryptoContext
  readonly smtpUrl: string
  readonly mailFrom: string
  readonly log: () => HttpServer['log']
}

export class MailWorker {
  readonly #options: MailWorkerOptions
  readonly #delivery: MailDelivery
  #timer: NodeJS.Timeout | null = null
  #current: Promise<void> | null = null

  constructor(options: MailWorkerOptions) {
    const { store, mailQueue, cryptoContext, smtpUrl, mailFrom, log } = options
    this.#options = options
    this.#delivery = new MailDelivery({
      store,
      mailQueue,
      clock: cryptoContext.clock,
      sender: createMailSender(smtpUrl, mailFrom),
      onFailure: (failure) => log().warn(failure, 'mail delivery failed'),
    })
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#current ??= this.processQueue().finally(() => (this.#current = null))
    }, intervalMs)
  }

  /** Finishes the message that is being sent. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#delivery.stop()
    await this.#current
  }

  deleteExpired(): Promise<void> {
    return this.#delivery.deleteExpired()
  }

  /** Creates the requested password-reset mails, and delivers what is due. */
  async processQueue(): Promise<void> {
    const { store, mailQueue, cryptoContext, log } = this.#options
    try {
      await sendPasswordResets({ store, mailQueue, cryptoContext })
      await this.#delivery.deliverDue()
    } catch (error) {
      log().error({ err: error }, 'processing the mail queue failed')
    }
  }
}

/** Maximum delay of a message; each check costs two index reads. */
const intervalMs = 2_000
