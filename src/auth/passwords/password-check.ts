// Password check: verifies password and second factor, throttled, before a session exists.
import { createHmac } from 'node:crypto'
import { isRecoveryCode } from '../mfa/recovery-codes.ts'
import type { SecondFactor } from '../mfa/second-factor.ts'
import { isTrusted } from '../mfa/trusted-devices.ts'
import type { Guard } from '../authenticator/authenticator.ts'
import { originOf, type Arriving } from '../authenticator/client-address.ts'
import type { RefusedSignIns, Way } from '../sessions/sign-in-audit.ts'
import { hashChosen, isChosen, type HashCost } from './password-hash.ts'
import type { Random } from '../tokens/secret.ts'
import type { FromBrowser } from '../sessions/session-cookie.ts'
import { Fault } from '../../errors/catalog.ts'
import { networkOf, type Networks } from '../../lib/network.ts'
import { companyKey } from '../../store/accounts/companies.ts'
import { knownAddress, noteKnownAddress } from '../../store/accounts/credentials.ts'
import { findFactor } from '../../store/accounts/second-factors.ts'
import type { Store } from '../../store/store.ts'
import type { UserTable } from '../../store/tables/accounts.ts'
import { companiesOf, findUser, type Workplace } from '../../store/accounts/users.ts'

export interface TrialOptions {
  readonly store: Store
  /** Microseconds since 1970. */
  readonly clock: () => number
  readonly random: Random
  readonly hashCost: HashCost
  readonly trustProxy: Networks
  /** Shared with the `Authenticator`, so that guesses here count there too. */
  readonly guard: Guard
  readonly factor: SecondFactor
}

export interface Visit extends FromBrowser, Arriving {
  /** The request id. */
  readonly id: string
}

export interface Proof {
  readonly email: string
  readonly password: string
  /** '' means the first of the person's companies. */
  readonly company: string
  /** A TOTP or recovery code; '' when none was entered. */
  readonly code: string
}

/** A verified login, and how it was authenticated. */
export interface Proven {
  readonly user: UserTable
  readonly places: readonly Workplace[]
  readonly how: Way
}

/** The result of the second-factor check: the sign-in method, or why it failed. */
type CheckResult = Way | 'wrong' | 'missing'

interface PasswordAttempt extends Proof {
  readonly user: UserTable | undefined
  readonly places: readonly Workplace[]
}

export class PasswordTrials {
  readonly #options: TrialOptions
  readonly #rejected: RefusedSignIns
  /** Key of the hashes that identify attempts, so that secrets cannot be derived from them. */
  readonly #attemptKey: Buffer
  /** Hashed for unknown users, so that the response takes equally long. */
  #dummyHash: Promise<string> | undefined

  constructor(options: TrialOptions, rejected: RefusedSignIns) {
    this.#options = options
    this.#rejected = rejected
    this.#attemptKey = options.random(32)
  }

  /** Verifies password and code. Throws like `Sessions.signIn`. */
  async prove(visit: Visit, proof: Proof): Promise<Proven> {
    const attempt = await this.#createAttempt(proof)
    return this.#run(attempt, visit, (user) => this.#checkCode(user, visit, proof.code))
  }

  /** Verifies the password only. Throws like `Sessions.signIn`. */
  async requirePassword(visit: Visit, asked: Omit<Proof, 'code'>): Promise<void> {
    const attempt = await this.#createAttempt({ ...asked, code: '' })
    await this.#run(attempt, visit, async (): Promise<Way> => 'password')
  }

  /**
   * Runs work that unauthenticated callers can request. Failures count only against the network of the caller.
   * Throws `TooManyFailedLogins`.
   */
  async limited<T>(visit: Visit, name: string, work: () => Promise<T>): Promise<T> {
    const { guard, trustProxy } = this.#options
    const network = networkOf(originOf(visit, trustProxy).address)
    const attempt = { company: `${name} ${network}`, network, pair: '', isKnown: false }
    const permit = await guard.limiter.admit({ ...attempt, wasRight: false })
    if (typeof permit === 'number') throw tooManyFailures(Math.ceil(permit / 1000))
    try {
      const done = await work()
      permit.release()
      return done
    } catch (error) {
      if (error instanceof Fault && error.status === 401) await permit.wrong()
      else permit.release()
      throw error
    }
  }

