// Identities of users at identity providers, and the memberships that provider groups give.
import { deleteReturning, insertReturning, selectWhere, upsertInto } from '../row-statements.ts'
import { command, commandChanges, rowsQuery, rowQuery } from '../queries.ts'
import { sql } from 'kysely'
import { deleteTrialKeys } from './credentials.ts'
import { deleteSessionsOfMember } from './sessions.ts'
import type { Writer } from '../store.ts'
import type { MembershipTable, UserIdentityTable, UserTable } from '../tables/accounts.ts'

export type Identity = Pick<UserIdentityTable, 'issuer' | 'subject'>

/** By issuer and subject: a subject is unique within its issuer only. */
export const findUserByIdentity = rowQuery<Identity, UserTable>(
  ({ value }) => sql`
    select "user".* from "userIdentity" join "user" on "user".id = "userIdentity"."userId"
    where "userIdentity".issuer = ${value('issuer')} and "userIdentity".subject = ${value('subject')}`,
)

/** False where a user has the identity already. */
export const insertIdentity = commandChanges(
  insertReturning('userIdentity', 'issuer', 'subject', 'userId', 'createdAt'),
)

export const listIdentities = rowsQuery(
  selectWhere('userIdentity', ['userId'], { columns: ['issuer', 'createdAt'], orderBy: ['createdAt'] }),
)

/** Deletes all identities of a user; false where there is none. */
export const deleteIdentities = commandChanges(deleteReturning('userIdentity', 'userId'))

export const findMembership = rowQuery(selectWhere('membership', ['companyId', 'userId']))

/** Inserts or replaces the membership that groups of the provider give a user; ends the sessions if the groups take or return it. */
export async function saveGroupMembership(
  writer: Writer,
  membership: MembershipTable,
  before: MembershipTable | undefined,
): Promise<void> {
  await saveMembership(writer, membership)
  // Also when it is returned, for a sign-in that began before it was taken may have ended after it.
  if (membership.disabledAt !== (before?.disabledAt ?? null)) await deleteSessionsOfMember(writer, membership)
  await deleteTrialKeys(writer, membership.userId)
}

const saveMembership = command(
  upsertInto('membership', ['companyId', 'userId'], ['role', 'departments', 'disabledAt', 'setByGroups']),
)
