// Browser sessions: sign-in, lookup by cookie, company switch, sign-out and expiry.
import { memberOf, companyIdForSession, type SignedInMember } from '../caller.ts'
import { factorSettings } from '../companies/company-settings.ts'
import type { SecondFactor } from '../mfa/second-factor.ts'
import { trustDevice, trustedDeviceLifetime } from '../mfa/trusted-devices.ts'
import { auditSignIn, RejectedSignInBuffer, type SignInMethod } from './sign-in-audit.ts'
import {
  findMembershipByCompany,
  PasswordCheck,
  type LoginInput,
  type PasswordCheckOptions,
  type RequestMetadata,
} from '../passwords/password-check.ts'
import { generateToken, hashToken } from '../tokens/secret.ts'
import { csrfToken, readSessionId } from './session-cookie.ts'
import { ApiError, notFoundError } from '../../errors/api-error.ts'
import { microsecondsPerHour, microsecondsPerMinute, microsecondsPerSecond } from '../../lib/timestamp.ts'
import { findCompanyById } from '../../store/accounts/companies.ts'
import { deleteDevicesBefore } from '../../store/accounts/second-factors.ts'
import {
  deleteSession,
  deleteSessionsBefore,
  deleteUserSession,
  findSession,
  insertSession,
  listSessions,
  recordSessionUse,
  type ActiveSession,
  type SessionSummary,
} from '../../store/accounts/sessions.ts'
import type { SessionTable, SignedInVia, UserTable } from '../../store/tables/accounts.ts'
import type { Transaction } from '../../store/store.ts'
import { listWorkplaces, findUserById, replaceUserVersion } from '../../store/accounts/users.ts'

export interface SignInInput extends LoginInput {
  /** Whether to make this browser a trusted device. */
  readonly trustsDevice: boolean
}

/** The values of the cookies; the database stores only their hashes. */
export interface NewSessionCookies {
  readonly session: string
  /** Null when the browser was not made a trusted device. */
  readonly device: string | null
}

export interface SessionUser extends SignedInMember {
  /** The CSRF token that the page sends with every write. */
  readonly csrf: string
  /** Has operator rights in addition to the role. */
  readonly isOperator: boolean
  readonly idHash: string
  /** When the session began, unchanged by company switches; microseconds, like all times here. */
  readonly createdAt: number
  /** When the person last entered the password or an equivalent factor. */
  readonly authenticatedAt: number
  /** When the session was last used, before this request. */
  readonly seenAt: number
  readonly via: SignedInVia
  /** Of the user: it ends with this version. */
  readonly userVersion: number
  /** Whether the company requires a second factor that the person does not have. */
  readonly lacksSecondFactor: boolean
}

type NewSession = Pick<SessionTable, 'companyId' | 'createdAt' | 'authenticatedAt' | 'via'>

export class Sessions {
  /** Rejected sign-ins; the server flushes them every few seconds and before it stops. */
  readonly rejectedSignIns: RejectedSignInBuffer
  /** The credential checks before a session exists. */
  readonly passwordCheck: PasswordCheck
  /** Second-factor operations for all users. */
  readonly secondFactor: SecondFactor
  readonly #options: PasswordCheckOptions

  constructor(options: PasswordCheckOptions) {
    this.rejectedSignIns = new RejectedSignInBuffer(options.store)
    this.passwordCheck = new PasswordCheck(options, this.rejectedSignIns)
    this.secondFactor = options.secondFactor
    this.#options = options
  }

  /**
   * Opens a session for a valid password, and a code if one is required. Throws `InvalidCredentials`, in the same time
   * as a success takes, `SecondFactorCodeRequired`, `InvalidSecondFactorCode`, `TooManyFailedLogins` and `Overloaded`.
   */
  async signIn(request: RequestMetadata, input: SignInInput): Promise<NewSessionCookies> {
    const { user, memberships, method } = await this.passwordCheck.verify(request, input)
    const membership = findMembershipByCompany(memberships, input.company)
    if (membership === undefined) throw new ApiError('InvalidCredentials')
    await this.#deletePrevious(request)
    const { store, random, clock } = this.#options
    const now = clock()
    const newSession: NewSession = {
      companyId: membership.companyId,
      createdAt: now,
      authenticatedAt: now,
      via: 'password',
    }
    const session = await this.#insert(request, user, newSession, method)
    const trustsDevice = input.trustsDevice && input.code !== ''
    const agent = agentOf(request)
    return { session, device: trustsDevice ? await trustDevice(store, user, request, { random, agent, now }) : null }
  }

