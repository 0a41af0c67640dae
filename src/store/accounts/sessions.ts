// Sessions of the browser app.
import { deleteReturning, deleteWhere, insertRow, updateWhere } from '../row-statements.ts'
import { command, commandChanges, rowsQuery, rowQuery } from '../queries.ts'
import { session, type MembershipTable, type SessionTable, type UserTable } from '../tables/accounts.ts'

/** A session with its user and their membership in the current company. */
export type ActiveSession = Pick<SessionTable, 'companyId' | 'createdAt' | 'seenAt' | 'authenticatedAt' | 'via'> &
  Pick<UserTable, 'email' | 'isOperator'> &
  Pick<MembershipTable, 'userId' | 'role' | 'departments' | 'setByGroups'> & {
    /** Null for a user without a second factor. */
    readonly factorSince: number | null
  }

export const insertSession = command(insertRow(session))

/** Undefined where the user was changed or disabled, or has left the company, since the session began. */
export const findSession = rowQuery<{ idHash: string }, ActiveSession>(
  ({ db, value }) =>
    db
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.userId')
      .innerJoin('membership', (join) =>
        join.onRef('membership.companyId', '=', 'session.companyId').onRef('membership.userId', '=', 'session.userId'),
      )
      .leftJoin('userFactor', 'userFactor.userId', 'session.userId')
      .select([
        'session.companyId',
        'session.createdAt',
        'session.seenAt',
        'session.authenticatedAt',
        'session.via',
        'userFactor.confirmedAt as factorSince',
        'user.email',
        'user.isOperator',
        'membership.userId',
        'membership.role',
        'membership.departments',
        'membership.setByGroups',
      ])
      .where('session.idHash', '=', value('idHash'))
      .whereRef('user.version', '=', 'session.userVersion')
      .where('user.disabledAt', 'is', null)
      .where('membership.disabledAt', 'is', null),
  'everyCompany',
)

export const recordSessionUse = command(updateWhere('session', ['idHash'], ['seenAt']))

export const deleteSession = command(deleteWhere('session', 'idHash'))

/** A session as its user sees it in the list. */
export type SessionSummary = Pick<SessionTable, 'idHash' | 'createdAt' | 'seenAt' | 'via' | 'agent'> & {
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
  ({ db, value }) =>
    db
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.userId')
      .innerJoin('company', 'company.id', 'session.companyId')
      .innerJoin('membership', (join) =>
        join.onRef('membership.companyId', '=', 'session.companyId').onRef('membership.userId', '=', 'session.userId'),
      )
      .select([
        'session.idHash',
        'session.createdAt',
        'session.seenAt',
        'session.via',
        'session.agent',
        'company.name as company',
      ])
      .where('session.userId', '=', value('userId'))
      .whereRef('session.userVersion', '=', 'user.version')
      .where('session.createdAt', '>', value('createdAt'))
      .where((eb) =>
        eb.or([
          eb('session.via', '<>', 'provider'),
          eb('membership.setByGroups', 'is', null),
          eb('session.createdAt', '>', value('createdByGroupsAt')),
        ]),
      )
      .where('session.seenAt', '>', value('seenAt'))
      .orderBy('session.seenAt', 'desc'),
  'everyCompany',
)

/** Deletes one session of a user; false where it is not theirs. */
export const deleteUserSession = commandChanges(deleteReturning('session', 'userId', 'idHash'))

/** Deletes every session of a user except one. */
export const deleteOtherSessions = command<{ userId: number; idHash: string }>(({ db, value }) =>
  db.deleteFrom('session').where('userId', '=', value('userId')).where('idHash', '<>', value('idHash')),
)

/** Deletes sessions that began before this time, in microseconds. */
export const deleteSessionsBefore = command<{ before: number }>(({ db, value }) =>
  db.deleteFrom('session').where('createdAt', '<', value('before')),
)
