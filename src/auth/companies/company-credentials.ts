// Credentials of a company's integrations, API keys and passwords: create, rotate and revoke.
import {
  createCredential,
  defaultKeyLifetimeDays,
  type CryptoContext,
  type IntegrationTerms,
  type NewCredential,
} from '../tokens/credential-factory.ts'
import { parseScopes } from '../scopes.ts'
import { ApiError, notFoundError } from '../../errors/api-error.ts'
import {
  findCredential,
  insertCredential,
  listCredentials,
  updateCredential,
} from '../../store/accounts/credentials.ts'
import { assignCredential, getCredentialDestination } from '../../store/export/destinations.ts'
import type { Reader, Transaction } from '../../store/store.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

export type CredentialState = 'live' | 'expired' | 'revoked'

/** `now` in microseconds. */
export function credentialState(
  { revokedAt, expiresAt }: Pick<CredentialTable, 'revokedAt' | 'expiresAt'>,
  now: number,
): CredentialState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'live'
}

/** Throws `AlreadyExists` when the integration already has an active one of this kind, which should be rotated instead. */
export async function addCredential(
  transaction: Transaction,
  cryptoContext: CryptoContext,
  terms: Omit<IntegrationTerms, 'companyId'>,
): Promise<NewCredential> {
  const created = createCredential(cryptoContext, { ...terms, companyId: transaction.companyId })
  if ((await listActive(transaction, created.row, cryptoContext)).length > 0)
    throw new ApiError('AlreadyExists', { params: { what: created.row.name } })
  await insertCredential(transaction, created.row)
  return created
}

/**
 * Creates a second one with the same terms and destination, and a lifetime in days where one is given. Throws
 * `NotFound`, `TooManyActiveKeys`.
 */
export async function rotateCredential(
  transaction: Transaction,
  cryptoContext: CryptoContext,
  id: string,
  lifetimeDays?: number | null,
): Promise<NewCredential> {
  const { companyId } = transaction
  const old = await getCompanyCredential(transaction, id)
  const { kind, name, owner, allowedNetworks } = old
  if ((await listActive(transaction, old, cryptoContext)).length > 1)
    throw new ApiError('TooManyActiveKeys', { params: { name } })
  const sameDays = old.expiresAt === null ? null : defaultKeyLifetimeDays
  const { secret, row: made } = createCredential(cryptoContext, {
    companyId,
    kind,
    name,
    scopes: parseScopes(old.scopes).scopes,
    allowedNetworks: null,
    expiresInDays: lifetimeDays === undefined ? sameDays : lifetimeDays,
  })
  const row = { ...made, owner, allowedNetworks }
  await insertCredential(transaction, row)
  const destination = await getCredentialDestination(transaction, { companyId, credentialId: old.id })
  await assignCredential(transaction, { companyId, id: row.id, destinationId: destination.id })
  return { secret, row }
}

/** Takes effect immediately and permanently. Idempotent. Throws `NotFound`. */
export async function revokeCredential(transaction: Transaction, id: string, now: number): Promise<CredentialTable> {
  const found = await getCompanyCredential(transaction, id)
  if (found.revokedAt !== null) return found
  const revoked = { ...found, revokedAt: now }
  await updateCredential(transaction, revoked)
  return revoked
}

/** Throws `NotFound`, also for the id of another company's credential. */
export async function getCompanyCredential(transaction: Transaction, id: string): Promise<CredentialTable> {
  const found = await findCredential(transaction, { id })
  if (found?.companyId === transaction.companyId) return found
  // A complete key sent in place of its id must not be repeated in the error.
  throw notFoundError(id.slice(0, 8))
}

async function listActive(
  reader: Reader,
  { companyId, owner }: CredentialTable,
  { clock }: CryptoContext,
): Promise<CredentialTable[]> {
  return (await listCredentials(reader, { companyId })).filter(
    (one) => one.owner === owner && credentialState(one, clock()) === 'live',
  )
}
