// Credential factory: creates the rows of new passwords and API keys.
import { hashChosen, hashGenerated, type HashCost } from '../passwords/password-hash.ts'
import type { Scope } from '../scopes.ts'
import { generateId, generateKey, type Random } from './secret.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

/** Randomness, clock, hash parameters and pepper for creating secrets. */
export interface Minting {
  readonly random: Random
  /** Microseconds since 1970. */
  readonly clock: () => number
  readonly hashCost: HashCost
  readonly pepper: Buffer
}

export interface Password {
  readonly text: string
  readonly kind: CredentialTable['secretKind']
}

/** Terms of a new credential. */
export interface Terms {
  readonly companyId: number
  readonly scopes: readonly Scope[]
  /** Networks it may be used from; null means no restriction. */
  readonly allowFrom: readonly string[] | null
  /** Null: never. */
  readonly expiresInDays: number | null
}

/** Default lifetime of a key. */
export const keyDays = 365

export async function newPassword(
  minting: Minting,
  { text, kind }: Password,
  terms: Terms,
): Promise<CredentialTable> {
  return {
    ...termColumns(minting, terms),
    id: generateId(minting.random),
    kind: 'password',
    name: 'password',
    owner: 'password',
    secretKind: kind,
    secretHash:
      kind === 'generated'
        ? hashGenerated(text, minting.pepper)
        : await hashChosen(text, minting.hashCost),
  }
}

/** Creates a key and its plain text, which is not stored. `name` is the integration. */
export function newKey(
  minting: Minting,
  name: string | null,
  terms: Terms,
): { key: string; row: CredentialTable } {
  const { id, key } = generateKey('live', minting.random)
  const row: CredentialTable = {
    ...termColumns(minting, terms),
    id,
    kind: 'key',
    name: name ?? id,
    owner: `key:${name ?? id}`,
    secretKind: 'generated',
    secretHash: hashGenerated(key, minting.pepper),
  }
  return { key, row }
}

function termColumns({ clock }: Minting, { companyId, scopes, allowFrom, expiresInDays }: Terms) {
  return {
    companyId,
    scopes: scopes.join(' '),
    addresses: allowFrom === null ? null : JSON.stringify(allowFrom),
    version: 1,
    createdAt: clock(),
    expiresAt: expiresInDays === null ? null : clock() + expiresInDays * day,
    lastUsedAt: null,
    revokedAt: null,
  }
}

/** Microseconds. */
const day = 24 * 3600 * 1_000_000
