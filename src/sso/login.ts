// OIDC login: starts the login, handles the callback, links identities (ADR 0042).
import { createHash } from 'node:crypto'
import { hashPassword } from '../auth/passwords/password-hash.ts'
import { emailProblem } from '../auth/passwords/password-rules.ts'
import { generateToken, generatePassword } from '../auth/tokens/secret.ts'
import type { SignInOptions } from '../auth/mfa/passkeys.ts'
import type { RequestMetadata } from '../auth/passwords/password-check.ts'
import { EncryptedCookie } from '../auth/sessions/encrypted-cookie.ts'
import { hostCookie } from '../auth/sessions/session-cookie.ts'
import type { SessionUser } from '../auth/sessions/sessions.ts'
import { ApiError } from '../errors/api-error.ts'
import { microsecondsPerMinute } from '../lib/timestamp.ts'
import { applyGroupRoles, grantsAnyRole, type GroupRole } from './group-roles.ts'
import type { AuthorizationRequest, IdentityClaims, OidcProvider } from './provider.ts'
import { insertAuditEntry } from '../store/audit/audit.ts'
import { insertIdentity, findUserByIdentity } from '../store/accounts/identities.ts'
import type { UserTable } from '../store/tables/accounts.ts'
import { listWorkplaces, findUserById, insertUser } from '../store/accounts/users.ts'

export interface OidcLoginOptions extends SignInOptions {
  readonly provider: OidcProvider
  readonly groupRoles: readonly GroupRole[]
  /** Display name of the provider. */
  readonly name: string
  /** Path of the redirect URI. */
  readonly backPath: string
  /** Default path after the login. */
  readonly homePath: string
}

export interface AuthorizationRedirect {
  readonly address: string
  readonly cookie: string
}

export interface StartLoginOptions {
  readonly to: string
  /** Requires the provider to authenticate the person again. */
  readonly forcesReauthentication: boolean
  /** The signed-in person who links an identity; null for a sign-in. */
  readonly linking: SessionUser | null
}

/** What the callback is compared with: OIDC state, nonce and PKCE verifier. */
interface LoginState extends AuthorizationRequest {
  /** Hash of the session whose person links an identity; null for a sign-in. */
  readonly linkingSession: string | null
  /** The path to return to. */
  readonly returnTo: string
}

const stateCookie = { name: '__Host-sso', purpose: 'sign-on', lifetime: 10 * microsecondsPerMinute }

export const clearedLoginStateCookie = hostCookie(stateCookie.name, '', 0)

/** The new session; null when an identity was linked to a person who is signed in already. */
export type LoginResult = { readonly session: string | null; readonly to: string }

export class OidcLogin {
  readonly #options: OidcLoginOptions
  readonly #states: EncryptedCookie<LoginState>

  constructor(options: OidcLoginOptions) {
    this.#options = options
    this.#states = new EncryptedCookie(stateCookie, options.cryptoContext)
  }

  get name(): string {
    return this.#options.name
  }

