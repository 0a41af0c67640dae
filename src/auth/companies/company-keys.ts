// API keys of a company: create, rotate and revoke.
import { keyDays, newKey, type Minting, type Terms } from '../tokens/credential-factory.ts'
import { parseScopes } from '../scopes.ts'
import { Fault } from '../../errors/catalog.ts'
import {
  credentialById,
  insertCredential,
  listCredentials,
  updateCredential,
} from '../../store/accounts/credentials.ts'
import { assignCredential, destinationOf } from '../../store/export/destinations.ts'
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
export interface MadeKey {
  readonly key: string
  readonly row: CredentialTable
}

/** Throws `AlreadyExists` when the integration already has an active key, which should be rotated instead. */
export async function makeKey(
  transaction: Transaction,
  minting: Minting,
  name: string,
  terms: Pick<Terms, 'scopes' | 'expiresInDays'>,
): Promise<MadeKey> {
  const { companyId } = transaction
  const made = newKey(minting, name, { ...terms, companyId, allowFrom: null })
  if ((await listActiveKeys(transaction, made.row, minting)).length > 0)
    throw new Fault('AlreadyExists', { says: { what: name } })
  await insertCredential(transaction, made.row)
  return made
}

/** Creates a second key with the same terms and destination. Throws `NotFound`, `TooManyActiveKeys`. */
export async function rotateKey(
  transaction: Transaction,
  minting: Minting,
  id: string,
): Promise<MadeKey> {
  const { companyId } = transaction
  const old = await getKey(transaction, id)
  const live = await listActiveKeys(transaction, old, minting)
  if (live.length > 1) throw new Fault('TwoKeysAlive', { says: { name: old.name } })
  const terms = {
    companyId,
    scopes: parseScopes(old.scopes).scopes,
    allowFrom: null,
    expiresInDays: old.expiresAt === null ? null : keyDays,
  }
  const { key, row: made } = newKey(minting, old.name, terms)
  const row = { ...made, owner: old.owner, addresses: old.addresses }
  await insertCredential(transaction, row)
  const destination = await destinationOf(transaction, companyId, old.id)
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
  const found = await credentialById(transaction, id)
  if (found?.kind === 'key' && found.companyId === transaction.companyId) return found
  // A complete key sent in place of its id must not be repeated in the error.
  throw new Fault('NotFound', { says: { what: id.slice(0, 8) } })
}

async function listActiveKeys(
  reader: Reader,
  { companyId, name }: CredentialTable,
  { clock }: Minting,
): Promise<CredentialTable[]> {
  return (await listCredentials(reader, companyId)).filter(
    (one) => one.kind === 'key' && one.name === name && keyState(one, clock()) === 'live',
  )
}
