// Credential factory: creates the rows of new passwords and API keys.
import { hashPassword, hashSecret, type HashCost } from '../passwords/password-hash.ts'
import type { Scope } from '../scopes.ts'
import { generateId, generateKey, generatePassword, type Random } from './secret.ts'
import { microsecondsPerDay } from '../../lib/timestamp.ts'
import { companyPasswordOwner } from '../../store/accounts/credentials.ts'
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

export interface CredentialTerms {
  readonly companyId: number
  readonly scopes: readonly Scope[]
  /** Networks it may be used from; null means no restriction. */
  readonly allowedNetworks: readonly string[] | null
  /** Null: never. */
  readonly expiresInDays: number | null
}

/** Terms of a credential that is made for one integration. */
export interface IntegrationTerms extends CredentialTerms {
  /** A password is sent with the company's name. */
  readonly kind: CredentialTable['kind']
  /** The integration; null names the credential by its id. */
  readonly name: string | null
}

/** The plain text of a generated key or password, which is not stored, and its row. */
export interface NewCredential {
  readonly secret: string
  readonly row: CredentialTable
}

export const defaultKeyLifetimeDays = 365

/** Creates a password of the company itself. */
export async function createPasswordRow(
  cryptoContext: CryptoContext,
  { text, kind }: PasswordInput,
  terms: CredentialTerms,
): Promise<CredentialTable> {
  return {
    ...termColumns(cryptoContext, terms),
    id: generateId(cryptoContext.random),
    kind: 'password',
    name: companyPasswordOwner,
    owner: companyPasswordOwner,
    secretKind: kind,
    secretHash:
      kind === 'generated' ? hashSecret(text, cryptoContext.pepper) : await hashPassword(text, cryptoContext.hashCost),
  }
}

/** Creates a key or a password of an integration. */
export function createCredential(
  cryptoContext: CryptoContext,
  { kind, name, ...terms }: IntegrationTerms,
): NewCredential {
  const { random, pepper } = cryptoContext
  const { id, key } = generateKey('live', random)
  const secret = kind === 'key' ? key : generatePassword(random)
  const row: CredentialTable = {
    ...termColumns(cryptoContext, terms),
    id,
    kind,
    name: name ?? id,
    owner: `${kind}:${name ?? id}`,
    secretKind: 'generated',
    secretHash: hashSecret(secret, pepper),
  }
  return { secret, row }
}

function termColumns({ clock }: CryptoContext, { companyId, scopes, allowedNetworks, expiresInDays }: CredentialTerms) {
  return {
    companyId,
    scopes: scopes.join(' '),
    allowedNetworks: allowedNetworks === null ? null : JSON.stringify(allowedNetworks),
    version: 1,
    createdAt: clock(),
    expiresAt: expiresInDays === null ? null : clock() + expiresInDays * microsecondsPerDay,
    lastUsedAt: null,
    revokedAt: null,
  }
}
