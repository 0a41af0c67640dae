// Second factors of users: the TOTP seed, recovery codes and trusted devices.
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { RecoveryCodeTable, TrustedDeviceTable, UserFactorTable } from '../tables/accounts.ts'

/** Inserts a seed, or replaces one that was never confirmed; false where the user has a confirmed factor. */
export async function saveUnconfirmedFactor(
  writer: Writer,
  factor: Pick<UserFactorTable, 'userId' | 'encryptedSeed'>,
): Promise<boolean> {
  return (await writer.first(saveUnconfirmedStatement, { ...factor })) !== undefined
}

export function findFactor(reader: Reader, userId: number): Awaitable<UserFactorTable | undefined> {
  return reader.first(findStatement, { userId })
}

/** Sign-in requires the factor from now on; false where another request was first. */
export async function confirmFactor(
  writer: Writer,
  factor: Pick<UserFactorTable, 'userId' | 'confirmedAt' | 'lastStep'>,
): Promise<boolean> {
  return (await writer.first(confirmStatement, { ...factor })) !== undefined
}

/** Marks the code of a time step as used; of several concurrent requests with one code, one gets true. */
export async function consumeTotpStep(writer: Writer, userId: number, lastStep: number): Promise<boolean> {
  return (await writer.first(consumeStepStatement, { userId, lastStep })) !== undefined
}

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
export async function consumeRecoveryCode(writer: Writer, code: RecoveryCodeTable): Promise<boolean> {
  return (await writer.first(consumeCodeStatement, { ...code })) !== undefined
}

export async function countRecoveryCodes(reader: Reader, userId: number): Promise<number> {
  return Number((await reader.first(countCodesStatement, { userId }))?.count)
}

export function insertDevice(writer: Writer, device: TrustedDeviceTable): Awaitable<void> {
  return writer.run(insertDeviceStatement, { ...device })
}

/** A device that was trusted after this time, in microseconds, and after the last change of the user. */
export function findDevice(
  reader: Reader,
  device: Pick<TrustedDeviceTable, 'userId' | 'secretHash' | 'userVersion'>,
  since: number,
): Awaitable<TrustedDeviceTable | undefined> {
  return reader.first(findDeviceStatement, { ...device, since })
}

export function recordDeviceUse(
  writer: Writer,
  device: Pick<TrustedDeviceTable, 'userId' | 'secretHash' | 'seenAt'>,
): Awaitable<void> {
  return writer.run(recordDeviceStatement, { ...device })
}

export function listDevices(reader: Reader, userId: number, since: number): Awaitable<TrustedDeviceTable[]> {
  return reader.all(listDevicesStatement, { userId, since })
}

export async function deleteDevice(
  writer: Writer,
  device: Pick<TrustedDeviceTable, 'userId' | 'secretHash'>,
): Promise<boolean> {
  return (await writer.first(deleteDeviceStatement, { ...device })) !== undefined
}

export function deleteDevicesBefore(writer: Writer, before: number): Awaitable<void> {
  return writer.run(deleteDevicesBeforeStatement, { before })
}

const saveUnconfirmedStatement = statement<{ userId: number }>(({ db, value, values }) =>
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

const findStatement = statement<UserFactorTable>(({ db, value }) =>
  db.selectFrom('userFactor').selectAll().where('userId', '=', value('userId')),
)

const confirmStatement = statement<{ userId: number }>(({ db, value, values }) =>
  db
    .updateTable('userFactor')
    .set(values('confirmedAt', 'lastStep'))
    .where('userId', '=', value('userId'))
    .where('confirmedAt', 'is', null)
    .returning('userId'),
)

const consumeStepStatement = statement<{ userId: number }>(({ db, value, values }) =>
  db
    .updateTable('userFactor')
    .set(values('lastStep'))
    .where('userId', '=', value('userId'))
    .where('confirmedAt', 'is not', null)
    .where('lastStep', '<', value('lastStep'))
    .returning('userId'),
)

const deleteFactorStatement = statement(({ db, value }) =>
  db.deleteFrom('userFactor').where('userId', '=', value('userId')),
)

const deleteCodesStatement = statement(({ db, value }) =>
  db.deleteFrom('recoveryCode').where('userId', '=', value('userId')),
)

const deleteDevicesStatement = statement(({ db, value }) =>
  db.deleteFrom('trustedDevice').where('userId', '=', value('userId')),
)

const insertCodeStatement = statement(({ db, values }) =>
  db.insertInto('recoveryCode').values(values('userId', 'codeHash')),
)

const consumeCodeStatement = statement<RecoveryCodeTable>(({ db, value }) =>
  db
    .deleteFrom('recoveryCode')
    .where('userId', '=', value('userId'))
    .where('codeHash', '=', value('codeHash'))
    .returningAll(),
)

const countCodesStatement = statement<{ count: number }>(({ db, value }) =>
  db
    .selectFrom('recoveryCode')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', value('userId')),
)

const insertDeviceStatement = statement(({ db, values }) =>
  db.insertInto('trustedDevice').values(values('userId', 'secretHash', 'userVersion', 'agent', 'createdAt', 'seenAt')),
)

const findDeviceStatement = statement<TrustedDeviceTable>(({ db, value }) =>
  db
    .selectFrom('trustedDevice')
    .selectAll()
    .where('userId', '=', value('userId'))
    .where('secretHash', '=', value('secretHash'))
    .where('userVersion', '=', value('userVersion'))
    .where('createdAt', '>', value('since')),
)

const recordDeviceStatement = statement(({ db, value, values }) =>
  db
    .updateTable('trustedDevice')
    .set(values('seenAt'))
    .where('userId', '=', value('userId'))
    .where('secretHash', '=', value('secretHash')),
)

const listDevicesStatement = statement<TrustedDeviceTable>(({ db, value }) =>
  db
    .selectFrom('trustedDevice')
    .innerJoin('user', 'user.id', 'trustedDevice.userId')
    .selectAll('trustedDevice')
    .where('trustedDevice.userId', '=', value('userId'))
    .whereRef('trustedDevice.userVersion', '=', 'user.version')
    .where('trustedDevice.createdAt', '>', value('since'))
    .orderBy('trustedDevice.seenAt', 'desc'),
)

const deleteDeviceStatement = statement<{ userId: number }>(({ db, value }) =>
  db
    .deleteFrom('trustedDevice')
    .where('userId', '=', value('userId'))
    .where('secretHash', '=', value('secretHash'))
    .returning('userId'),
)

const deleteDevicesBeforeStatement = statement(({ db, value }) =>
  db.deleteFrom('trustedDevice').where('createdAt', '<', value('before')),
)
