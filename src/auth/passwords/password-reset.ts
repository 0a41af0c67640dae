// Password reset: requests by e-mail address, and links that set a new password.
import { openedByEntering } from '../caller.ts'
import { FailureLimiter, type FailureLimits } from './login-throttle.ts'
import { SharedLimiter } from './shared-login-throttle.ts'
import { hashOfLink, newLinkToken } from '../tokens/link-token.ts'
import type { Minting } from '../tokens/credential-factory.ts'
import { originOf, type Arriving } from '../authenticator/client-address.ts'
import { auditPassage } from '../sessions/sign-in-audit.ts'
import { hashChosen } from './password-hash.ts'
import { passwordProblem } from './password-rules.ts'
import { Fault } from '../../errors/catalog.ts'
import { networkOf, type Networks } from '../../lib/network.ts'
import {
  changePassword,
  findPasswordLink,
  forgetPasswordLinks,
  insertPasswordLink,
  isLinkSince,
  noteForgotten,
} from '../../store/accounts/password-links.ts'
import type { Store, Writer } from '../../store/store.ts'
import type { UserTable } from '../../store/tables/accounts.ts'
import { companiesOf } from '../../store/accounts/users.ts'

export interface RecoveryOptions {
  readonly store: Store
  readonly minting: Minting
  readonly trustProxy: Networks
}

/** A reset request: e-mail address, language of the mail, and public address of the server. */
export interface Forgetting {
  readonly email: string
  readonly language: string
  readonly address: string
}

/** The token of a reset link and the new password. */
export interface Changing {
  readonly token: string
  readonly password: string
  readonly requestId: string
}

export class Recovery {
  readonly #options: RecoveryOptions
  readonly #limiter: SharedLimiter

  constructor(options: RecoveryOptions) {
    this.#options = options
    const { store, minting } = options
    const limiter = new FailureLimiter(() => minting.clock() / 1000, requestLimits)
    this.#limiter = new SharedLimiter(limiter, { store, ...minting })
  }

  /** Only stores the request. The account is looked up later, so that no response reveals whether it exists. Throws `RateLimited`. */
  async ask(visit: Arriving, forgetting: Forgetting): Promise<void> {
    const { store, trustProxy } = this.#options
    const permit = await this.#limiter.admit({
      // Prefixed, so that a request does not count as a failed login.
      company: `forgotten ${forgetting.email.toLowerCase()}`,
      network: `forgotten ${networkOf(originOf(visit, trustProxy).address)}`,
      pair: '',
      isKnown: false,
      wasRight: false,
    })
    if (typeof permit === 'number') throw rateLimited(Math.ceil(permit / 1000))
    await permit.wrong()
    await store.inHouseTransaction((writer) => noteForgotten(writer, forgetting))
  }

  /**
   * Sets the password and ends all sessions of the person; returns their e-mail address. Throws `InvalidLink`, and
   * `InvalidValue` for a password that breaks the rules.
   */
  async change(
    { token, password, requestId }: Changing,
    alongside: (writer: Writer, email: string) => Promise<void>,
  ): Promise<string> {
    const { store, minting } = this.#options
    const person = await findPasswordLink(store, hashOfLink(token), minting.clock())
    if (person === undefined) throw new Fault('InvalidLink')
    const problem = passwordProblem(password, [person.email])
    if (problem !== null)
      throw new Fault('InvalidValue', { target: 'password', says: { field: 'password', problem } })
    const passwordHash = await hashChosen(password, minting.hashCost)
    await this.#runAudited({ user: person.id, requestId }, async (writer) => {
      if (!(await changePassword(writer, { ...person, passwordHash })))
        throw new Fault('InvalidLink')
      await alongside(writer, person.email)
    })
    return person.email
  }

  /** Runs the change and audits it in one transaction; the other companies of the person get their entries after it. */
  async #runAudited(
    whose: { readonly user: number; readonly requestId: string },
    act: (writer: Writer) => Promise<void>,
  ): Promise<void> {
    const { store, minting } = this.#options
    const event = { ...whose, at: minting.clock(), action: 'password-link' } as const
    const [first, ...others] = await companiesOf(store, whose.user)
    if (first === undefined) return store.inHouseTransaction(act)
    await store.inTransaction(openedByEntering(first), async (transaction) => {
      await act(transaction)
      await auditPassage(transaction, event)
    })
    for (const membership of others)
      await store.inTransaction(openedByEntering(membership), (transaction) =>
        auditPassage(transaction, event),
      )
  }

  /** Deletes expired links. */
  async tidy(): Promise<void> {
    const { store, minting } = this.#options
    await store.inHouseTransaction((writer) => forgetPasswordLinks(writer, minting.clock()))
  }
}

/** Creates a reset link for a person and returns its token; null when one was created within the last 5 minutes. */
export async function passwordLinkFor(
  writer: Writer,
  { id, version }: Pick<UserTable, 'id' | 'version'>,
  { random, clock }: Pick<Minting, 'random' | 'clock'>,
): Promise<string | null> {
  const now = clock()
  if (await isLinkSince(writer, id, now - linkInterval)) return null
  const { token, tokenHash } = newLinkToken(random)
  const expiresAt = now + passwordLinkTime
  await insertPasswordLink(writer, {
    tokenHash,
    userId: id,
    userVersion: version,
    createdAt: now,
    expiresAt,
  })
  return token
}

/** Microseconds. */
const minute = 60_000_000
export const passwordLinkTime = 60 * minute
/** Keeps callers from flooding a mailbox. */
const linkInterval = 5 * minute

const hour = 3_600_000

/** No limit per e-mail address, so that other callers cannot keep its owner from requesting a link. */
const requestLimits: FailureLimits = {
  companyAndNetwork: { failuresMax: 5, windowMs: hour, isPausing: false },
  returning: { failuresMax: 1, windowMs: hour, isPausing: false },
  company: { failuresMax: Number.MAX_SAFE_INTEGER, windowMs: hour, isPausing: false },
  network: { failuresMax: 30, windowMs: hour, isPausing: false },
}

function rateLimited(seconds: number): Fault {
  return new Fault('RateLimited', {
    says: { seconds },
    headers: { 'Retry-After': String(seconds) },
  })
}
