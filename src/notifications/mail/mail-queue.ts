// Mail queue: stores encrypted messages in the transaction that causes them (transactional outbox).
import type { Seal } from '../../auth/tokens/encryptor.ts'
import { letterIn, letterText, type Letter } from './message.ts'
import { insertMail, type DueMail } from '../../store/notifications/mail.ts'
import type { Writer } from '../../store/store.ts'

export class Outbox {
  readonly #encryptor: Seal
  readonly #clock: () => number

  /** `clock` in microseconds. */
  constructor(seal: Seal, clock: () => number) {
    this.#encryptor = seal
    this.#clock = clock
  }

  /** `goodForMs`: how long delivery is retried. */
  async post(writer: Writer, kind: MailKind, letter: Letter, goodForMs: number): Promise<void> {
    const now = this.#clock()
    const content = this.#encryptor.close(letterText(letter), encryptionContext)
    await insertMail(writer, { kind, content, untilAt: now + goodForMs * 1000 }, now)
  }

  /** Null for a message that was encrypted with another master key. */
  open({ content }: DueMail): Letter | null {
    const text = this.#encryptor.open(content, encryptionContext)
    return text === null ? null : letterIn(text)
  }
}

export type MailKind = 'invitation' | 'password' | 'alarm'

const encryptionContext = 'mail'
