// Second factors of people: the app's seed, recovery codes, and devices that are trusted.
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { RecoveryCodeTable, TrustedDeviceTable, UserFactorTable } from '../tables/accounts.ts'

/** Puts a seed in place of one that was never confirmed; false where the person has a factor. */
export async function offerFactor(
  writer: Writer,
  factor: Pick<UserFactorTable, 'userId' | 'sealedSeed'>,
): Promise<boolean> {
  return (await writer.first(offerStatement, { ...factor })) !== undefined
}

export function findFactor(reader: Reader, userId: number): Awaitable<UserFactorTable | undefined> {
  return reader.first(findStatement, { userId })
}

/** From now on it is asked for; false where another request was first. */
export async function confirmFactor(
  writer: Writer,
  factor: Pick<UserFactorTable, 'userId' | 'confirmedAt' | 'lastStep'>,
): Promise<boolean> {
  return (await writer.first(confirmStatement, { ...factor })) !== undefined
}

/** Takes the code of a step; of several who try one at once, one is told that it did. */
export async function takeStep(writer: Writer, userId: number, lastStep: number): Promise<boolean> {
  return (await writer.first(takeStepStatement, { userId, lastStep })) !== undefined
}

/** With all that hangs on it. */
export async function removeFactor(writer: Writer, userId: number): Promise<void> {
  await writer.run(deleteFactorStatement, { userId })
  await writer.run(deleteCodesStatement, { userId })
  await writer.run(deleteDevicesStatement, { userId })
}

/** In place of those that there were. */
export async function replaceRecoveryCodes(
  writer: Writer,
  userId: number,
  hashes: readonly string[],
): Promise<void> {
  await writer.run(deleteCodesStatement, { userId })
  for (const codeHash of hashes) await writer.run(insertCodeStatement, { userId, codeHash })
}

/** Of several who try one at once, one is told that it did. */
export async function takeRecoveryCode(writer: Writer, code: RecoveryCodeTable): Promise<boolean> {
  return (await writer.first(takeCodeStatement, { ...code })) !== undefined
}

export async function countRecoveryCodes(reader: Reader, userId: number): Promise<number> {
  return Number((await reader.first(countCodesStatement, { userId }))?.count)
}

export function insertDevice(writer: Writer, device: TrustedDeviceTable): Awaitable<void> {
  return writer.run(insertDeviceStatement, { ...device })
}

/** Trusted since the person was changed last, and since this moment, in microseconds. */
export function findDevice(
  reader: Reader,
  device: Pick<TrustedDeviceTable, 'userId' | 'secretHash' | 'userVersion'>,
  since: number,
): Awaitable<TrustedDeviceTable | undefined> {
  return reader.first(findDeviceStatement, { ...device, since })
}

export function noteDevice(
  writer: Writer,
  device: Pick<TrustedDeviceTable, 'userId' | 'secretHash' | 'seenAt'>,
): Awaitable<void> {
  return writer.run(noteDeviceStatement, { ...device })
}

export function listDevices(
  reader: Reader,
  userId: number,
  since: number,
): Awaitable<TrustedDeviceTable[]> {
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

const offerStatement = statement<{ userId: number }>(({ db, value, values }) =>
  db
    .insertInto('userFactor')
    .values((eb) => ({
      ...values('userId', 'sealedSeed'),
      confirmedAt: eb.val(null),
      lastStep: eb.lit(0),
    }))
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ sealedSeed: value('sealedSeed') })
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

const takeStepStatement = statement<{ userId: number }>(({ db, value, values }) =>
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

const takeCodeStatement = statement<RecoveryCodeTable>(({ db, value }) =>
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
  db
    .insertInto('trustedDevice')
    .values(values('userId', 'secretHash', 'userVersion', 'agent', 'createdAt', 'seenAt')),
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

const noteDeviceStatement = statement(({ db, value, values }) =>
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
