// Login state: OIDC state, nonce and PKCE verifier in an encrypted cookie for 10 minutes.
import { valueIn, type FromBrowser } from '../auth/sessions/session-cookie.ts'
import type { Minting } from '../auth/tokens/credential-factory.ts'
import { Seal } from '../auth/tokens/encryptor.ts'
import type { Asking } from './provider.ts'

export interface SignOnTransaction extends Asking {
  /** Microseconds. */
  readonly endsAt: number
  /** Hash of the session whose person links an identity; null for a sign-in. */
  readonly links: string | null
  /** The path to return to. */
  readonly to: string
}

/** Microseconds: 10 minutes. */
export const transactionLength = 600_000_000

const cookieName = '__Host-sso'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export const noTransactionCookie = `${cookieName}=; Max-Age=0; ${attributes}`

export class Transactions {
  readonly #encryptor: Seal

  constructor(minting: Pick<Minting, 'pepper' | 'random'>) {
    this.#encryptor = new Seal(minting, 'sign-on')
  }

  cookie(transaction: SignOnTransaction): string {
    const encrypted = this.#encryptor.close(JSON.stringify(transaction), cookieName)
    return `${cookieName}=${encrypted}; Max-Age=${transactionLength / 1_000_000}; ${attributes}`
  }

  /** Null when the cookie is missing, expired or not encrypted by this server. */
  in(request: FromBrowser, now: number): SignOnTransaction | null {
    const encrypted = valueIn(request, cookieName)
    const text = encrypted === null ? null : this.#encryptor.open(encrypted, cookieName)
    if (text === null) return null
    // Only this server can encrypt the cookie, so its content needs no validation.
    const transaction: SignOnTransaction = JSON.parse(text)
    return now < transaction.endsAt ? transaction : null
  }
}
