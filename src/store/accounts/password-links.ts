// Password resets: requests of users, and the links to set a new password.
import { deleteWhere, insertInto, upsertInto } from '../row-statements.ts'
import { command, commandReturning, existsQuery, rowQuery, type NoValues } from '../queries.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Writer } from '../store.ts'
import type { ResetRequestTable, UserTable } from '../tables/accounts.ts'

/** Saves a request, whether an account has the e-mail address or not. */
export function saveResetRequest(
  writer: Writer,
  { email, language, address }: Omit<ResetRequestTable, 'emailKey'> & { email: string },
): Awaitable<void> {
  return writer.run(saveRequestStatement, { emailKey: email.toLowerCase(), language, address })
}

export const hasResetRequest = existsQuery<NoValues>(({ db }) =>
  db.selectFrom('passwordResetRequest').select('emailKey').limit(1),
)

/** Deletes and returns one request; no other server gets it. */
export const takeResetRequest = commandReturning<NoValues, ResetRequestTable>(({ db, dialect }) => {
  const one = db.selectFrom('passwordResetRequest').select('emailKey').limit(1)
  return db
    .deleteFrom('passwordResetRequest')
    .where('emailKey', '=', dialect === 'postgres' ? one.forUpdate().skipLocked() : one)
    .returningAll()
})

export const insertPasswordLink = command(
  insertInto('passwordLink', 'tokenHash', 'userId', 'userVersion', 'createdAt', 'expiresAt'),
)

/** Whether a link for the user was created after this time, in microseconds. */
export const hasLinkSince = existsQuery<{ userId: number; since: number }>(({ db, value }) =>
  db
    .selectFrom('passwordLink')
    .select('userId')
    .where('userId', '=', value('userId'))
    .where('createdAt', '>', value('since'))
    .limit(1),
)

/** The user of a link that is valid at this time. A changed password invalidates every link. */
export const findPasswordLink = rowQuery<
  { tokenHash: string; now: number },
  Pick<UserTable, 'id' | 'email' | 'version'>
>(({ db, value }) =>
  db
    .selectFrom('passwordLink')
    .innerJoin('user', 'user.id', 'passwordLink.userId')
    .select(['user.id', 'user.email', 'user.version'])
    .where('passwordLink.tokenHash', '=', value('tokenHash'))
    .where('passwordLink.expiresAt', '>', value('now'))
    .whereRef('passwordLink.userVersion', '=', 'user.version')
    .where('user.disabledAt', 'is', null),
)

/** Changes the password of a user, which ends every session and deletes every link. False where the version has changed. */
export async function changePassword(
  writer: Writer,
  user: Pick<UserTable, 'id' | 'version' | 'passwordHash'>,
): Promise<boolean> {
  if ((await writer.first(changeStatement, { ...user })) === undefined) return false
  await writer.run(deleteLinksStatement, { userId: user.id })
  return true
}

/** Deletes expired links; `now` in microseconds. */
export const deleteExpiredPasswordLinks = command<{ now: number }>(({ db, value }) =>
  db.deleteFrom('passwordLink').where('expiresAt', '<=', value('now')),
)

const saveRequestStatement = statement(upsertInto('passwordResetRequest', ['emailKey'], ['language', 'address']))

const changeStatement = statement<{ id: number }>(({ db, value, values }) =>
  db
    .updateTable('user')
    .set(values('passwordHash'))
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', value('id'))
    .where('version', '=', value('version'))
    .returning('id'),
)

const deleteLinksStatement = statement(deleteWhere('passwordLink', 'userId'))
