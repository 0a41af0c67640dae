// Login state: OIDC state, nonce and PKCE verifier in an encrypted cookie for 10 minutes.
import { readCookie, type BrowserRequest } from '../auth/sessions/session-cookie.ts'
import type { CryptoContext } from '../auth/tokens/credential-factory.ts'
import { Encryptor } from '../auth/tokens/encryptor.ts'
import type { AuthorizationRequest } from './provider.ts'

export interface LoginState extends AuthorizationRequest {
  /** Microseconds. */
  readonly expiresAt: number
  /** Hash of the session whose person links an identity; null for a sign-in. */
  readonly linkingSession: string | null
  /** The path to return to. */
  readonly returnTo: string
}

/** Microseconds: 10 minutes. */
export const loginStateLifetime = 600_000_000

const cookieName = '__Host-sso'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export const clearedLoginStateCookie = `${cookieName}=; Max-Age=0; ${attributes}`

export class LoginStateCookie {
  readonly #encryptor: Encryptor

  constructor(cryptoContext: Pick<CryptoContext, 'pepper' | 'random'>) {
    this.#encryptor = new Encryptor(cryptoContext, 'sign-on')
  }

  create(state: LoginState): string {
    const encrypted = this.#encryptor.encrypt(JSON.stringify(state), cookieName)
    return `${cookieName}=${encrypted}; Max-Age=${loginStateLifetime / 1_000_000}; ${attributes}`
  }

  /** Null when the cookie is missing, expired or not encrypted by this server. */
  read(request: BrowserRequest, now: number): LoginState | null {
    const encrypted = readCookie(request, cookieName)
    const text = encrypted === null ? null : this.#encryptor.decrypt(encrypted, cookieName)
    if (text === null) return null
    // Only this server can encrypt the cookie, so its content needs no validation.
    const state: LoginState = JSON.parse(text)
    return now < state.expiresAt ? state : null
  }
}
