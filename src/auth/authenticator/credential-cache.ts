// Credential cache: remembers verified and rejected secrets by keyed hash only.
import { hash } from 'node:crypto'
import type { PresentedCredential } from './credentials.ts'
import type { Random } from '../tokens/secret.ts'
import { LeastRecentlyUsed } from '../../lib/least-recently-used.ts'
import { companyKey } from '../../store/accounts/companies.ts'

export interface CacheTimes {
  /** How long a verified secret is cached after its last use. */
  readonly idleMs: number
  /** How long it is cached at most, however often it is used. */
  readonly maxAgeMs: number
  /** How long `wasVerified` stays true after the last verification. */
  readonly recentMs: number
  readonly rejectedMs: number
  readonly entriesMin: number
}

const defaultTimes: CacheTimes = {
  idleMs: 10 * 60_000,
  maxAgeMs: 60 * 60_000,
  recentMs: 30 * 24 * 60 * 60_000,
  rejectedMs: 60 * 60_000,
  entriesMin: 10_000,
}

/** `Entry` is what the caller stores for a verified secret. */
export class CredentialCache<Entry> {
  readonly #times: CacheTimes
  readonly #hashKey: string
  readonly #verified: LeastRecentlyUsed<string, VerifiedEntry<Entry>>
  readonly #recentlyVerified: LeastRecentlyUsed<string, number>
  readonly #rejected: LeastRecentlyUsed<string, { readonly state: string; readonly expiresAt: number }>

  constructor(random: Random, times: CacheTimes = defaultTimes) {
    this.#times = times
    this.#hashKey = random(32).toString('hex')
    this.#verified = new LeastRecentlyUsed(times.entriesMin)
    this.#recentlyVerified = new LeastRecentlyUsed(times.entriesMin)
    this.#rejected = new LeastRecentlyUsed(times.entriesMin)
  }

  /** The cache key of a credential: a keyed hash, useless outside this process, which it never leaves. */
  key({ company, secret }: PresentedCredential): string {
    // Company names are compared without regard to case.
    const name = company === null ? null : companyKey(company)
    const owner = name === null ? '-' : `${name.length}:${name}`
    return hash('sha256', `${this.#hashKey}${owner}:${secret}`)
  }

  /** The entry of a verified secret, or undefined when the secret has to be verified. */
  getVerified(key: string, nowMs: number): Entry | undefined {
    const found = this.#verified.get(key)
    if (found === undefined) return undefined
    if (nowMs >= found.idleExpiresAt || nowMs >= found.expiresAt) {
      this.#verified.delete(key)
      return undefined
    }
    found.idleExpiresAt = nowMs + this.#times.idleMs
    return found.entry
  }

  saveVerified(key: string, entry: Entry, nowMs: number): void {
    const { idleMs, maxAgeMs, recentMs } = this.#times
    this.#verified.set(key, { entry, idleExpiresAt: nowMs + idleMs, expiresAt: nowMs + maxAgeMs })
    this.#recentlyVerified.set(key, nowMs + recentMs)
    this.#rejected.delete(key)
  }

  /** Whether the secret was correct when it was last verified, within `recentMs`. */
  wasVerified(key: string, nowMs: number): boolean {
    return nowMs < (this.#recentlyVerified.get(key) ?? 0)
  }

  delete(key: string): void {
    this.#verified.delete(key)
  }

  /** Whether the secret was rejected before, while the company had the same credentials. */
  isRejected(key: string, state: string, nowMs: number): boolean {
    const found = this.#rejected.get(key)
    return found !== undefined && found.state === state && nowMs < found.expiresAt
  }

  saveRejected(key: string, state: string, nowMs: number): void {
    this.#recentlyVerified.delete(key)
    this.#rejected.set(key, { state, expiresAt: nowMs + this.#times.rejectedMs })
  }
}

interface VerifiedEntry<Entry> {
  readonly entry: Entry
  idleExpiresAt: number
  readonly expiresAt: number
}