  /** Opens a session for a person authenticated without a password, and replaces the browser's previous session. */
  async openWithoutPassword(
    request: RequestMetadata,
    user: UserTable,
    newSession: Pick<SessionTable, 'companyId' | 'authenticatedAt' | 'via'>,
  ): Promise<string> {
    await this.#deletePrevious(request)
    const createdAt = this.#options.clock()
    return this.#insert(request, user, { ...newSession, createdAt }, newSession.via)
  }

  /** Finds the signed-in person. Throws `SessionExpired`. Background requests of an open page do not extend the session. */
  async getUser(request: RequestMetadata): Promise<SessionUser> {
    const { store, clock } = this.#options
    const sessionUser = await this.getUserInBackground(request)
    const now = clock()
    const isBackground = request.header('x-background') !== undefined
    if (!isBackground && now - sessionUser.seenAt >= usePrecision)
      await store.inSystemTransaction((writer) => recordSessionUse(writer, { idHash: sessionUser.idHash, seenAt: now }))
    return sessionUser
  }

  /** Like `getUser`, for background requests, which never extend the session. */
  async getUserInBackground(request: RequestMetadata): Promise<SessionUser> {
    const { store, clock, pepper } = this.#options
    const id = readSessionId(request)
    const found = id === null ? undefined : await findSession(store, { idHash: hashToken(id) })
    if (id === null || found === undefined || isExpired(found, clock())) throw new ApiError('SessionExpired')
    const company = await findCompanyById(store, { id: found.companyId })
    const user = { id: found.userId, email: found.email, name: found.name }
    const member = company?.disabledAt === null ? memberOf(company, user, found) : null
    if (member === null) throw new ApiError('SessionExpired')
    const lacksSecondFactor =
      found.factorSince === null &&
      found.via === 'password' &&
      member.caller.company.settings[factorSettings[member.role]]
    const { createdAt, authenticatedAt, seenAt, via, userVersion } = found
    return {
      ...member,
      idHash: hashToken(id),
      csrf: csrfToken(id, pepper),
      createdAt,
      authenticatedAt,
      seenAt,
      via,
      userVersion,
      lacksSecondFactor,
      isOperator: found.isOperator === 1,
    }
  }

  /**
   * Continues the session in another company of the person, under a new id and with its age unchanged. Throws `NotFound`
   * for other companies, and `SessionExpired` when the session was ended or replaced in the meantime.
   */
  async switchCompany(request: RequestMetadata, sessionUser: SessionUser, companyName: string): Promise<string> {
    const { store } = this.#options
    const { userId } = sessionUser
    const memberships = await listWorkplaces(store, { userId })
    const membership = findMembershipByCompany(memberships, companyName)
    if (membership === undefined) throw notFoundError(companyName.slice(0, 60))
    // Read first: if the account changes after this, the session is bound to the older version and expires.
    const user = await findUserById(store, { id: userId })
    if (user === undefined) throw new Error('the user of the session does not exist')
    if (!(await this.signOut(request, sessionUser))) throw new ApiError('SessionExpired')
    const newSession = continuedSession(sessionUser, membership.companyId)
    return this.#insert(request, user, newSession, 'company')
  }

