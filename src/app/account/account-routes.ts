// The signed-in user's own account: password, second factor, sessions, trusted devices.
import { administered, type Administered } from '../audited-action.ts'
import { readFields, textIn } from '../body.ts'
import { json, type AppRoute, type Asked } from '../route.ts'
import { cookiesOf } from '../session/session-routes.ts'
import { words } from '../paths.ts'
import { deviceHashIn, trustedFor } from '../../auth/mfa/trusted-devices.ts'
import { hashChosen } from '../../auth/passwords/password-hash.ts'
import { passwordProblem } from '../../auth/passwords/password-rules.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import {
  countRecoveryCodes,
  deleteDevice,
  findFactor,
  listDevices,
  removeFactor,
} from '../../store/accounts/second-factors.ts'
import { listIdentities } from '../../store/accounts/identities.ts'
import { listPasskeys } from '../../store/accounts/passkeys.ts'
import { endOtherSessions, endSession } from '../../store/accounts/sessions.ts'
import type { AuditAction } from '../../store/audit/audit.ts'
import type { Transaction } from '../../store/store.ts'
import { changeUserPassword, raiseUserVersion } from '../../store/accounts/users.ts'

/** A route for any role, also before a required second factor is set up. */
function own(path: string, answer: AppRoute['answer']): AppRoute {
  return {
    method: 'POST',
    path,
    access: 'anybody',
    isBeforeFactor: true,
    answer,
  }
}

/** The same with re-authentication. */
export function grave(path: string, answer: AppRoute['answer']): AppRoute {
  return {
    ...own(path, answer),
    isGrave: true,
  }
}

/** Timestamps are microseconds. */
async function account(asked: Asked): Promise<Reply> {
  const { store, sessions, signOn, visitor, request, clock } = asked
  const { userId, email, idHash, via } = visitor
  const factor = await findFactor(store, userId)
  const since = factor?.confirmedAt ?? null
  const device = deviceHashIn(request)
  const devices = await listDevices(store, userId, clock() - trustedFor)
  return json({
    email,
    via,
    factor: since === null ? null : { since, codes: await countRecoveryCodes(store, userId) },
    sessions: (await sessions.own(userId)).map(({ idHash: id, ...session }) => ({
      id,
      isThis: id === idHash,
      ...session,
    })),
    devices: devices.map(({ secretHash: id, agent, createdAt, seenAt }) => ({
      id,
      isThis: id === device,
      agent,
      createdAt,
      seenAt,
    })),
    identities: (await listIdentities(store, userId)).map(({ issuer, createdAt }) => ({
      issuer,
      createdAt,
    })),
    passkeys: (await listPasskeys(store, userId)).map(({ id, agent, createdAt, usedAt }) => ({
      id,
      agent,
      createdAt,
      usedAt,
    })),
    provider: signOn?.name ?? null,
  })
}

async function changePassword(asked: Asked): Promise<Reply> {
  const { request, sessions, visitor, minting } = asked
  const fields = await readFields(request)
  const password = textIn(fields, 'password').slice(0, 2_000)
  const current = textIn(fields, 'current').slice(0, 1_000)
  const { email, caller } = visitor
  const { name: company } = caller.company
  await sessions.trials.requirePassword(request, { email, password: current, company })
  const problem = passwordProblem(password, [email, company])
  if (problem !== null)
    throw new Fault('InvalidValue', {
      target: 'password',
      says: { field: 'password', problem },
    })
  const passwordHash = await hashChosen(password, minting.hashCost)
  return changingPerson(asked, 'password-change', async (transaction) => {
    await changeUserPassword(transaction, { id: visitor.userId, passwordHash })
    return {}
  })
}

/** A new TOTP secret for the authenticator app; it is active once a code is confirmed. */
async function offerFactor({ store, sessions, visitor }: Asked): Promise<Reply> {
  const { userId, email } = visitor
  return json(
    await store.inHouseTransaction((writer) => sessions.factor.offer(writer, userId, email)),
  )
}

/** The recovery codes are only in this reply. */
async function confirmFactor(asked: Asked): Promise<Reply> {
  const code = textIn(await readFields(asked.request), 'code')
  const { userId } = asked.visitor
  return changingPerson(asked, 'factor-on', async (transaction, now) => {
    const codes = await asked.sessions.factor.confirm(transaction, userId, code, now)
    await raiseUserVersion(transaction, userId)
    return { codes }
  })
}

async function renewCodes(asked: Asked): Promise<Reply> {
  const { store, sessions, visitor } = asked
  const factor = await findFactor(store, visitor.userId)
  if (factor === undefined || factor.confirmedAt === null) throw noFactor()
  return administered(asked, 'factor-codes', async (transaction) => ({
    answer: { codes: await sessions.factor.renewCodes(transaction, visitor.userId) },
    about: { user: visitor.userId },
  }))
}

function endFactor(asked: Asked): Promise<Reply> {
  return changingPerson(asked, 'factor-off', async (transaction) => {
    const { userId } = asked.visitor
    if ((await findFactor(transaction, userId)) === undefined) throw noFactor()
    await removeFactor(transaction, userId)
    await raiseUserVersion(transaction, userId)
    return {}
  })
}

/** Ends the session `id`; without an id all but the current one. */
async function endSessions(asked: Asked): Promise<Reply> {
  const { visitor, request } = asked
  const id = (await readFields(request)).get('id') ?? ''
  return administered(asked, 'session-end', async (transaction) => {
    if (id === '') await endOtherSessions(transaction, visitor.userId, visitor.idHash)
    else if (!(await endSession(transaction, visitor.userId, id))) throw unknown(id)
    return about(visitor.userId)
  })
}

async function endDevice(asked: Asked): Promise<Reply> {
  const { userId } = asked.visitor
  const id = textIn(await readFields(asked.request), 'id')
  return administered(asked, 'device-end', async (transaction) => {
    if (!(await deleteDevice(transaction, { userId, secretHash: id }))) throw unknown(id)
    return about(userId)
  })
}

/** Runs a change that ends every session of the user; the current one continues under a new id. */
async function changingPerson(
  asked: Asked,
  action: AuditAction,
  act: (transaction: Transaction, now: number) => Promise<object>,
): Promise<Reply> {
  const { sessions, request, visitor } = asked
  const reply = await administered(asked, action, async (transaction, now) => ({
    ...about(visitor.userId),
    answer: await act(transaction, now),
  }))
  const session = await sessions.renew(request, visitor)
  return { ...reply, cookies: cookiesOf({ session, device: null }) }
}

function about(user: number): Administered {
  return { answer: {}, about: { user } }
}

function unknown(id: string): Fault {
  return new Fault('NotFound', { says: { what: id.slice(0, 60) } })
}

function noFactor(): Fault {
  return new Fault('NotFound', { says: { what: 'totp' } })
}

export const accountRoutes: readonly AppRoute[] = [
  { ...own(words.account, account), method: 'GET' },
  own(words.accountPassword, changePassword),
  grave(words.accountFactor, offerFactor),
  grave(words.accountFactorConfirm, confirmFactor),
  grave(words.accountFactorCodes, renewCodes),
  grave(words.accountFactorEnd, endFactor),
  own(words.accountSessionEnd, endSessions),
  own(words.accountDeviceEnd, endDevice),
]
