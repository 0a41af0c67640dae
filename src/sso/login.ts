// Signing in over an identity provider: sent away with a transaction, come back as somebody that the house knows (ADR 0092).
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
  /** How people call the provider. */
  readonly name: string
  /** Without a slash at its end; '' for as the server was addressed. */
  readonly publicUrl: string
  /** The path that the provider sends people back to. */
  readonly backPath: string
  /** Where whoever asked for no other screen goes on. */
  readonly homePath: string
}

export interface Leaving {
  readonly address: string
  readonly cookie: string
}

export interface Leave {
  readonly to: string
  /** The provider is to ask for the password, however lately it did. */
  readonly isAnew: boolean
  /** Whoever is signed in and wants the identity for the account; null for signing in. */
  readonly linking: Visitor | null
}

/** The cookie of a new session; null where a person was linked, who is signed in already. */
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

  /** Where the browser goes, and what it takes along. Throws `ProviderUnavailable`. */
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
      address: await provider.address(transaction, this.#backTo(visit)),
      cookie: this.#transactions.cookie(transaction),
    }
  }

  /** Where the browser would have gone on, as far as that is known. */
  destinationOf(visit: Visit): string {
    const { minting, homePath } = this.#options
    return this.#transactions.in(visit, minting.clock())?.to ?? homePath
  }

  /**
   * Throws `SignOnFailed`, `IdentityUnknown`, `IdentityTaken`, `ProviderUnavailable` and `TooManyFailedLogins`; nothing
   * has changed then.
   */
  async arrive(visit: Visit, search: string): Promise<Arrived> {
    const { minting, provider, sessions } = this.#options
    const transaction = this.#transactions.in(visit, minting.clock())
    if (transaction === null) throw new Fault('SignOnFailed')
    // Each costs the provider a call of ours, whatever stands in it.
    const claimed = await sessions.trials.limited(visit, 'sign-on', () =>
      provider.claims(transaction, `${this.#backTo(visit)}?${search}`),
    )
    const { to, links } = transaction
    if (links !== null) {
      await this.#link(visit, links, claimed)
      return { session: null, to }
    }
    return { session: await this.#enter(visit, claimed), to }
  }

  /** A new id, whatever the browser came with. */
  async #enter(visit: Visit, claimed: Claimed): Promise<string> {
    const { store, sessions, minting, groupRoles } = this.#options
    const user = await this.#userOf(claimed)
    if (user === undefined || user.disabledAt !== null) throw new Fault('IdentityUnknown')
    const now = minting.clock()
    const { groups, authenticatedAt } = claimed
    await applyGroups(store, groupRoles, { userId: user.id, groups, requestId: visit.id, now })
    const [place] = await companiesOf(store, user.id)
    if (place === undefined) throw new Fault('IdentityUnknown')
    const provenAt = Math.min(authenticatedAt ?? 0, now)
    return sessions.enter(visit, user, { companyId: place.companyId, provenAt, via: 'provider' })
  }

  /** Known by issuer and subject alone. Whoever is not known and whose groups give a role here gets an account. */
  async #userOf(claimed: Claimed): Promise<UserTable | undefined> {
    const { store, groupRoles, minting } = this.#options
    const known = await userOfIdentity(store, claimed)
    if (known !== undefined) return known
    if (!(await isGivenAnything(store, groupRoles, claimed.groups))) return undefined
    const email = emailOf(claimed)
    // A password that nobody knows, so that the account opens over the provider alone.
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
      // The same person by another window; whoever else has the address is not by that who the provider means.
      return userOfIdentity(store, claimed)
    })
  }

  /** The session that left must be the one that came back. */
  async #link(visit: Visit, links: string, { issuer, subject }: Claimed): Promise<void> {
    const { store, sessions, minting } = this.#options
    const { idHash, userId } = await sessions.visitor(visit)
    if (idHash !== links) throw new Fault('SignOnFailed')
    const identity = { issuer, subject, userId, createdAt: minting.clock() }
    await store.inHouseTransaction(async (writer) => {
      if (await insertIdentity(writer, identity)) return
      if ((await userOfIdentity(writer, identity))?.id !== userId) throw new Fault('IdentityTaken')
    })
  }

  #backTo({ origin }: Visit): string {
    const { publicUrl, backPath } = this.#options
    return (publicUrl || origin) + backPath
  }
}

/** A path of this app, and nothing that a browser could take for another host. */
function isOwnPath(to: string): boolean {
  return /^\/app\/[\w-]+(\?[\w\-.~%=&+]*)?$/.test(to)
}

/** What the account is called; one without a usable address is called after its subject. */
function emailOf({ email, issuer, subject }: Claimed): string {
  if (email !== null && emailProblem(email) === null) return email
  const name = createHash('sha256').update(subject).digest('hex').slice(0, 16)
  return `${name}@${new URL(issuer).hostname}`
}