  /**
   * Ends every session of the user and replaces this one, in the transaction of a change of the account. Throws
   * `SessionExpired` when another change was first and ended it.
   */
  async renew(transaction: Transaction, request: RequestMetadata, sessionUser: SessionUser): Promise<string> {
    const { userId: id, userVersion: version, idHash } = sessionUser
    if (!(await replaceUserVersion(transaction, { id, version }))) throw new ApiError('SessionExpired')
    await deleteSession(transaction, { idHash })
    const session = this.#create(
      request,
      { id, version: version + 1 },
      continuedSession(sessionUser, transaction.companyId),
    )
    await insertSession(transaction, session.row)
    return session.id
  }

  /** Ends the session; false when it was over already. */
  signOut({ id: requestId }: RequestMetadata, { caller, userId, idHash }: SessionUser): Promise<boolean> {
    const { store, clock } = this.#options
    return store.inTransaction(caller.companyId, async (transaction) => {
      const wasActive = (await findSession(transaction, { idHash })) !== undefined
      if (!(await deleteUserSession(transaction, { userId, idHash }))) return false
      const event = { user: userId, at: clock(), requestId, action: 'sign-out' } as const
      await auditSignIn(transaction, event)
      return wasActive
    })
  }

  /** Deletes expired sessions, devices and throttle entries. */
  async deleteExpired(): Promise<void> {
    const { store, clock, passwordThrottle } = this.#options
    await passwordThrottle.throttle.deleteExpired()
    await store.inSystemTransaction(async (writer) => {
      await deleteSessionsBefore(writer, { before: clock() - absoluteMax })
      await deleteDevicesBefore(writer, { before: clock() - trustedDeviceLifetime })
    })
  }

  /** Active sessions of a person. */
  async listOwnSessions(userId: number): Promise<SessionSummary[]> {
    const { store, clock } = this.#options
    const now = clock()
    const since = { createdAt: now - absoluteMax, createdByGroupsAt: now - groupRoleAgeMax, seenAt: now - idleMax }
    return listSessions(store, { userId, ...since })
  }

  /** Deletes the session that the browser sent. */
  async #deletePrevious(request: RequestMetadata): Promise<void> {
    const id = readSessionId(request)
    if (id === null) return
    await this.#options.store.inSystemTransaction((writer) => deleteSession(writer, { idHash: hashToken(id) }))
  }

  /** Stores and audits the session in one transaction. */
  async #insert(
    request: RequestMetadata,
    user: UserTable,
    newSession: NewSession,
    method: SignInMethod,
  ): Promise<string> {
    const { id, row } = this.#create(request, user, newSession)
    await this.#options.store.inTransaction(companyIdForSession(newSession), async (transaction) => {
      await insertSession(transaction, row)
      const event = { user: user.id, at: row.seenAt, requestId: request.id, action: 'sign-in', method } as const
      await auditSignIn(transaction, event)
    })
    return id
  }

  #create(
    request: RequestMetadata,
    { id: userId, version: userVersion }: Pick<UserTable, 'id' | 'version'>,
    newSession: NewSession,
  ): { readonly id: string; readonly row: SessionTable } {
    const { random, clock } = this.#options
    const id = generateToken(random)
    const agent = agentOf(request)
    return { id, row: { ...newSession, idHash: hashToken(id), userId, userVersion, seenAt: clock(), agent } }
  }
}

/** The session under a new id, with its age unchanged. */
function continuedSession({ createdAt, authenticatedAt, via }: SessionUser, companyId: number): NewSession {
  return { companyId, createdAt, authenticatedAt, via }
}

/** The browser; truncated because it is stored and displayed. */
export function agentOf(request: RequestMetadata): string {
  return (request.header('user-agent') ?? '').slice(0, 200)
}

function isExpired({ createdAt, seenAt, via, setByGroups }: ActiveSession, now: number): boolean {
  const ageMax = via === 'provider' && setByGroups !== null ? groupRoleAgeMax : absoluteMax
  return now - createdAt >= ageMax || now - seenAt >= idleMax
}

/** Microseconds. */
const idleMax = 30 * microsecondsPerMinute
const absoluteMax = 12 * microsecondsPerHour
/** For roles given by provider groups: only another sign-in can show that a group was removed (ADR 0039). */
const groupRoleAgeMax = microsecondsPerHour
/** Precision of `seenAt`: one page load makes several requests, which share one write. */
const usePrecision = microsecondsPerSecond
