// Credentials: passwords and API keys of companies, and the addresses they were used from.
import type { CompanyId } from '../../engine/model/resource.ts'
import { crossCompanyStatement, statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { CredentialTable, KnownAddressTable } from '../tables/accounts.ts'

export function insertCredential(writer: Writer, credential: CredentialTable): Awaitable<void> {
  return writer.run(insertCredentialStatement, { ...credential })
}

/** The passwords of a company that are not revoked; also expired ones, so that the error can say so. */
export function listActivePasswords(reader: Reader, companyId: number): Awaitable<CredentialTable[]> {
  return reader.all(passwordsStatement, { companyId })
}

/** A credential by the id in its secret; ids are unique over all companies. */
export function findCredential(reader: Reader, id: string): Awaitable<CredentialTable | undefined> {
  return reader.first(credentialByIdStatement, { id })
}

export function listCredentials(reader: Reader, companyId: number): Awaitable<CredentialTable[]> {
  return reader.all(listCredentialsStatement, { companyId })
}

/** What logs refer to: all credentials, also revoked ones, in no order and without their secrets. */
export function listCredentialNames(reader: Reader, companyId: number): Awaitable<CredentialName[]> {
  return reader.all(credentialNamesStatement, { companyId })
}

export type CredentialName = Pick<CredentialTable, 'id' | 'kind' | 'owner' | 'name'>

/** The owner of the passwords that belong to the company itself, and to no integration. */
export const companyPasswordOwner = 'password'

/** What a cached credential depends on, in one indexed read: its version, and whether its company is closed. */
export function getCredentialVersion(
  reader: Reader,
  { companyId, id }: { readonly companyId: CompanyId; readonly id: string },
): Awaitable<{ version: number; companyDisabledAt: number | null } | undefined> {
  return reader.first(credentialVersionStatement, { companyId, id })
}

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
export function updateCredential(writer: Writer, credential: CredentialTable): Awaitable<void> {
  return writer.run(updateCredentialStatement, {
    id: credential.id,
    secretKind: credential.secretKind,
    secretHash: credential.secretHash,
    scopes: credential.scopes,
    allowedNetworks: credential.allowedNetworks,
    expiresAt: credential.expiresAt,
    revokedAt: credential.revokedAt,
  })
}

/** Sets the last use without a new version, because no cache depends on it. */
export function recordCredentialUse(writer: Writer, id: string, at: number): Awaitable<void> {
  return writer.run(recordUseStatement, { id, at })
}

export function findKnownAddress(
  reader: Reader,
  companyId: number,
  address: string,
): Awaitable<KnownAddressTable | undefined> {
  return reader.first(knownAddressStatement, { companyId, address })
}

export function recordKnownAddress(writer: Writer, known: KnownAddressTable): Awaitable<void> {
  return writer.run(recordAddressStatement, { ...known })
}

const insertCredentialStatement = statement(({ db, values }) =>
  db
    .insertInto('credential')
    .values(
      values(
        'companyId',
        'id',
        'kind',
        'name',
        'owner',
        'secretKind',
        'secretHash',
        'scopes',
        'allowedNetworks',
        'version',
        'createdAt',
        'expiresAt',
        'lastUsedAt',
        'revokedAt',
      ),
    ),
)

const passwordsStatement = statement<CredentialTable>(({ db, value }) =>
  db
    .selectFrom('credential')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('kind', '=', 'password')
    .where('revokedAt', 'is', null)
    .orderBy('createdAt'),
)

const credentialByIdStatement = crossCompanyStatement<CredentialTable>(({ db, value }) =>
  db.selectFrom('credential').selectAll().where('id', '=', value('id')),
)

const listCredentialsStatement = statement<CredentialTable>(({ db, value }) =>
  db
    .selectFrom('credential')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .orderBy('createdAt')
    .orderBy('id'),
)

const credentialNamesStatement = statement<CredentialName>(({ db, value }) =>
  db.selectFrom('credential').select(['id', 'kind', 'owner', 'name']).where('companyId', '=', value('companyId')),
)

const credentialVersionStatement = statement<{ version: number; companyDisabledAt: number | null }>(({ db, value }) =>
  db
    .selectFrom('credential')
    .innerJoin('company', 'company.id', 'credential.companyId')
    .select(['credential.version', 'company.disabledAt as companyDisabledAt'])
    .where('credential.companyId', '=', value('companyId'))
    .where('credential.id', '=', value('id')),
)

const deleteTrialKeysStatement = crossCompanyStatement(({ db, value }) =>
  db
    .deleteFrom('credential')
    .where('companyId', 'in', (eb) =>
      eb.selectFrom('membership').select('companyId').where('userId', '=', value('userId')),
    )
    .where('owner', '=', value('owner')),
)

const updateCredentialStatement = crossCompanyStatement(({ db, value, values }) =>
  db
    .updateTable('credential')
    .set(values('secretKind', 'secretHash', 'scopes', 'allowedNetworks', 'expiresAt', 'revokedAt'))
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

const recordUseStatement = crossCompanyStatement(({ db, value }) =>
  db
    .updateTable('credential')
    .set({ lastUsedAt: value('at') })
    .where('id', '=', value('id')),
)

const knownAddressStatement = statement<KnownAddressTable>(({ db, value }) =>
  db
    .selectFrom('knownAddress')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('address', '=', value('address')),
)

const recordAddressStatement = statement(({ db, value, values }) =>
  db
    .insertInto('knownAddress')
    .values(values('companyId', 'address', 'succeededAt'))
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'address']).doUpdateSet({ succeededAt: value('succeededAt') }),
    ),
)
