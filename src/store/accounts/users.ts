// People, and what they are in which company.
import { Fault } from '../../errors/catalog.ts'
import { endTrialKeys } from './credentials.ts'
import { removeFactor } from './second-factors.ts'
import { dropFavouritesOf } from '../material/items.ts'
import { deleteViewsOf } from './saved-views.ts'
import { removeIdentities } from './identities.ts'
import { deletePasskeys } from './passkeys.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { MembershipTable, UserTable } from '../tables/accounts.ts'

export type NewUser = Pick<UserTable, 'email' | 'passwordHash' | 'isOperator'> &
  Partial<Pick<UserTable, 'name'>>

/** Throws `AlreadyExists` where somebody has the address by now: also on another server, and at the same moment. */
export async function insertUser(writer: Writer, user: NewUser, now: number): Promise<number> {
  const row = await writer.first(insertUserStatement, {
    name: null,
    ...user,
    emailKey: user.email.toLowerCase(),
    now,
  })
  if (row === undefined) throw new Fault('AlreadyExists', { says: { what: user.email } })
  return row.id
}

export function findUser(reader: Reader, email: string): Awaitable<UserTable | undefined> {
  return reader.first(findUserStatement, { emailKey: email.toLowerCase() })
}

export function findUserById(reader: Reader, id: number): Awaitable<UserTable | undefined> {
  return reader.first(findUserByIdStatement, { id })
}

/** Ends every session of the person, and the trust in every device. */
export function raiseUserVersion(writer: Writer, id: number): Awaitable<void> {
  return writer.run(raiseVersionStatement, { id })
}

/** The same with a new password, hashed. */
export function changeUserPassword(
  writer: Writer,
  { id, passwordHash }: Pick<UserTable, 'id' | 'passwordHash'>,
): Awaitable<void> {
  return writer.run(changePasswordStatement, { id, passwordHash })
}

/** Gives a person a role in a company, or another role than before. */
export async function saveMembership(
  writer: Writer,
  membership: Omit<MembershipTable, 'disabledAt' | 'byGroups'>,
): Promise<void> {
  await writer.run(saveMembershipStatement, { ...membership })
  await endTrialKeys(writer, membership.userId)
}

/** Shuts a person out of one company, or with null lets the person in again; `at` in microseconds. */
export async function disableMembership(
  writer: Writer,
  { companyId, userId, disabledAt }: Pick<MembershipTable, 'companyId' | 'userId' | 'disabledAt'>,
): Promise<void> {
  await writer.run(disableMembershipStatement, { companyId, userId, disabledAt })
  await endTrialKeys(writer, userId)
}

/** `disabledAt`: shut out of this company, or of all. */
export type Member = Pick<UserTable, 'id' | 'email' | 'name' | 'createdAt' | 'disabledAt'> &
  Pick<MembershipTable, 'role' | 'departments'> & {
    /** Null for a person without a second factor. */
    readonly factorSince: number | null
  }

export function listMembers(reader: Reader, companyId: number): Awaitable<Member[]> {
  return reader.all(listMembersStatement, { companyId })
}

/** Every company that a person belongs to, whether it is served or not. */
export async function companyIdsOf(reader: Reader, userId: number): Promise<number[]> {
  const rows = await reader.all(companyIdsStatement, { userId })
  return rows.map(({ companyId }) => companyId)
}

/** Only the number of the account stays: what was done under it names nobody any more. */
export async function forgetUser(writer: Writer, id: number, at: number): Promise<void> {
  await writer.run(forgetUserStatement, { id, at, email: `forgotten-${id}`, passwordHash: '' })
  await endTrialKeys(writer, id)
  await writer.run(leaveAllStatement, { userId: id })
  await removeFactor(writer, id)
  await deleteViewsOf(writer, id)
  await dropFavouritesOf(writer, id)
  await removeIdentities(writer, id)
  await deletePasskeys(writer, id)
}

/** The companies that a person works in and that are served, by name. */
export function companiesOf(reader: Reader, userId: number): Awaitable<Workplace[]> {
  return reader.all(companiesOfStatement, { userId })
}

export interface Workplace {
  readonly companyId: number
  readonly name: string
  readonly nameKey: string
}

/** People by number, as journals name them; only those who work in the company. */
export function emailsOf(
  reader: Reader,
  companyId: number,
): Awaitable<Pick<UserTable, 'id' | 'email'>[]> {
  return reader.all(emailsStatement, { companyId })
}

/** Shuts a person out; the version ends every session. */
export async function disableUser(writer: Writer, id: number, at: number): Promise<void> {
  await writer.run(disableUserStatement, { id, at })
  await endTrialKeys(writer, id)
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

const raiseVersionStatement = statement(({ db, value }) =>
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
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'userId']).doUpdateSet(values('role', 'departments')),
    ),
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

const companyIdsStatement = statement<{ companyId: number }>(({ db, value }) =>
  db
    .selectFrom('membership')
    .select('companyId')
    .where('userId', '=', value('userId'))
    .orderBy('companyId'),
)

const forgetUserStatement = statement(({ db, value, values }) =>
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

const leaveAllStatement = statement(({ db, value }) =>
  db.deleteFrom('membership').where('userId', '=', value('userId')),
)

const companiesOfStatement = statement<Workplace>(({ db, value }) =>
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
