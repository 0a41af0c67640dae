// Second factors of users: the TOTP seed, recovery codes and trusted devices.
import { deleteReturning, deleteWhere, insertInto, selectWhere, updateWhere } from '../row-statements.ts'
import { command, commandChanges, rowsQuery, rowQuery } from '../queries.ts'
import { statement } from '../statement.ts'
import type { Reader, Writer } from '../store.ts'
import type { TrustedDeviceTable, UserFactorTable } from '../tables/accounts.ts'

/** Inserts a seed, or replaces one that was never confirmed; false where the user has a confirmed factor. */
export const saveUnconfirmedFactor = commandChanges<Pick<UserFactorTable, 'userId' | 'encryptedSeed'>>(
  ({ db, value, values }) =>
    db
      .insertInto('userFactor')
      .values((eb) => ({ ...values('userId', 'encryptedSeed'), confirmedAt: eb.val(null), lastStep: eb.lit(0) }))
      .onConflict((conflict) =>
        conflict
          .column('userId')
          .doUpdateSet({ encryptedSeed: value('encryptedSeed') })
          .where('userFactor.confirmedAt', 'is', null),
      )
      .returning('userId'),
)

export const findFactor = rowQuery(selectWhere('userFactor', ['userId']))

/** Sign-in requires the factor from now on; false where another request was first. */
export const confirmFactor = commandChanges<Pick<UserFactorTable, 'userId' | 'confirmedAt' | 'lastStep'>>(
  ({ db, value, values }) =>
    db
      .updateTable('userFactor')
      .set(values('confirmedAt', 'lastStep'))
      .where('userId', '=', value('userId'))
      .where('confirmedAt', 'is', null)
      .returning('userId'),
)

/** Marks the code of a time step as used; of several concurrent requests with one code, one gets true. */
export const consumeTotpStep = commandChanges<{ userId: number; lastStep: number }>(({ db, value, values }) =>
  db
    .updateTable('userFactor')
    .set(values('lastStep'))
    .where('userId', '=', value('userId'))
    .where('confirmedAt', 'is not', null)
    .where('lastStep', '<', value('lastStep'))
    .returning('userId'),
)

/** Deletes the factor with its recovery codes and trusted devices. */
export async function deleteFactor(writer: Writer, userId: number): Promise<void> {
  await writer.run(deleteFactorStatement, { userId })
  await writer.run(deleteCodesStatement, { userId })
  await writer.run(deleteDevicesStatement, { userId })
}

/** Deletes the previous codes and inserts these. */
export async function replaceRecoveryCodes(writer: Writer, userId: number, hashes: readonly string[]): Promise<void> {
  await writer.run(deleteCodesStatement, { userId })
  for (const codeHash of hashes) await writer.run(insertCodeStatement, { userId, codeHash })
}

/** Deletes the code; of several concurrent requests with one code, one gets true. */
export const consumeRecoveryCode = commandChanges(deleteReturning('recoveryCode', 'userId', 'codeHash'))

export async function countRecoveryCodes(reader: Reader, userId: number): Promise<number> {
  return Number((await reader.first(countCodesStatement, { userId }))?.count)
}

export const insertDevice = command(
  insertInto('trustedDevice', 'userId', 'secretHash', 'userVersion', 'agent', 'createdAt', 'seenAt'),
)

/** A device that was trusted after this time, in microseconds, and after the last change of the user. */
export const findDevice = rowQuery<
  Pick<TrustedDeviceTable, 'userId' | 'secretHash' | 'userVersion'> & { since: number },
  TrustedDeviceTable
>(({ db, value }) =>
  db
    .selectFrom('trustedDevice')
    .selectAll()
    .where('userId', '=', value('userId'))
    .where('secretHash', '=', value('secretHash'))
    .where('userVersion', '=', value('userVersion'))
    .where('createdAt', '>', value('since')),
)

export const recordDeviceUse = command(updateWhere('trustedDevice', ['userId', 'secretHash'], ['seenAt']))

export const listDevices = rowsQuery<{ userId: number; since: number }, TrustedDeviceTable>(({ db, value }) =>
  db
    .selectFrom('trustedDevice')
    .innerJoin('user', 'user.id', 'trustedDevice.userId')
    .selectAll('trustedDevice')
    .where('trustedDevice.userId', '=', value('userId'))
    .whereRef('trustedDevice.userVersion', '=', 'user.version')
    .where('trustedDevice.createdAt', '>', value('since'))
    .orderBy('trustedDevice.seenAt', 'desc'),
)

export const deleteDevice = commandChanges(deleteReturning('trustedDevice', 'userId', 'secretHash'))

export const deleteDevicesBefore = command<{ before: number }>(({ db, value }) =>
  db.deleteFrom('trustedDevice').where('createdAt', '<', value('before')),
)

const deleteFactorStatement = statement(deleteWhere('userFactor', 'userId'))

const deleteCodesStatement = statement(deleteWhere('recoveryCode', 'userId'))

const deleteDevicesStatement = statement(deleteWhere('trustedDevice', 'userId'))

const insertCodeStatement = statement(insertInto('recoveryCode', 'userId', 'codeHash'))

const countCodesStatement = statement<{ count: number }>(({ db, value }) =>
  db
    .selectFrom('recoveryCode')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', value('userId')),
)
