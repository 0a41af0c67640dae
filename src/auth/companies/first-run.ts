// The first company, its owner and its first key: what makes a server somebody's, once.
import { writeSettings, defaultSettings } from './company-settings.ts'
import { keyDays, newKey, newPassword, type Minting } from '../tokens/credential-factory.ts'
import { hashChosen } from '../passwords/password-hash.ts'
import type { Role } from '../roles.ts'
import { passwordScopes, type Scope } from '../scopes.ts'
import { generatePassword } from '../tokens/secret.ts'
import { isSetupToken, takeSetupToken } from '../tokens/first-run-token.ts'
import { Fault } from '../../errors/catalog.ts'
import { insertCompany } from '../../store/accounts/companies.ts'
import { insertCredential } from '../../store/accounts/credentials.ts'
import { isSetUp } from '../../store/accounts/settings.ts'
import { insertUser, saveMembership } from '../../store/accounts/users.ts'
import type { Reader, Store, Writer } from '../../store/store.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

export interface Setup {
  readonly token: string
  readonly company: string
  readonly timezone: string
  /** Null: one is generated. */
  readonly companyPassword: string | null
  readonly email: string
  readonly password: string
  readonly keyName: string | null
  /** Of the first key; none makes no key. */
  readonly scopes: readonly Scope[]
}

/** What is shown once, and kept nowhere. */
export interface Secrets {
  readonly company: string
  /** Null when it was chosen, and so is known. */
  readonly companyPassword: string | null
  readonly email: string
  readonly key: string | null
  readonly scopes: readonly Scope[]
}

/** Throws `SetupAlreadyDone` on a server that is somebody's, and `InvalidSetupLink` for a token that is not good. */
export async function requireSetupToken(reader: Reader, token: string, now: number): Promise<void> {
  const isGood = await isSetupToken(reader, token, now)
  if (!isGood || (await isSetUp(reader))) throw await refusal(reader)
}

/** Asked after the token, which goes in the moment that the server becomes somebody's. */
async function refusal(reader: Reader): Promise<Fault> {
  return new Fault((await isSetUp(reader)) ? 'SetupAlreadyDone' : 'InvalidSetupLink')
}

/**
 * Makes all of it in one transaction; the owner is the company's administrator and the server's operator.
 * Of several callers with one token one succeeds. Throws as `requireSetupToken` does.
 */
export async function setUp(store: Store, minting: Minting, setup: Setup): Promise<Secrets> {
  // Before the costly hashes, which nobody without the token may ask for.
  await requireSetupToken(store, setup.token, minting.clock())
  const { password, rows, ...secrets } = await secretsOf(minting, setup)
  await store.inHouseTransaction(async (writer) => {
    const now = minting.clock()
    const isFirst = await takeSetupToken(writer, setup.token, now)
    if (!isFirst || (await isSetUp(writer))) throw await refusal(writer)
    const companyId = await insertFirst(writer, setup, password, now)
    for (const row of rows) await insertCredential(writer, { ...row, companyId })
  })
  return { company: setup.company, email: setup.email, scopes: setup.scopes, ...secrets }
}

interface Made {
  /** Of the owner, hashed. */
  readonly password: string
  readonly rows: readonly CredentialTable[]
  readonly companyPassword: string | null
  readonly key: string | null
}

async function secretsOf(minting: Minting, setup: Setup): Promise<Made> {
  const password = await hashChosen(setup.password, minting.hashCost)
  const generated = setup.companyPassword === null ? generatePassword(minting.random) : null
  const common = { companyId: 0, allowFrom: null } as const
  const row = await newPassword(
    minting,
    generated === null
      ? { text: setup.companyPassword ?? '', kind: 'chosen' }
      : { text: generated, kind: 'generated' },
    { ...common, scopes: passwordScopes, expiresInDays: null },
  )
  if (setup.scopes.length === 0)
    return { password, rows: [row], companyPassword: generated, key: null }
  const terms = { ...common, scopes: setup.scopes, expiresInDays: keyDays }
  const { key, row: keyRow } = newKey(minting, setup.keyName, terms)
  return { password, rows: [row, keyRow], companyPassword: generated, key }
}

const ownerRole: Role = 'admin'

/** The company and its owner; the company's id. */
async function insertFirst(
  writer: Writer,
  { company, timezone, email }: Setup,
  passwordHash: string,
  now: number,
): Promise<number> {
  const settings = writeSettings(defaultSettings)
  const row = { name: company, timezone, currency: 'NOK', settings }
  const companyId = await insertCompany(writer, row, now)
  const userId = await insertUser(writer, { email, passwordHash, isOperator: 1 }, now)
  await saveMembership(writer, { companyId, userId, role: ownerRole, departments: null })
  return companyId
}
