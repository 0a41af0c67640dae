// Encrypted cookie: what the server needs when the browser comes back from an authenticator or a provider.
import { hostCookie, readCookie, type BrowserRequest } from './session-cookie.ts'
import type { CryptoContext } from '../tokens/credential-factory.ts'
import { Encryptor } from '../tokens/encryptor.ts'

interface EncryptedCookieOptions {
  readonly name: string
  /** Of the key. */
  readonly purpose: string
  /** Microseconds. */
  readonly lifetime: number
}

export class EncryptedCookie<Content> {
  readonly #options: EncryptedCookieOptions
  readonly #encryptor: Encryptor

  constructor(options: EncryptedCookieOptions, cryptoContext: Pick<CryptoContext, 'pepper' | 'random'>) {
    this.#options = options
    this.#encryptor = new Encryptor(cryptoContext, options.purpose)
  }

  /** `context` must be the same when the cookie is read. */
  create(content: Content, now: number, context: string): string {
    const { name, lifetime } = this.#options
    const text = JSON.stringify([now + lifetime, content])
    return hostCookie(name, this.#encryptor.encrypt(text, context), lifetime)
  }

  /** Null when the cookie is missing, expired or not encrypted by this server. */
  read(request: BrowserRequest, now: number, context: string): Content | null {
    const encrypted = readCookie(request, this.#options.name)
    const text = encrypted === null ? null : this.#encryptor.decrypt(encrypted, context)
    if (text === null) return null
    // Only this server can encrypt the cookie, so its content needs no validation.
    const [expiresAt, content]: [number, Content] = JSON.parse(text)
    return now < expiresAt ? content : null
  }
}
