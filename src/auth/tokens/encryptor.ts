// Text that leaves the house sealed, to be brought back by whoever was given it: nobody else can read it or make one.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Minting } from './credential-factory.ts'

export class Seal {
  readonly #key: Buffer
  readonly #random: Minting['random']

  /** Servers that share a pepper open each other's, and nothing that was sealed for another purpose. */
  constructor({ pepper, random }: Pick<Minting, 'pepper' | 'random'>, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', pepper, '', `sealed ${purpose}`, 32))
    this.#random = random
  }

  /** Letters, digits, `-` and `_`. It opens only where it is known what it is about. */
  close(text: string, about: string): string {
    const nonce = this.#random(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(about))
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64url')
  }

  /** Null where it was not made here, was changed, or is about something else. */
  open(sealed: string, about: string): string | null {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== sealed) return null
    const nonce = bytes.subarray(0, nonceBytes)
    const decipher = createDecipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(about))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  }
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
