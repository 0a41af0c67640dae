// Browser sessions: sign-in, lookup by cookie, company switch, sign-out and expiry.
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
  /** Whether to make this browser a trusted device. */
  readonly isTrusting: boolean
}

/** The values of the cookies; the database stores only their hashes. */
export interface Opened {
  readonly session: string
  /** Null when the browser was not made a trusted device. */
  readonly device: string | null
}

export interface Visitor extends Member {
  /** The CSRF token that the page sends with every write. */
  readonly csrf: string
  /** Has operator rights in addition to the role. */
  readonly isOperator: boolean
  /** Hash of the session id. */
  readonly idHash: string
  /** When the session began, unchanged by company switches; microseconds, like all times here. */
  readonly createdAt: number
  /** When the person last entered the password or an equivalent factor. */
  readonly provenAt: number
  readonly via: SignedInVia
  /** Whether the company requires a second factor that the person does not have. */
  readonly lacksFactor: boolean
}

type NewSession = Pick<SessionTable, 'companyId' | 'createdAt' | 'provenAt' | 'via'>

/** A session that continues under a new id; `how` is null when this is no new sign-in. */
interface ContinuedSession {
  readonly visitor: Visitor
  readonly user: UserTable
  readonly companyId: number
  readonly how: Way | null
}

export class Sessions {
  /** Rejected sign-ins; the server flushes them every few seconds and before it stops. */
  readonly refused: RefusedSignIns
  /** The credential checks before a session exists. */
  readonly trials: PasswordTrials
  readonly #options: SessionOptions

  constructor(options: SessionOptions) {
    this.refused = new RefusedSignIns(options.store)
    this.trials = new PasswordTrials(options, this.refused)
    this.#options = options
  }

  /** Second-factor operations for all users. */
  get factor(): SecondFactor {
    return this.#options.factor
  }

  /**
   * Opens a session for a valid password, and a code if one is required. Throws `InvalidCredentials`, in the same time
   * as a success takes, `SecondFactorNeeded`, `WrongCode`, `TooManyFailedLogins` and `Overloaded`.
   */
  async signIn(visit: Visit, asked: SignIn): Promise<Opened> {
    const { user, places, how } = await this.trials.prove(visit, asked)
    const place = chosenPlace(places, asked.company)
    if (place === undefined) throw new Fault('InvalidCredentials')
    await this.#deletePrevious(visit)
    const now = this.#options.clock()
    const { companyId } = place
    const newSession: NewSession = { companyId, createdAt: now, provenAt: now, via: 'password' }
    const session = await this.#insert(visit, user, newSession, how)
    const isTrusting = asked.isTrusting && asked.code !== ''
    return { session, device: isTrusting ? await this.#trustDevice(user, visit, now) : null }
  }

  /** Opens a session for a person authenticated without a password, and replaces the browser's previous session. */
  async enter(
    visit: Visit,
    user: UserTable,
    newSession: Pick<SessionTable, 'companyId' | 'provenAt' | 'via'>,
  ): Promise<string> {
    await this.#deletePrevious(visit)
    const createdAt = this.#options.clock()
    return this.#insert(visit, user, { ...newSession, createdAt }, newSession.via)
  }

  /** Finds the signed-in person. Throws `SessionExpired`. Background requests of an open page do not extend the session. */
  async visitor(visit: Visit): Promise<Visitor> {
    const { store, clock } = this.#options
    const { seenAt, ...visitor } = await this.#find(visit)
    const now = clock()
    const isBackground = visit.header('x-unattended') !== undefined
    if (!isBackground && now - seenAt >= usePrecision)
      await store.inHouseTransaction((writer) => noteSession(writer, visitor.idHash, now))
    return visitor
  }

  /** Like `getUser`, for background requests, which never extend the session. */
  async onlooker(visit: Visit): Promise<Visitor> {
    return this.#find(visit)
  }

  async #find(visit: Visit): Promise<Visitor & { readonly seenAt: number }> {
    const { store, clock, pepper } = this.#options
    const id = sessionIdIn(visit)
    const found = id === null ? undefined : await findSession(store, hashOfSession(id))
    if (id === null || found === undefined || isExpired(found, clock()))
      throw new Fault('SessionExpired')
    const company = await companyById(store, found.companyId)
    const user = { id: found.userId, email: found.email }
    const member = company?.disabledAt === null ? memberOf(company, user, found) : null
    if (member === null) throw new Fault('SessionExpired')
    const lacksFactor =
      found.factorSince === null &&
      found.via === 'password' &&
      member.caller.company.settings[factorSettings[member.role]]
    const { createdAt, seenAt, via } = found
    return {
      ...member,
      idHash: hashOfSession(id),
      csrf: csrfToken(id, pepper),
      createdAt,
      provenAt: found.provenAt,
      seenAt,
      via,
      lacksFactor,
      isOperator: found.isOperator === 1,
    }
  }

