// The signed-in user's own account: password, second factor, sessions, trusted devices.
import type { Account, EnrolmentSecret, RecoveryCodes } from '../contract/account.ts'
import type { Empty } from '../contract/path.ts'
import { auditedAction } from '../company-transaction.ts'
import { readFields, textIn } from '../body.ts'
import { getRoute, JsonReply, postRoute, type AppRoute, type AppRequest } from '../route.ts'
import { cookiesOf } from '../session/session-routes.ts'
import { appPaths } from '../contract/endpoints.ts'
import { readDeviceHash, trustedDeviceLifetime } from '../../auth/mfa/trusted-devices.ts'
import { hashPassword } from '../../auth/passwords/password-hash.ts'
import { requireAcceptablePassword } from '../../auth/passwords/password-rules.ts'
import {
  countRecoveryCodes,
  deleteDevice,
  findFactor,
  listDevices,
  deleteFactor,
} from '../../store/accounts/second-factors.ts'
import { listIdentities } from '../../store/accounts/identities.ts'
import { listPasskeys } from '../../store/accounts/passkeys.ts'
import { deleteOtherSessions, deleteUserSession } from '../../store/accounts/sessions.ts'
import type { AuditAction } from '../../store/audit/audit.ts'
import type { Transaction } from '../../store/store.ts'
import { updateUserPassword } from '../../store/accounts/users.ts'
import { notFoundError } from '../../errors/api-error.ts'

/** A route for any role, also before a required second factor is set up. */
const ownAccount = { allowsMissingSecondFactor: true } as const

/** The same with re-authentication. */
export const ownAccountReauthenticated = { ...ownAccount, requiresReauthentication: true } as const

/** Timestamps are microseconds. */
async function account(appRequest: AppRequest): Promise<Account> {
  const { store, sessions, oidcLogin, sessionUser, request, clock } = appRequest
  const { userId, email, idHash, via } = sessionUser
  const factor = await findFactor(store, { userId })
  const since = factor?.confirmedAt ?? null
  const ownSessions = await sessions.listOwnSessions(userId)
  const device = readDeviceHash(request)
  const devices = await listDevices(store, { userId, since: clock() - trustedDeviceLifetime })
  return {
    email,
    via,
    factor: since === null ? null : { since, codes: await countRecoveryCodes(store, userId) },
    sessions: ownSessions.map((session) => ({ ...session, isThis: session.id === idHash })),
    devices: devices.map((trusted) => ({ ...trusted, isThis: trusted.id === device })),
    identities: await listIdentities(store, { userId }),
    passkeys: await listPasskeys(store, { userId }),
    provider: oidcLogin?.name ?? null,
  }
}

async function changePassword(appRequest: AppRequest) {
  const { request, sessions, sessionUser, cryptoContext } = appRequest
  const fields = await readFields(request)
  const password = textIn(fields, 'password').slice(0, 2_000)
  const current = textIn(fields, 'current').slice(0, 1_000)
  const { email, caller } = sessionUser
  const { name: company } = caller.company
  await sessions.passwordCheck.requirePassword(request, { email, password: current, company })
  requireAcceptablePassword(password, [email, company])
  const passwordHash = await hashPassword(password, cryptoContext.hashCost)
  return changeUser(appRequest, 'password-change', async (transaction) => {
    await updateUserPassword(transaction, { id: sessionUser.userId, passwordHash })
    return {}
  })
}

/** A new TOTP secret for the authenticator app; it is active once a code is confirmed. */
function offerFactor({ store, sessions, sessionUser }: AppRequest): Promise<EnrolmentSecret> {
  const { userId, email } = sessionUser
  return store.inSystemTransaction((writer) => sessions.secondFactor.enroll(writer, userId, email))
}

/** The recovery codes are only in this reply. */
async function confirmFactor(appRequest: AppRequest) {
  const code = textIn(await readFields(appRequest.request), 'code')
  const { userId } = appRequest.sessionUser
  return changeUser(appRequest, 'factor-on', async (transaction, now) => {
    const codes = await appRequest.sessions.secondFactor.confirm(transaction, userId, code, now)
    return { codes }
  })
}

async function renewCodes(appRequest: AppRequest): Promise<RecoveryCodes> {
  const { store, sessions, sessionUser } = appRequest
  const factor = await findFactor(store, { userId: sessionUser.userId })
  if (factor === undefined || factor.confirmedAt === null) throw notFoundError('totp')
  return auditedAction(appRequest, 'factor-codes', async (transaction) => ({
    result: { codes: await sessions.secondFactor.renewCodes(transaction, sessionUser.userId) },
    auditData: { user: sessionUser.userId },
  }))
}

function disableSecondFactor(appRequest: AppRequest) {
  return changeUser(appRequest, 'factor-off', async (transaction) => {
    const { userId } = appRequest.sessionUser
    if ((await findFactor(transaction, { userId })) === undefined) throw notFoundError('totp')
    await deleteFactor(transaction, userId)
    return {}
  })
}

/** Ends the session `id`; without an id all but the current one. */
async function deleteSessions(appRequest: AppRequest): Promise<Empty> {
  const { sessionUser, request } = appRequest
  const id = (await readFields(request)).get('id') ?? ''
  return auditedAction(appRequest, 'session-end', async (transaction) => {
    if (id === '') await deleteOtherSessions(transaction, { userId: sessionUser.userId, idHash: sessionUser.idHash })
    else if (!(await deleteUserSession(transaction, { userId: sessionUser.userId, idHash: id })))
      throw notFoundError(id.slice(0, 60))
    return { result: {}, auditData: { user: sessionUser.userId } }
  })
}

async function deleteTrustedDevice(appRequest: AppRequest): Promise<Empty> {
  const { userId } = appRequest.sessionUser
  const id = textIn(await readFields(appRequest.request), 'id')
  return auditedAction(appRequest, 'device-end', async (transaction) => {
    if (!(await deleteDevice(transaction, { userId, secretHash: id }))) throw notFoundError(id.slice(0, 60))
    return { result: {}, auditData: { user: userId } }
  })
}

/** Runs a change that ends every session of the user; the current one continues under a new id. */
async function changeUser<Result>(
  appRequest: AppRequest,
  action: AuditAction,
  execute: (transaction: Transaction, now: number) => Promise<Result>,
): Promise<JsonReply<Result>> {
  const { sessions, request, sessionUser } = appRequest
  const { result, session } = await auditedAction(appRequest, action, async (transaction, { now }) => {
    const renewed = await sessions.renew(transaction, request, sessionUser)
    return {
      result: { result: await execute(transaction, now), session: renewed },
      auditData: { user: sessionUser.userId },
    }
  })
  return new JsonReply(result, { cookies: cookiesOf({ session, device: null }) })
}

export const accountRoutes: readonly AppRoute[] = [
  getRoute(appPaths.account, 'anybody', account, ownAccount),
  postRoute(appPaths.accountPassword, 'anybody', changePassword, ownAccount),
  postRoute(appPaths.accountFactor, 'anybody', offerFactor, ownAccountReauthenticated),
  postRoute(appPaths.accountFactorConfirm, 'anybody', confirmFactor, ownAccountReauthenticated),
  postRoute(appPaths.accountFactorCodes, 'anybody', renewCodes, ownAccountReauthenticated),
  postRoute(appPaths.accountFactorEnd, 'anybody', disableSecondFactor, ownAccountReauthenticated),
  postRoute(appPaths.accountSessionEnd, 'anybody', deleteSessions, ownAccount),
  postRoute(appPaths.accountDeviceEnd, 'anybody', deleteTrustedDevice, ownAccount),
]
