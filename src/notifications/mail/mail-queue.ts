// Mail queue: stores encrypted messages in the transaction that causes them (transactional outbox).
import type { Encryptor } from '../../auth/tokens/encryptor.ts'
import type { MailMessage } from './message.ts'
import { microsecondsPerDay } from '../../lib/timestamp.ts'
import { insertMail, type DueMail } from '../../store/notifications/mail.ts'
import type { Writer } from '../../store/store.ts'

export class MailQueue {
  readonly #encryptor: Encryptor
  readonly #clock: () => number

  /** `clock` in microseconds. */
  constructor(encryptor: Encryptor, clock: () => number) {
    this.#encryptor = encryptor
    this.#clock = clock
  }

  /** `goodFor`: how long delivery is retried, in microseconds. */
  async enqueue(
    writer: Writer,
    kind: MailKind,
    message: MailMessage,
    goodFor: number = microsecondsPerDay,
  ): Promise<void> {
    const now = this.#clock()
    const content = this.#encryptor.encrypt(JSON.stringify(message), encryptionContext)
    const times = { createdAt: now, nextAttemptAt: now, expiresAt: now + goodFor }
    await insertMail(writer, { kind, content, ...times, attempts: 0 })
  }

  /** Null for a message that was encrypted with another master key. */
  decrypt({ content }: DueMail): MailMessage | null {
    const text = this.#encryptor.decrypt(content, encryptionContext)
    return text === null ? null : JSON.parse(text)
  }
}

export type MailKind = 'invitation' | 'password' | 'alert'

const encryptionContext = 'mail'
