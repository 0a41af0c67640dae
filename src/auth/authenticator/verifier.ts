// Credential verification: keyed hashes for generated secrets, throttled argon2id for chosen ones.
import { networksOf } from './allowed-networks.ts'
import { callerOf, type Caller } from '../caller.ts'
import { invalidCredentials } from './www-authenticate.ts'
import type { Presented } from './credentials.ts'
import type { Trial } from '../passwords/login-throttle.ts'
import type { SharedLimiter } from '../passwords/shared-login-throttle.ts'
import type { HashQueue } from '../passwords/hash-queue.ts'
import type { Origin } from './client-address.ts'
import {
  hashChosen,
  hashGenerated,
  isChosen,
  isOutdated,
  isSameHash,
  type HashCost,
} from '../passwords/password-hash.ts'
import { idOfForeignKey, keyForm, type Random } from '../tokens/secret.ts'
import { Fault } from '../../errors/catalog.ts'
import { networkOf, type Networks } from '../../lib/network.ts'
import { companyById, companyKey, findCompany } from '../../store/accounts/companies.ts'
import {
  credentialById,
  knownAddress,
  noteKnownAddress,
  passwordsOf,
  updateCredential,
} from '../../store/accounts/credentials.ts'
import type { Store } from '../../store/store.ts'
import type { CompanyTable, CredentialTable } from '../../store/tables/accounts.ts'

/** A verified credential, and everything that its later uses depend on. */
export interface Verified {
  readonly caller: Caller
  readonly callerViaQuery: Caller
  readonly version: number
  readonly expiresAt: number | null
  /** Networks it may be used from; null means no restriction. */
  readonly networks: Networks | null
  /** A weak password is not verified outside its networks, so that a correct guess from elsewhere looks like a wrong one. */
  readonly isWeak: boolean
}

/** Remembers checked secrets; a rejected one only for one state of the company's credentials. */
export interface TriedPairs {
  wasRight(key: string, nowMs: number): boolean
  isWrong(key: string, state: string, nowMs: number): boolean
  rememberWrong(key: string, state: string, nowMs: number): void
}

export interface VerifierOptions {
  readonly store: Store
  readonly pepper: Buffer
  readonly hashCost: HashCost
  readonly clock: () => number
  readonly random: Random
  readonly triedPairs: TriedPairs
  readonly limiter: SharedLimiter
  readonly queue: HashQueue
  readonly onTrouble: (problem: unknown) => void
}

export class Verifier {
  readonly #options: VerifierOptions
  readonly #pending = new Map<string, Promise<Verified>>()
  /** Hashed for unknown companies, so that the response takes equally long. */
  #dummyHash: Promise<string> | undefined

  constructor(options: VerifierOptions) {
    this.#options = options
  }

  /**
   * Verifies a credential. Throws `InvalidCredentials`, `TooManyFailedLogins` or `Overloaded`. `key` is the cache key;
   * concurrent requests with the same credential from one address share one verification.
   */
  verify(key: string, presented: Presented, origin: Origin): Promise<Verified> {
    const name = `${key} ${origin.address}`
    const pending = this.#pending.get(name)
    if (pending !== undefined) return pending
    const { company, secret } = presented
    const started = (
      company === null
        ? this.#verifyKey(secret)
        : this.#verifyPassword(key, company, secret, origin)
    ).finally(() => this.#pending.delete(name))
    this.#pending.set(name, started)
    return started
  }

  async #verifyKey(secret: string): Promise<Verified> {
    const { store, pepper } = this.#options
    const form = keyForm(secret)
    if (form.made === 'wrong') throw invalidCredentials()
    const id = form.made === 'here' ? form.id : idOfForeignKey(secret, pepper)
    const found = await credentialById(store, id)
    const isRight =
      isSameHash(hashGenerated(secret, pepper), found?.secretHash ?? '') &&
      found?.kind === 'key' &&
      found.revokedAt === null
    if (found === undefined || !isRight) throw invalidCredentials()
    const company = await companyById(store, found.companyId)
    if (company?.disabledAt !== null) throw invalidCredentials()
    return toVerified(company, found)
  }

