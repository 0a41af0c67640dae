// Mail delivery: creates requested password-reset messages, sends queued ones one at a time, retries failures.
import { sendPasswordResets, type PasswordResetMailerOptions } from './password-reset-mailer.ts'
import { MailSendError, type MailSender } from './sender.ts'
import { mailQueue, recordSent, recordSendFailure, type DueMail } from '../../store/notifications/mail.ts'
import { microsecondsPerDay, microsecondsPerMinute } from '../../lib/timestamp.ts'

export interface MailDeliveryOptions extends PasswordResetMailerOptions {
  readonly sender: MailSender
  /** Receives failures: id and kind of a message, never its recipient or content. */
  readonly onFailure: (unsent: FailedMail) => void
}

export interface FailedMail {
  readonly mail: number
  readonly kind: string
  readonly attempts: number
  readonly problem: string
  readonly isGivenUp: boolean
}

export class MailDelivery {
  readonly #options: MailDeliveryOptions
  #current: Promise<void> | null = null
  #isStopping = false

  constructor(options: MailDeliveryOptions) {
    this.#options = options
  }

  /** Sends all requested and due messages. Servers on one database share the work; concurrent calls share one round. */
  deliverDue(): Promise<void> {
    this.#current ??= this.#sendDue().finally(() => (this.#current = null))
    return this.#current
  }

  /** Finishes the message that is being sent. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#current
  }

  /** Deletes messages that were finished more than 30 days ago. */
  async deleteExpired(): Promise<void> {
    const { store, clock } = this.#options
    await mailQueue.deleteFinished(store, clock() - retention)
  }

  async #sendDue(): Promise<void> {
    const { store, clock } = this.#options
    await sendPasswordResets(this.#options)
    // The queue is nearly always empty, and this check needs no transaction.
    while (!this.#isStopping && (await mailQueue.hasDueJob(store, { now: clock() }))) {
      const now = clock()
      const mail = await store.inSystemTransaction((writer) =>
        mailQueue.lease(writer, { now, leaseUntil: now + leaseTime }),
      )
      if (mail === undefined) return
      await this.#send(mail)
    }
  }

  async #send(mail: DueMail): Promise<void> {
    const { store, mailQueue, sender, clock } = this.#options
    try {
      const message = mailQueue.decrypt(mail)
      if (message === null) throw new MailSendError(true, 'another master key', null)
      if (clock() >= mail.expiresAt) throw new MailSendError(true, 'too late', null)
      await sender.send(message, `${mail.createdAt}.${mail.id}`)
      await store.inSystemTransaction((writer) => recordSent(writer, { id: mail.id, sentAt: clock() }))
    } catch (error) {
      if (!(error instanceof MailSendError)) throw error
      await this.#recordFailure(mail, error)
    }
  }

  async #recordFailure(mail: DueMail, { isFinal, problem }: MailSendError): Promise<void> {
    const { store, clock, onFailure } = this.#options
    const { id, kind, attempts } = mail
    // One minute, doubled with each attempt up to one hour.
    const next = clock() + Math.min(60, 2 ** (attempts - 1)) * microsecondsPerMinute
    const isGivenUp = isFinal || next >= mail.expiresAt
    await store.inSystemTransaction((writer) =>
      recordSendFailure(writer, {
        id,
        lastError: problem,
        nextAttemptAt: isGivenUp ? null : next,
        content: isGivenUp ? '' : mail.content,
      }),
    )
    onFailure({ mail: id, kind, attempts, problem, isGivenUp })
  }
}

/** Longer than one send can take. */
const leaseTime = 5 * microsecondsPerMinute
const retention = 30 * microsecondsPerDay
