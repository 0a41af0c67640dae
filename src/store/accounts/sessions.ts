// Who is signed in to the browser app.
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { MembershipTable, SessionTable, UserTable } from '../tables/accounts.ts'

/** A session with its person, and what they are in the company that is looked at. */
export type OpenSession = Pick<
  SessionTable,
  'companyId' | 'createdAt' | 'seenAt' | 'provenAt' | 'via'
> &
  Pick<UserTable, 'email' | 'isOperator'> &
  Pick<MembershipTable, 'userId' | 'role' | 'departments' | 'byGroups'> & {
    /** Null for a person without a second factor. */
    readonly factorSince: number | null
  }

export function insertSession(writer: Writer, session: SessionTable): Awaitable<void> {
  return writer.run(insertSessionStatement, { ...session })
}

/** None when the person was changed or shut out, or left the company, since it began. */
export function findSession(reader: Reader, idHash: string): Awaitable<OpenSession | undefined> {
  return reader.first(findSessionStatement, { idHash })
}

export function noteSession(writer: Writer, idHash: string, seenAt: number): Awaitable<void> {
  return writer.run(noteSessionStatement, { idHash, seenAt })
}

export function deleteSession(writer: Writer, idHash: string): Awaitable<void> {
  return writer.run(deleteSessionStatement, { idHash })
}

/** A session of a person, as its owner is shown it. */
export type OwnSession = Pick<SessionTable, 'idHash' | 'createdAt' | 'seenAt' | 'via' | 'agent'> & {
  readonly company: string
}

/** When sessions that stand began, those of people by group, and when they were used last; microseconds. */
export interface Since {
  readonly createdAt: number
  readonly createdByGroupsAt: number
  readonly seenAt: number
}

/** Of those that began, and were used, since these moments; the last used first. */
export function listSessions(
  reader: Reader,
  userId: number,
  since: Since,
): Awaitable<OwnSession[]> {
  return reader.all(listSessionsStatement, { userId, ...since })
}

/** Ends one session of a person; false where it is not theirs. */
export async function endSession(writer: Writer, userId: number, idHash: string): Promise<boolean> {
  return (await writer.first(endSessionStatement, { userId, idHash })) !== undefined
}

/** Ends every session of a person but one. */
export function endOtherSessions(writer: Writer, userId: number, idHash: string): Awaitable<void> {
  return writer.run(endOthersStatement, { userId, idHash })
}

/** Deletes sessions that began before this moment, in microseconds. */
export function deleteSessionsBefore(writer: Writer, before: number): Awaitable<void> {
  return writer.run(deleteBeforeStatement, { before })
}

const insertSessionStatement = statement(({ db, values }) =>
  db
    .insertInto('session')
    .values(
      values(
        'idHash',
        'companyId',
        'userId',
        'userVersion',
        'createdAt',
        'seenAt',
        'provenAt',
        'via',
        'agent',
      ),
    ),
)

const findSessionStatement = statement<OpenSession>(({ db, value }) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.companyId', '=', 'session.companyId')
        .onRef('membership.userId', '=', 'session.userId'),
    )
    .leftJoin('userFactor', 'userFactor.userId', 'session.userId')
    .select([
      'session.companyId',
      'session.createdAt',
      'session.seenAt',
      'session.provenAt',
      'session.via',
      'userFactor.confirmedAt as factorSince',
      'user.email',
      'user.isOperator',
      'membership.userId',
      'membership.role',
      'membership.departments',
      'membership.byGroups',
    ])
    .where('session.idHash', '=', value('idHash'))
    .whereRef('user.version', '=', 'session.userVersion')
    .where('user.disabledAt', 'is', null)
    .where('membership.disabledAt', 'is', null),
)

const noteSessionStatement = statement(({ db, value }) =>
  db
    .updateTable('session')
    .set({ seenAt: value('seenAt') })
    .where('idHash', '=', value('idHash')),
)

const deleteSessionStatement = statement(({ db, value }) =>
  db.deleteFrom('session').where('idHash', '=', value('idHash')),
)

const listSessionsStatement = statement<OwnSession>(({ db, value }) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .innerJoin('company', 'company.id', 'session.companyId')
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.companyId', '=', 'session.companyId')
        .onRef('membership.userId', '=', 'session.userId'),
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
        eb('membership.byGroups', 'is', null),
        eb('session.createdAt', '>', value('createdByGroupsAt')),
      ]),
    )
    .where('session.seenAt', '>', value('seenAt'))
    .orderBy('session.seenAt', 'desc'),
)

const endSessionStatement = statement<{ userId: number }>(({ db, value }) =>
  db
    .deleteFrom('session')
    .where('userId', '=', value('userId'))
    .where('idHash', '=', value('idHash'))
    .returning('userId'),
)

const endOthersStatement = statement(({ db, value }) =>
  db
    .deleteFrom('session')
    .where('userId', '=', value('userId'))
    .where('idHash', '<>', value('idHash')),
)

const deleteBeforeStatement = statement(({ db, value }) =>
  db.deleteFrom('session').where('createdAt', '<', value('before')),
)
