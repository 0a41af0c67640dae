// Passkeys of users.
import { command, commandChanges, rowsQuery, rowQuery } from '../queries.ts'
import type { UserPasskeyTable } from '../tables/accounts.ts'

/** False where a passkey with this id exists. */
export const insertPasskey = commandChanges<UserPasskeyTable>(({ db, values }) =>
  db
    .insertInto('userPasskey')
    .values(values('id', 'userId', 'publicKey', 'counter', 'agent', 'createdAt', 'usedAt'))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id'),
)

export const findPasskey = rowQuery<{ id: string }, UserPasskeyTable>(({ db, value }) =>
  db.selectFrom('userPasskey').selectAll().where('id', '=', value('id')),
)

export const listPasskeys = rowsQuery<{ userId: number }, UserPasskeyTable>(({ db, value }) =>
  db.selectFrom('userPasskey').selectAll().where('userId', '=', value('userId')).orderBy('createdAt'),
)

/** Records a use; false where the signature counter has not increased, so that the passkey was cloned. */
export const recordPasskeyUse = commandChanges<Pick<UserPasskeyTable, 'id' | 'counter' | 'usedAt'>>(
  ({ db, value, values }) =>
    db
      .updateTable('userPasskey')
      .set(values('counter', 'usedAt'))
      .where('id', '=', value('id'))
      .where((eb) => eb.or([eb('counter', '<', value('counter')), eb('counter', '=', eb.lit(0))]))
      .returning('id'),
)

/** False where the user has no such passkey. */
export const deletePasskey = commandChanges<{ userId: number; id: string }>(({ db, value }) =>
  db.deleteFrom('userPasskey').where('userId', '=', value('userId')).where('id', '=', value('id')).returning('id'),
)

export const deletePasskeys = command<{ userId: number }>(({ db, value }) =>
  db.deleteFrom('userPasskey').where('userId', '=', value('userId')),
)
