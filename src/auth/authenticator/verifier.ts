// Credential verification: keyed hashes for generated secrets, throttled argon2id for chosen ones.
import { parseAllowedNetworks } from './allowed-networks.ts'
import { callerOf, type Caller } from '../caller.ts'
import { invalidCredentials } from './www-authenticate.ts'
import type { CredentialCache } from './credential-cache.ts'
import type { PresentedCredential } from './credentials.ts'
import { knownNetworkLifetime, type LoginAttempt } from '../passwords/login-throttle.ts'
import type { SharedLoginThrottle } from '../passwords/shared-login-throttle.ts'
import type { HashQueue } from '../passwords/hash-queue.ts'
import type { ClientConnection } from './client-address.ts'
import { hashPassword, hashSecret, verifyPassword, needsRehash, hashesEqual } from '../passwords/password-hash.ts'
import type { CryptoContext } from '../tokens/credential-factory.ts'
import { keyIdOf } from '../tokens/secret.ts'
import { networkOf, type Networks } from '../../lib/network.ts'
import { microsecondsPerDay } from '../../lib/timestamp.ts'
import { findCompanyById, companyKey, findCompany } from '../../store/accounts/companies.ts'
import {
  findCredential,
  findKnownAddress,
  recordKnownAddress,
  listActivePasswords,
  updateCredential,
} from '../../store/accounts/credentials.ts'
import type { Store } from '../../store/store.ts'
import type { CompanyTable, CredentialTable } from '../../store/tables/accounts.ts'

/** A verified credential, and everything that its later uses depend on. */
export interface VerifiedCredential {
  readonly caller: Caller
  readonly callerViaQuery: Caller
  readonly version: number
  readonly expiresAt: number | null
  /** Networks it may be used from; null means no restriction. */
  readonly networks: Networks | null
  /** A weak password is not verified outside its networks, so that a correct guess from elsewhere looks like a wrong one. */
  readonly isWeak: boolean
}

export interface VerifierOptions extends CryptoContext {
  readonly store: Store
  readonly checkedCredentials: Pick<CredentialCache<unknown>, 'wasVerified' | 'isRejected' | 'saveRejected'>
  readonly throttle: SharedLoginThrottle
  readonly queue: HashQueue
  readonly onBackgroundError: (problem: unknown) => void
}

export class Verifier {
  readonly #options: VerifierOptions
  readonly #pending = new Map<string, Promise<VerifiedCredential>>()
  /** Hashed for unknown companies, so that the response takes equally long. */
  #dummyHash: Promise<string> | undefined

  constructor(options: VerifierOptions) {
    this.#options = options
  }

  /**
   * Verifies a credential. Throws `InvalidCredentials`, `TooManyFailedLogins` or `Overloaded`. `key` is the cache key;
   * concurrent requests with the same credential from one address share one verification.
   */
  verify(key: string, presented: PresentedCredential, connection: ClientConnection): Promise<VerifiedCredential> {
    const name = `${key} ${connection.address}`
    const pending = this.#pending.get(name)
    if (pending !== undefined) return pending
    const { company, secret } = presented
    const started = (
      company === null ? this.#verifyKey(secret) : this.#verifyPassword(key, company, secret, connection)
    ).finally(() => this.#pending.delete(name))
    this.#pending.set(name, started)
    return started
  }

  async #verifyKey(secret: string): Promise<VerifiedCredential> {
    const { store, pepper } = this.#options
    const id = keyIdOf(secret, pepper)
    if (id === null) throw invalidCredentials()
    const found = await findCredential(store, { id })
    const isRight =
      hashesEqual(hashSecret(secret, pepper), found?.secretHash ?? '') &&
      found?.kind === 'key' &&
      found.revokedAt === null
    if (found === undefined || !isRight) throw invalidCredentials()
    const company = await findCompanyById(store, { id: found.companyId })
    if (company?.disabledAt !== null) throw invalidCredentials()
    return toVerified(company, found)
  }

