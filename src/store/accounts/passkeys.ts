// Passkeys of users.
import { deleteReturning, deleteWhere, selectWhere } from '../row-statements.ts'
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

export const findPasskey = rowQuery(selectWhere('userPasskey', ['id']))

export const listPasskeys = rowsQuery(selectWhere('userPasskey', ['userId'], { orderBy: ['createdAt'] }))

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
export const deletePasskey = commandChanges(deleteReturning('userPasskey', 'userId', 'id'))

export const deletePasskeys = command(deleteWhere('userPasskey', 'userId'))