  async #verifyPassword(
    key: string,
    name: string,
    secret: string,
    { address }: Origin,
  ): Promise<Verified> {
    const { store, pepper, clock, triedPairs } = this.#options
    const found = await findCompany(store, name)
    const company = found?.disabledAt === null ? found : undefined
    const stored = company === undefined ? [] : await passwordsOf(store, company.id)
    const passwords = stored.filter(
      (one) => one.secretKind !== 'weak' || isAllowedFrom(one, address),
    )
    const state = passwords.map(({ id, version }) => `${id}:${version}`).join(' ')
    if (triedPairs.isWrong(key, state, clock() / 1000)) throw invalidCredentials()

    const generated = hashGenerated(secret, pepper)
    const right =
      passwords.find(
        (one) => one.secretKind === 'generated' && isSameHash(one.secretHash, generated),
      ) ??
      (await this.#verifyChosen(company, passwords, secret, {
        pair: key,
        company: companyKey(name),
        network: networkOf(address),
        wasRight: triedPairs.wasRight(key, clock() / 1000),
      }))
    if (right === undefined || company === undefined) {
      triedPairs.rememberWrong(key, state, clock() / 1000)
      throw invalidCredentials()
    }
    return toVerified(company, right)
  }

  /** Finds the chosen password that matches. Expensive, so it passes the login throttle and the hash queue first. */
  async #verifyChosen(
    company: CompanyTable | undefined,
    passwords: readonly CredentialTable[],
    secret: string,
    trial: Omit<Trial, 'isKnown'>,
  ): Promise<CredentialTable | undefined> {
    const { network } = trial
    const chosen = passwords.filter((one) => one.secretKind !== 'generated')
    const seenAt = company === undefined ? null : await this.#getLastSuccess(company.id, network)
    const now = this.#options.clock()
    const isKnown = seenAt !== null && seenAt > now - knownNetworkLifetime
    const permit = await this.#admit({ ...trial, isKnown })
    const right = await this.#options.queue
      .run(isKnown, () => this.#findMatch(chosen, secret))
      .catch((error: unknown) => {
        permit.release()
        throw error
      })
    if (right === undefined) {
      await permit.wrong()
      return undefined
    }
    permit.release()
    const isRecorded = seenAt !== null && seenAt > now - successPrecision
    if (!isRecorded) await this.#recordSuccess(right.companyId, network)
    if (isOutdated(right.secretHash, this.#options.hashCost)) await this.#rehash(right, secret)
    return right
  }

  async #admit(trial: Trial) {
    const permit = await this.#options.limiter.admit(trial)
    if (typeof permit !== 'number') return permit
    const seconds = Math.ceil(permit / 1000)
    throw new Fault('TooManyFailedLogins', {
      says: { seconds },
      headers: { 'Retry-After': String(seconds) },
    })
  }

  async #findMatch(
    chosen: readonly CredentialTable[],
    secret: string,
  ): Promise<CredentialTable | undefined> {
    const { hashCost, random } = this.#options
    if (chosen.length === 0) {
      this.#dummyHash ??= hashChosen(random(32).toString('hex'), hashCost)
      await isChosen(await this.#dummyHash, secret)
    }
    for (const one of chosen) if (await isChosen(one.secretHash, secret)) return one
    return undefined
  }

  async #getLastSuccess(companyId: number, network: string): Promise<number | null> {
    const known = await knownAddress(this.#options.store, companyId, network)
    return known?.succeededAt ?? null
  }

  async #recordSuccess(companyId: number, network: string): Promise<void> {
    const { clock } = this.#options
    await this.#tryWrite((writer) =>
      noteKnownAddress(writer, { companyId, address: network, succeededAt: clock() }),
    )
  }

  async #rehash(right: CredentialTable, secret: string): Promise<void> {
    const secretHash = await hashChosen(secret, this.#options.hashCost)
    await this.#tryWrite((writer) => updateCredential(writer, { ...right, secretHash }))
  }

  /** A failed write must not fail the sign-in. */
  async #tryWrite(act: Parameters<Store['inHouseTransaction']>[0]): Promise<void> {
    await this.#options.store.inHouseTransaction(act).catch(this.#options.onTrouble)
  }
}

function toVerified(company: CompanyTable, credential: CredentialTable): Verified {
  return {
    caller: callerOf(company, credential, false),
    callerViaQuery: callerOf(company, credential, true),
    version: credential.version,
    expiresAt: credential.expiresAt,
    networks: networksOf(credential),
    isWeak: credential.secretKind === 'weak',
  }
}

function isAllowedFrom(credential: CredentialTable, address: string): boolean {
  return networksOf(credential)?.has(address) ?? false
}

const day = 24 * 3600 * 1_000_000
/** Microseconds: how long a network counts as known after a successful login, and how often that is stored. */
const knownNetworkLifetime = 30 * day
const successPrecision = day
