// A forgotten password: who asks is answered alike, whether the address is known or not; the link goes by mail.
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

/** Who forgot it, and in which language and with which address of the server the letter speaks. */
export interface Forgetting {
  readonly email: string
  readonly language: string
  readonly address: string
}

/** Who brings a link, and the password that it is to be. */
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
    const limiter = new FailureLimiter(() => minting.clock() / 1000, askingLimits)
    this.#limiter = new SharedLimiter(limiter, { store, ...minting })
  }

  /** Notes the question, and nothing else: looking who it is happens later, so no answer tells. Throws `RateLimited`. */
  async ask(visit: Arriving, forgetting: Forgetting): Promise<void> {
    const { store, trustProxy } = this.#options
    const admitted = await this.#limiter.admit({
      // Not the names of sign-in, where a question is no wrong password.
      company: `forgotten ${forgetting.email.toLowerCase()}`,
      network: `forgotten ${networkOf(originOf(visit, trustProxy).address)}`,
      pair: '',
      isKnown: false,
      wasRight: false,
    })
    if (typeof admitted === 'number') throw tooOften(Math.ceil(admitted / 1000))
    await admitted.wrong()
    await store.inHouseTransaction((writer) => noteForgotten(writer, forgetting))
  }

  /**
   * The password of whoever has the link, and the end of all their sessions; the address of the person. Throws
   * `InvalidLink`, and `InvalidValue` for a password that guessers try.
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
    await this.#auditing({ user: person.id, requestId }, async (writer) => {
      if (!(await changePassword(writer, { ...person, passwordHash })))
        throw new Fault('InvalidLink')
      await alongside(writer, person.email)
    })
    return person.email
  }

  /** The act and the audit of it in one transaction; what else the person works in is told after it. */
  async #auditing(
    whose: { readonly user: number; readonly requestId: string },
    act: (writer: Writer) => Promise<void>,
  ): Promise<void> {
    const { store, minting } = this.#options
    const passage = { ...whose, at: minting.clock(), action: 'password-link' } as const
    const [first, ...others] = await companiesOf(store, whose.user)
    if (first === undefined) return store.inHouseTransaction(act)
    await store.inTransaction(openedByEntering(first), async (transaction) => {
      await act(transaction)
      await auditPassage(transaction, passage)
    })
    for (const place of others)
      await store.inTransaction(openedByEntering(place), (transaction) =>
        auditPassage(transaction, passage),
      )
  }

  /** Deletes links that nobody can use any more. */
  async tidy(): Promise<void> {
    const { store, minting } = this.#options
    await store.inHouseTransaction((writer) => forgetPasswordLinks(writer, minting.clock()))
  }
}

/** Makes a link for a person; its token. Null where they were given one within the last minutes. */
export async function passwordLinkFor(
  writer: Writer,
  { id, version }: Pick<UserTable, 'id' | 'version'>,
  { random, clock }: Pick<Minting, 'random' | 'clock'>,
): Promise<string | null> {
  const now = clock()
  if (await isLinkSince(writer, id, now - betweenLinks)) return null
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
/** A mailbox is not to be filled by somebody who knows its address. */
const betweenLinks = 5 * minute

const hour = 3_600_000

/** For whom the address is, is no limit: strangers must not keep its owner from asking. */
const askingLimits: FailureLimits = {
  companyAndNetwork: { failuresMax: 5, windowMs: hour, isPausing: false },
  returning: { failuresMax: 1, windowMs: hour, isPausing: false },
  company: { failuresMax: Number.MAX_SAFE_INTEGER, windowMs: hour, isPausing: false },
  network: { failuresMax: 30, windowMs: hour, isPausing: false },
}

function tooOften(seconds: number): Fault {
  return new Fault('RateLimited', {
    says: { seconds },
    headers: { 'Retry-After': String(seconds) },
  })
}