  /**
   * Continues the session in another company of the person, under a new id and with its age unchanged. Throws `NotFound`
   * for other companies, and `SessionExpired` when the session was ended or replaced in the meantime.
   */
  async moveTo(visit: Visit, visitor: Visitor, companyName: string): Promise<string> {
    const { store } = this.#options
    const place = chosenPlace(await companiesOf(store, visitor.userId), companyName)
    if (place === undefined)
      throw new Fault('NotFound', { says: { what: companyName.slice(0, 60) } })
    // Read first: if the account changes after this, the session is bound to the older version and expires.
    const user = await this.#getAccount(visitor)
    if (!(await this.#endSession(visit, visitor))) throw new Fault('SessionExpired')
    return this.#continue(visit, { visitor, user, companyId: place.companyId, how: 'company' })
  }

  /** Replaces a session that a change of the account has ended. */
  async renew(visit: Visit, visitor: Visitor): Promise<string> {
    const user = await this.#getAccount(visitor)
    await this.#deletePrevious(visit)
    return this.#continue(visit, { visitor, user, companyId: visitor.caller.companyId, how: null })
  }

  async signOut(visit: Visit, visitor: Visitor): Promise<void> {
    await this.#endSession(visit, visitor)
  }

  /** Ends the session; false when it was over already. */
  #endSession({ id: requestId }: Visit, { caller, userId, idHash }: Visitor): Promise<boolean> {
    const { store, clock } = this.#options
    return store.inTransaction(caller.companyId, async (transaction) => {
      const wasActive = (await findSession(transaction, idHash)) !== undefined
      if (!(await endSession(transaction, userId, idHash))) return false
      const event = { user: userId, at: clock(), requestId, action: 'sign-out' } as const
      await auditPassage(transaction, event)
      return wasActive
    })
  }

  /** Deletes expired sessions, devices and throttle entries. */
  async tidy(): Promise<void> {
    const { store, clock, guard } = this.#options
    await guard.limiter.tidy()
    await store.inHouseTransaction(async (writer) => {
      await deleteSessionsBefore(writer, clock() - absoluteMax)
      await deleteDevicesBefore(writer, clock() - trustedFor)
    })
  }

  /** Active sessions of a person. */
  async own(userId: number): Promise<OwnSession[]> {
    const { store, clock } = this.#options
    const now = clock()
    const since = {
      createdAt: now - absoluteMax,
      createdByGroupsAt: now - groupRoleAgeMax,
      seenAt: now - idleMax,
    }
    return listSessions(store, userId, since)
  }

  /** Opens a session with a new id and unchanged age. */
  #continue(visit: Visit, { visitor, user, companyId, how }: ContinuedSession): Promise<string> {
    const { createdAt, provenAt, via } = visitor
    return this.#insert(visit, user, { companyId, createdAt, provenAt, via }, how)
  }

  async #getAccount({ userId }: Visitor): Promise<UserTable> {
    const user = await findUserById(this.#options.store, userId)
    if (user === undefined) throw new Error('the user of the session does not exist')
    return user
  }

  /** Deletes the session that the browser sent. */
  async #deletePrevious(visit: Visit): Promise<void> {
    const id = sessionIdIn(visit)
    if (id === null) return
    await this.#options.store.inHouseTransaction((writer) =>
      deleteSession(writer, hashOfSession(id)),
    )
  }

  /** Stores and audits the session in one transaction; without `how` nothing is audited. */
  async #insert(
    visit: Visit,
    user: UserTable,
    newSession: NewSession,
    how: Way | null,
  ): Promise<string> {
    const { store, random, clock } = this.#options
    const id = random(32).toString('base64url')
    const at = clock()
    const session = {
      ...newSession,
      idHash: hashOfSession(id),
      userId: user.id,
      userVersion: user.version,
      seenAt: at,
      agent: agentOf(visit),
    }
    await store.inTransaction(openedByEntering(newSession), async (transaction) => {
      await insertSession(transaction, session)
      if (how === null) return
      const event = { user: user.id, at, requestId: visit.id, action: 'sign-in', how } as const
      await auditPassage(transaction, event)
    })
    return id
  }

  #trustDevice(user: UserTable, visit: Visit, now: number): Promise<string> {
    const { store, random } = this.#options
    return trust(store, user, visit, { random, agent: agentOf(visit), now })
  }
}

/** Truncated because it is stored and displayed. */
function agentOf(visit: Visit): string {
  return (visit.header('user-agent') ?? '').slice(0, 200)
}

function isExpired({ createdAt, seenAt, via, byGroups }: OpenSession, now: number): boolean {
  const ageMax = via === 'provider' && byGroups !== null ? groupRoleAgeMax : absoluteMax
  return now - createdAt >= ageMax || now - seenAt >= idleMax
}

/** Microseconds. */
const minute = 60_000_000
const idleMax = 30 * minute
const absoluteMax = 12 * 60 * minute
/** For roles given by provider groups: only another sign-in can show that a group was removed (ADR 0126). */
const groupRoleAgeMax = 60 * minute
/** Precision of `seenAt`: one page load makes several requests, which share one write. */
const usePrecision = 1_000_000
