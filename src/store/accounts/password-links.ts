// Forgotten passwords: who says so, and the links that lead to a new one.
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { ForgottenPasswordTable, PasswordLinkTable, UserTable } from '../tables/accounts.ts'

/** Notes that somebody asks, whether the address is anybody's or not. */
export function noteForgotten(
  writer: Writer,
  { email, language, address }: Omit<ForgottenPasswordTable, 'emailKey'> & { email: string },
): Awaitable<void> {
  return writer.run(noteStatement, { emailKey: email.toLowerCase(), language, address })
}

export async function isAnyForgotten(reader: Reader): Promise<boolean> {
  return (await reader.first(anyStatement, {})) !== undefined
}

/** Takes one of those who asked, for this server alone. */
export function takeForgotten(writer: Writer): Awaitable<ForgottenPasswordTable | undefined> {
  return writer.first(takeStatement, {})
}

export function insertPasswordLink(writer: Writer, link: PasswordLinkTable): Awaitable<void> {
  return writer.run(insertStatement, { ...link })
}

/** Whether a person was given a link after this moment, in microseconds. */
export async function isLinkSince(reader: Reader, userId: number, since: number): Promise<boolean> {
  return (await reader.first(sinceStatement, { userId, since })) !== undefined
}

/** Whose link it is, if it is good at this moment: none is once the person has another password. */
export function findPasswordLink(
  reader: Reader,
  tokenHash: string,
  now: number,
): Awaitable<Pick<UserTable, 'id' | 'email' | 'version'> | undefined> {
  return reader.first(findStatement, { tokenHash, now })
}

/**
 * Gives a person of this version another password, which ends every session and every link; false where the person is
 * another by now.
 */
export async function changePassword(
  writer: Writer,
  person: Pick<UserTable, 'id' | 'version' | 'passwordHash'>,
): Promise<boolean> {
  if ((await writer.first(changeStatement, { ...person })) === undefined) return false
  await writer.run(endStatement, { userId: person.id })
  return true
}

/** Deletes links that nobody can use any more; `now` in microseconds. */
export function forgetPasswordLinks(writer: Writer, now: number): Awaitable<void> {
  return writer.run(forgetStatement, { now })
}

const noteStatement = statement(({ db, values }) =>
  db
    .insertInto('forgottenPassword')
    .values(values('emailKey', 'language', 'address'))
    .onConflict((conflict) =>
      conflict.column('emailKey').doUpdateSet(values('language', 'address')),
    ),
)

const anyStatement = statement<{ emailKey: string }>(({ db }) =>
  db.selectFrom('forgottenPassword').select('emailKey').limit(1),
)

const takeStatement = statement<ForgottenPasswordTable>(({ db, dialect }) => {
  const one = db.selectFrom('forgottenPassword').select('emailKey').limit(1)
  return db
    .deleteFrom('forgottenPassword')
    .where('emailKey', '=', dialect === 'postgres' ? one.forUpdate().skipLocked() : one)
    .returningAll()
})

const insertStatement = statement(({ db, values }) =>
  db
    .insertInto('passwordLink')
    .values(values('tokenHash', 'userId', 'userVersion', 'createdAt', 'expiresAt')),
)

const sinceStatement = statement<{ userId: number }>(({ db, value }) =>
  db
    .selectFrom('passwordLink')
    .select('userId')
    .where('userId', '=', value('userId'))
    .where('createdAt', '>', value('since'))
    .limit(1),
)

const findStatement = statement<Pick<UserTable, 'id' | 'email' | 'version'>>(({ db, value }) =>
  db
    .selectFrom('passwordLink')
    .innerJoin('user', 'user.id', 'passwordLink.userId')
    .select(['user.id', 'user.email', 'user.version'])
    .where('passwordLink.tokenHash', '=', value('tokenHash'))
    .where('passwordLink.expiresAt', '>', value('now'))
    .whereRef('passwordLink.userVersion', '=', 'user.version')
    .where('user.disabledAt', 'is', null),
)

const changeStatement = statement<{ id: number }>(({ db, value, values }) =>
  db
    .updateTable('user')
    .set(values('passwordHash'))
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', value('id'))
    .where('version', '=', value('version'))
    .returning('id'),
)

const endStatement = statement(({ db, value }) =>
  db.deleteFrom('passwordLink').where('userId', '=', value('userId')),
)

const forgetStatement = statement(({ db, value }) =>
  db.deleteFrom('passwordLink').where('expiresAt', '<=', value('now')),
)
