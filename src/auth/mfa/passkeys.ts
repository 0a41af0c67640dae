// Passkeys: registration, and sign-in in which the passkey counts as both factors (ADR 0041).
import {
  verifyRegistration,
  verifyAssertion,
  type Ceremony,
  type RegistrationResponse,
  type AssertionResponse,
} from './webauthn.ts'
import type { CryptoContext } from '../tokens/credential-factory.ts'
import { generateToken } from '../tokens/secret.ts'
import { EncryptedCookie } from '../sessions/encrypted-cookie.ts'
import { hostCookie } from '../sessions/session-cookie.ts'
import type { RequestMetadata } from '../passwords/password-check.ts'
import { agentOf, type Sessions, type SessionUser } from '../sessions/sessions.ts'
import { ApiError } from '../../errors/api-error.ts'
import { microsecondsPerMinute } from '../../lib/timestamp.ts'
import { findPasskey, insertPasskey, recordPasskeyUse } from '../../store/accounts/passkeys.ts'
import type { Store, Writer } from '../../store/store.ts'
import { listWorkplaces, findUserById } from '../../store/accounts/users.ts'

/** What signing in without a password needs. */
export interface SignInOptions {
  readonly store: Store
  readonly sessions: Sessions
  readonly cryptoContext: CryptoContext
  /** Without a trailing slash; '' means the origin of the request. */
  readonly publicUrl: string
}

/** A challenge for the page, and the encrypted cookie that stores it. */
export interface PasskeyChallenge {
  readonly challenge: string
  readonly site: string
  readonly cookie: string
}

export class Passkeys {
  readonly #options: SignInOptions
  readonly #challenges: EncryptedCookie<string>

  constructor(options: SignInOptions) {
    this.#options = options
    this.#challenges = new EncryptedCookie(challengeCookie, options.cryptoContext)
  }

  /** Creates a challenge for sign-in (`user` null) or for the registration of a passkey. */
  createChallenge(request: RequestMetadata, user: SessionUser | null): PasskeyChallenge {
    const { random, clock } = this.#options.cryptoContext
    const challenge = generateToken(random)
    const cookie = this.#challenges.create(challenge, clock(), encryptionContext(user))
    return { challenge, site: this.#relyingParty(request).site, cookie }
  }

  /** Throws `InvalidPasskey`. */
  async register(
    writer: Writer,
    request: RequestMetadata,
    user: SessionUser,
    registration: RegistrationResponse,
  ): Promise<void> {
    const counter = verifyRegistration(registration, this.#readCeremony(request, user))
    const { id, publicKey } = registration
    const createdAt = this.#options.cryptoContext.clock()
    const row = { id, userId: user.userId, publicKey, counter, agent: agentOf(request), createdAt, usedAt: null }
    if (!(await insertPasskey(writer, row))) throw new ApiError('InvalidPasskey')
  }

  /** Opens a session. Throws `InvalidPasskey` for any failed check, and `TooManyFailedLogins`. */
  signIn(request: RequestMetadata, assertion: AssertionResponse): Promise<string> {
    const { store, sessions, cryptoContext } = this.#options
    return sessions.passwordCheck.runThrottled(request, 'passkey', async () => {
      const ceremony = this.#readCeremony(request, null)
      const passkey = await findPasskey(store, { id: assertion.id })
      if (passkey === undefined) throw new ApiError('InvalidPasskey')
      const counter = verifyAssertion(assertion, passkey.publicKey, ceremony)
      const user = await findUserById(store, { id: passkey.userId })
      const [membership] = user === undefined ? [] : await listWorkplaces(store, { userId: user.id })
      if (user === undefined || user.disabledAt !== null || membership === undefined)
        throw new ApiError('InvalidPasskey')
      const now = cryptoContext.clock()
      const use = { id: assertion.id, counter, usedAt: now }
      if (!(await store.inSystemTransaction((writer) => recordPasskeyUse(writer, use))))
        throw new ApiError('InvalidPasskey')
      return sessions.openWithoutPassword(request, user, {
        companyId: membership.companyId,
        authenticatedAt: now,
        via: 'passkey',
      })
    })
  }

  #readCeremony(request: RequestMetadata, user: SessionUser | null): Ceremony {
    const challenge = this.#challenges.read(request, this.#options.cryptoContext.clock(), encryptionContext(user))
    if (challenge === null) throw new ApiError('InvalidPasskey')
    return { challenge, ...this.#relyingParty(request) }
  }

  #relyingParty(request: RequestMetadata): Pick<Ceremony, 'origin' | 'site'> {
    const { origin, hostname } = new URL(this.#options.publicUrl || request.origin)
    return { origin, site: hostname }
  }
}

const challengeCookie = { name: '__Host-passkey', purpose: 'passkeys', lifetime: 5 * microsecondsPerMinute }

export const clearedPasskeyCookie = hostCookie(challengeCookie.name, '', 0)

/** Binds a challenge to its purpose: sign-in, or registration by one person in one session. */
function encryptionContext(user: SessionUser | null): string {
  return user === null ? 'sign in' : `make for ${user.userId} in ${user.idHash}`
}
