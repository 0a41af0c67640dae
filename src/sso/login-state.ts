// What the browser carries between leaving for the identity provider and coming back, sealed in a cookie of 10 minutes.
import { valueIn, type FromBrowser } from '../auth/sessions/session-cookie.ts'
import type { Minting } from '../auth/tokens/credential-factory.ts'
import { Seal } from '../auth/tokens/encryptor.ts'
import type { Asking } from './provider.ts'

export interface SignOnTransaction extends Asking {
  /** Microseconds. */
  readonly endsAt: number
  /** The session that links its person; null where somebody signs in. */
  readonly links: string | null
  /** Where the browser goes on. */
  readonly to: string
}

/** Microseconds: 10 minutes. */
export const transactionLength = 600_000_000

const cookieName = '__Host-sso'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export const noTransactionCookie = `${cookieName}=; Max-Age=0; ${attributes}`

export class Transactions {
  readonly #seal: Seal

  constructor(minting: Pick<Minting, 'pepper' | 'random'>) {
    this.#seal = new Seal(minting, 'sign-on')
  }

  cookie(transaction: SignOnTransaction): string {
    const sealed = this.#seal.close(JSON.stringify(transaction), cookieName)
    return `${cookieName}=${sealed}; Max-Age=${transactionLength / 1_000_000}; ${attributes}`
  }

  /** Null without one, for one that is over, and for one that was not made here. */
  in(request: FromBrowser, now: number): SignOnTransaction | null {
    const sealed = valueIn(request, cookieName)
    const text = sealed === null ? null : this.#seal.open(sealed, cookieName)
    if (text === null) return null
    // Nobody else can have sealed it, so it is what was sealed here.
    const transaction: SignOnTransaction = JSON.parse(text)
    return now < transaction.endsAt ? transaction : null
  }
}
