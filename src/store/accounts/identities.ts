// Identities of users at identity providers, and the memberships that provider groups give.
import { deleteReturning, selectWhere, upsertInto } from '../row-statements.ts'
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

export const listIdentities = rowsQuery(selectWhere('userIdentity', ['userId'], { orderBy: ['createdAt'] }))

/** Deletes all identities of a user; false where there is none. */
export async function deleteIdentities(writer: Writer, userId: number): Promise<boolean> {
  return (await writer.all(deleteStatement, { userId })).length > 0
}

export const findMembership = rowQuery(selectWhere('membership', ['companyId', 'userId']))

/** Inserts or replaces the membership that groups of the provider give a user. */
export async function saveGroupMembership(writer: Writer, membership: MembershipTable): Promise<void> {
  await writer.run(saveStatement, { ...membership })
  await deleteTrialKeys(writer, membership.userId)
}

const deleteStatement = statement<{ userId: number }>(deleteReturning('userIdentity', 'userId'))

const saveStatement = statement(
  upsertInto('membership', ['companyId', 'userId'], ['role', 'departments', 'disabledAt', 'setByGroups']),
)
