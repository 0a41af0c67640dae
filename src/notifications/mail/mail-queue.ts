// Puts letters where they wait: in the transaction of the act they tell of, and sealed, for they hold links that open accounts.
import type { Seal } from '../../auth/tokens/encryptor.ts'
import { letterIn, letterText, type Letter } from './message.ts'
import { insertMail, type DueMail } from '../../store/notifications/mail.ts'
import type { Writer } from '../../store/store.ts'

export class Outbox {
  readonly #seal: Seal
  readonly #clock: () => number

  /** `clock` in microseconds. */
  constructor(seal: Seal, clock: () => number) {
    this.#seal = seal
    this.#clock = clock
  }

  /** `goodForMs`: how long it is worth delivering. */
  async post(writer: Writer, kind: MailKind, letter: Letter, goodForMs: number): Promise<void> {
    const now = this.#clock()
    const content = this.#seal.close(letterText(letter), about)
    await insertMail(writer, { kind, content, untilAt: now + goodForMs * 1000 }, now)
  }

  /** Null for one that was sealed under another master key. */
  open({ content }: DueMail): Letter | null {
    const text = this.#seal.open(content, about)
    return text === null ? null : letterIn(text)
  }
}

export type MailKind = 'invitation' | 'password' | 'alarm'

const about = 'mail'
