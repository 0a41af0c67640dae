// Passkeys of users.
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { UserPasskeyTable } from '../tables/accounts.ts'

/** False where a passkey with this id exists. */
export async function insertPasskey(writer: Writer, passkey: UserPasskeyTable): Promise<boolean> {
  return (await writer.first(insertStatement, { ...passkey })) !== undefined
}

export function findPasskey(reader: Reader, id: string): Awaitable<UserPasskeyTable | undefined> {
  return reader.first(findStatement, { id })
}

export function listPasskeys(reader: Reader, userId: number): Awaitable<UserPasskeyTable[]> {
  return reader.all(listStatement, { userId })
}

/** Records a use; false where the signature counter has not increased, so that the passkey was cloned. */
export async function recordPasskeyUse(
  writer: Writer,
  passkey: Pick<UserPasskeyTable, 'id' | 'counter' | 'usedAt'>,
): Promise<boolean> {
  return (await writer.first(recordUseStatement, { ...passkey })) !== undefined
}

/** False where the user has no such passkey. */
export async function deletePasskey(writer: Writer, userId: number, id: string): Promise<boolean> {
  return (await writer.first(deleteStatement, { userId, id })) !== undefined
}

export function deletePasskeys(writer: Writer, userId: number): Awaitable<void> {
  return writer.run(deleteAllStatement, { userId })
}

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
  db.selectFrom('userPasskey').selectAll().where('userId', '=', value('userId')).orderBy('createdAt'),
)

const recordUseStatement = statement<{ id: string }>(({ db, value, values }) =>
  db
    .updateTable('userPasskey')
    .set(values('counter', 'usedAt'))
    .where('id', '=', value('id'))
    .where((eb) => eb.or([eb('counter', '<', value('counter')), eb('counter', '=', eb.lit(0))]))
    .returning('id'),
)

const deleteStatement = statement<{ id: string }>(({ db, value }) =>
  db.deleteFrom('userPasskey').where('userId', '=', value('userId')).where('id', '=', value('id')).returning('id'),
)

const deleteAllStatement = statement(({ db, value }) =>
  db.deleteFrom('userPasskey').where('userId', '=', value('userId')),
)
