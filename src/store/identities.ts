// Who people are to an identity provider, and what its groups make of them in a company.
import { endTrialKeys } from '#store/credentials.ts'
import { statement } from '#store/statement.ts'
import type { Awaitable, Reader, Writer } from '#store/store.ts'
import type { MembershipTable, UserIdentityTable, UserTable } from '#store/tables/accounts.ts'

export type Identity = Pick<UserIdentityTable, 'issuer' | 'subject'>

/** Of the two together: a subject is somebody else at another provider. */
export const userOfIdentity = (
  reader: Reader,
  { issuer, subject }: Identity,
): Awaitable<UserTable | undefined> => reader.first(userOfStatement, { issuer, subject })

/** False where the identity is somebody's already. */
export const insertIdentity = async (
  writer: Writer,
  identity: UserIdentityTable,
): Promise<boolean> => (await writer.first(insertStatement, { ...identity })) !== undefined

export const listIdentities = (reader: Reader, userId: number): Awaitable<UserIdentityTable[]> =>
  reader.all(listStatement, { userId })

/** All of a person; false where there is none. */
export const removeIdentities = async (writer: Writer, userId: number): Promise<boolean> =>
  (await writer.all(removeStatement, { userId })).length > 0

export const findMembership = (
  reader: Reader,
  companyId: number,
  userId: number,
): Awaitable<MembershipTable | undefined> =>
  reader.first(findMembershipStatement, { companyId, userId })

/** What groups made of a person, in place of what they made before. */
export const saveGroupMembership = async (
  writer: Writer,
  membership: MembershipTable,
): Promise<void> => {
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
