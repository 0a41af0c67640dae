// Sandbox accounts: companies, passwords, keys and people.
import { callerOf, type Caller } from '../auth/caller.ts'
import { defaultSettings, writeSettings } from '../auth/companies/company-settings.ts'
import { hashPassword, hashSecret, type HashCost } from '../auth/passwords/password-hash.ts'
import type { Role } from '../auth/roles.ts'
import { passwordScopes, scopes } from '../auth/scopes.ts'
import { generateKey, generatePassword, foreignKeyId, keyIdOf, type Random } from '../auth/tokens/secret.ts'
import { findCompanyById, insertCompany } from '../store/accounts/companies.ts'
import { insertCredential } from '../store/accounts/credentials.ts'
import { insertUser, saveMembership } from '../store/accounts/users.ts'
import type { Writer } from '../store/store.ts'
import type { CredentialTable } from '../store/tables/accounts.ts'

export interface SandboxAccount {
  readonly company: string
  readonly password: string
  readonly key: string
  readonly people: readonly SandboxPerson[]
}

export interface SandboxPerson {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly role: Role
}

/** The accounts of every sandbox; their secrets are public and valid nowhere else. */
export const knownAccounts: readonly SandboxAccount[] = [
  {
    company: 'TEST',
    password: 'test',
    key: 'test-key',
    people: [
      { name: 'Ingrid Solberg', email: 'leder@test.example', password: 'test', role: 'approver' },
      { name: 'Jonas Haugen', email: 'ansatt@test.example', password: 'test', role: 'registrant' },
      { name: 'Nora Dahl', email: 'admin@test.example', password: 'test', role: 'admin' },
    ],
  },
  {
    company: 'TEST2',
    password: 'test2',
    key: 'test2-key',
    people: [{ name: 'Henrik Moen', email: 'leder@test2.example', password: 'test2', role: 'approver' }],
  },
  { company: 'EMPTY', password: 'empty', key: 'empty-key', people: [] },
]

/** The same accounts with generated secrets, for a public sandbox. */
export function secretAccounts(random: Random): SandboxAccount[] {
  return knownAccounts.map((account) => ({
    ...account,
    password: generatePassword(random),
    key: generateKey('test', random).key,
    people: account.people.map((person) => ({ ...person, password: generatePassword(random) })),
  }))
}

/** A sandbox needs no expensive hash. */
export const sandboxHashCost: HashCost = { memoryKiB: 1024, passes: 1 }

export const sandboxZone = 'Europe/Oslo'

/** Inserts a company with its credentials and people; returns the caller of its password. `now` in microseconds. */
export async function insertAccount(
  writer: Writer,
  { company, password, key, people }: SandboxAccount,
  pepper: Buffer,
  now: number,
): Promise<Caller> {
  const terms = { name: company, timezone: sandboxZone, currency: 'NOK', settings: writeSettings(defaultSettings) }
  const companyId = await insertCompany(writer, terms, now)
  const common = { ...unusedCredential, companyId, createdAt: now }
  const passwordRow: CredentialTable = {
    ...common,
    id: foreignKeyId(`${company} password`, pepper),
    kind: 'password',
    name: 'password',
    owner: 'password',
    secretHash: hashSecret(password, pepper),
    scopes: passwordScopes.join(' '),
  }
  await insertCredential(writer, passwordRow)
  const keyId = keyIdOf(key, pepper)
  if (keyId === null) throw new Error('the key of the sandbox has a wrong checksum')
  await insertCredential(writer, {
    ...common,
    id: keyId,
    kind: 'key',
    name: 'sandbox',
    owner: 'key:sandbox',
    secretHash: hashSecret(key, pepper),
    scopes: scopes.join(' '),
  })
  for (const { name, email, role, password: chosen } of people) {
    const passwordHash = await hashPassword(chosen, sandboxHashCost)
    const userId = await insertUser(writer, { name, email, passwordHash, isOperator: 0 }, now)
    await saveMembership(writer, { companyId, userId, role, departments: null })
  }
  const row = await findCompanyById(writer, { id: companyId })
  if (row === undefined) throw new Error('a company that was just inserted')
  return callerOf(row, passwordRow, false)
}

/** Short passwords are stored with the keyed hash too, because the rules for chosen passwords do not apply here. */
const unusedCredential = {
  secretKind: 'generated',
  allowedNetworks: null,
  version: 1,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
} as const
