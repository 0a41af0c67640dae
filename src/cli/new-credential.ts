// Makes the rows of new passwords and keys.
import { hashChosen, hashGenerated, type HashCost } from '#auth/password-hash.ts'
import type { MasterKey } from '#auth/master-key.ts'
import { parseScopes, passwordScopes, scopes, type Scope } from '#auth/scopes.ts'
import { generateId, generateKey } from '#auth/secret.ts'
import type { Password } from '#cli/secret-input.ts'
import type { World } from '#cli/world.ts'
import { nearest } from '#lib/nearest.ts'
import { parseNetworks } from '#lib/network.ts'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'
import type { CredentialTable } from '#store/tables.ts'

/** What may be said about a new credential. */
export interface Terms {
  readonly companyId: number
  readonly scopes: readonly Scope[]
  /** Networks it may be used from; null: everywhere. */
  readonly allowFrom: readonly string[] | null
  /** Null: never. */
  readonly expiresInDays: number | null
}

export const newPassword = async (
  world: World,
  masterKey: MasterKey,
  { text, isGenerated }: Password,
  terms: Terms,
): Promise<CredentialTable> => ({
  ...termsOf(world, terms),
  id: generateId(world.random),
  kind: 'password',
  name: 'password',
  owner: 'password',
  secretKind: isGenerated ? 'generated' : 'chosen',
  secretHash: await hashOf(text, isGenerated, masterKey, world.hashCost),
})

/** A key, and its text, which is nowhere else. `name` is the integration it belongs to. */
export const newKey = (
  world: World,
  masterKey: MasterKey,
  name: string | null,
  terms: Terms,
): { key: string; row: CredentialTable } => {
  const { id, key } = generateKey('live', world.random)
  const row: CredentialTable = {
    ...termsOf(world, terms),
    id,
    kind: 'key',
    name: name ?? id,
    owner: `key:${name ?? id}`,
    secretKind: 'generated',
    secretHash: hashGenerated(key, masterKey.pepper),
  }
  return { key, row }
}

/** Reads `--scopes`; refuses what is no scope, or more than a password may carry. */
export const readScopes = (text: string, kind: 'password' | 'key'): Scope[] => {
  const { scopes: named, unknown } = parseScopes(text)
  const [first] = unknown
  if (first !== undefined) {
    const near = nearest(first, scopes)
    throw misused(
      `There is no scope "${first}". ${near === undefined ? `There are: ${scopes.join(' ')}` : `Did you mean ${near}?`}`,
    )
  }
  const tooMuch = kind === 'key' ? [] : named.filter((one) => !passwordScopes.includes(one))
  if (tooMuch.length > 0)
    throw misused(`A password cannot carry ${tooMuch.join(' ')}: make a key for that.`)
  if (named.length === 0) throw misused('Name at least one scope.')
  return named
}

/** Reads `--allow-from`. */
export const readNetworks = (text: string | undefined): string[] | null => {
  if (text === undefined) return null
  try {
    return [...parseNetworks(text.split(/[\s,]+/).filter((name) => name !== '')).names]
  } catch (error) {
    if (error instanceof RangeError) throw misused(error.message)
    throw error
  }
}

/** Reads `--expires`: days from now, or `never`. */
export const readDays = (text: string): number | null => {
  if (text === 'never') return null
  if (!/^[1-9]\d{0,4}$/.test(text)) throw misused('--expires takes a number of days, or never.')
  return Number(text)
}

const termsOf = ({ clock }: World, { companyId, scopes, allowFrom, expiresInDays }: Terms) => ({
  companyId,
  scopes: scopes.join(' '),
  addresses: allowFrom === null ? null : JSON.stringify(allowFrom),
  version: 1,
  createdAt: clock(),
  expiresAt: expiresInDays === null ? null : clock() + expiresInDays * day,
  lastUsedAt: null,
  revokedAt: null,
})

const day = 24 * 3600 * 1_000_000

const hashOf = async (text: string, isGenerated: boolean, key: MasterKey, cost: HashCost) =>
  isGenerated ? hashGenerated(text, key.pepper) : hashChosen(text, cost)

const misused = (message: string) => new OperatorError(message, exitCodes.usage)
