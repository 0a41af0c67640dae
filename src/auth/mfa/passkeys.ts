// Passkeys: registration, and sign-in in which the passkey counts as both factors (ADR 0041).
import {
  verifyRegistration,
  verifyAssertion,
  type Ceremony,
  type RegistrationResponse,
  type AssertionResponse,
} from './webauthn.ts'
import type { CryptoContext } from '../tokens/credential-factory.ts'
import { Encryptor } from '../tokens/encryptor.ts'
import { readCookie } from '../sessions/session-cookie.ts'
import type { RequestMetadata } from '../passwords/password-check.ts'
import type { Sessions, SessionUser } from '../sessions/sessions.ts'
import { ApiError } from '../../errors/api-error.ts'
import { findPasskey, insertPasskey, recordPasskeyUse } from '../../store/accounts/passkeys.ts'
import type { Store, Writer } from '../../store/store.ts'
import { listWorkplaces, findUserById } from '../../store/accounts/users.ts'

export interface PasskeyOptions {
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
  readonly #options: PasskeyOptions
  readonly #encryptor: Encryptor

  constructor(options: PasskeyOptions) {
    this.#options = options
    this.#encryptor = new Encryptor(options.cryptoContext, 'passkeys')
  }

  /** Creates a challenge for sign-in (`user` null) or for the registration of a passkey. */
  createChallenge(request: RequestMetadata, user: SessionUser | null): PasskeyChallenge {
    const { random, clock } = this.#options.cryptoContext
    const challenge = random(32).toString('base64url')
    const text = JSON.stringify([challenge, clock() + challengeLength])
    const sealed = this.#encryptor.encrypt(text, encryptionContext(user))
    const cookieAttributes = `Max-Age=${challengeLength / 1_000_000}; ${attributes}`
    return { challenge, site: this.#relyingParty(request).site, cookie: `${cookieName}=${sealed}; ${cookieAttributes}` }
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
    const agent = (request.header('user-agent') ?? '').slice(0, 200)
    const createdAt = this.#options.cryptoContext.clock()
    const row = { id, userId: user.userId, publicKey, counter, agent, createdAt, usedAt: null }
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
    const sealed = readCookie(request, cookieName)
    const text = sealed === null ? null : this.#encryptor.decrypt(sealed, encryptionContext(user))
    // Only this server can encrypt the cookie, so its content needs no validation.
    const [challenge, endsAt]: [string, number] = text === null ? ['', 0] : JSON.parse(text)
    if (this.#options.cryptoContext.clock() >= endsAt) throw new ApiError('InvalidPasskey')
    return { challenge, ...this.#relyingParty(request) }
  }

  #relyingParty(request: RequestMetadata): Pick<Ceremony, 'origin' | 'site'> {
    const { origin, hostname } = new URL(this.#options.publicUrl || request.origin)
    return { origin, site: hostname }
  }
}

/** Microseconds: 5 minutes. */
const challengeLength = 300_000_000

const cookieName = '__Host-passkey'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export const clearedPasskeyCookie = `${cookieName}=; Max-Age=0; ${attributes}`

/** Binds a challenge to its purpose: sign-in, or registration by one person in one session. */
function encryptionContext(user: SessionUser | null): string {
  return user === null ? 'sign in' : `make for ${user.userId} in ${user.idHash}`
}
