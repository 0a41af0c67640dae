// OIDC login: starts the login, handles the callback, links identities (ADR 0092).
import { createHash } from 'node:crypto'
import { hashChosen } from '../auth/passwords/password-hash.ts'
import { emailProblem } from '../auth/passwords/password-rules.ts'
import type { Minting } from '../auth/tokens/credential-factory.ts'
import { generatePassword } from '../auth/tokens/secret.ts'
import type { Visit } from '../auth/passwords/password-check.ts'
import type { Sessions, Visitor } from '../auth/sessions/sessions.ts'
import { Fault } from '../errors/catalog.ts'
import { applyGroups, isGivenAnything, type GroupRole } from './group-roles.ts'
import type { Claimed, Provider } from './provider.ts'
import { Transactions, transactionLength, type SignOnTransaction } from './login-state.ts'
import { insertIdentity, userOfIdentity } from '../store/accounts/identities.ts'
import type { Store } from '../store/store.ts'
import type { UserTable } from '../store/tables/accounts.ts'
import { companiesOf, findUserById, insertUser } from '../store/accounts/users.ts'

export interface SignOnOptions {
  readonly store: Store
  readonly sessions: Sessions
  readonly minting: Minting
  readonly provider: Provider
  readonly groupRoles: readonly GroupRole[]
  /** Display name of the provider. */
  readonly name: string
  /** Without a trailing slash; '' means the origin of the request. */
  readonly publicUrl: string
  /** Path of the redirect URI. */
  readonly backPath: string
  /** Default path after the login. */
  readonly homePath: string
}

export interface Leaving {
  readonly address: string
  readonly cookie: string
}

export interface Leave {
  readonly to: string
  /** Requires the provider to authenticate the person again. */
  readonly isAnew: boolean
  /** The signed-in person who links an identity; null for a sign-in. */
  readonly linking: Visitor | null
}

/** The new session; null when an identity was linked to a person who is signed in already. */
export type Arrived = { readonly session: string | null; readonly to: string }

export class SignOn {
  readonly #options: SignOnOptions
  readonly #transactions: Transactions

  constructor(options: SignOnOptions) {
    this.#options = options
    this.#transactions = new Transactions(options.minting)
  }

  get name(): string {
    return this.#options.name
  }

  /** Starts a login: the authorization URL and the state cookie. Throws `ProviderUnavailable`. */
  async leave(visit: Visit, { to, isAnew, linking }: Leave): Promise<Leaving> {
    const { minting, provider } = this.#options
    const text = () => minting.random(32).toString('base64url')
    const transaction: SignOnTransaction = {
      state: text(),
      nonce: text(),
      verifier: text(),
      isAnew,
      endsAt: minting.clock() + transactionLength,
      links: linking?.idHash ?? null,
      to: isOwnPath(to) ? to : this.#options.homePath,
    }
    return {
      address: await provider.address(transaction, this.#redirectUri(visit)),
      cookie: this.#transactions.cookie(transaction),
    }
  }

  /** The return path of a failed login, as far as the state cookie tells it. */
  destinationOf(visit: Visit): string {
    const { minting, homePath } = this.#options
    return this.#transactions.in(visit, minting.clock())?.to ?? homePath
  }

  /**
   * Handles the callback. Throws `SignOnFailed`, `IdentityUnknown`, `IdentityTaken`, `ProviderUnavailable` and
   * `TooManyFailedLogins`, and changes nothing then.
   */
  async arrive(visit: Visit, search: string): Promise<Arrived> {
    const { minting, provider, sessions } = this.#options
    const transaction = this.#transactions.in(visit, minting.clock())
    if (transaction === null) throw new Fault('SignOnFailed')
    // Throttled, because every callback causes a request to the provider.
    const claimed = await sessions.trials.limited(visit, 'sign-on', () =>
      provider.claims(transaction, `${this.#redirectUri(visit)}?${search}`),
    )
    const { to, links } = transaction
    if (links !== null) {
      await this.#linkIdentity(visit, links, claimed)
      return { session: null, to }
    }
    return { session: await this.#openSession(visit, claimed), to }
  }

  /** Opens a new session and replaces the previous one. */
  async #openSession(visit: Visit, claimed: Claimed): Promise<string> {
    const { store, sessions, minting, groupRoles } = this.#options
    const user = await this.#findOrCreateUser(claimed)
    if (user === undefined || user.disabledAt !== null) throw new Fault('IdentityUnknown')
    const now = minting.clock()
    const { groups, authenticatedAt } = claimed
    await applyGroups(store, groupRoles, { userId: user.id, groups, requestId: visit.id, now })
    const [membership] = await companiesOf(store, user.id)
    if (membership === undefined) throw new Fault('IdentityUnknown')
    const provenAt = Math.min(authenticatedAt ?? 0, now)
    return sessions.enter(visit, user, {
      companyId: membership.companyId,
      provenAt,
      via: 'provider',
    })
  }

  /** Finds the user by issuer and subject only. Creates an account when the groups grant a role. */
  async #findOrCreateUser(claimed: Claimed): Promise<UserTable | undefined> {
    const { store, groupRoles, minting } = this.#options
    const known = await userOfIdentity(store, claimed)
    if (known !== undefined) return known
    if (!(await isGivenAnything(store, groupRoles, claimed.groups))) return undefined
    const email = accountEmail(claimed)
    // A random password, so that only the provider can sign in to the account.
    const passwordHash = await hashChosen(generatePassword(minting.random), minting.hashCost)
    const made = store.inHouseTransaction(async (writer) => {
      const now = minting.clock()
      const userId = await insertUser(writer, { email, passwordHash, isOperator: 0 }, now)
      const { issuer, subject } = claimed
      const isFirst = await insertIdentity(writer, { issuer, subject, userId, createdAt: now })
      if (!isFirst) throw new Fault('AlreadyExists', { says: { what: email } })
      return findUserById(writer, userId)
    })
    return made.catch((error: unknown) => {
      if (!(error instanceof Fault) || error.code !== 'AlreadyExists') throw error
      // A concurrent login of the same person may have created it; an account with only the same address is no match.
      return userOfIdentity(store, claimed)
    })
  }

  /** The session that started the login must be the one that finishes it. */
  async #linkIdentity(visit: Visit, links: string, { issuer, subject }: Claimed): Promise<void> {
    const { store, sessions, minting } = this.#options
    const { idHash, userId } = await sessions.visitor(visit)
    if (idHash !== links) throw new Fault('SignOnFailed')
    const identity = { issuer, subject, userId, createdAt: minting.clock() }
    await store.inHouseTransaction(async (writer) => {
      if (await insertIdentity(writer, identity)) return
      if ((await userOfIdentity(writer, identity))?.id !== userId) throw new Fault('IdentityTaken')
    })
  }

  #redirectUri({ origin }: Visit): string {
    const { publicUrl, backPath } = this.#options
    return (publicUrl || origin) + backPath
  }
}

/** Accepts only paths of this app, so that the redirect cannot lead to another host. */
function isOwnPath(to: string): boolean {
  return /^\/app\/[\w-]+(\?[\w\-.~%=&+]*)?$/.test(to)
}

/** The e-mail address of a new account; derived from the subject when the claim is unusable. */
function accountEmail({ email, issuer, subject }: Claimed): string {
  if (email !== null && emailProblem(email) === null) return email
  const name = createHash('sha256').update(subject).digest('hex').slice(0, 16)
  return `${name}@${new URL(issuer).hostname}`
}
