// Sessions of the browser app: opened by a password, found by their cookie, ended by time, by hand or by a change.
import { memberOf, openedByEntering, type Member } from '../caller.ts'
import { factorSettings } from '../companies/company-settings.ts'
import type { SecondFactor } from '../mfa/second-factor.ts'
import { trust, trustedFor } from '../mfa/trusted-devices.ts'
import { auditPassage, RefusedSignIns, type Way } from './sign-in-audit.ts'
import {
  chosenPlace,
  PasswordTrials,
  type Proof,
  type TrialOptions,
  type Visit,
} from '../passwords/password-check.ts'
import { csrfToken, hashOfSession, sessionIdIn } from './session-cookie.ts'
import { Fault } from '../../errors/catalog.ts'
import { companyById } from '../../store/accounts/companies.ts'
import { deleteDevicesBefore } from '../../store/accounts/second-factors.ts'
import {
  deleteSession,
  deleteSessionsBefore,
  endSession,
  findSession,
  insertSession,
  listSessions,
  noteSession,
  type OpenSession,
  type OwnSession,
} from '../../store/accounts/sessions.ts'
import type { SessionTable, SignedInVia, UserTable } from '../../store/tables/accounts.ts'
import { companiesOf, findUserById } from '../../store/accounts/users.ts'

export interface SessionOptions extends TrialOptions {
  readonly pepper: Buffer
}

export interface SignIn extends Proof {
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

type Opening = Pick<SessionTable, 'companyId' | 'createdAt' | 'provenAt' | 'via'>

/** A session that goes on under a new id; `how` is null where nobody comes in who was not in. */
interface Onward {
  readonly visitor: Visitor
  readonly user: UserTable
  readonly companyId: number
  readonly how: Way | null
}

export class Sessions {
  /** To be written every few seconds, and before the end. */
  readonly refused: RefusedSignIns
  /** What is tried before there is a session. */
  readonly trials: PasswordTrials
  readonly #options: SessionOptions

  constructor(options: SessionOptions) {
    this.refused = new RefusedSignIns(options.store)
    this.trials = new PasswordTrials(options, this.refused)
    this.#options = options
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
    const { user, places, how } = await this.trials.prove(visit, asked)
    const place = chosenPlace(places, asked.company)
    if (place === undefined) throw new Fault('InvalidCredentials')
    await this.#leave(visit)
    const now = this.#options.clock()
    const { companyId } = place
    const opening: Opening = { companyId, createdAt: now, provenAt: now, via: 'password' }
    const session = await this.#open(visit, user, opening, how)
    const isTrusting = asked.isTrusting && asked.code !== ''
    return { session, device: isTrusting ? await this.#trust(user, visit, now) : null }
  }

  /** A new session of somebody who has proven it otherwise than by password, in place of the one that the browser came with. */
  async enter(
    visit: Visit,
    user: UserTable,
    opening: Pick<SessionTable, 'companyId' | 'provenAt' | 'via'>,
  ): Promise<string> {
    await this.#leave(visit)
    const createdAt = this.#options.clock()
    return this.#open(visit, user, { ...opening, createdAt }, opening.via)
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
    if (!(await this.#end(visit, visitor))) throw new Fault('SessionExpired')
    return this.#goOn(visit, { visitor, user, companyId: place.companyId, how: 'company' })
  }

  /** A new session in place of one that a change of the person has ended. */
  async renew(visit: Visit, visitor: Visitor): Promise<string> {
    const user = await this.#userOf(visitor)
    await this.#leave(visit)
    return this.#goOn(visit, { visitor, user, companyId: visitor.caller.companyId, how: null })
  }

  async signOut(visit: Visit, visitor: Visitor): Promise<void> {
    await this.#end(visit, visitor)
  }

  /** Whether it stood until now. */
  #end({ id: requestId }: Visit, { caller, userId, idHash }: Visitor): Promise<boolean> {
    const { store, clock } = this.#options
    return store.inTransaction(caller.companyId, async (transaction) => {
      const isStanding = (await findSession(transaction, idHash)) !== undefined
      if (!(await endSession(transaction, userId, idHash))) return false
      const passage = { user: userId, at: clock(), requestId, action: 'sign-out' } as const
      await auditPassage(transaction, passage)
      return isStanding
    })
  }

  /** Deletes what nobody can use any more. */
  async tidy(): Promise<void> {
    const { store, clock, guard } = this.#options
    await guard.limiter.tidy()
    await store.inHouseTransaction(async (writer) => {
      await deleteSessionsBefore(writer, clock() - absoluteMax)
      await deleteDevicesBefore(writer, clock() - trustedFor)
    })
  }

  /** Sessions of a person that can still be used. */
  async own(userId: number): Promise<OwnSession[]> {
    const { store, clock } = this.#options
    const now = clock()
    const since = {
      createdAt: now - absoluteMax,
      createdByGroupsAt: now - byGroupsMax,
      seenAt: now - idleMax,
    }
    return listSessions(store, userId, since)
  }

  /** Under a new id, with the age that it has. */
  #goOn(visit: Visit, { visitor, user, companyId, how }: Onward): Promise<string> {
    const { createdAt, provenAt, via } = visitor
    return this.#open(visit, user, { companyId, createdAt, provenAt, via }, how)
  }

  async #userOf({ userId }: Visitor): Promise<UserTable> {
    const user = await findUserById(this.#options.store, userId)
    if (user === undefined) throw new Error('a visitor whom nobody knows')
    return user
  }

  /** The session that the browser came with makes room for another. */
  async #leave(visit: Visit): Promise<void> {
    const id = sessionIdIn(visit)
    if (id === null) return
    await this.#options.store.inHouseTransaction((writer) =>
      deleteSession(writer, hashOfSession(id)),
    )
  }

  /** Stored and audited together; `how` is null where nobody comes in who was not in. */
  async #open(visit: Visit, user: UserTable, opening: Opening, how: Way | null): Promise<string> {
    const { store, random, clock } = this.#options
    const id = random(32).toString('base64url')
    const at = clock()
    const session = {
      ...opening,
      idHash: hashOfSession(id),
      userId: user.id,
      userVersion: user.version,
      seenAt: at,
      agent: agentOf(visit),
    }
    await store.inTransaction(openedByEntering(opening), async (transaction) => {
      await insertSession(transaction, session)
      if (how === null) return
      const passage = { user: user.id, at, requestId: visit.id, action: 'sign-in', how } as const
      await auditPassage(transaction, passage)
    })
    return id
  }

  #trust(user: UserTable, visit: Visit, now: number): Promise<string> {
    const { store, random } = this.#options
    return trust(store, user, visit, { random, agent: agentOf(visit), now })
  }
}

/** Headers are never long, and this one is shown. */
function agentOf(visit: Visit): string {
  return (visit.header('user-agent') ?? '').slice(0, 200)
}

function isOver({ createdAt, seenAt, via, byGroups }: OpenSession, now: number): boolean {
  const ageMax = via === 'provider' && byGroups !== null ? byGroupsMax : absoluteMax
  return now - createdAt >= ageMax || now - seenAt >= idleMax
}

/** Microseconds. */
const minute = 60_000_000
const idleMax = 30 * minute
const absoluteMax = 12 * 60 * minute
/** Where a group of the provider gave the role: nothing tells that it is gone but another sign-in (ADR 0126). */
const byGroupsMax = 60 * minute
/** How exactly the last use is kept; a page that loads asks several times within it. */
const noteEvery = 1_000_000