  /** Starts a login: the authorization URL and the state cookie. Throws `ProviderUnavailable`. */
  async start(
    request: RequestMetadata,
    { to, forcesReauthentication, linking }: StartLoginOptions,
  ): Promise<AuthorizationRedirect> {
    const { cryptoContext, provider } = this.#options
    const text = () => generateToken(cryptoContext.random)
    const transaction: LoginState = {
      state: text(),
      nonce: text(),
      verifier: text(),
      forcesReauthentication,
      linkingSession: linking?.idHash ?? null,
      // Only paths of this app, so that the redirect cannot lead to another host.
      returnTo: /^\/app\/[\w-]+(\?[\w\-.~%=&+]*)?$/.test(to) ? to : this.#options.homePath,
    }
    return {
      address: await provider.authorizationUrl(transaction, this.#redirectUri(request)),
      cookie: this.#states.create(transaction, cryptoContext.clock(), stateCookie.name),
    }
  }

  /** The return path of a failed login, as far as the state cookie tells it. */
  returnPath(request: RequestMetadata): string {
    const { cryptoContext, homePath } = this.#options
    return this.#states.read(request, cryptoContext.clock(), stateCookie.name)?.returnTo ?? homePath
  }

  /**
   * Handles the callback. Throws `SingleSignOnFailed`, `IdentityNotLinked`, `IdentityAlreadyLinked`, `ProviderUnavailable` and
   * `TooManyFailedLogins`, and changes nothing then.
   */
  async handleCallback(request: RequestMetadata, search: string): Promise<LoginResult> {
    const { cryptoContext, provider, sessions } = this.#options
    const transaction = this.#states.read(request, cryptoContext.clock(), stateCookie.name)
    if (transaction === null) throw new ApiError('SingleSignOnFailed')
    // Throttled, because every callback causes a request to the provider.
    const identity = await sessions.passwordCheck.runThrottled(request, 'sign-on', () =>
      provider.exchangeCode(transaction, `${this.#redirectUri(request)}?${search}`),
    )
    const { returnTo, linkingSession } = transaction
    if (linkingSession !== null) {
      await this.#linkIdentity(request, linkingSession, identity)
      return { session: null, to: returnTo }
    }
    return { session: await this.#openSession(request, identity), to: returnTo }
  }

  /** Opens a new session and replaces the previous one. */
  async #openSession(request: RequestMetadata, identity: IdentityClaims): Promise<string> {
    const { store, sessions, cryptoContext, groupRoles } = this.#options
    const user = await this.#findOrCreateUser(identity)
    if (user === undefined || user.disabledAt !== null) throw new ApiError('IdentityNotLinked')
    const now = cryptoContext.clock()
    const { groups, authenticatedAt } = identity
    await applyGroupRoles(store, groupRoles, { userId: user.id, groups, requestId: request.id, now })
    const [membership] = await listWorkplaces(store, { userId: user.id })
    if (membership === undefined) throw new ApiError('IdentityNotLinked')
    return sessions.openWithoutPassword(request, user, {
      companyId: membership.companyId,
      authenticatedAt: Math.min(authenticatedAt ?? 0, now),
      via: 'provider',
    })
  }

  /** Finds the user by issuer and subject only. Creates an account when the groups grant a role. */
  async #findOrCreateUser(identity: IdentityClaims): Promise<UserTable | undefined> {
    const { store, groupRoles, cryptoContext } = this.#options
    const known = await findUserByIdentity(store, identity)
    if (known !== undefined) return known
    if (!(await grantsAnyRole(store, groupRoles, identity.groups))) return undefined
    const email = accountEmail(identity)
    // A random password, so that only the provider can sign in to the account.
    const passwordHash = await hashPassword(generatePassword(cryptoContext.random), cryptoContext.hashCost)
    const made = store.inSystemTransaction(async (writer) => {
      const now = cryptoContext.clock()
      const userId = await insertUser(writer, { email, passwordHash, isOperator: 0 }, now)
      const { issuer, subject } = identity
      const isFirst = await insertIdentity(writer, { issuer, subject, userId, createdAt: now })
      if (!isFirst) throw new ApiError('AlreadyExists', { params: { what: email } })
      return findUserById(writer, { id: userId })
    })
    return made.catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'AlreadyExists') throw error
      // A concurrent login of the same person may have created it; an account with only the same address is no match.
      return findUserByIdentity(store, identity)
    })
  }

  /** The session that started the login must be the one that finishes it. */
  async #linkIdentity(request: RequestMetadata, links: string, { issuer, subject }: IdentityClaims): Promise<void> {
    const { store, sessions, cryptoContext } = this.#options
    const { idHash, userId, caller } = await sessions.getUser(request)
    if (idHash !== links) throw new ApiError('SingleSignOnFailed')
    const now = cryptoContext.clock()
    const identity = { issuer, subject, userId, createdAt: now }
    await store.inTransaction(caller.companyId, async (transaction) => {
      if (await insertIdentity(transaction, identity)) {
        const context = { actor: caller.actor, requestId: request.id, now }
        await insertAuditEntry(transaction, context, { action: 'identity-on', data: { user: userId } })
      } else if ((await findUserByIdentity(transaction, identity))?.id !== userId)
        throw new ApiError('IdentityAlreadyLinked')
    })
  }

  #redirectUri({ origin }: RequestMetadata): string {
    const { publicUrl, backPath } = this.#options
    return (publicUrl || origin) + backPath
  }
}

/** The e-mail address of a new account; derived from the subject when the claim is unusable. */
function accountEmail({ email, issuer, subject }: IdentityClaims): string {
  if (email !== null && emailProblem(email) === null) return email
  const name = createHash('sha256').update(subject).digest('hex').slice(0, 16)
  return `${name}@${new URL(issuer).hostname}`
}
