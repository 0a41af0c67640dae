// Password check: verifies password and second factor, throttled, before a session exists.
import { createHmac } from 'node:crypto'
import { isRecoveryCode } from '../mfa/recovery-codes.ts'
import type { SecondFactor } from '../mfa/second-factor.ts'
import { isTrustedDevice, recordTrustedDeviceUse } from '../mfa/trusted-devices.ts'
import type { AuthenticatorSettings, PasswordThrottle } from '../authenticator/authenticator.ts'
import { getClientConnection, type ForwardedRequest } from '../authenticator/client-address.ts'
import type { RejectedSignInBuffer, SignInMethod } from '../sessions/sign-in-audit.ts'
import type { CallerTrust } from './hash-queue.ts'
import { knownNetworkLifetime } from './login-throttle.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import type { CryptoContext } from '../tokens/credential-factory.ts'
import { hashToken } from '../tokens/secret.ts'
import { readSessionId, type BrowserRequest } from '../sessions/session-cookie.ts'
import { ApiError } from '../../errors/api-error.ts'
import { networkOf } from '../../lib/network.ts'
import { companyKey } from '../../store/accounts/companies.ts'
import { findKnownAddress, recordKnownAddress } from '../../store/accounts/credentials.ts'
import { findFactor } from '../../store/accounts/second-factors.ts'
import { findSession } from '../../store/accounts/sessions.ts'
import type { Store } from '../../store/store.ts'
import type { UserTable } from '../../store/tables/accounts.ts'
import { listWorkplaces, findUser, type Workplace } from '../../store/accounts/users.ts'

export interface PasswordCheckOptions extends CryptoContext {
  readonly store: Store
  readonly settings: Pick<AuthenticatorSettings, 'trustProxy'>
  /** Shared with the `Authenticator`, so that guesses here count there too. */
  readonly passwordThrottle: PasswordThrottle
  readonly secondFactor: SecondFactor
}

export interface RequestMetadata extends BrowserRequest, ForwardedRequest {
  /** The request id. */
  readonly id: string
}

export interface LoginInput {
  readonly email: string
  readonly password: string
  /** '' means the first of the person's companies. */
  readonly company: string
  /** A TOTP or recovery code; '' when none was entered. */
  readonly code: string
}

/** A verified login and its sign-in method. */
export interface VerifiedLogin {
  readonly user: UserTable
  readonly memberships: readonly Workplace[]
  readonly method: SignInMethod
}

/** The result of the second-factor check: the sign-in method, or why it failed. */
type CheckResult = SignInMethod | 'wrong' | 'missing'

interface PasswordAttempt extends LoginInput {
  readonly user: UserTable | undefined
  readonly memberships: readonly Workplace[]
}

export class PasswordCheck {
  readonly #options: PasswordCheckOptions
  readonly #rejected: RejectedSignInBuffer
  /** Key of the hashes that identify attempts, so that secrets cannot be derived from them. */
  readonly #attemptKey: Buffer
  /** Hashed for unknown users, so that the response takes equally long. */
  #dummyHash: Promise<string> | undefined

  constructor(options: PasswordCheckOptions, rejected: RejectedSignInBuffer) {
    this.#options = options
    this.#rejected = rejected
    this.#attemptKey = options.random(32)
  }

  /** Verifies password and code. Throws like `Sessions.signIn`. */
  async verify(request: RequestMetadata, proof: LoginInput): Promise<VerifiedLogin> {
    const attempt = await this.#createAttempt(proof)
    return this.#run(attempt, request, (user) => this.#checkCode(user, request, proof.code))
  }

  /** Verifies the password only. Throws like `Sessions.signIn`. */
  async requirePassword(request: RequestMetadata, input: Omit<LoginInput, 'code'>): Promise<void> {
    const attempt = await this.#createAttempt({ ...input, code: '' })
    await this.#run(attempt, request, async (): Promise<SignInMethod> => 'password')
  }

  /**
   * Runs work that unauthenticated callers can request. Failures count only against the network of the caller.
   * Throws `TooManyFailedLogins`.
   */
  async runThrottled<T>(request: RequestMetadata, name: string, work: () => Promise<T>): Promise<T> {
    const { passwordThrottle, settings } = this.#options
    const network = networkOf(getClientConnection(request, settings.trustProxy).address)
    const attempt = { company: `${name} ${network}`, network, pair: '', isKnown: false }
    return passwordThrottle.throttle.run({ ...attempt, wasVerified: false }, work, () => false)
  }

