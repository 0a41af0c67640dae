// Passkeys of people.
import { statement } from '#store/statement.ts'
import type { Awaitable, Reader, Writer } from '#store/store.ts'
import type { UserPasskeyTable } from '#store/tables/accounts.ts'

/** False where there is one with this id. */
export const insertPasskey = async (writer: Writer, passkey: UserPasskeyTable): Promise<boolean> =>
  (await writer.first(insertStatement, { ...passkey })) !== undefined

export const findPasskey = (reader: Reader, id: string): Awaitable<UserPasskeyTable | undefined> =>
  reader.first(findStatement, { id })

export const listPasskeys = (reader: Reader, userId: number): Awaitable<UserPasskeyTable[]> =>
  reader.all(listStatement, { userId })

/** Notes a use; false where one that counts its uses has not counted on, and so has a copy. */
export const notePasskey = async (
  writer: Writer,
  passkey: Pick<UserPasskeyTable, 'id' | 'counter' | 'usedAt'>,
): Promise<boolean> => (await writer.first(noteStatement, { ...passkey })) !== undefined

/** False where it is not the person's. */
export const deletePasskey = async (writer: Writer, userId: number, id: string): Promise<boolean> =>
  (await writer.first(deleteStatement, { userId, id })) !== undefined

export const deletePasskeys = (writer: Writer, userId: number): Awaitable<void> =>
  writer.run(deleteAllStatement, { userId })

const insertStatement = statement<{ id: string }>(({ db, values }) =>
  db
    .insertInto('userPasskey')
    .values(values('id', 'userId', 'publicKey', 'counter', 'agent', 'createdAt', 'usedAt'))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id'),
)

const findStatement = statement<UserPasskeyTable>(({ db, value }) =>
  db.selectFrom('userPasskey').selectAll().where('id', '=', value('id')),
)

const listStatement = statement<UserPasskeyTable>(({ db, value }) =>
  db
    .selectFrom('userPasskey')
    .selectAll()
    .where('userId', '=', value('userId'))
    .orderBy('createdAt'),
)

const noteStatement = statement<{ id: string }>(({ db, value, values }) =>
  db
    .updateTable('userPasskey')
    .set(values('counter', 'usedAt'))
    .where('id', '=', value('id'))
    .where((eb) => eb.or([eb('counter', '<', value('counter')), eb('counter', '=', eb.lit(0))]))
    .returning('id'),
)

const deleteStatement = statement<{ id: string }>(({ db, value }) =>
  db
    .deleteFrom('userPasskey')
    .where('userId', '=', value('userId'))
    .where('id', '=', value('id'))
    .returning('id'),
)

const deleteAllStatement = statement(({ db, value }) =>
  db.deleteFrom('userPasskey').where('userId', '=', value('userId')),
)
