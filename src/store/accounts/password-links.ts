// Password resets: requests of users, and the links to set a new password.
import { deleteBefore, deleteWhere, insertInto, nextVersion, upsertInto } from '../row-statements.ts'
import { command, commandChanges, commandReturning, existsQuery, rowQuery, type NoValues } from '../queries.ts'
import { sql } from 'kysely'
import type { Awaitable, Writer } from '../store.ts'
import type { ResetRequestTable, UserTable } from '../tables/accounts.ts'

/** Saves a request, whether an account has the e-mail address or not. */
export function saveResetRequest(
  writer: Writer,
  { email, language, address }: Omit<ResetRequestTable, 'emailKey'> & { email: string },
): Awaitable<void> {
  return saveRequest(writer, { emailKey: email.toLowerCase(), language, address })
}

export const hasResetRequest = existsQuery<NoValues>(() => sql`select 1 from "passwordResetRequest" limit 1`)

/** Deletes and returns one request; no other server gets it. */
export const takeResetRequest = commandReturning<NoValues, ResetRequestTable>(
  ({ dialect }) => sql`
    delete from "passwordResetRequest" where "emailKey" = (
      select "emailKey" from "passwordResetRequest" limit 1 ${dialect === 'postgres' ? sql`for update skip locked` : sql``})
    returning *`,
)

export const insertPasswordLink = command(
  insertInto('passwordLink', 'tokenHash', 'userId', 'userVersion', 'createdAt', 'expiresAt'),
)

/** Whether a link for the user was created after this time, in microseconds. */
export const hasLinkSince = existsQuery<{ userId: number; since: number }>(
  ({ value }) => sql`
    select 1 from "passwordLink" where "userId" = ${value('userId')} and "createdAt" > ${value('since')} limit 1`,
)

/** The user of a link that is valid at this time. A changed password invalidates every link. */
export const findPasswordLink = rowQuery<
  { tokenHash: string; now: number },
  Pick<UserTable, 'id' | 'email' | 'version'>
>(
  ({ value }) => sql`
    select "user".id, "user".email, "user".version
    from "passwordLink" as link join "user" on "user".id = link."userId" and "user".version = link."userVersion"
    where link."tokenHash" = ${value('tokenHash')} and link."expiresAt" > ${value('now')} and "user"."disabledAt" is null`,
)

/** Changes the password of a user, which ends every session and deletes every link. False where the version has changed. */
export async function changePassword(
  writer: Writer,
  user: Pick<UserTable, 'id' | 'version' | 'passwordHash'>,
): Promise<boolean> {
  const isChanged = await changeHash(writer, user)
  if (isChanged) await deleteLinks(writer, { userId: user.id })
  return isChanged
}

/** Deletes the links that expired before this time, in microseconds. */
export const deletePasswordLinksBefore = command(deleteBefore('passwordLink', 'expiresAt'))

const saveRequest = command(upsertInto('passwordResetRequest', ['emailKey'], ['language', 'address']))

const changeHash = commandChanges<Pick<UserTable, 'id' | 'version' | 'passwordHash'>>(
  ({ value }) => sql`
    update "user" set "passwordHash" = ${value('passwordHash')}, ${nextVersion}
    where id = ${value('id')} and version = ${value('version')} returning id`,
)

const deleteLinks = command(deleteWhere('passwordLink', 'userId'))
