// Makes the rows of new passwords and keys.
import { hashChosen, hashGenerated, type HashCost } from '../passwords/password-hash.ts'
import type { Scope } from '../scopes.ts'
import { generateId, generateKey, type Random } from './secret.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

/** What secrets are made with. */
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

/** What may be said about a new credential. */
export interface Terms {
  readonly companyId: number
  readonly scopes: readonly Scope[]
  /** Networks it may be used from; null: everywhere. */
  readonly allowFrom: readonly string[] | null
  /** Null: never. */
  readonly expiresInDays: number | null
}

/** How long a key lives unless somebody says otherwise. */
export const keyDays = 365

export async function newPassword(
  minting: Minting,
  { text, kind }: Password,
  terms: Terms,
): Promise<CredentialTable> {
  return {
    ...termsOf(minting, terms),
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

/** A key, and its text, which is nowhere else. `name` is the integration it belongs to. */
export function newKey(
  minting: Minting,
  name: string | null,
  terms: Terms,
): { key: string; row: CredentialTable } {
  const { id, key } = generateKey('live', minting.random)
  const row: CredentialTable = {
    ...termsOf(minting, terms),
    id,
    kind: 'key',
    name: name ?? id,
    owner: `key:${name ?? id}`,
    secretKind: 'generated',
    secretHash: hashGenerated(key, minting.pepper),
  }
  return { key, row }
}

function termsOf({ clock }: Minting, { companyId, scopes, allowFrom, expiresInDays }: Terms) {
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
