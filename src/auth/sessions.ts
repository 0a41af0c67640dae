// Sessions of the browser app: opened by a password, found by their cookie, ended by time, by hand or by a change.
import { createHmac } from 'node:crypto'
import { memberOf, type Member } from '#auth/caller.ts'
import { factorSettings } from '#auth/company-settings.ts'
import type { SecondFactor } from '#auth/factor/second-factor.ts'
import { isTrusted, trust, trustedFor } from '#auth/factor/trusted-devices.ts'
import type { Guard } from '#auth/gate.ts'
import { originOf, type Arriving } from '#auth/origin.ts'
import { hashChosen, isChosen, type HashCost } from '#auth/password-hash.ts'
import type { Random } from '#auth/secret.ts'
import { csrfToken, hashOfSession, sessionIdIn, type FromBrowser } from '#auth/session-cookie.ts'
import { Fault } from '#faults.ts'
import { networkOf, type Networks } from '#lib/network.ts'
import { companyById, companyKey } from '#store/companies.ts'
import { knownAddress, noteKnownAddress } from '#store/credentials.ts'
import { deleteDevicesBefore, findFactor } from '#store/factors.ts'
import {
  deleteSession,
  deleteSessionsBefore,
  endSession,
  findSession,
  insertSession,
  listSessions,
  noteSession,
  type OwnSession,
} from '#store/sessions.ts'
import type { Store } from '#store/store.ts'
import type { SessionTable, SignedInVia, UserTable } from '#store/tables.ts'
import { companiesOf, findUser, findUserById, type Workplace } from '#store/users.ts'

export interface SessionOptions {
  readonly store: Store
  readonly pepper: Buffer
  /** Microseconds since 1970. */
  readonly clock: () => number
  readonly random: Random
  readonly hashCost: HashCost
  readonly trustProxy: Networks
  /** Shared with the gate: whoever guesses here guesses there too. */
  readonly guard: Guard
  readonly factor: SecondFactor
}

export interface SignIn {
  readonly email: string
  readonly password: string
  /** '' for the first of the person's companies. */
  readonly company: string
  /** Of the authenticator app, or a recovery code; '' while nobody asked for one. */
  readonly code: string
  /** Whether this browser is not to be asked for a code again. */
  readonly isTrusting: boolean
}

/** What the browser keeps in cookies, and the house only the hashes of. */
export interface Opened {
  readonly session: string
  /** Null for a browser that was not trusted by this. */
  readonly device: string | null
}

export interface Visitor extends Member {
  /** What the page sends with every act. */
  readonly csrf: string
  /** Runs the server, beside what the role allows. */
  readonly isOperator: boolean
  /** Of the session, among those of the person. */
  readonly idHash: string
  /** When the session began, wherever it went on since; microseconds, as all moments. */
  readonly createdAt: number
  /** When the password was given. */
  readonly provenAt: number
  readonly via: SignedInVia
  /** Whether the company wants a second factor of this person, who has none. */
  readonly lacksFactor: boolean
}

export type Visit = FromBrowser & Arriving

/** What is asked beside the password. */
type Judgement = 'right' | 'wrong' | 'missing'

interface Trial extends Pick<SignIn, 'email' | 'password' | 'code'> {
  readonly user: UserTable | undefined
  readonly places: readonly Workplace[]
}

type Opening = Pick<SessionTable, 'companyId' | 'createdAt' | 'provenAt' | 'via'>

export class Sessions {
  readonly #options: SessionOptions
  /** What is tried is told apart by this, and cannot be worked out from what is kept of it. */
  readonly #trialKey: Buffer
  /** Stands in for the password of nobody, so that the answer takes as long. */
  #dummy: Promise<string> | undefined

  constructor(options: SessionOptions) {
    this.#options = options
    this.#trialKey = options.random(32)
  }

  /** Of everybody who signs in here. */
  get factor(): SecondFactor {
    return this.#options.factor
  }

