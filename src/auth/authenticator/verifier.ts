// Verifies a credential that is not remembered: generated secrets first, chosen ones behind the limits of guessing.
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

/** A right credential, and all that its later uses depend on. */
export interface Verified {
  readonly caller: Caller
  readonly callerViaQuery: Caller
  readonly version: number
  readonly expiresAt: number | null
  /** Where it may be used from; null for everywhere. */
  readonly networks: Networks | null
  /** From anywhere else it is not even verified, so that nobody there learns that a guess was right. */
  readonly isWeak: boolean
}

/** Remembers pairs: the wrong ones each for one state of the company's credentials. */
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
  readonly #underway = new Map<string, Promise<Verified>>()
  /** Stands in for the password of a company that has none, so that the answer takes as long. */
  #dummy: Promise<string> | undefined

  constructor(options: VerifierOptions) {
    this.#options = options
  }

  /**
   * What the credential opens. Throws `InvalidCredentials`, and for guesses `TooManyFailedLogins` or
   * `Overloaded`. `key` is the cache's; the same credential from one address is verified once at a time.
   */
  verify(key: string, presented: Presented, origin: Origin): Promise<Verified> {
    const name = `${key} ${origin.address}`
    const underway = this.#underway.get(name)
    if (underway !== undefined) return underway
    const { company, secret } = presented
    const started = (
      company === null ? this.#byKey(secret) : this.#byPassword(key, company, secret, origin)
    ).finally(() => this.#underway.delete(name))
    this.#underway.set(name, started)
    return started
  }

  async #byKey(secret: string): Promise<Verified> {
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
    return verified(company, found)
  }

  async #byPassword(
    key: string,
    name: string,
    secret: string,
    { address }: Origin,
  ): Promise<Verified> {
    const { store, pepper, clock, triedPairs } = this.#options
    const found = await findCompany(store, name)
    const company = found?.disabledAt === null ? found : undefined
    const stored = company === undefined ? [] : await passwordsOf(store, company.id)
    const passwords = stored.filter((one) => one.secretKind !== 'weak' || isFrom(one, address))
    const state = passwords.map(({ id, version }) => `${id}:${version}`).join(' ')
    if (triedPairs.isWrong(key, state, clock() / 1000)) throw invalidCredentials()

    const generated = hashGenerated(secret, pepper)
    const right =
      passwords.find(
        (one) => one.secretKind === 'generated' && isSameHash(one.secretHash, generated),
      ) ??
      (await this.#tryChosen(company, passwords, secret, {
        pair: key,
        company: companyKey(name),
        network: networkOf(address),
        wasRight: triedPairs.wasRight(key, clock() / 1000),
      }))
    if (right === undefined || company === undefined) {
      triedPairs.rememberWrong(key, state, clock() / 1000)
      throw invalidCredentials()
    }
    return verified(company, right)
  }

  /** The chosen password that this is, if any. Costly, so guarded: by the limits, then by the queue. */
  async #tryChosen(
    company: CompanyTable | undefined,
    passwords: readonly CredentialTable[],
    secret: string,
    trial: Omit<Trial, 'isKnown'>,
  ): Promise<CredentialTable | undefined> {
    const { network } = trial
    const chosen = passwords.filter((one) => one.secretKind !== 'generated')
    const seenAt = company === undefined ? null : await this.#lastSuccess(company.id, network)
    const now = this.#options.clock()
    const isKnown = seenAt !== null && seenAt > now - knownFor
    const admitted = await this.#admit({ ...trial, isKnown })
    const right = await this.#options.queue
      .run(isKnown, () => this.#firstRight(chosen, secret))
      .catch((error: unknown) => {
        admitted.release()
        throw error
      })
    if (right === undefined) {
      await admitted.wrong()
      return undefined
    }
    admitted.release()
    const isNoted = seenAt !== null && seenAt > now - noteEvery
    if (!isNoted) await this.#noteSuccess(right.companyId, network)
    if (isOutdated(right.secretHash, this.#options.hashCost)) await this.#hashAnew(right, secret)
    return right
  }

  async #admit(trial: Trial) {
    const admitted = await this.#options.limiter.admit(trial)
    if (typeof admitted !== 'number') return admitted
    const seconds = Math.ceil(admitted / 1000)
    throw new Fault('TooManyFailedLogins', {
      says: { seconds },
      headers: { 'Retry-After': String(seconds) },
    })
  }

  async #firstRight(
    chosen: readonly CredentialTable[],
    secret: string,
  ): Promise<CredentialTable | undefined> {
    const { hashCost, random } = this.#options
    if (chosen.length === 0) {
      this.#dummy ??= hashChosen(random(32).toString('hex'), hashCost)
      await isChosen(await this.#dummy, secret)
    }
    for (const one of chosen) if (await isChosen(one.secretHash, secret)) return one
    return undefined
  }

  async #lastSuccess(companyId: number, network: string): Promise<number | null> {
    const known = await knownAddress(this.#options.store, companyId, network)
    return known?.succeededAt ?? null
  }

  async #noteSuccess(companyId: number, network: string): Promise<void> {
    const { clock } = this.#options
    await this.#beside((writer) =>
      noteKnownAddress(writer, { companyId, address: network, succeededAt: clock() }),
    )
  }

  async #hashAnew(right: CredentialTable, secret: string): Promise<void> {
    const secretHash = await hashChosen(secret, this.#options.hashCost)
    await this.#beside((writer) => updateCredential(writer, { ...right, secretHash }))
  }

  /** A right password is right, also when what is noted about it cannot be written. */
  async #beside(act: Parameters<Store['inHouseTransaction']>[0]): Promise<void> {
    await this.#options.store.inHouseTransaction(act).catch(this.#options.onTrouble)
  }
}

function verified(company: CompanyTable, credential: CredentialTable): Verified {
  return {
    caller: callerOf(company, credential, false),
    callerViaQuery: callerOf(company, credential, true),
    version: credential.version,
    expiresAt: credential.expiresAt,
    networks: networksOf(credential),
    isWeak: credential.secretKind === 'weak',
  }
}

function isFrom(credential: CredentialTable, address: string): boolean {
  return networksOf(credential)?.has(address) ?? false
}

const day = 24 * 3600 * 1_000_000
/** Microseconds: how long an address keeps its place after a right password, and how often that is written down. */
const knownFor = 30 * day
const noteEvery = day
