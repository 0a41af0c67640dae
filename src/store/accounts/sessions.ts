// Sessions of the browser app.
import { crossCompanyStatement, statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { MembershipTable, SessionTable, UserTable } from '../tables/accounts.ts'

/** A session with its user and their membership in the current company. */
export type ActiveSession = Pick<SessionTable, 'companyId' | 'createdAt' | 'seenAt' | 'authenticatedAt' | 'via'> &
  Pick<UserTable, 'email' | 'isOperator'> &
  Pick<MembershipTable, 'userId' | 'role' | 'departments' | 'setByGroups'> & {
    /** Null for a user without a second factor. */
    readonly factorSince: number | null
  }

export function insertSession(writer: Writer, session: SessionTable): Awaitable<void> {
  return writer.run(insertSessionStatement, { ...session })
}

/** Undefined where the user was changed or disabled, or has left the company, since the session began. */
export function findSession(reader: Reader, idHash: string): Awaitable<ActiveSession | undefined> {
  return reader.first(findSessionStatement, { idHash })
}

export function recordSessionUse(writer: Writer, idHash: string, seenAt: number): Awaitable<void> {
  return writer.run(recordUseStatement, { idHash, seenAt })
}

export function deleteSession(writer: Writer, idHash: string): Awaitable<void> {
  return writer.run(deleteSessionStatement, { idHash })
}

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
export function listSessions(reader: Reader, userId: number, since: SessionCutoffs): Awaitable<SessionSummary[]> {
  return reader.all(listSessionsStatement, { userId, ...since })
}

/** Deletes one session of a user; false where it is not theirs. */
export async function deleteUserSession(writer: Writer, userId: number, idHash: string): Promise<boolean> {
  return (await writer.first(deleteUserSessionStatement, { userId, idHash })) !== undefined
}

/** Deletes every session of a user except one. */
export function deleteOtherSessions(writer: Writer, userId: number, idHash: string): Awaitable<void> {
  return writer.run(deleteOthersStatement, { userId, idHash })
}

/** Deletes sessions that began before this time, in microseconds. */
export function deleteSessionsBefore(writer: Writer, before: number): Awaitable<void> {
  return writer.run(deleteBeforeStatement, { before })
}

const insertSessionStatement = statement(({ db, values }) =>
  db
    .insertInto('session')
    .values(
      values('idHash', 'companyId', 'userId', 'userVersion', 'createdAt', 'seenAt', 'authenticatedAt', 'via', 'agent'),
    ),
)

const findSessionStatement = crossCompanyStatement<ActiveSession>(({ db, value }) =>
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
)

const recordUseStatement = statement(({ db, value }) =>
  db
    .updateTable('session')
    .set({ seenAt: value('seenAt') })
    .where('idHash', '=', value('idHash')),
)

const deleteSessionStatement = statement(({ db, value }) =>
  db.deleteFrom('session').where('idHash', '=', value('idHash')),
)

const listSessionsStatement = crossCompanyStatement<SessionSummary>(({ db, value }) =>
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
)

const deleteUserSessionStatement = statement<{ userId: number }>(({ db, value }) =>
  db
    .deleteFrom('session')
    .where('userId', '=', value('userId'))
    .where('idHash', '=', value('idHash'))
    .returning('userId'),
)

const deleteOthersStatement = statement(({ db, value }) =>
  db.deleteFrom('session').where('userId', '=', value('userId')).where('idHash', '<>', value('idHash')),
)

const deleteBeforeStatement = statement(({ db, value }) =>
  db.deleteFrom('session').where('createdAt', '<', value('before')),
)
