// Who is signed in to the browser app.
import { statement } from '#store/statement.ts'
import type { Awaitable, Reader, Writer } from '#store/store.ts'
import type { MembershipTable, SessionTable, UserTable } from '#store/tables.ts'

/** A session with its person, and what they are in the company that is looked at. */
export type OpenSession = Pick<SessionTable, 'companyId' | 'createdAt' | 'seenAt'> &
  Pick<UserTable, 'email' | 'isOperator'> &
  Pick<MembershipTable, 'userId' | 'role' | 'departments'>

export const insertSession = (writer: Writer, session: SessionTable): Awaitable<void> =>
  writer.run(insertSessionStatement, { ...session })

/** None when the person was changed or shut out, or left the company, since it began. */
export const findSession = (reader: Reader, idHash: string): Awaitable<OpenSession | undefined> =>
  reader.first(findSessionStatement, { idHash })

export const noteSession = (writer: Writer, idHash: string, seenAt: number): Awaitable<void> =>
  writer.run(noteSessionStatement, { idHash, seenAt })

export const deleteSession = (writer: Writer, idHash: string): Awaitable<void> =>
  writer.run(deleteSessionStatement, { idHash })

/** Deletes sessions that began before this moment, in microseconds. */
export const deleteSessionsBefore = (writer: Writer, before: number): Awaitable<void> =>
  writer.run(deleteBeforeStatement, { before })

const insertSessionStatement = statement(({ db, values }) =>
  db
    .insertInto('session')
    .values(values('idHash', 'companyId', 'userId', 'userVersion', 'createdAt', 'seenAt')),
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
    .select([
      'session.companyId',
      'session.createdAt',
      'session.seenAt',
      'user.email',
      'user.isOperator',
      'membership.userId',
      'membership.role',
      'membership.departments',
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

const deleteBeforeStatement = statement(({ db, value }) =>
  db.deleteFrom('session').where('createdAt', '<', value('before')),
)
