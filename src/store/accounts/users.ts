// Users, and their memberships in companies.
import { deleteWhere, selectWhere, updateWhere, upsertInto } from '../row-statements.ts'
import { command, rowsQuery, rowQuery } from '../queries.ts'
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

export const findUserById = rowQuery(selectWhere('user', ['id']))

/** Increments the version, which ends every session of the user and the trust in every device. */
export const incrementUserVersion = command<{ id: number }>(({ db, value }) =>
  db
    .updateTable('user')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

/** The same with a new password hash. */
export const updateUserPassword = command<Pick<UserTable, 'id' | 'passwordHash'>>(({ db, value, values }) =>
  db
    .updateTable('user')
    .set((eb) => ({ ...values('passwordHash'), version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

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

export const listMembers = rowsQuery<{ companyId: number }, Member>(({ db, value }) =>
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
  await deleteUserViews(writer, { userId: id })
  await deleteUserFavourites(writer, { userId: id })
  await deleteIdentities(writer, id)
  await deletePasskeys(writer, { userId: id })
}

/** The open companies that a user may sign in to, by name. */
export const listWorkplaces = rowsQuery<{ userId: number }, Workplace>(
  ({ db, value }) =>
    db
      .selectFrom('membership')
      .innerJoin('company', 'company.id', 'membership.companyId')
      .select(['membership.companyId', 'company.name', 'company.nameKey'])
      .where('membership.userId', '=', value('userId'))
      .where('company.disabledAt', 'is', null)
      .where('membership.disabledAt', 'is', null)
      .orderBy('company.nameKey'),
  'everyCompany',
)

export interface Workplace {
  readonly companyId: number
  readonly name: string
  readonly nameKey: string
}

/** The e-mail addresses of the members of a company, by user id. */
export const listMemberEmails = rowsQuery<{ companyId: number }, Pick<UserTable, 'id' | 'email'>>(({ db, value }) =>
  db
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.userId')
    .select(['user.id', 'user.email'])
    .where('membership.companyId', '=', value('companyId')),
)

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

const findUserStatement = statement<UserTable>(selectWhere('user', ['emailKey']))

const saveMembershipStatement = statement(upsertInto('membership', ['companyId', 'userId'], ['role', 'departments']))

const disableMembershipStatement = statement(updateWhere('membership', ['companyId', 'userId'], ['disabledAt']))

const companyIdsStatement = crossCompanyStatement<{ companyId: number }>(
  selectWhere('membership', ['userId'], { columns: ['companyId'], orderBy: ['companyId'] }),
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

const deleteMembershipsStatement = crossCompanyStatement(deleteWhere('membership', 'userId'))

const disableUserStatement = statement(({ db, value }) =>
  db
    .updateTable('user')
    .set((eb) => ({ disabledAt: value('at'), version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)
