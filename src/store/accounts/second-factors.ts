// Second factors of users: the TOTP seed, recovery codes and trusted devices.
import { deleteBefore, deleteReturning, deleteWhere, insertInto, selectWhere, updateWhere } from '../row-statements.ts'
import { command, commandChanges, rowsQuery, rowQuery } from '../queries.ts'
import { sql } from 'kysely'
import type { Reader, Writer } from '../store.ts'
import type { TrustedDeviceTable, UserFactorTable } from '../tables/accounts.ts'

/** Inserts a seed, or replaces one that was never confirmed; false where the user has a confirmed factor. */
export const saveUnconfirmedFactor = commandChanges<Pick<UserFactorTable, 'userId' | 'encryptedSeed'>>(
  ({ value }) => sql`
    insert into "userFactor" ("userId", "encryptedSeed", "lastStep")
    values (${value('userId')}, ${value('encryptedSeed')}, 0)
    on conflict ("userId") do update set "encryptedSeed" = excluded."encryptedSeed"
      where "userFactor"."confirmedAt" is null
    returning "userId"`,
)

export const findFactor = rowQuery(selectWhere('userFactor', ['userId']))

/** Sign-in requires the factor from now on; false where another request was first. */
export const confirmFactor = commandChanges<Pick<UserFactorTable, 'userId' | 'confirmedAt' | 'lastStep'>>(
  ({ value }) => sql`
    update "userFactor" set "confirmedAt" = ${value('confirmedAt')}, "lastStep" = ${value('lastStep')}
    where "userId" = ${value('userId')} and "confirmedAt" is null returning "userId"`,
)

/** Marks the code of a time step as used; of several concurrent requests with one code, one gets true. */
export const consumeTotpStep = commandChanges<{ userId: number; lastStep: number }>(
  ({ value }) => sql`
    update "userFactor" set "lastStep" = ${value('lastStep')}
    where "userId" = ${value('userId')} and "confirmedAt" is not null and "lastStep" < ${value('lastStep')}
    returning "userId"`,
)

/** Deletes the factor with its recovery codes and trusted devices. */
export async function deleteFactor(writer: Writer, userId: number): Promise<void> {
  await deleteFactorRow(writer, { userId })
  await deleteCodes(writer, { userId })
  await deleteDevices(writer, { userId })
}

/** Deletes the previous codes and inserts these. */
export async function replaceRecoveryCodes(writer: Writer, userId: number, hashes: readonly string[]): Promise<void> {
  await deleteCodes(writer, { userId })
  for (const codeHash of hashes) await insertCode(writer, { userId, codeHash })
}

/** Deletes the code; of several concurrent requests with one code, one gets true. */
export const consumeRecoveryCode = commandChanges(deleteReturning('recoveryCode', 'userId', 'codeHash'))

export async function countRecoveryCodes(reader: Reader, userId: number): Promise<number> {
  return (await listCodes(reader, { userId })).length
}

export const insertDevice = command(
  insertInto('trustedDevice', 'userId', 'secretHash', 'userVersion', 'agent', 'createdAt', 'seenAt'),
)

/** A device that was trusted after this time, in microseconds, and after the last change of the user. */
export const findDevice = rowQuery<
  Pick<TrustedDeviceTable, 'userId' | 'secretHash' | 'userVersion'> & { since: number },
  TrustedDeviceTable
>(
  ({ value }) => sql`
    select * from "trustedDevice" where "userId" = ${value('userId')} and "secretHash" = ${value('secretHash')}
      and "userVersion" = ${value('userVersion')} and "createdAt" > ${value('since')}`,
)

export const recordDeviceUse = command(updateWhere('trustedDevice', ['userId', 'secretHash'], ['seenAt']))

/** A trusted device as its user sees it in the list. */
type DeviceSummary = Pick<TrustedDeviceTable, 'agent' | 'createdAt' | 'seenAt'> & { readonly id: string }

export const listDevices = rowsQuery<{ userId: number; since: number }, DeviceSummary>(
  ({ value }) => sql`
    select device."secretHash" as id, device.agent, device."createdAt", device."seenAt" from "trustedDevice" as device
    join "user" on "user".id = device."userId" and "user".version = device."userVersion"
    where device."userId" = ${value('userId')} and device."createdAt" > ${value('since')}
    order by device."seenAt" desc`,
)

export const deleteDevice = commandChanges(deleteReturning('trustedDevice', 'userId', 'secretHash'))

export const deleteDevicesBefore = command(deleteBefore('trustedDevice', 'createdAt'))

const deleteFactorRow = command(deleteWhere('userFactor', 'userId'))
const deleteCodes = command(deleteWhere('recoveryCode', 'userId'))
const deleteDevices = command(deleteWhere('trustedDevice', 'userId'))

const insertCode = command(insertInto('recoveryCode', 'userId', 'codeHash'))
const listCodes = rowsQuery(selectWhere('recoveryCode', ['userId']))
