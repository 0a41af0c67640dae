// The keys of a company's integrations, as its administrators make, rotate and revoke them.
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

/** A key as its text, which is nowhere else, and its row. */
export interface MadeKey {
  readonly key: string
  readonly row: CredentialTable
}

/** Throws `AlreadyExists` where the integration has a key that is alive: that one is rotated. */
export async function makeKey(
  transaction: Transaction,
  minting: Minting,
  name: string,
  terms: Pick<Terms, 'scopes' | 'expiresInDays'>,
): Promise<MadeKey> {
  const { companyId } = transaction
  const made = newKey(minting, name, { ...terms, companyId, allowFrom: null })
  if ((await liveKeys(transaction, made.row, minting)).length > 0)
    throw new Fault('AlreadyExists', { says: { what: name } })
  await insertCredential(transaction, made.row)
  return made
}

/** A second key beside one, to the same terms and for the same destination. Throws `NotFound`, `TwoKeysAlive`. */
export async function rotateKey(
  transaction: Transaction,
  minting: Minting,
  id: string,
): Promise<MadeKey> {
  const { companyId } = transaction
  const old = await keyOf(transaction, id)
  const live = await liveKeys(transaction, old, minting)
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

/** At once and for good; harmless for one that is revoked. Throws `NotFound`. */
export async function revokeKey(
  transaction: Transaction,
  id: string,
  now: number,
): Promise<CredentialTable> {
  const found = await keyOf(transaction, id)
  if (found.revokedAt !== null) return found
  const revoked = { ...found, revokedAt: now }
  await updateCredential(transaction, revoked)
  return revoked
}

/** Another company's key is no key. */
async function keyOf(transaction: Transaction, id: string): Promise<CredentialTable> {
  const found = await credentialById(transaction, id)
  if (found?.kind === 'key' && found.companyId === transaction.companyId) return found
  // A whole key in the place of its id must not come back in a refusal.
  throw new Fault('NotFound', { says: { what: id.slice(0, 8) } })
}

async function liveKeys(
  reader: Reader,
  { companyId, name }: CredentialTable,
  { clock }: Minting,
): Promise<CredentialTable[]> {
  return (await listCredentials(reader, companyId)).filter(
    (one) => one.kind === 'key' && one.name === name && keyState(one, clock()) === 'live',
  )
}
