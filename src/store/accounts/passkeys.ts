// Passkeys of users.
import { deleteReturning, deleteWhere, insertReturning, selectWhere } from '../row-statements.ts'
import { command, commandChanges, rowsQuery, rowQuery } from '../queries.ts'
import { sql } from 'kysely'
import type { UserPasskeyTable } from '../tables/accounts.ts'

/** False where a passkey with this id exists. */
export const insertPasskey = commandChanges(
  insertReturning('userPasskey', 'id', 'userId', 'publicKey', 'counter', 'agent', 'createdAt', 'usedAt'),
)

export const findPasskey = rowQuery(selectWhere('userPasskey', ['id']))

export const listPasskeys = rowsQuery(
  selectWhere('userPasskey', ['userId'], { columns: ['id', 'agent', 'createdAt', 'usedAt'], orderBy: ['createdAt'] }),
)

/** Records a use; false where the signature counter has not increased, so that the passkey was cloned. */
export const recordPasskeyUse = commandChanges<Pick<UserPasskeyTable, 'id' | 'counter' | 'usedAt'>>(
  ({ value }) => sql`
    update "userPasskey" set counter = ${value('counter')}, "usedAt" = ${value('usedAt')}
    where id = ${value('id')} and (counter < ${value('counter')} or counter = 0) returning id`,
)

/** False where the user has no such passkey. */
export const deletePasskey = commandChanges(deleteReturning('userPasskey', 'userId', 'id'))

export const deletePasskeys = command(deleteWhere('userPasskey', 'userId'))
