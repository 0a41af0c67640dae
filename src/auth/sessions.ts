// Sessions of the browser app: opened by a password, found by their cookie, ended by time, by hand or by a change.
import { createHmac } from 'node:crypto'
import { memberOf, type Member } from '#auth/caller.ts'
import type { Guard } from '#auth/gate.ts'
import { originOf, type Arriving } from '#auth/origin.ts'
import { hashChosen, isChosen, type HashCost } from '#auth/password-hash.ts'
import type { Random } from '#auth/secret.ts'
import { csrfToken, hashOfSession, sessionIdIn, type FromBrowser } from '#auth/session-cookie.ts'
import { Fault } from '#faults.ts'
import { networkOf, type Networks } from '#lib/network.ts'
import { companyById, companyKey } from '#store/companies.ts'
import { knownAddress, noteKnownAddress } from '#store/credentials.ts'
import {
  deleteSession,
  deleteSessionsBefore,
  findSession,
  insertSession,
  noteSession,
} from '#store/sessions.ts'
import type { Store } from '#store/store.ts'
import type { UserTable } from '#store/tables.ts'
import { companiesOf, findUser, type Workplace } from '#store/users.ts'

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
}

export interface SignIn {
  readonly email: string
  readonly password: string
  /** '' for the first of the person's companies. */
  readonly company: string
}

export interface Visitor extends Member {
  /** What the page sends with every act. */
  readonly csrf: string
  /** Runs the server, beside what the role allows. */
  readonly isOperator: boolean
  /** When the password was given; microseconds. */
  readonly provenAt: number
}

type Visit = FromBrowser & Arriving

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

  /**
   * A new session for a right password; its id. One answer for all that is wrong, `InvalidCredentials`, and as
   * slow as a right one; `TooManyFailedLogins` and `Overloaded` for those who guess.
   */
  async signIn(visit: Visit, asked: SignIn): Promise<string> {
    const { store, trustProxy } = this.#options
    const user = await findUser(store, asked.email)
    const places = user === undefined ? [] : await companiesOf(store, user.id)
    const network = networkOf(originOf(visit, trustProxy).address)
    await this.#tryPassword(user, places, asked, network)
    const place = chosenPlace(places, asked.company)
    if (user === undefined || place === undefined) throw new Fault('InvalidCredentials')
    await this.signOut(visit)
    return this.#open(user, place.companyId, this.#options.clock())
  }

  /** Throws as `signIn` does, unless the password is the person's. */
  async requirePassword(visit: Visit, asked: SignIn): Promise<void> {
    const { store, trustProxy } = this.#options
    const user = await findUser(store, asked.email)
    const places = user === undefined ? [] : await companiesOf(store, user.id)
    const network = networkOf(originOf(visit, trustProxy).address)
    await this.#tryPassword(user, places, asked, network)
  }

  /** Throws `SessionExpired` where nobody is signed in. Looking in at times, as an open page does, is no use of it. */
  async visitor(visit: Visit): Promise<Visitor> {
    const { store, clock, pepper } = this.#options
    const id = sessionIdIn(visit)
    const found = id === null ? undefined : await findSession(store, hashOfSession(id))
    const now = clock()
    if (id === null || found === undefined || isOver(found, now)) throw new Fault('SessionExpired')
    const company = await companyById(store, found.companyId)
    const user = { id: found.userId, email: found.email }
    const member = company?.disabledAt === null ? memberOf(company, user, found) : null
    if (member === null) throw new Fault('SessionExpired')
    const isLookingIn = visit.header('x-unattended') !== undefined
    if (!isLookingIn && now - found.seenAt >= noteEvery)
      await store.inHouseTransaction((writer) => noteSession(writer, hashOfSession(id), now))
    return {
      ...member,
      csrf: csrfToken(id, pepper),
      isOperator: found.isOperator === 1,
      provenAt: found.createdAt,
    }
  }

  /**
   * Goes on in another company of the same person, under a new id and with the age that it has. Throws `NotFound` for
   * any other company.
   */
  async moveTo(visit: Visit, visitor: Visitor, companyName: string): Promise<string> {
    const { userId, email, provenAt } = visitor
    const { store } = this.#options
    const place = chosenPlace(await companiesOf(store, userId), companyName)
    const user = await findUser(store, email)
    if (place === undefined || user === undefined)
      throw new Fault('NotFound', { says: { what: companyName.slice(0, 60) } })
    await this.signOut(visit)
    return this.#open(user, place.companyId, provenAt)
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
    await store.inHouseTransaction((writer) => deleteSessionsBefore(writer, clock() - absoluteMax))
  }

  async #open(user: UserTable, companyId: number, createdAt: number): Promise<string> {
    const { store, random, clock } = this.#options
    const id = random(32).toString('base64url')
    await store.inHouseTransaction((writer) =>
      insertSession(writer, {
        idHash: hashOfSession(id),
        companyId,
        userId: user.id,
        userVersion: user.version,
        createdAt,
        seenAt: clock(),
      }),
    )
    return id
  }

  /** Throws unless the password is the person's; a stranger's costs as much. */
  async #tryPassword(
    user: UserTable | undefined,
    places: readonly Workplace[],
    { email, password }: SignIn,
    network: string,
  ): Promise<void> {
    const { store, clock, hashCost, guard } = this.#options
    const isKnown = await this.#isKnown(places, network)
    const admitted = guard.limiter.admit({
      company: `user ${email.toLowerCase()}`,
      network,
      isKnown,
      pair: createHmac('sha256', this.#trialKey)
        .update(`${email.toLowerCase()}\n${password}`)
        .digest('base64'),
      wasRight: false,
    })
    if (typeof admitted === 'number') throw tooMany(Math.ceil(admitted / 1000))
    const dummy = (this.#dummy ??= hashChosen('', hashCost))
    const isRight = await guard.queue
      .run(isKnown, async () => isChosen(user?.passwordHash ?? (await dummy), password))
      .catch((error: unknown) => {
        admitted.release()
        throw error
      })
    if (!isRight || user === undefined || user.disabledAt !== null) {
      admitted.wrong()
      throw new Fault('InvalidCredentials')
    }
    admitted.release()
    const [place] = places
    if (place === undefined || isKnown) return
    const known = { companyId: place.companyId, address: network, succeededAt: clock() }
    await store.inHouseTransaction((writer) => noteKnownAddress(writer, known))
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
