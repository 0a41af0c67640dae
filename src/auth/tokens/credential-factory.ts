// Credential factory: creates the rows of new passwords and API keys.
import { hashPassword, hashSecret, type HashCost } from '../passwords/password-hash.ts'
import type { Scope } from '../scopes.ts'
import { generateId, generateKey, type Random } from './secret.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

/** Randomness, clock, hash parameters and pepper for creating secrets. */
export interface CryptoContext {
  readonly random: Random
  /** Microseconds since 1970. */
  readonly clock: () => number
  readonly hashCost: HashCost
  readonly pepper: Buffer
}

export interface PasswordInput {
  readonly text: string
  readonly kind: CredentialTable['secretKind']
}

/** Terms of a new credential. */
export interface CredentialTerms {
  readonly companyId: number
  readonly scopes: readonly Scope[]
  /** Networks it may be used from; null means no restriction. */
  readonly allowedNetworks: readonly string[] | null
  /** Null: never. */
  readonly expiresInDays: number | null
}

/** Default lifetime of a key. */
export const defaultKeyLifetimeDays = 365

export async function createPasswordRow(
  cryptoContext: CryptoContext,
  { text, kind }: PasswordInput,
  terms: CredentialTerms,
): Promise<CredentialTable> {
  return {
    ...termColumns(cryptoContext, terms),
    id: generateId(cryptoContext.random),
    kind: 'password',
    name: 'password',
    owner: 'password',
    secretKind: kind,
    secretHash:
      kind === 'generated'
        ? hashSecret(text, cryptoContext.pepper)
        : await hashPassword(text, cryptoContext.hashCost),
  }
}

/** Creates a key and its plain text, which is not stored. `name` is the integration. */
export function createKeyRow(
  cryptoContext: CryptoContext,
  name: string | null,
  terms: CredentialTerms,
): { key: string; row: CredentialTable } {
  const { id, key } = generateKey('live', cryptoContext.random)
  const row: CredentialTable = {
    ...termColumns(cryptoContext, terms),
    id,
    kind: 'key',
    name: name ?? id,
    owner: `key:${name ?? id}`,
    secretKind: 'generated',
    secretHash: hashSecret(key, cryptoContext.pepper),
  }
  return { key, row }
}

function termColumns(
  { clock }: CryptoContext,
  { companyId, scopes, allowedNetworks, expiresInDays }: CredentialTerms,
) {
  return {
    companyId,
    scopes: scopes.join(' '),
    allowedNetworks: allowedNetworks === null ? null : JSON.stringify(allowedNetworks),
    version: 1,
    createdAt: clock(),
    expiresAt: expiresInDays === null ? null : clock() + expiresInDays * day,
    lastUsedAt: null,
    revokedAt: null,
  }
}

/** Microseconds. */
const day = 24 * 3600 * 1_000_000
