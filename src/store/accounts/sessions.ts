// Sessions of the browser app.
import { deleteBefore, deleteReturning, deleteWhere, insertRow, updateWhere } from '../row-statements.ts'
import { command, commandChanges, rowsQuery, rowQuery } from '../queries.ts'
import { sql } from 'kysely'
import { session, type MembershipTable, type SessionTable, type UserTable } from '../tables/accounts.ts'

/** A session with its user and their membership in the current company. */
export type ActiveSession = Pick<
  SessionTable,
  'companyId' | 'userVersion' | 'createdAt' | 'seenAt' | 'authenticatedAt' | 'via'
> &
  Pick<UserTable, 'email' | 'name' | 'isOperator'> &
  Pick<MembershipTable, 'userId' | 'role' | 'departments' | 'setByGroups'> & {
    /** Null for a user without a second factor. */
    readonly factorSince: number | null
  }

export const insertSession = command(insertRow(session))

/** Undefined where the user was changed or disabled, or has left the company, since the session began. */
export const findSession = rowQuery<{ idHash: string }, ActiveSession>(
  ({ value }) => sql`
    select session."companyId", session."userVersion", session."createdAt", session."seenAt", session."authenticatedAt", session.via,
      "userFactor"."confirmedAt" as "factorSince", "user".email, "user".name, "user"."isOperator",
      membership."userId", membership.role, membership.departments, membership."setByGroups"
    from session ${itsUserAndMembership}
    left join "userFactor" on "userFactor"."userId" = session."userId"
    where session."idHash" = ${value('idHash')} and "user"."disabledAt" is null and membership."disabledAt" is null`,
  'everyCompany',
)

export const recordSessionUse = command(updateWhere('session', ['idHash'], ['seenAt']))

export const deleteSession = command(deleteWhere('session', 'idHash'))

export const deleteSessionsOfMember = command(deleteWhere('session', 'companyId', 'userId'))

export const deleteSessionsOfCompany = command(deleteWhere('session', 'companyId'))

/** A session as its user sees it in the list. */
export type SessionSummary = Pick<SessionTable, 'createdAt' | 'seenAt' | 'via' | 'agent'> & {
  readonly id: string
  readonly company: string
}

/** The earliest start of valid sessions, that of sessions with group memberships, and their earliest last use; microseconds. */
export interface SessionCutoffs {
  readonly createdAt: number
  readonly createdByGroupsAt: number
  readonly seenAt: number
}

/** Sessions that began, and were used, after these times; the last used first. */
export const listSessions = rowsQuery<SessionCutoffs & { userId: number }, SessionSummary>(
  ({ value }) => sql`
    select session."idHash" as id, session."createdAt", session."seenAt", session.via, session.agent, company.name as company
    from session ${itsUserAndMembership}
    join company on company.id = session."companyId"
    where session."userId" = ${value('userId')} and session."createdAt" > ${value('createdAt')}
      and (session.via <> 'provider' or membership."setByGroups" is null
        or session."createdAt" > ${value('createdByGroupsAt')})
      and session."seenAt" > ${value('seenAt')}
    order by session."seenAt" desc`,
  'everyCompany',
)

/** Deletes one session of a user; false where it is not theirs. */
export const deleteUserSession = commandChanges(deleteReturning('session', 'userId', 'idHash'))

/** Deletes every session of a user except one. */
export const deleteOtherSessions = command<{ userId: number; idHash: string }>(
  ({ value }) => sql`delete from session where "userId" = ${value('userId')} and "idHash" <> ${value('idHash')}`,
)

/** Deletes sessions that began before this time, in microseconds. */
export const deleteSessionsBefore = command(deleteBefore('session', 'createdAt'))

/** Not of a session that began before the last change of its user. */
const itsUserAndMembership = sql.raw(`
    join "user" on "user".id = session."userId" and "user".version = session."userVersion"
    join membership on membership."companyId" = session."companyId" and membership."userId" = session."userId"`)
