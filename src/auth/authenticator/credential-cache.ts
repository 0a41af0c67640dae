// Remembers which secrets were right, and which were wrong, without holding anything a secret could be read from.
import { hash } from 'node:crypto'
import type { Presented } from './credentials.ts'
import type { Random } from '../tokens/secret.ts'
import { LeastRecentlyUsed } from '../../lib/least-recently-used.ts'
import { companyKey } from '../../store/accounts/companies.ts'

export interface CacheTimes {
  /** How long a right secret is remembered after it was last seen. */
  readonly idleMs: number
  /** How long at most, until it is verified again. */
  readonly wholeMs: number
  /** How long it counts as one that was right, when it is verified again. */
  readonly latelyMs: number
  readonly wrongMs: number
  readonly entriesMax: number
}

const standardTimes: CacheTimes = {
  idleMs: 10 * 60_000,
  wholeMs: 60 * 60_000,
  latelyMs: 30 * 24 * 60 * 60_000,
  wrongMs: 60 * 60_000,
  entriesMax: 10_000,
}

/** `Entry` is what a right secret opens. */
export class CredentialCache<Entry> {
  readonly #times: CacheTimes
  readonly #inner: string
  readonly #outer: string
  readonly #right: LeastRecentlyUsed<string, Right<Entry>>
  readonly #lately: LeastRecentlyUsed<string, number>
  readonly #wrong: LeastRecentlyUsed<string, Wrong>

  constructor(random: Random, times: CacheTimes = standardTimes) {
    this.#times = times
    this.#inner = random(32).toString('hex')
    this.#outer = random(32).toString('hex')
    this.#right = new LeastRecentlyUsed(times.entriesMax)
    this.#lately = new LeastRecentlyUsed(times.entriesMax)
    this.#wrong = new LeastRecentlyUsed(times.entriesMax)
  }

  /** The key of a credential: a keyed hash, of no use outside this process (nested, as HMAC is). */
  key({ company, secret }: Presented): string {
    // As the name is compared: another letter case is the same credential.
    const name = company === null ? null : companyKey(company)
    const owner = name === null ? '-' : `${name.length}:${name}`
    return hash('sha256', this.#outer + hash('sha256', `${this.#inner}${owner}:${secret}`))
  }

  /** What a right secret opens, or undefined when it has to be verified. */
  right(key: string, nowMs: number): Entry | undefined {
    const found = this.#right.get(key)
    if (found === undefined) return undefined
    if (nowMs >= found.idleUntil || nowMs >= found.until) {
      this.#right.delete(key)
      return undefined
    }
    found.idleUntil = nowMs + this.#times.idleMs
    return found.entry
  }

  rememberRight(key: string, entry: Entry, nowMs: number): void {
    const { idleMs, wholeMs, latelyMs } = this.#times
    this.#right.set(key, { entry, idleUntil: nowMs + idleMs, until: nowMs + wholeMs })
    this.#lately.set(key, nowMs + latelyMs)
    this.#wrong.delete(key)
  }

  /** Whether the secret was right the last time that it was verified, and not too long ago. */
  wasRight(key: string, nowMs: number): boolean {
    return nowMs < (this.#lately.get(key) ?? 0)
  }

  forget(key: string): void {
    this.#right.delete(key)
  }

  /** Whether the secret was wrong before, for the same state of the company's credentials. */
  isWrong(key: string, state: string, nowMs: number): boolean {
    const found = this.#wrong.get(key)
    return found !== undefined && found.state === state && nowMs < found.until
  }

  rememberWrong(key: string, state: string, nowMs: number): void {
    this.#lately.delete(key)
    this.#wrong.set(key, { state, until: nowMs + this.#times.wrongMs })
  }
}

interface Right<Entry> {
  readonly entry: Entry
  idleUntil: number
  readonly until: number
}

interface Wrong {
  readonly state: string
  readonly until: number
}
