// Who people are to an identity provider, and what its groups make of them in a company.
import { endTrialKeys } from './credentials.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { MembershipTable, UserIdentityTable, UserTable } from '../tables/accounts.ts'

export type Identity = Pick<UserIdentityTable, 'issuer' | 'subject'>

/** Of the two together: a subject is somebody else at another provider. */
export function userOfIdentity(
  reader: Reader,
  { issuer, subject }: Identity,
): Awaitable<UserTable | undefined> {
  return reader.first(userOfStatement, { issuer, subject })
}

/** False where the identity is somebody's already. */
export async function insertIdentity(
  writer: Writer,
  identity: UserIdentityTable,
): Promise<boolean> {
  return (await writer.first(insertStatement, { ...identity })) !== undefined
}

export function listIdentities(reader: Reader, userId: number): Awaitable<UserIdentityTable[]> {
  return reader.all(listStatement, { userId })
}

/** All of a person; false where there is none. */
export async function removeIdentities(writer: Writer, userId: number): Promise<boolean> {
  return (await writer.all(removeStatement, { userId })).length > 0
}

export function findMembership(
  reader: Reader,
  companyId: number,
  userId: number,
): Awaitable<MembershipTable | undefined> {
  return reader.first(findMembershipStatement, { companyId, userId })
}

/** What groups made of a person, in place of what they made before. */
export async function saveGroupMembership(
  writer: Writer,
  membership: MembershipTable,
): Promise<void> {
  await writer.run(saveStatement, { ...membership })
  await endTrialKeys(writer, membership.userId)
}

const userOfStatement = statement<UserTable>(({ db, value }) =>
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
  db
    .selectFrom('userIdentity')
    .selectAll()
    .where('userId', '=', value('userId'))
    .orderBy('createdAt'),
)

const removeStatement = statement<{ userId: number }>(({ db, value }) =>
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
    .values(values('companyId', 'userId', 'role', 'departments', 'disabledAt', 'byGroups'))
    .onConflict((conflict) =>
      conflict
        .columns(['companyId', 'userId'])
        .doUpdateSet(values('role', 'departments', 'disabledAt', 'byGroups')),
    ),
)
