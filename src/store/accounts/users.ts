// Users, and their memberships in companies.
import { deleteWhere, insertReturning, nextVersion, selectWhere, updateWhere, upsertInto } from '../row-statements.ts'
import { command, commandChanges, commandReturning, rowsQuery, rowQuery } from '../queries.ts'
import { sql } from 'kysely'
import { ApiError } from '../../errors/api-error.ts'
import { deleteTrialKeys } from './credentials.ts'
import { deleteFactor } from './second-factors.ts'
import { deleteUserFavourites } from '../material/items.ts'
import { deleteUserViews } from './saved-views.ts'
import { deleteIdentities } from './identities.ts'
import { deletePasskeys } from './passkeys.ts'
import { deleteSessionsOfMember } from './sessions.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { MembershipTable, UserTable } from '../tables/accounts.ts'

export type NewUser = Pick<UserTable, 'email' | 'passwordHash' | 'isOperator'> & Partial<Pick<UserTable, 'name'>>

/** Throws `AlreadyExists` where a user has the e-mail address, also one that another server inserts at the same time. */
export async function insertUser(writer: Writer, user: NewUser, now: number): Promise<number> {
  const added = { name: null, ...user, emailKey: user.email.toLowerCase(), version: 1, createdAt: now }
  const row = await insertUserRow(writer, added)
  if (row === undefined) throw new ApiError('AlreadyExists', { params: { what: user.email } })
  return row.id
}

export function findUser(reader: Reader, email: string): Awaitable<UserTable | undefined> {
  return findUserByKey(reader, { emailKey: email.toLowerCase() })
}

export const findUserById = rowQuery(selectWhere('user', ['id']))

/** Increments the version, which ends every session of the user and the trust in every device. */
export const incrementUserVersion = command(updateWhere('user', ['id'], [], nextVersion))

/** The same where the user has this version; false where another change was first. */
export const replaceUserVersion = commandChanges<Pick<UserTable, 'id' | 'version'>>(
  ({ value }) => sql`
    update "user" set ${nextVersion} where id = ${value('id')} and version = ${value('version')} returning id`,
)

export const updateUserPassword = command(updateWhere('user', ['id'], ['passwordHash']))

/** Inserts or updates the role of a user in a company. */
export async function saveMembership(
  writer: Writer,
  membership: Omit<MembershipTable, 'disabledAt' | 'setByGroups'>,
): Promise<void> {
  await upsertMembership(writer, membership)
  await deleteTrialKeys(writer, membership.userId)
}

/** Disables a membership, and ends its sessions, so that enabling it again, with null, revives none. */
export async function disableMembership(
  writer: Writer,
  membership: Pick<MembershipTable, 'companyId' | 'userId' | 'disabledAt'>,
): Promise<void> {
  await updateMembership(writer, membership)
  await deleteSessionsOfMember(writer, membership)
  await deleteTrialKeys(writer, membership.userId)
}

/** A member of a company. `disabledAt` is that of the user or of the membership. */
export type CompanyMember = Pick<UserTable, 'id' | 'email' | 'name' | 'createdAt' | 'disabledAt'> &
  Pick<MembershipTable, 'role' | 'departments'> & {
    /** Null for a user without a second factor. */
    readonly factorSince: number | null
  }

export const listMembers = rowsQuery<{ companyId: number }, CompanyMember>(
  ({ value }) => sql`
    select "user".id, "user".email, "user".name, "user"."createdAt",
      coalesce("user"."disabledAt", membership."disabledAt") as "disabledAt",
      membership.role, membership.departments, "userFactor"."confirmedAt" as "factorSince"
    from membership join "user" on "user".id = membership."userId"
    left join "userFactor" on "userFactor"."userId" = membership."userId"
    where membership."companyId" = ${value('companyId')} order by "user"."emailKey"`,
)

/** Every company that a user belongs to, also closed ones. */
export async function listCompanyIds(reader: Reader, userId: number): Promise<number[]> {
  return (await listMemberships(reader, { userId })).map(({ companyId }) => companyId)
}

/** Deletes all personal data of a user. The id stays, because logs refer to it. */
export async function eraseUser(writer: Writer, id: number, at: number): Promise<void> {
  const email = `forgotten-${id}`
  const blank = { email, emailKey: email, passwordHash: '', name: null, isOperator: 0 }
  await blankUser(writer, { id, ...blank, disabledAt: at })
  await deleteTrialKeys(writer, id)
  await deleteMemberships(writer, { userId: id })
  await deleteFactor(writer, id)
  await deleteUserViews(writer, { userId: id })
  await deleteUserFavourites(writer, { userId: id })
  await deleteIdentities(writer, { userId: id })
  await deletePasskeys(writer, { userId: id })
}

/** The open companies that a user may sign in to, by name. */
export const listWorkplaces = rowsQuery<{ userId: number }, Workplace>(
  ({ value }) => sql`
    select membership."companyId", company.name, company."nameKey"
    from membership join company on company.id = membership."companyId" and company."disabledAt" is null
    where membership."userId" = ${value('userId')} and membership."disabledAt" is null order by company."nameKey"`,
  'everyCompany',
)

export interface Workplace {
  readonly companyId: number
  readonly name: string
  readonly nameKey: string
}

/** The names and e-mail addresses of the members of a company, by user id. */
export const listMemberNames = rowsQuery<{ companyId: number }, Pick<UserTable, 'id' | 'email' | 'name'>>(
  ({ value }) => sql`
    select "user".id, "user".email, "user".name from membership join "user" on "user".id = membership."userId"
    where membership."companyId" = ${value('companyId')}`,
)

/** Disables a user; the new version ends every session. */
export async function disableUser(writer: Writer, id: number, at: number): Promise<void> {
  await disableUserRow(writer, { id, disabledAt: at })
  await deleteTrialKeys(writer, id)
}

const insertUserRow = commandReturning(
  insertReturning('user', 'email', 'emailKey', 'name', 'passwordHash', 'isOperator', 'version', 'createdAt'),
)

const findUserByKey = rowQuery(selectWhere('user', ['emailKey']))

const upsertMembership = command(upsertInto('membership', ['companyId', 'userId'], ['role', 'departments']))

const updateMembership = command(updateWhere('membership', ['companyId', 'userId'], ['disabledAt']))

const listMemberships = rowsQuery(
  selectWhere('membership', ['userId'], { columns: ['companyId'], orderBy: ['companyId'] }),
  'everyCompany',
)

const deleteMemberships = command(deleteWhere('membership', 'userId'), 'everyCompany')

const disableUserRow = command(updateWhere('user', ['id'], ['disabledAt'], nextVersion))

const blankUser = command(
  updateWhere('user', ['id'], ['email', 'emailKey', 'passwordHash', 'name', 'isOperator', 'disabledAt'], nextVersion),
)
