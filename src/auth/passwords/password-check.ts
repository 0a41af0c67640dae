// A password, and what is asked beside it, before there is a session: judged, limited, and noted where it is wrong.
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
  /** Shared with the gate: whoever guesses here guesses there too. */
  readonly guard: Guard
  readonly factor: SecondFactor
}

export interface Visit extends FromBrowser, Arriving {
  /** Of the request. */
  readonly id: string
}

export interface Proof {
  readonly email: string
  readonly password: string
  /** '' for the first of the person's companies. */
  readonly company: string
  /** Of the authenticator app, or a recovery code; '' while nobody asked for one. */
  readonly code: string
}

/** Whose proof was right, and how it was given. */
export interface Proven {
  readonly user: UserTable
  readonly places: readonly Workplace[]
  readonly how: Way
}

/** What came of what is asked beside the password: how one comes in, or that one does not. */
type Judgement = Way | 'wrong' | 'missing'

interface Trial extends Proof {
  readonly user: UserTable | undefined
  readonly places: readonly Workplace[]
}

export class PasswordTrials {
  readonly #options: TrialOptions
  readonly #refused: RefusedSignIns
  /** What is tried is told apart by this, and cannot be worked out from what is kept of it. */
  readonly #trialKey: Buffer
  /** Stands in for the password of nobody, so that the answer takes as long. */
  #dummy: Promise<string> | undefined

  constructor(options: TrialOptions, refused: RefusedSignIns) {
    this.#options = options
    this.#refused = refused
    this.#trialKey = options.random(32)
  }

  /** Password and code. Throws as `Sessions.signIn` does. */
  async prove(visit: Visit, proof: Proof): Promise<Proven> {
    const trial = await this.#trialOf(proof)
    return this.#try(trial, visit, (user) => this.#judgeCode(user, visit, proof.code))
  }

  /** The password alone. Throws as `Sessions.signIn` does. */
  async requirePassword(visit: Visit, asked: Omit<Proof, 'code'>): Promise<void> {
    const trial = await this.#trialOf({ ...asked, code: '' })
    await this.#try(trial, visit, async (): Promise<Way> => 'password')
  }

  /**
   * Work that anybody can have done here. What it refuses counts against the network that asked, and nobody else's.
   * Throws `TooManyFailedLogins`.
   */
  async limited<T>(visit: Visit, name: string, work: () => Promise<T>): Promise<T> {
    const { guard, trustProxy } = this.#options
    const network = networkOf(originOf(visit, trustProxy).address)
    const trial = { company: `${name} ${network}`, network, pair: '', isKnown: false }
    const admitted = await guard.limiter.admit({ ...trial, wasRight: false })
    if (typeof admitted === 'number') throw tooMany(Math.ceil(admitted / 1000))
    try {
      const done = await work()
      admitted.release()
      return done
    } catch (error) {
      if (error instanceof Fault && error.status === 401) await admitted.wrong()
      else admitted.release()
      throw error
    }
  }

  async #trialOf(proof: Proof): Promise<Trial> {
    const { store } = this.#options
    const user = await findUser(store, proof.email)
    return { ...proof, user, places: user === undefined ? [] : await companiesOf(store, user.id) }
  }

  /**
   * Throws unless the password is the person's, and what else is wanted is right; a stranger's costs as much. A
   * wrong code counts as a wrong password does, so that neither is guessed.
   */
  async #try(
    trial: Trial,
    visit: Visit,
    judgeMore: (user: UserTable) => Promise<Judgement>,
  ): Promise<Proven> {
    const { user, places, email, password, code } = trial
    const { guard, trustProxy } = this.#options
    const network = networkOf(originOf(visit, trustProxy).address)
    const isKnown = await this.#isKnown(places, network)
    const admitted = await guard.limiter.admit({
      company: `user ${email.toLowerCase()}`,
      network,
      isKnown,
      pair: createHmac('sha256', this.#trialKey)
        .update(`${email.toLowerCase()}\n${password}\n${code}`)
        .digest('base64'),
      wasRight: false,
    })
    if (typeof admitted === 'number') throw tooMany(Math.ceil(admitted / 1000))
    const judged = await this.#judge(user, password, isKnown, judgeMore).catch((error: unknown) => {
      admitted.release()
      throw error
    })
    if (user === undefined || judged === 'stranger' || judged === 'wrong') {
      await admitted.wrong()
      this.#noteRefused(trial, visit, judged === 'wrong' ? 'code' : 'password')
      throw judged === 'wrong'
        ? new Fault('WrongCode', { target: 'code' })
        : new Fault('InvalidCredentials')
    }
    admitted.release()
    if (judged === 'missing') throw new Fault('SecondFactorNeeded')
    if (!isKnown) await this.#noteKnown(places, network)
    return { user, places, how: judged }
  }

  async #judge(
    user: UserTable | undefined,
    password: string,
    isKnown: boolean,
    judgeMore: (user: UserTable) => Promise<Judgement>,
  ): Promise<Judgement | 'stranger'> {
    const { guard, hashCost } = this.#options
    const dummy = (this.#dummy ??= hashChosen('', hashCost))
    const isRight = await guard.queue.run(isKnown, async () =>
      isChosen(user?.passwordHash ?? (await dummy), password),
    )
    return isRight && user?.disabledAt === null ? judgeMore(user) : 'stranger'
  }

  async #noteKnown([place]: readonly Workplace[], address: string): Promise<void> {
    const { store, clock } = this.#options
    if (place === undefined) return
    const known = { companyId: place.companyId, address, succeededAt: clock() }
    await store.inHouseTransaction((writer) => noteKnownAddress(writer, known))
  }

  /** In the company that was named, or in the first of the person. */
  #noteRefused(
    { user, places, company }: Trial,
    { id: requestId }: Visit,
    wrong: 'code' | 'password',
  ): void {
    const place = chosenPlace(places, company) ?? places[0]
    if (user === undefined || place === undefined) return
    const why = user.disabledAt === null ? wrong : 'shut-out'
    const { companyId } = place
    this.#refused.note({ user: user.id, companyId, why, at: this.#options.clock(), requestId })
  }

  async #judgeCode(user: UserTable, visit: Visit, code: string): Promise<Judgement> {
    const { store, clock, factor } = this.#options
    const stored = await findFactor(store, user.id)
    if (stored === undefined || stored.confirmedAt === null) return 'password'
    const now = clock()
    if (code === '') return (await isTrusted(store, user, visit, now)) ? 'device' : 'missing'
    if (!(await factor.take(store, stored, code, now))) return 'wrong'
    return isRecoveryCode(code) ? 'recovery-code' : 'code'
  }

  /** An address that was right for a company of this person is not limited by what strangers try. */
  async #isKnown(places: readonly Workplace[], network: string): Promise<boolean> {
    const { store, clock } = this.#options
    for (const { companyId } of places) {
      const known = await knownAddress(store, companyId, network)
      if (known !== undefined && known.succeededAt > clock() - knownFor) return true
    }
    return false
  }
}

/** The company that is named, or the first of the person. */
export function chosenPlace(places: readonly Workplace[], name: string): Workplace | undefined {
  return name === '' ? places[0] : places.find(({ nameKey }) => nameKey === companyKey(name))
}

function tooMany(seconds: number): Fault {
  return new Fault('TooManyFailedLogins', {
    says: { seconds },
    headers: { 'Retry-After': String(seconds) },
  })
}

/** Microseconds: how long an address that was right keeps its place. */
const knownFor = 30 * 24 * 3600 * 1_000_000