  async #createAttempt(proof: LoginInput): Promise<PasswordAttempt> {
    const { store } = this.#options
    const user = await findUser(store, proof.email)
    return { ...proof, user, memberships: user === undefined ? [] : await listWorkplaces(store, { userId: user.id }) }
  }

  /**
   * Throws unless password and second factor are valid, and takes equally long for unknown users. A wrong code counts
   * like a wrong password.
   */
  async #run(
    attempt: PasswordAttempt,
    request: RequestMetadata,
    checkSecondFactor: (user: UserTable) => Promise<CheckResult>,
  ): Promise<VerifiedLogin> {
    const { user, memberships, email, password, code } = attempt
    const { passwordThrottle, settings } = this.#options
    const network = networkOf(getClientConnection(request, settings.trustProxy).address)
    const isKnownNetwork = await this.#isKnownNetwork(memberships, network)
    const isRecognized = user !== undefined && (await this.#isKnownBrowser(user, request))
    const login = {
      company: `user ${email.toLowerCase()}`,
      network,
      isKnown: isKnownNetwork || isRecognized,
      pair: createHmac('sha256', this.#attemptKey)
        .update(`${email.toLowerCase()}\n${password}\n${code}`)
        .digest('base64'),
      wasVerified: false,
    }
    const trust = isRecognized ? 'recognized' : isKnownNetwork ? 'knownNetwork' : 'unknown'
    const result = await passwordThrottle.throttle.run(
      login,
      () => this.#check(user, password, trust, checkSecondFactor),
      (one) => one === 'invalid' || one === 'wrong',
    )
    if (user === undefined || result === 'invalid' || result === 'wrong') {
      this.#recordRejected(attempt, request, result === 'wrong' ? 'code' : 'password')
      throw result === 'wrong'
        ? new ApiError('InvalidSecondFactorCode', { target: 'code' })
        : new ApiError('InvalidCredentials')
    }
    if (result === 'missing') throw new ApiError('SecondFactorCodeRequired')
    if (!isKnownNetwork) await this.#recordKnownNetwork(memberships, network)
    return { user, memberships, method: result }
  }

  async #check(
    user: UserTable | undefined,
    password: string,
    trust: CallerTrust,
    checkSecondFactor: (user: UserTable) => Promise<CheckResult>,
  ): Promise<CheckResult | 'invalid'> {
    const { passwordThrottle, hashCost } = this.#options
    const dummy = (this.#dummyHash ??= hashPassword('', hashCost))
    const isRight = await passwordThrottle.queue.run(trust, async () =>
      verifyPassword(user?.passwordHash ?? (await dummy), password),
    )
    return isRight && user?.disabledAt === null ? checkSecondFactor(user) : 'invalid'
  }

  async #recordKnownNetwork([membership]: readonly Workplace[], address: string): Promise<void> {
    const { store, clock } = this.#options
    if (membership === undefined) return
    const known = { companyId: membership.companyId, address, succeededAt: clock() }
    await store.inSystemTransaction((writer) => recordKnownAddress(writer, known))
  }

  /** In the named company, or in the first company of the person. */
  #recordRejected(
    { user, memberships, company }: PasswordAttempt,
    { id: requestId }: RequestMetadata,
    wrong: 'code' | 'password',
  ): void {
    const membership = findMembershipByCompany(memberships, company) ?? memberships[0]
    if (user === undefined || membership === undefined) return
    const reason = user.disabledAt === null ? wrong : 'shut-out'
    const at = this.#options.clock()
    this.#rejected.record({ user: user.id, companyId: membership.companyId, reason, at, requestId })
  }

  async #checkCode(user: UserTable, request: RequestMetadata, code: string): Promise<CheckResult> {
    const { store, clock, secondFactor } = this.#options
    const stored = await findFactor(store, { userId: user.id })
    if (stored === undefined || stored.confirmedAt === null) return 'password'
    const now = clock()
    if (code === '') {
      if (!(await isTrustedDevice(store, user, request, now))) return 'missing'
      await recordTrustedDeviceUse(store, user, request, now)
      return 'device'
    }
    if (!(await secondFactor.verify(store, stored, code, now))) return 'wrong'
    return isRecoveryCode(code) ? 'recovery-code' : 'code'
  }

  /** A trusted device of the person, or one with a session of the last hours, also if that ended for want of use. */
  async #isKnownBrowser(user: UserTable, request: RequestMetadata): Promise<boolean> {
    const { store, clock } = this.#options
    const id = readSessionId(request)
    const session = id === null ? undefined : await findSession(store, { idHash: hashToken(id) })
    return session?.userId === user.id || isTrustedDevice(store, user, request, clock())
  }

  /** A network with a recent login to a company of the person is not limited by the failures of others. */
  async #isKnownNetwork(memberships: readonly Workplace[], network: string): Promise<boolean> {
    const { store, clock } = this.#options
    for (const { companyId } of memberships) {
      const known = await findKnownAddress(store, { companyId, address: network })
      if (known !== undefined && known.succeededAt > clock() - knownNetworkLifetime) return true
    }
    return false
  }
}

/** The named company, or the first of the person. */
export function findMembershipByCompany(memberships: readonly Workplace[], name: string): Workplace | undefined {
  return name === '' ? memberships[0] : memberships.find(({ nameKey }) => nameKey === companyKey(name))
}
