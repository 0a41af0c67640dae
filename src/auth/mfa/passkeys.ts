// Passkeys: registration, and sign-in in which the passkey counts as both factors (ADR 0094).
import {
  countOfMade,
  countOfUsed,
  type Ceremony,
  type MadePasskey,
  type UsedPasskey,
} from './webauthn.ts'
import type { Minting } from '../tokens/credential-factory.ts'
import { Seal } from '../tokens/encryptor.ts'
import { valueIn } from '../sessions/session-cookie.ts'
import type { Visit } from '../passwords/password-check.ts'
import type { Sessions, Visitor } from '../sessions/sessions.ts'
import { Fault } from '../../errors/catalog.ts'
import { findPasskey, insertPasskey, notePasskey } from '../../store/accounts/passkeys.ts'
import type { Store, Writer } from '../../store/store.ts'
import { companiesOf, findUserById } from '../../store/accounts/users.ts'

export interface PasskeyOptions {
  readonly store: Store
  readonly sessions: Sessions
  readonly minting: Minting
  /** Without a trailing slash; '' means the origin of the request. */
  readonly publicUrl: string
}

/** A challenge for the page, and the encrypted cookie that stores it. */
export interface Asked {
  readonly challenge: string
  readonly site: string
  readonly cookie: string
}

export class Passkeys {
  readonly #options: PasskeyOptions
  readonly #encryptor: Seal

  constructor(options: PasskeyOptions) {
    this.#options = options
    this.#encryptor = new Seal(options.minting, 'passkeys')
  }

  /** Creates a challenge for sign-in (`maker` null) or for the registration of a passkey. */
  ask(visit: Visit, maker: Visitor | null): Asked {
    const { random, clock } = this.#options.minting
    const challenge = random(32).toString('base64url')
    const text = JSON.stringify([challenge, clock() + challengeLength])
    const sealed = this.#encryptor.close(text, encryptionContext(maker))
    const cookieAttributes = `Max-Age=${challengeLength / 1_000_000}; ${attributes}`
    return {
      challenge,
      site: this.#relyingParty(visit).site,
      cookie: `${cookieName}=${sealed}; ${cookieAttributes}`,
    }
  }

  /** Throws `PasskeyRefused`. */
  async make(writer: Writer, visit: Visit, maker: Visitor, made: MadePasskey): Promise<void> {
    const counter = countOfMade(made, this.#readCeremony(visit, maker))
    const { id, publicKey } = made
    const agent = (visit.header('user-agent') ?? '').slice(0, 200)
    const createdAt = this.#options.minting.clock()
    const row = { id, userId: maker.userId, publicKey, counter, agent, createdAt, usedAt: null }
    if (!(await insertPasskey(writer, row))) throw new Fault('PasskeyRefused')
  }

  /** Opens a session. Throws `PasskeyRefused` for any failed check, and `TooManyFailedLogins`. */
  signIn(visit: Visit, used: UsedPasskey): Promise<string> {
    const { store, sessions, minting } = this.#options
    return sessions.trials.limited(visit, 'passkey', async () => {
      const ceremony = this.#readCeremony(visit, null)
      const passkey = await findPasskey(store, used.id)
      if (passkey === undefined) throw new Fault('PasskeyRefused')
      const counter = countOfUsed(used, passkey.publicKey, ceremony)
      const user = await findUserById(store, passkey.userId)
      const [place] = user === undefined ? [] : await companiesOf(store, user.id)
      if (user === undefined || user.disabledAt !== null || place === undefined)
        throw new Fault('PasskeyRefused')
      const now = minting.clock()
      const use = { id: used.id, counter, usedAt: now }
      if (!(await store.inHouseTransaction((writer) => notePasskey(writer, use))))
        throw new Fault('PasskeyRefused')
      const { companyId } = place
      return sessions.enter(visit, user, { companyId, provenAt: now, via: 'passkey' })
    })
  }

  #readCeremony(visit: Visit, maker: Visitor | null): Ceremony {
    const sealed = valueIn(visit, cookieName)
    const text = sealed === null ? null : this.#encryptor.open(sealed, encryptionContext(maker))
    // Only this server can encrypt the cookie, so its content needs no validation.
    const [challenge, endsAt]: [string, number] = text === null ? ['', 0] : JSON.parse(text)
    if (this.#options.minting.clock() >= endsAt) throw new Fault('PasskeyRefused')
    return { challenge, ...this.#relyingParty(visit) }
  }

  #relyingParty(visit: Visit): Pick<Ceremony, 'origin' | 'site'> {
    const { origin, hostname } = new URL(this.#options.publicUrl || visit.origin)
    return { origin, site: hostname }
  }
}

/** Microseconds: 5 minutes. */
const challengeLength = 300_000_000

const cookieName = '__Host-passkey'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export const noPasskeyCookie = `${cookieName}=; Max-Age=0; ${attributes}`

/** Binds a challenge to its purpose: sign-in, or registration by one person in one session. */
function encryptionContext(maker: Visitor | null): string {
  return maker === null ? 'sign in' : `make for ${maker.userId} in ${maker.idHash}`
}
