// Credentials: passwords and API keys of companies, and the addresses they were used from.
import { insertRow, selectWhere, upsertInto } from '../row-statements.ts'
import { command, rowsQuery, rowQuery } from '../queries.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { crossCompanyStatement } from '../statement.ts'
import type { Awaitable, Writer } from '../store.ts'
import { credential, type CredentialTable } from '../tables/accounts.ts'

export const insertCredential = command(insertRow(credential, 'destinationId'))

/** The passwords of a company that are not revoked; also expired ones, so that the error can say so. */
export const listActivePasswords = rowsQuery<{ companyId: number }, CredentialTable>(({ db, value }) =>
  db
    .selectFrom('credential')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('kind', '=', 'password')
    .where('revokedAt', 'is', null)
    .orderBy('createdAt'),
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
  ({ db, value }) =>
    db
      .selectFrom('credential')
      .innerJoin('company', 'company.id', 'credential.companyId')
      .select(['credential.version', 'company.disabledAt as companyDisabledAt'])
      .where('credential.companyId', '=', value('companyId'))
      .where('credential.id', '=', value('id')),
  'everyCompany',
)

/** The owner of the ten-minute key that a user tries API calls with (ADR 0050). */
export function trialKeyOwner(userId: number): string {
  return `${trialKeyOwnerPrefix}${userId}`
}

/** The prefix of the owner of every such key. */
export const trialKeyOwnerPrefix = 'docs:user:'

/** Called with every change of what a user may do. Deletes the keys in every company, because nothing refers to them. */
export function deleteTrialKeys(writer: Writer, userId: number): Awaitable<void> {
  return writer.run(deleteTrialKeysStatement, { userId, owner: trialKeyOwner(userId) })
}

/** Updates a credential and increments its version, so that every cache drops it. */
export const updateCredential = command<CredentialTable>(
  ({ db, value, values }) =>
    db
      .updateTable('credential')
      .set(values('secretKind', 'secretHash', 'scopes', 'allowedNetworks', 'expiresAt', 'revokedAt'))
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('id', '=', value('id')),
  'everyCompany',
)

/** Sets the last use without a new version, because no cache depends on it. */
export const recordCredentialUse = command<{ id: string; at: number }>(
  ({ db, value }) =>
    db
      .updateTable('credential')
      .set({ lastUsedAt: value('at') })
      .where('id', '=', value('id')),
  'everyCompany',
)

export const findKnownAddress = rowQuery(selectWhere('knownAddress', ['companyId', 'address']))

export const recordKnownAddress = command(upsertInto('knownAddress', ['companyId', 'address'], ['succeededAt']))

const deleteTrialKeysStatement = crossCompanyStatement(({ db, value }) =>
  db
    .deleteFrom('credential')
    .where('companyId', 'in', (eb) =>
      eb.selectFrom('membership').select('companyId').where('userId', '=', value('userId')),
    )
    .where('owner', '=', value('owner')),
)