  async #createAttempt(proof: Proof): Promise<PasswordAttempt> {
    const { store } = this.#options
    const user = await findUser(store, proof.email)
    return { ...proof, user, places: user === undefined ? [] : await companiesOf(store, user.id) }
  }

  /**
   * Throws unless password and second factor are valid, and takes equally long for unknown users. A wrong code counts
   * like a wrong password.
   */
  async #run(
    attempt: PasswordAttempt,
    visit: Visit,
    checkSecondFactor: (user: UserTable) => Promise<CheckResult>,
  ): Promise<Proven> {
    const { user, places, email, password, code } = attempt
    const { guard, trustProxy } = this.#options
    const network = networkOf(originOf(visit, trustProxy).address)
    const isKnown = await this.#isKnownNetwork(places, network)
    const permit = await guard.limiter.admit({
      company: `user ${email.toLowerCase()}`,
      network,
      isKnown,
      pair: createHmac('sha256', this.#attemptKey)
        .update(`${email.toLowerCase()}\n${password}\n${code}`)
        .digest('base64'),
      wasRight: false,
    })
    if (typeof permit === 'number') throw tooManyFailures(Math.ceil(permit / 1000))
    const result = await this.#check(user, password, isKnown, checkSecondFactor).catch(
      (error: unknown) => {
        permit.release()
        throw error
      },
    )
    if (user === undefined || result === 'invalid' || result === 'wrong') {
      await permit.wrong()
      this.#recordRejected(attempt, visit, result === 'wrong' ? 'code' : 'password')
      throw result === 'wrong'
        ? new Fault('WrongCode', { target: 'code' })
        : new Fault('InvalidCredentials')
    }
    permit.release()
    if (result === 'missing') throw new Fault('SecondFactorNeeded')
    if (!isKnown) await this.#recordKnownNetwork(places, network)
    return { user, places, how: result }
  }

  async #check(
    user: UserTable | undefined,
    password: string,
    isKnown: boolean,
    checkSecondFactor: (user: UserTable) => Promise<CheckResult>,
  ): Promise<CheckResult | 'invalid'> {
    const { guard, hashCost } = this.#options
    const dummy = (this.#dummyHash ??= hashChosen('', hashCost))
    const isRight = await guard.queue.run(isKnown, async () =>
      isChosen(user?.passwordHash ?? (await dummy), password),
    )
    return isRight && user?.disabledAt === null ? checkSecondFactor(user) : 'invalid'
  }

  async #recordKnownNetwork([membership]: readonly Workplace[], address: string): Promise<void> {
    const { store, clock } = this.#options
    if (membership === undefined) return
    const known = { companyId: membership.companyId, address, succeededAt: clock() }
    await store.inHouseTransaction((writer) => noteKnownAddress(writer, known))
  }

  /** In the named company, or in the first company of the person. */
  #recordRejected(
    { user, places, company }: PasswordAttempt,
    { id: requestId }: Visit,
    wrong: 'code' | 'password',
  ): void {
    const membership = chosenPlace(places, company) ?? places[0]
    if (user === undefined || membership === undefined) return
    const why = user.disabledAt === null ? wrong : 'shut-out'
    const { companyId } = membership
    this.#rejected.note({ user: user.id, companyId, why, at: this.#options.clock(), requestId })
  }

  async #checkCode(user: UserTable, visit: Visit, code: string): Promise<CheckResult> {
    const { store, clock, factor } = this.#options
    const stored = await findFactor(store, user.id)
    if (stored === undefined || stored.confirmedAt === null) return 'password'
    const now = clock()
    if (code === '') return (await isTrusted(store, user, visit, now)) ? 'device' : 'missing'
    if (!(await factor.take(store, stored, code, now))) return 'wrong'
    return isRecoveryCode(code) ? 'recovery-code' : 'code'
  }

  /** A network with a recent login to a company of the person is not limited by the failures of others. */
  async #isKnownNetwork(places: readonly Workplace[], network: string): Promise<boolean> {
    const { store, clock } = this.#options
    for (const { companyId } of places) {
      const known = await knownAddress(store, companyId, network)
      if (known !== undefined && known.succeededAt > clock() - knownNetworkLifetime) return true
    }
    return false
  }
}

/** The named company, or the first of the person. */
export function chosenPlace(places: readonly Workplace[], name: string): Workplace | undefined {
  return name === '' ? places[0] : places.find(({ nameKey }) => nameKey === companyKey(name))
}

function tooManyFailures(seconds: number): Fault {
  return new Fault('TooManyFailedLogins', {
    says: { seconds },
    headers: { 'Retry-After': String(seconds) },
  })
}

/** Microseconds: how long a network counts as known after a successful login. */
const knownNetworkLifetime = 30 * 24 * 3600 * 1_000_000