  /**
   * A new session for a right password, and a code where one is wanted. One answer for all that is wrong with the
   * password, `InvalidCredentials`, and as slow as a right one; behind it `SecondFactorNeeded` and `WrongCode`;
   * `TooManyFailedLogins` and `Overloaded` for those who guess.
   */
  async signIn(visit: Visit, asked: SignIn): Promise<Opened> {
    const { store, clock } = this.#options
    const user = await findUser(store, asked.email)
    const places = user === undefined ? [] : await companiesOf(store, user.id)
    await this.#tryPassword({ user, places, ...asked }, visit, (found) =>
      this.#judgeCode(found, visit, asked.code),
    )
    const place = chosenPlace(places, asked.company)
    if (user === undefined || place === undefined) throw new Fault('InvalidCredentials')
    await this.signOut(visit)
    const now = clock()
    const session = await this.#open(visit, user, {
      companyId: place.companyId,
      createdAt: now,
      provenAt: now,
      via: 'password',
    })
    const isTrusting = asked.isTrusting && asked.code !== ''
    return { session, device: isTrusting ? await this.#trust(user, visit, now) : null }
  }

  /** A new session of somebody whom an identity provider let in, in place of the one that the browser came with. */
  async enter(
    visit: Visit,
    user: UserTable,
    { companyId, provenAt }: Pick<SessionTable, 'companyId' | 'provenAt'>,
  ): Promise<string> {
    await this.signOut(visit)
    const createdAt = this.#options.clock()
    return this.#open(visit, user, { companyId, createdAt, provenAt, via: 'provider' })
  }

  /** Throws `SessionExpired` where nobody is signed in. Looking in at times, as an open page does, is no use of it. */
  async visitor(visit: Visit): Promise<Visitor> {
    const { store, clock } = this.#options
    const { seenAt, ...visitor } = await this.#find(visit)
    const now = clock()
    const isLookingIn = visit.header('x-unattended') !== undefined
    if (!isLookingIn && now - seenAt >= noteEvery)
      await store.inHouseTransaction((writer) => noteSession(writer, visitor.idHash, now))
    return visitor
  }

  /** The visitor of a request that a page makes by itself: the session stands no longer for it. */
  async onlooker(visit: Visit): Promise<Visitor> {
    return this.#find(visit)
  }

  async #find(visit: Visit): Promise<Visitor & { readonly seenAt: number }> {
    const { store, clock, pepper } = this.#options
    const id = sessionIdIn(visit)
    const found = id === null ? undefined : await findSession(store, hashOfSession(id))
    if (id === null || found === undefined || isOver(found, clock()))
      throw new Fault('SessionExpired')
    const company = await companyById(store, found.companyId)
    const user = { id: found.userId, email: found.email }
    const member = company?.disabledAt === null ? memberOf(company, user, found) : null
    if (member === null) throw new Fault('SessionExpired')
    const lacksFactor =
      found.factorSince === null &&
      found.via === 'password' &&
      member.caller.company.settings[factorSettings[member.role]]
    const { createdAt, provenAt, seenAt, via } = found
    const csrf = csrfToken(id, pepper)
    const idHash = hashOfSession(id)
    const isOperator = found.isOperator === 1
    const opened = { idHash, csrf, createdAt, provenAt, seenAt, via, lacksFactor, isOperator }
    return { ...member, ...opened }
  }

  /**
   * Goes on in another company of the same person, under a new id and with the age that it has. Throws `NotFound` for
   * any other company, and `SessionExpired` for a session that ended or went on meanwhile.
   */
  async moveTo(visit: Visit, visitor: Visitor, companyName: string): Promise<string> {
    const { store } = this.#options
    const place = chosenPlace(await companiesOf(store, visitor.userId), companyName)
    if (place === undefined)
      throw new Fault('NotFound', { says: { what: companyName.slice(0, 60) } })
    // Read before the session is looked at again, so that what it was opened for is not another's by then.
    const user = await this.#userOf(visitor)
    const isEnded = await store.inHouseTransaction(
      async (writer) =>
        (await findSession(writer, visitor.idHash)) !== undefined &&
        (await endSession(writer, visitor.userId, visitor.idHash)),
    )
    if (!isEnded) throw new Fault('SessionExpired')
    return this.#goOn(visit, visitor, user, place.companyId)
  }

  /** A new session in place of one that a change of the person has ended. */
  async renew(visit: Visit, visitor: Visitor): Promise<string> {
    const user = await this.#userOf(visitor)
    await this.signOut(visit)
    return this.#goOn(visit, visitor, user, visitor.caller.companyId)
  }

  /** Throws as `signIn` does, unless the password is the person's; no code is asked for. */
  async requirePassword(
    visit: Visit,
    { email, password }: Pick<SignIn, 'email' | 'password'>,
  ): Promise<void> {
    const { store } = this.#options
    const user = await findUser(store, email)
    const places = user === undefined ? [] : await companiesOf(store, user.id)
    await this.#tryPassword({ user, places, email, password, code: '' }, visit, async () => 'right')
  }

  async signOut(visit: Visit): Promise<void> {
    const id = sessionIdIn(visit)
    if (id === null) return
    await this.#options.store.inHouseTransaction((writer) =>
      deleteSession(writer, hashOfSession(id)),
    )
  }

  /** Deletes what nobody can use any more. */
  async tidy(): Promise<void> {
    const { store, clock } = this.#options
    await store.inHouseTransaction(async (writer) => {
      await deleteSessionsBefore(writer, clock() - absoluteMax)
      await deleteDevicesBefore(writer, clock() - trustedFor)
    })
  }

  /**
   * Work that anybody can have done here. What it refuses counts against the network that asked, and nobody else's.
   * Throws `TooManyFailedLogins`.
   */
  async limited<T>(visit: Visit, name: string, work: () => Promise<T>): Promise<T> {
    const { guard, trustProxy } = this.#options
    const network = networkOf(originOf(visit, trustProxy).address)
    const trial = { company: `${name} ${network}`, network, pair: '', isKnown: false }
    const admitted = guard.limiter.admit({ ...trial, wasRight: false })
    if (typeof admitted === 'number') throw tooMany(Math.ceil(admitted / 1000))
    try {
      const done = await work()
      admitted.release()
      return done
    } catch (error) {
      if (error instanceof Fault && error.status === 401) admitted.wrong()
      else admitted.release()
      throw error
    }
  }

  /** Sessions of a person that can still be used. */
  async own(userId: number): Promise<OwnSession[]> {
    const { store, clock } = this.#options
    const now = clock()
    const since = { createdAt: now - absoluteMax, seenAt: now - idleMax }
    return listSessions(store, userId, since)
  }

  /** Under a new id, with the age that it has. */
  #goOn(
    visit: Visit,
    { createdAt, provenAt, via }: Visitor,
    user: UserTable,
    companyId: number,
  ): Promise<string> {
    return this.#open(visit, user, { companyId, createdAt, provenAt, via })
  }

  async #userOf({ userId }: Visitor): Promise<UserTable> {
    const user = await findUserById(this.#options.store, userId)
    if (user === undefined) throw new Error('a visitor whom nobody knows')
    return user
  }

  async #open(visit: Visit, user: UserTable, opening: Opening): Promise<string> {
    const { store, random, clock } = this.#options
    const id = random(32).toString('base64url')
    await store.inHouseTransaction((writer) =>
      insertSession(writer, {
        ...opening,
        idHash: hashOfSession(id),
        userId: user.id,
        userVersion: user.version,
        seenAt: clock(),
        agent: agentOf(visit),
      }),
    )
    return id
  }

  #trust(user: UserTable, visit: Visit, now: number): Promise<string> {
    const { store, random } = this.#options
    return trust(store, user, visit, { random, agent: agentOf(visit), now })
  }

  /**
   * Throws unless the password is the person's, and what else is wanted is right; a stranger's costs as much. A
   * wrong code counts as a wrong password does, so that neither is guessed.
   */
  async #tryPassword(
    { user, places, email, password, code }: Trial,
    visit: Visit,
    judgeMore: (user: UserTable) => Promise<Judgement>,
  ): Promise<void> {
    const { store, clock, guard, trustProxy } = this.#options
    const network = networkOf(originOf(visit, trustProxy).address)
    const isKnown = await this.#isKnown(places, network)
    const admitted = guard.limiter.admit({
      company: `user ${email.toLowerCase()}`,
      network,
      isKnown,
      pair: createHmac('sha256', this.#trialKey)
        .update(`${email.toLowerCase()}\n${password}\n${code}`)
        .digest('base64'),
      wasRight: false,
    })
    if (typeof admitted === 'number') throw tooMany(Math.ceil(admitted / 1000))
    const judge = async (): Promise<Judgement | 'stranger'> =>
      (await this.#isOf(user, password, isKnown)) && user !== undefined
        ? judgeMore(user)
        : 'stranger'
    const judged = await judge().catch((error: unknown) => {
      admitted.release()
      throw error
    })
    if (judged === 'stranger' || judged === 'wrong') {
      admitted.wrong()
      throw judged === 'wrong'
        ? new Fault('WrongCode', { target: 'code' })
        : new Fault('InvalidCredentials')
    }
    admitted.release()
    if (judged === 'missing') throw new Fault('SecondFactorNeeded')
    const [place] = places
    if (place === undefined || isKnown) return
    const known = { companyId: place.companyId, address: network, succeededAt: clock() }
    await store.inHouseTransaction((writer) => noteKnownAddress(writer, known))
  }

  async #isOf(user: UserTable | undefined, password: string, isKnown: boolean): Promise<boolean> {
    const { guard, hashCost } = this.#options
    const dummy = (this.#dummy ??= hashChosen('', hashCost))
    const isRight = await guard.queue.run(isKnown, async () =>
      isChosen(user?.passwordHash ?? (await dummy), password),
    )
    return isRight && user !== undefined && user.disabledAt === null
  }

  async #judgeCode(user: UserTable, visit: Visit, code: string): Promise<Judgement> {
    const { store, clock, factor } = this.#options
    const stored = await findFactor(store, user.id)
    if (stored === undefined || stored.confirmedAt === null) return 'right'
    const now = clock()
    if (code !== '') return (await factor.take(store, stored, code, now)) ? 'right' : 'wrong'
    return (await isTrusted(store, user, visit, now)) ? 'right' : 'missing'
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

const chosenPlace = (places: readonly Workplace[], name: string): Workplace | undefined =>
  name === '' ? places[0] : places.find(({ nameKey }) => nameKey === companyKey(name))

/** Headers are never long, and this one is shown. */
const agentOf = (visit: Visit): string => (visit.header('user-agent') ?? '').slice(0, 200)

const tooMany = (seconds: number): Fault =>
  new Fault('TooManyFailedLogins', {
    says: { seconds },
    headers: { 'Retry-After': String(seconds) },
  })

const isOver = ({ createdAt, seenAt }: { createdAt: number; seenAt: number }, now: number) =>
  now - createdAt >= absoluteMax || now - seenAt >= idleMax

/** Microseconds. */
const minute = 60_000_000
const idleMax = 30 * minute
const absoluteMax = 12 * 60 * minute
/** How exactly the last use is kept; a page that loads asks several times within it. */
const noteEvery = 1_000_000
const knownFor = 30 * 24 * 60 * minute
