// Identities of users at identity providers, and the memberships that provider groups give.
import { deleteTrialKeys } from './credentials.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { MembershipTable, UserIdentityTable, UserTable } from '../tables/accounts.ts'

export type Identity = Pick<UserIdentityTable, 'issuer' | 'subject'>

/** By issuer and subject: a subject is unique within its issuer only. */
export function findUserByIdentity(reader: Reader, { issuer, subject }: Identity): Awaitable<UserTable | undefined> {
  return reader.first(findUserStatement, { issuer, subject })
}

/** False where a user has the identity already. */
export async function insertIdentity(writer: Writer, identity: UserIdentityTable): Promise<boolean> {
  return (await writer.first(insertStatement, { ...identity })) !== undefined
}

export function listIdentities(reader: Reader, userId: number): Awaitable<UserIdentityTable[]> {
  return reader.all(listStatement, { userId })
}

/** Deletes all identities of a user; false where there is none. */
export async function deleteIdentities(writer: Writer, userId: number): Promise<boolean> {
  return (await writer.all(deleteStatement, { userId })).length > 0
}

export function findMembership(
  reader: Reader,
  companyId: number,
  userId: number,
): Awaitable<MembershipTable | undefined> {
  return reader.first(findMembershipStatement, { companyId, userId })
}

/** Inserts or replaces the membership that groups of the provider give a user. */
export async function saveGroupMembership(writer: Writer, membership: MembershipTable): Promise<void> {
  await writer.run(saveStatement, { ...membership })
  await deleteTrialKeys(writer, membership.userId)
}

const findUserStatement = statement<UserTable>(({ db, value }) =>
  db
    .selectFrom('userIdentity')
    .innerJoin('user', 'user.id', 'userIdentity.userId')
    .selectAll('user')
    .where('userIdentity.issuer', '=', value('issuer'))
    .where('userIdentity.subject', '=', value('subject')),
)

const insertStatement = statement<{ userId: number }>(({ db, values }) =>
  db
    .insertInto('userIdentity')
    .values(values('issuer', 'subject', 'userId', 'createdAt'))
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('userId'),
)

const listStatement = statement<UserIdentityTable>(({ db, value }) =>
  db.selectFrom('userIdentity').selectAll().where('userId', '=', value('userId')).orderBy('createdAt'),
)

const deleteStatement = statement<{ userId: number }>(({ db, value }) =>
  db.deleteFrom('userIdentity').where('userId', '=', value('userId')).returning('userId'),
)

const findMembershipStatement = statement<MembershipTable>(({ db, value }) =>
  db
    .selectFrom('membership')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('userId', '=', value('userId')),
)

const saveStatement = statement(({ db, values }) =>
  db
    .insertInto('membership')
    .values(values('companyId', 'userId', 'role', 'departments', 'disabledAt', 'setByGroups'))
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'userId']).doUpdateSet(values('role', 'departments', 'disabledAt', 'setByGroups')),
    ),
)
