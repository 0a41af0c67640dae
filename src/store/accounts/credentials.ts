// Credentials: passwords and API keys of companies, and the addresses they were used from.
import { deleteBefore, insertRow, nextVersion, selectWhere, updateWhere, upsertInto } from '../row-statements.ts'
import { command, rowsQuery, rowQuery } from '../queries.ts'
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Awaitable, Writer } from '../store.ts'
import { credential, type CredentialTable } from '../tables/accounts.ts'

export const insertCredential = command(insertRow(credential, 'destinationId'))

/** The passwords of a company that are not revoked; also expired ones, so that the error can say so. */
export const listActivePasswords = rowsQuery<{ companyId: number }, CredentialTable>(
  ({ value }) => sql`
    select * from credential where "companyId" = ${value('companyId')} and kind = 'password' and "revokedAt" is null
    order by "createdAt"`,
)

/** A credential by the id in its secret; ids are unique over all companies. */
export const findCredential = rowQuery(selectWhere('credential', ['id']), 'everyCompany')

export const listCredentials = rowsQuery(selectWhere('credential', ['companyId'], { orderBy: ['createdAt', 'id'] }))

/** What logs refer to: all credentials, also revoked ones, in no order and without their secrets. */
export const listCredentialNames = rowsQuery(
  selectWhere('credential', ['companyId'], { columns: ['id', 'kind', 'owner', 'name'] }),
)

/** The owner of the passwords that belong to the company itself, and to no integration. */
export const companyPasswordOwner = 'password'

/**
 * What a cached credential depends on, in one indexed read: its version, and whether its company is closed. Across
 * companies, so that on PostgreSQL the credentials of all companies are read in one message.
 */
export const getCredentialVersion = rowQuery<
  { companyId: CompanyId; id: string },
  { version: number; companyDisabledAt: number | null }
>(
  ({ value }) => sql`
    select credential.version, company."disabledAt" as "companyDisabledAt"
    from credential join company on company.id = credential."companyId"
    where credential."companyId" = ${value('companyId')} and credential.id = ${value('id')}`,
  'everyCompany',
)

/** The owner of the ten-minute key that a user tries API calls with (ADR 0046). */
export function trialKeyOwner(userId: number): string {
  return `${trialKeyOwnerPrefix}${userId}`
}

/** The prefix of the owner of every such key. */
export const trialKeyOwnerPrefix = 'docs:user:'

/** Called with every change of what a user may do. Deletes the keys in every company, because nothing refers to them. */
export function deleteTrialKeys(writer: Writer, userId: number): Awaitable<void> {
  return deleteKeysOf(writer, { userId, owner: trialKeyOwner(userId) })
}

/** Updates a credential and increments its version, so that every cache drops it. */
export const updateCredential = command(
  updateWhere(
    'credential',
    ['id'],
    ['secretKind', 'secretHash', 'scopes', 'allowedNetworks', 'expiresAt', 'revokedAt'],
    nextVersion,
  ),
  'everyCompany',
)

/** Sets the last use without a new version, because no cache depends on it. */
export const recordCredentialUse = command(updateWhere('credential', ['id'], ['lastUsedAt']), 'everyCompany')

export const findKnownAddress = rowQuery(selectWhere('knownAddress', ['companyId', 'address']))

export const deleteKnownAddressesBefore = command(deleteBefore('knownAddress', 'succeededAt'), 'everyCompany')

export const recordKnownAddress = command(upsertInto('knownAddress', ['companyId', 'address'], ['succeededAt']))

const deleteKeysOf = command<{ userId: number; owner: string }>(
  ({ value }) => sql`
    delete from credential where owner = ${value('owner')}
      and "companyId" in (select "companyId" from membership where "userId" = ${value('userId')})`,
  'everyCompany',
)
