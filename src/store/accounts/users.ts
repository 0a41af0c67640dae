// Users, and their memberships in companies.
import { ApiError } from '../../errors/api-error.ts'
import { deleteTrialKeys } from './credentials.ts'
import { deleteFactor } from './second-factors.ts'
import { deleteUserFavourites } from '../material/items.ts'
import { deleteUserViews } from './saved-views.ts'
import { deleteIdentities } from './identities.ts'
import { deletePasskeys } from './passkeys.ts'
import { crossCompanyStatement, statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { MembershipTable, UserTable } from '../tables/accounts.ts'

export type NewUser = Pick<UserTable, 'email' | 'passwordHash' | 'isOperator'> & Partial<Pick<UserTable, 'name'>>

/** Throws `AlreadyExists` where a user has the e-mail address, also one that another server inserts at the same time. */
export async function insertUser(writer: Writer, user: NewUser, now: number): Promise<number> {
  const row = await writer.first(insertUserStatement, { name: null, ...user, emailKey: user.email.toLowerCase(), now })
  if (row === undefined) throw new ApiError('AlreadyExists', { params: { what: user.email } })
  return row.id
}

export function findUser(reader: Reader, email: string): Awaitable<UserTable | undefined> {
  return reader.first(findUserStatement, { emailKey: email.toLowerCase() })
}

export function findUserById(reader: Reader, id: number): Awaitable<UserTable | undefined> {
  return reader.first(findUserByIdStatement, { id })
}

/** Increments the version, which ends every session of the user and the trust in every device. */
export function incrementUserVersion(writer: Writer, id: number): Awaitable<void> {
  return writer.run(incrementVersionStatement, { id })
}

/** The same with a new password hash. */
export function updateUserPassword(
  writer: Writer,
  { id, passwordHash }: Pick<UserTable, 'id' | 'passwordHash'>,
): Awaitable<void> {
  return writer.run(changePasswordStatement, { id, passwordHash })
}

/** Inserts or updates the role of a user in a company. */
export async function saveMembership(
  writer: Writer,
  membership: Omit<MembershipTable, 'disabledAt' | 'setByGroups'>,
): Promise<void> {
  await writer.run(saveMembershipStatement, { ...membership })
  await deleteTrialKeys(writer, membership.userId)
}

/** Disables a membership; null enables it again. */
export async function disableMembership(
  writer: Writer,
  { companyId, userId, disabledAt }: Pick<MembershipTable, 'companyId' | 'userId' | 'disabledAt'>,
): Promise<void> {
  await writer.run(disableMembershipStatement, { companyId, userId, disabledAt })
  await deleteTrialKeys(writer, userId)
}

/** A member of a company. `disabledAt` is that of the user or of the membership. */
export type Member = Pick<UserTable, 'id' | 'email' | 'name' | 'createdAt' | 'disabledAt'> &
  Pick<MembershipTable, 'role' | 'departments'> & {
    /** Null for a user without a second factor. */
    readonly factorSince: number | null
  }

export function listMembers(reader: Reader, companyId: number): Awaitable<Member[]> {
  return reader.all(listMembersStatement, { companyId })
}

/** Every company that a user belongs to, also closed ones. */
export async function listCompanyIds(reader: Reader, userId: number): Promise<number[]> {
  const rows = await reader.all(companyIdsStatement, { userId })
  return rows.map(({ companyId }) => companyId)
}

/** Deletes all personal data of a user. The id stays, because logs refer to it. */
export async function eraseUser(writer: Writer, id: number, at: number): Promise<void> {
  await writer.run(eraseUserStatement, { id, at, email: `forgotten-${id}`, passwordHash: '' })
  await deleteTrialKeys(writer, id)
  await writer.run(deleteMembershipsStatement, { userId: id })
  await deleteFactor(writer, id)
  await deleteUserViews(writer, id)
  await deleteUserFavourites(writer, id)
  await deleteIdentities(writer, id)
  await deletePasskeys(writer, id)
}

/** The open companies that a user may sign in to, by name. */
export function listWorkplaces(reader: Reader, userId: number): Awaitable<Workplace[]> {
  return reader.all(workplacesStatement, { userId })
}

export interface Workplace {
  readonly companyId: number
  readonly name: string
  readonly nameKey: string
}

/** The e-mail addresses of the members of a company, by user id. */
export function listMemberEmails(reader: Reader, companyId: number): Awaitable<Pick<UserTable, 'id' | 'email'>[]> {
  return reader.all(emailsStatement, { companyId })
}

/** Disables a user; the new version ends every session. */
export async function disableUser(writer: Writer, id: number, at: number): Promise<void> {
  await writer.run(disableUserStatement, { id, at })
  await deleteTrialKeys(writer, id)
}

const insertUserStatement = statement<{ id: number }>(({ db, value, values }) =>
  db
    .insertInto('user')
    .values({
      ...values('email', 'emailKey', 'name', 'passwordHash', 'isOperator'),
      version: 1,
      createdAt: value('now'),
    })
    .onConflict((conflict) => conflict.column('emailKey').doNothing())
    .returning('id'),
)

const findUserStatement = statement<UserTable>(({ db, value }) =>
  db.selectFrom('user').selectAll().where('emailKey', '=', value('emailKey')),
)

const findUserByIdStatement = statement<UserTable>(({ db, value }) =>
  db.selectFrom('user').selectAll().where('id', '=', value('id')),
)

const incrementVersionStatement = statement(({ db, value }) =>
  db
    .updateTable('user')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

const changePasswordStatement = statement(({ db, value, values }) =>
  db
    .updateTable('user')
    .set((eb) => ({ ...values('passwordHash'), version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

const saveMembershipStatement = statement(({ db, values }) =>
  db
    .insertInto('membership')
    .values(values('companyId', 'userId', 'role', 'departments'))
    .onConflict((conflict) => conflict.columns(['companyId', 'userId']).doUpdateSet(values('role', 'departments'))),
)

const disableMembershipStatement = statement(({ db, value, values }) =>
  db
    .updateTable('membership')
    .set(values('disabledAt'))
    .where('companyId', '=', value('companyId'))
    .where('userId', '=', value('userId')),
)

const listMembersStatement = statement<Member>(({ db, value }) =>
  db
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.userId')
    .leftJoin('userFactor', 'userFactor.userId', 'membership.userId')
    .select((eb) => [
      'user.id',
      'user.email',
      'user.name',
      'user.createdAt',
      eb.fn.coalesce('user.disabledAt', 'membership.disabledAt').as('disabledAt'),
      'membership.role',
      'membership.departments',
      'userFactor.confirmedAt as factorSince',
    ])
    .where('membership.companyId', '=', value('companyId'))
    .orderBy('user.emailKey'),
)

const companyIdsStatement = crossCompanyStatement<{ companyId: number }>(({ db, value }) =>
  db.selectFrom('membership').select('companyId').where('userId', '=', value('userId')).orderBy('companyId'),
)

const eraseUserStatement = statement(({ db, value, values }) =>
  db
    .updateTable('user')
    .set((eb) => ({
      ...values('email', 'passwordHash'),
      emailKey: value('email'),
      name: null,
      isOperator: eb.lit(0),
      disabledAt: value('at'),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', value('id')),
)

const deleteMembershipsStatement = crossCompanyStatement(({ db, value }) =>
  db.deleteFrom('membership').where('userId', '=', value('userId')),
)

const workplacesStatement = crossCompanyStatement<Workplace>(({ db, value }) =>
  db
    .selectFrom('membership')
    .innerJoin('company', 'company.id', 'membership.companyId')
    .select(['membership.companyId', 'company.name', 'company.nameKey'])
    .where('membership.userId', '=', value('userId'))
    .where('company.disabledAt', 'is', null)
    .where('membership.disabledAt', 'is', null)
    .orderBy('company.nameKey'),
)

const emailsStatement = statement<Pick<UserTable, 'id' | 'email'>>(({ db, value }) =>
  db
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.userId')
    .select(['user.id', 'user.email'])
    .where('membership.companyId', '=', value('companyId')),
)

const disableUserStatement = statement(({ db, value }) =>
  db
    .updateTable('user')
    .set((eb) => ({ disabledAt: value('at'), version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)
