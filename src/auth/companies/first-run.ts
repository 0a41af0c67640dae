// First-run setup: creates the first company, its owner and its first key, once.
import { writeSettings, defaultSettings } from './company-settings.ts'
import {
  defaultKeyLifetimeDays,
  createCredential,
  createPasswordRow,
  type CryptoContext,
} from '../tokens/credential-factory.ts'
import { hashPassword } from '../passwords/password-hash.ts'
import { passwordScopes, type Scope } from '../scopes.ts'
import { generatePassword } from '../tokens/secret.ts'
import { isSetupToken, consumeSetupToken } from '../tokens/first-run-token.ts'
import { ApiError } from '../../errors/api-error.ts'
import { insertCompany } from '../../store/accounts/companies.ts'
import { insertCredential } from '../../store/accounts/credentials.ts'
import { isSetUp } from '../../store/accounts/settings.ts'
import { insertUser, saveMembership } from '../../store/accounts/users.ts'
import type { Reader, Store, Writer } from '../../store/store.ts'

export interface FirstRunInput {
  readonly token: string
  readonly company: string
  readonly timezone: string
  /** Null: a password is generated. */
  readonly companyPassword: string | null
  readonly email: string
  readonly password: string
  readonly keyName: string | null
  /** Scopes of the first key; without any, no key is created. */
  readonly scopes: readonly Scope[]
}

/** The plain-text secrets, shown once and not stored. */
export interface FirstRunSecrets extends Pick<FirstRunInput, 'company' | 'email' | 'scopes'> {
  /** Null when the password was chosen and not generated. */
  readonly companyPassword: string | null
  readonly key: string | null
}

/** Throws `SetupAlreadyDone` when the server is set up, and `InvalidSetupLink` for an invalid token. */
export async function requireSetupToken(reader: Reader, token: string, now: number): Promise<void> {
  const isValid = await isSetupToken(reader, token, now)
  if (!isValid || (await isSetUp(reader))) throw await setupError(reader)
}

/** Checked after the token, because completing the setup deletes the token. */
async function setupError(reader: Reader): Promise<ApiError> {
  return new ApiError((await isSetUp(reader)) ? 'SetupAlreadyDone' : 'InvalidSetupLink')
}

/**
 * Creates everything in one transaction. The owner becomes the company's administrator and the server's operator.
 * Of concurrent calls with the same token one succeeds. Throws like `requireSetupToken`.
 */
export async function runFirstRunSetup(
  store: Store,
  cryptoContext: CryptoContext,
  input: FirstRunInput,
): Promise<FirstRunSecrets> {
  // Before the expensive hashing, so that callers without a valid token cannot cause it.
  await requireSetupToken(store, input.token, cryptoContext.clock())
  const { passwordHash, rows, ...secrets } = await createSecrets(cryptoContext, input)
  await store.inSystemTransaction(async (writer) => {
    const now = cryptoContext.clock()
    const isFirst = await consumeSetupToken(writer, input.token, now)
    if (!isFirst || (await isSetUp(writer))) throw await setupError(writer)
    const companyId = await insertCompanyAndOwner(writer, input, passwordHash, now)
    for (const row of rows) await insertCredential(writer, { ...row, companyId })
  })
  return { company: input.company, email: input.email, scopes: input.scopes, ...secrets }
}

/** The secrets of the company, with their rows, and the hash of the owner's password. */
async function createSecrets(cryptoContext: CryptoContext, setup: FirstRunInput) {
  const passwordHash = await hashPassword(setup.password, cryptoContext.hashCost)
  const generated = setup.companyPassword === null ? generatePassword(cryptoContext.random) : null
  const common = { companyId: 0, allowedNetworks: null } as const
  const row = await createPasswordRow(
    cryptoContext,
    generated === null ? { text: setup.companyPassword ?? '', kind: 'chosen' } : { text: generated, kind: 'generated' },
    { ...common, scopes: passwordScopes, expiresInDays: null },
  )
  if (setup.scopes.length === 0) return { passwordHash, rows: [row], companyPassword: generated, key: null }
  const { secret: key, row: keyRow } = createCredential(cryptoContext, {
    ...common,
    kind: 'key',
    name: setup.keyName,
    scopes: setup.scopes,
    expiresInDays: defaultKeyLifetimeDays,
  })
  return { passwordHash, rows: [row, keyRow], companyPassword: generated, key }
}

/** Inserts the company and its owner; returns the company's id. */
async function insertCompanyAndOwner(
  writer: Writer,
  { company, timezone, email }: FirstRunInput,
  passwordHash: string,
  now: number,
): Promise<number> {
  const row = { name: company, timezone, currency: 'NOK', settings: writeSettings(defaultSettings) }
  const companyId = await insertCompany(writer, row, now)
  const userId = await insertUser(writer, { email, passwordHash, isOperator: 1 }, now)
  await saveMembership(writer, { companyId, userId, role: 'admin', departments: null })
  return companyId
}