  async #verifyPassword(
    key: string,
    name: string,
    secret: string,
    { address }: ClientConnection,
  ): Promise<VerifiedCredential> {
    const { store, pepper, clock, checkedCredentials } = this.#options
    const found = await findCompany(store, name)
    const company = found?.disabledAt === null ? found : undefined
    const stored = company === undefined ? [] : await listActivePasswords(store, { companyId: company.id })
    const passwords = stored.filter((one) => one.secretKind !== 'weak' || parseAllowedNetworks(one)?.has(address))
    const state = passwords.map(({ id, version }) => `${id}:${version}`).join(' ')
    if (checkedCredentials.isRejected(key, state, clock() / 1000)) throw invalidCredentials()

    const generated = hashSecret(secret, pepper)
    const right =
      passwords.find((one) => one.secretKind === 'generated' && hashesEqual(one.secretHash, generated)) ??
      (await this.#verifyChosen(company, passwords, secret, {
        pair: key,
        company: companyKey(name),
        network: networkOf(address),
        wasVerified: checkedCredentials.wasVerified(key, clock() / 1000),
      }))
    if (right === undefined || company === undefined) {
      checkedCredentials.saveRejected(key, state, clock() / 1000)
      throw invalidCredentials()
    }
    return toVerified(company, right)
  }

  /** Finds the chosen password that matches. Expensive, so it passes the login throttle and the hash queue first. */
  async #verifyChosen(
    company: CompanyTable | undefined,
    passwords: readonly CredentialTable[],
    secret: string,
    attempt: Omit<LoginAttempt, 'isKnown'>,
  ): Promise<CredentialTable | undefined> {
    const { store, clock, hashCost, throttle, queue } = this.#options
    const { network } = attempt
    const chosen = passwords.filter((one) => one.secretKind !== 'generated')
    const known = company && (await findKnownAddress(store, { companyId: company.id, address: network }))
    const seenAt = known?.succeededAt ?? -Infinity
    const now = clock()
    const isKnown = seenAt > now - knownNetworkLifetime
    const trust = attempt.wasVerified ? 'recognized' : isKnown ? 'knownNetwork' : 'unknown'
    const right = await throttle.run(
      { ...attempt, isKnown },
      () => queue.run(trust, () => this.#findMatch(chosen, secret)),
      (found) => found === undefined,
    )
    if (right === undefined) return undefined
    if (seenAt <= now - successPrecision) {
      const success = { companyId: right.companyId, address: network, succeededAt: clock() }
      await this.#tryWrite((writer) => recordKnownAddress(writer, success))
    }
    if (needsRehash(right.secretHash, hashCost)) {
      const secretHash = await hashPassword(secret, hashCost)
      await this.#tryWrite((writer) => updateCredential(writer, { ...right, secretHash }))
    }
    return right
  }

  async #findMatch(chosen: readonly CredentialTable[], secret: string): Promise<CredentialTable | undefined> {
    const { hashCost, random } = this.#options
    if (chosen.length === 0) {
      this.#dummyHash ??= hashPassword(random(32).toString('hex'), hashCost)
      await verifyPassword(await this.#dummyHash, secret)
    }
    for (const one of chosen) if (await verifyPassword(one.secretHash, secret)) return one
    return undefined
  }

  /** A failed write must not fail the sign-in. */
  async #tryWrite(work: Parameters<Store['inSystemTransaction']>[0]): Promise<void> {
    await this.#options.store.inSystemTransaction(work).catch(this.#options.onBackgroundError)
  }
}

function toVerified(company: CompanyTable, credential: CredentialTable): VerifiedCredential {
  return {
    caller: callerOf(company, credential, false),
    callerViaQuery: callerOf(company, credential, true),
    version: credential.version,
    expiresAt: credential.expiresAt,
    networks: parseAllowedNetworks(credential),
    isWeak: credential.secretKind === 'weak',
  }
}

/** How often it is stored that a network had a successful login. */
const successPrecision = microsecondsPerDay
