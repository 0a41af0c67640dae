// Password reset: requests by e-mail address, and links that set a new password.
import type { AuthenticatorSettings } from '../authenticator/authenticator.ts'
import { companyIdForSession } from '../caller.ts'
import { LoginThrottle, type LoginLimits } from './login-throttle.ts'
import { SharedLoginThrottle } from './shared-login-throttle.ts'
import { generateToken, hashToken } from '../tokens/secret.ts'
import type { CryptoContext } from '../tokens/credential-factory.ts'
import { getClientConnection, type ForwardedRequest } from '../authenticator/client-address.ts'
import { auditSignIn } from '../sessions/sign-in-audit.ts'
import { hashPassword } from './password-hash.ts'
import { requireAcceptablePassword } from './password-rules.ts'
import { ApiError } from '../../errors/api-error.ts'
import { networkOf } from '../../lib/network.ts'
import { microsecondsPerHour, microsecondsPerMinute } from '../../lib/timestamp.ts'
import {
  changePassword,
  findPasswordLink,
  deletePasswordLinksBefore,
  insertPasswordLink,
  hasLinkSince,
  saveResetRequest,
} from '../../store/accounts/password-links.ts'
import type { Store, Writer } from '../../store/store.ts'
import type { UserTable } from '../../store/tables/accounts.ts'
import { listWorkplaces } from '../../store/accounts/users.ts'

export interface PasswordResetOptions {
  readonly store: Store
  readonly cryptoContext: CryptoContext
  readonly settings: Pick<AuthenticatorSettings, 'trustProxy'>
}

/** A reset request: e-mail address, language of the mail, and public address of the server. */
export interface ResetRequest {
  readonly email: string
  readonly language: string
  readonly address: string
}

export class PasswordReset {
  readonly #options: PasswordResetOptions
  readonly #limiter: SharedLoginThrottle

  constructor(options: PasswordResetOptions) {
    this.#options = options
    const { store, cryptoContext } = options
    const limiter = new LoginThrottle(() => cryptoContext.clock() / 1000, requestLimits)
    this.#limiter = new SharedLoginThrottle(limiter, { store, ...cryptoContext })
  }

  /** Only stores the request. The account is looked up later, so that no response reveals whether it exists. Throws `RateLimited`. */
  async requestLink(request: ForwardedRequest, resetRequest: ResetRequest): Promise<void> {
    const { store, settings } = this.#options
    const attempt = {
      // Prefixed, so that a request does not count as a failed login.
      company: `forgotten ${resetRequest.email.toLowerCase()}`,
      network: `forgotten ${networkOf(getClientConnection(request, settings.trustProxy).address)}`,
      pair: '',
      isKnown: false,
      wasVerified: false,
    }
    const save = () => store.inSystemTransaction((writer) => saveResetRequest(writer, resetRequest))
    const countsEveryRequest = () => true
    await this.#limiter.run(attempt, save, countsEveryRequest, 'RateLimited')
  }

  /**
   * Sets the password and ends all sessions of the person. Throws `InvalidLink`, and `InvalidValue` for a password that breaks the
   * rules.
   */
  async change(
    { token, password, requestId }: { readonly token: string; readonly password: string; readonly requestId: string },
    alsoExecute: (writer: Writer, email: string) => Promise<void>,
  ): Promise<void> {
    const { store, cryptoContext } = this.#options
    const person = await findPasswordLink(store, { tokenHash: hashToken(token), now: cryptoContext.clock() })
    if (person === undefined) throw new ApiError('InvalidLink')
    requireAcceptablePassword(password, [person.email])
    const passwordHash = await hashPassword(password, cryptoContext.hashCost)
    await this.#runAudited({ user: person.id, requestId }, async (writer) => {
      if (!(await changePassword(writer, { ...person, passwordHash }))) throw new ApiError('InvalidLink')
      await alsoExecute(writer, person.email)
    })
  }

  /** Runs the change and audits it in one transaction; the other companies of the person get their entries after it. */
  async #runAudited(
    subject: { readonly user: number; readonly requestId: string },
    execute: (writer: Writer) => Promise<void>,
  ): Promise<void> {
    const { store, cryptoContext } = this.#options
    const event = { ...subject, at: cryptoContext.clock(), action: 'password-link' } as const
    const [first, ...others] = await listWorkplaces(store, { userId: subject.user })
    if (first === undefined) return store.inSystemTransaction(execute)
    await store.inTransaction(companyIdForSession(first), async (transaction) => {
      await execute(transaction)
      await auditSignIn(transaction, event)
    })
    for (const membership of others)
      await store.inTransaction(companyIdForSession(membership), (transaction) => auditSignIn(transaction, event))
  }

  async deleteExpired(): Promise<void> {
    const { store, cryptoContext } = this.#options
    await store.inSystemTransaction((writer) => deletePasswordLinksBefore(writer, { before: cryptoContext.clock() }))
  }
}

/** Creates a reset link for a person and returns its token; null when one was created within the last 5 minutes. */
export async function createPasswordLink(
  writer: Writer,
  { id, version }: Pick<UserTable, 'id' | 'version'>,
  { random, clock }: Pick<CryptoContext, 'random' | 'clock'>,
): Promise<string | null> {
  const now = clock()
  if (await hasLinkSince(writer, { userId: id, since: now - linkInterval })) return null
  const token = generateToken(random)
  const tokenHash = hashToken(token)
  const expiresAt = now + passwordLinkLifetime
  await insertPasswordLink(writer, { tokenHash, userId: id, userVersion: version, createdAt: now, expiresAt })
  return token
}

export const passwordLinkLifetime = microsecondsPerHour
/** Keeps callers from flooding a mailbox. */
const linkInterval = 5 * microsecondsPerMinute

const hour = 3_600_000

/** No limit per e-mail address, so that other callers cannot keep its owner from requesting a link. */
const requestLimits: LoginLimits = {
  companyAndNetwork: { failuresMax: 5, windowMs: hour, isPausing: false },
  retries: { failuresMax: 1, windowMs: hour, isPausing: false },
  company: { failuresMax: Number.MAX_SAFE_INTEGER, windowMs: hour, isPausing: false },
  network: { failuresMax: 30, windowMs: hour, isPausing: false },
}
