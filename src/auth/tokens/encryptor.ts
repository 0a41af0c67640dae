// Encryptor: authenticated encryption (AES-256-GCM) for values that leave the server or are stored.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { CryptoContext } from './credential-factory.ts'

export class Encryptor {
  readonly #key: Buffer
  readonly #random: CryptoContext['random']

  /** Derives a key per purpose; servers with the same pepper can decrypt each other's values. */
  constructor({ pepper, random }: Pick<CryptoContext, 'pepper' | 'random'>, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', pepper, '', `sealed ${purpose}`, 32))
    this.#random = random
  }

  /** Returns base64url. `context` is authenticated: decryption needs the same value. */
  encrypt(text: string, context: string): string {
    const nonce = this.#random(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(context))
    const encrypted = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(encrypted).toString('base64url')
  }

  /** Null when the value was encrypted with another key or context, or was modified. */
  decrypt(encrypted: string, context: string): string | null {
    const bytes = Buffer.from(encrypted, 'base64url')
    if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== encrypted) return null
    const nonce = bytes.subarray(0, nonceBytes)
    const decipher = createDecipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(context))
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
