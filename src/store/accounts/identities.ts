// Identities of users at identity providers, and the memberships that provider groups give.
import { commandChanges, rowsQuery, rowQuery } from '../queries.ts'
import { deleteTrialKeys } from './credentials.ts'
import { statement } from '../statement.ts'
import type { Writer } from '../store.ts'
import type { MembershipTable, UserIdentityTable, UserTable } from '../tables/accounts.ts'

export type Identity = Pick<UserIdentityTable, 'issuer' | 'subject'>

/** By issuer and subject: a subject is unique within its issuer only. */
export const findUserByIdentity = rowQuery<Identity, UserTable>(({ db, value }) =>
  db
    .selectFrom('userIdentity')
    .innerJoin('user', 'user.id', 'userIdentity.userId')
    .selectAll('user')
    .where('userIdentity.issuer', '=', value('issuer'))
    .where('userIdentity.subject', '=', value('subject')),
)

/** False where a user has the identity already. */
export const insertIdentity = commandChanges<UserIdentityTable>(({ db, values }) =>
  db
    .insertInto('userIdentity')
    .values(values('issuer', 'subject', 'userId', 'createdAt'))
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('userId'),
)

export const listIdentities = rowsQuery<{ userId: number }, UserIdentityTable>(({ db, value }) =>
  db.selectFrom('userIdentity').selectAll().where('userId', '=', value('userId')).orderBy('createdAt'),
)

/** Deletes all identities of a user; false where there is none. */
export async function deleteIdentities(writer: Writer, userId: number): Promise<boolean> {
  return (await writer.all(deleteStatement, { userId })).length > 0
}

export const findMembership = rowQuery<{ companyId: number; userId: number }, MembershipTable>(({ db, value }) =>
  db
    .selectFrom('membership')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('userId', '=', value('userId')),
)

/** Inserts or replaces the membership that groups of the provider give a user. */
export async function saveGroupMembership(writer: Writer, membership: MembershipTable): Promise<void> {
  await writer.run(saveStatement, { ...membership })
  await deleteTrialKeys(writer, membership.userId)
}

const deleteStatement = statement<{ userId: number }>(({ db, value }) =>
  db.deleteFrom('userIdentity').where('userId', '=', value('userId')).returning('userId'),
)

const saveStatement = statement(({ db, values }) =>
  db
    .insertInto('membership')
    .values(values('companyId', 'userId', 'role', 'departments', 'disabledAt', 'setByGroups'))
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'userId']).doUpdateSet(values('role', 'departments', 'disabledAt', 'setByGroups')),
    ),
)
