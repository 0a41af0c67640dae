// API keys of a company: create, rotate and revoke.
import {
  defaultKeyLifetimeDays,
  createKeyRow,
  type CryptoContext,
  type CredentialTerms,
} from '../tokens/credential-factory.ts'
import { parseScopes } from '../scopes.ts'
import { ApiError } from '../../errors/api-error.ts'
import {
  findCredential,
  insertCredential,
  listCredentials,
  updateCredential,
} from '../../store/accounts/credentials.ts'
import { assignCredential, getCredentialDestination } from '../../store/export/destinations.ts'
import type { Reader, Transaction } from '../../store/store.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

export type KeyState = 'live' | 'expired' | 'revoked'

/** `now` in microseconds. */
export function keyState(
  { revokedAt, expiresAt }: Pick<CredentialTable, 'revokedAt' | 'expiresAt'>,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'live'
}

/** The plain text of a new key, which is not stored, and its row. */
export interface NewKey {
  readonly key: string
  readonly row: CredentialTable
}

/** Throws `AlreadyExists` when the integration already has an active key, which should be rotated instead. */
export async function createKey(
  transaction: Transaction,
  cryptoContext: CryptoContext,
  name: string,
  terms: Pick<CredentialTerms, 'scopes' | 'expiresInDays'>,
): Promise<NewKey> {
  const { companyId } = transaction
  const created = createKeyRow(cryptoContext, name, { ...terms, companyId, allowedNetworks: null })
  if ((await listActiveKeys(transaction, created.row, cryptoContext)).length > 0)
    throw new ApiError('AlreadyExists', { params: { what: name } })
  await insertCredential(transaction, created.row)
  return created
}

/** Creates a second key with the same terms and destination. Throws `NotFound`, `TooManyActiveKeys`. */
export async function rotateKey(
  transaction: Transaction,
  cryptoContext: CryptoContext,
  id: string,
): Promise<NewKey> {
  const { companyId } = transaction
  const old = await getKey(transaction, id)
  const live = await listActiveKeys(transaction, old, cryptoContext)
  if (live.length > 1) throw new ApiError('TooManyActiveKeys', { params: { name: old.name } })
  const terms = {
    companyId,
    scopes: parseScopes(old.scopes).scopes,
    allowedNetworks: null,
    expiresInDays: old.expiresAt === null ? null : defaultKeyLifetimeDays,
  }
  const { key, row: made } = createKeyRow(cryptoContext, old.name, terms)
  const row = { ...made, owner: old.owner, allowedNetworks: old.allowedNetworks }
  await insertCredential(transaction, row)
  const destination = await getCredentialDestination(transaction, companyId, old.id)
  await assignCredential(transaction, companyId, row.id, destination.id)
  return { key, row }
}

/** Takes effect immediately and permanently. Idempotent. Throws `NotFound`. */
export async function revokeKey(
  transaction: Transaction,
  id: string,
  now: number,
): Promise<CredentialTable> {
  const found = await getKey(transaction, id)
  if (found.revokedAt !== null) return found
  const revoked = { ...found, revokedAt: now }
  await updateCredential(transaction, revoked)
  return revoked
}

/** Keys of other companies are reported as unknown. */
async function getKey(transaction: Transaction, id: string): Promise<CredentialTable> {
  const found = await findCredential(transaction, id)
  if (found?.kind === 'key' && found.companyId === transaction.companyId) return found
  // A complete key sent in place of its id must not be repeated in the error.
  throw new ApiError('NotFound', { params: { what: id.slice(0, 8) } })
}

async function listActiveKeys(
  reader: Reader,
  { companyId, name }: CredentialTable,
  { clock }: CryptoContext,
): Promise<CredentialTable[]> {
  return (await listCredentials(reader, companyId)).filter(
    (one) => one.kind === 'key' && one.name === name && keyState(one, clock()) === 'live',
  )
}
