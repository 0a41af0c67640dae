// The gate: a request comes in, and a caller goes on, or a refusal comes back.
import type { Caller } from '../caller.ts'
import { challenge } from './www-authenticate.ts'
import { CredentialCache } from './credential-cache.ts'
import { credentialsIn, type Asking, type Presented } from './credentials.ts'
import { FailureLimiter } from '../passwords/login-throttle.ts'
import { SharedLimiter } from '../passwords/shared-login-throttle.ts'
import { HashQueue } from '../passwords/hash-queue.ts'
import { originOf, type Arriving, type Origin } from './client-address.ts'
import type { HashCost } from '../passwords/password-hash.ts'
import { RateLimiter, type Bucket, type Rate } from './rate-limit.ts'
import type { Scope } from '../scopes.ts'
import type { Random } from '../tokens/secret.ts'
import { Verifier, type Verified } from './verifier.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Networks } from '../../lib/network.ts'
import { credentialVersion, noteCredentialUse } from '../../store/accounts/credentials.ts'
import type { Awaitable, Store } from '../../store/store.ts'

export interface GateOptions {
  readonly store: Store
  readonly pepper: Buffer
  readonly hashCost: HashCost
  /** Microseconds since 1970. */
  readonly clock: () => number
  readonly random: Random
  readonly trustProxy: Networks
  /** Where plain http is served beside this machine. */
  readonly allowHttp: Networks
  /** Null: no limit. */
  readonly rate: Rate | null
  /** Whether a password or key that stands in the address is refused, whosoever it is. */
  readonly refusesQuery?: boolean
  /** Begins the link to the safer ways; '' where the server has no public name. */
  readonly publicUrl: string
  /** Told what failed beside the request, like noting that a key was used. */
  readonly onTrouble: (problem: unknown) => void
}

export interface Visit extends Asking, Arriving {
  /** Written here as soon as it is known. */
  caller?: { readonly companyId: number; readonly credentialId: string }
}

/** How many costly checks of passwords there are. */
export interface GateLoad {
  readonly hashesRunning: number
  readonly hashesWaiting: number
}

/** A credential at the gate, and what it is shown for. */
interface Knock {
  readonly presented: Presented
  readonly origin: Origin
  readonly scope: Scope | null
  readonly request: Visit
}

/** What stands between a guess and the costly hash; one for all who guess. */
export interface Guard {
  readonly limiter: SharedLimiter
  readonly queue: HashQueue
}

export class Gate {
  readonly guard: Guard
  readonly #options: GateOptions
  readonly #cache: CredentialCache<Entry>
  readonly #verifier: Verifier
  readonly #limiter: RateLimiter
  readonly #deprecation: Readonly<Record<string, string>>
  readonly #clockMs: () => number
  readonly #notes = new Set<Promise<void>>()
  #turn = 0
  #turnEnds = false

  constructor(options: GateOptions) {
    this.#options = options
    this.#clockMs = () => options.clock() / 1000
    this.#cache = new CredentialCache(options.random)
    this.guard = {
      limiter: new SharedLimiter(new FailureLimiter(this.#clockMs), options),
      queue: new HashQueue(),
    }
    this.#verifier = new Verifier({ ...options, ...this.guard, triedPairs: this.#cache })
    this.#limiter = new RateLimiter(() => options.rate ?? unlimited, this.#clockMs)
    this.#deprecation = {
      Deprecation: `@${queryCredentialsDeprecatedAt}`,
      Link: `<${options.publicUrl}/docs#credentials>; rel="deprecation"`,
    }
  }

  /**
   * The caller, if the credentials of the request are right and carry the scope, if one is needed. Answers at once where
   * the database does and the credential was seen before; throws or rejects with a `Fault` otherwise.
   */
  admit(request: Visit, scope: Scope | null): Awaitable<Caller> {
    const origin = originOf(request, this.#options.trustProxy)
    this.#requireTls(origin)
    const [first, second] = credentialsIn(request)
    if (first === undefined) throw new Fault('MissingCredentials', { headers: challenge })
    if (this.#options.refusesQuery === true && (first.viaQuery || second?.viaQuery === true))
      throw this.#refuseQuery()
    const knock: Knock = { presented: first, origin, scope, request }
    if (second !== undefined) return this.#admitBoth(knock, second)
    const entry = this.#entryOf(first, origin)
    return entry instanceof Promise
      ? entry.then((found) => this.#open(found, knock))
      : this.#open(entry, knock)
  }

  /** One more call of a caller whose request holds several. Throws `RateLimited`. */
  again({ credentialId }: Caller, request: Arriving): void {
    const { isLoopback } = originOf(request, this.#options.trustProxy)
    this.#limiter?.take(this.#limiter.bucket(credentialId), isLoopback)
  }

  /** What every answer to this caller carries: how many calls are left, and that addresses keep no secrets. */
  headersFor(caller: Caller): Record<string, string> {
    const { credentialId, viaQuery } = caller
    return {
      ...(this.#options.rate && this.#limiter.headers(this.#limiter.bucket(credentialId))),
      ...(viaQuery ? this.#deprecation : undefined),
    }
  }

  load(): GateLoad {
    return { hashesRunning: this.guard.queue.running, hashesWaiting: this.guard.queue.waiting }
  }

  /** Resolves when what was noted beside the requests so far is written; then the store may close. */
  async settled(): Promise<void> {
    await Promise.all(this.#notes)
  }

  /** Plain http is for this machine and the networks that the operator names. Throws `TlsRequired`. */
  requireTls(request: Arriving): void {
    this.#requireTls(originOf(request, this.#options.trustProxy))
  }

  #requireTls({ isLoopback, isSecure, address }: Origin): void {
    if (!isLoopback && !isSecure && !this.#options.allowHttp.has(address))
      throw new Fault('TlsRequired')
  }

  /** Both must be right, of one company; the first of them, a key before a password, is who calls. */
  async #admitBoth(knock: Knock, second: Presented): Promise<Caller> {
    const { presented, origin } = knock
    const entry = await this.#entryOf(presented, origin)
    const other = await this.#entryOf(second, origin)
    if (entry.caller.companyId !== other.caller.companyId) throw new Fault('AmbiguousCredentials')
    const viaQuery = presented.viaQuery || second.viaQuery
    return this.#open(entry, { ...knock, presented: { ...presented, viaQuery } })
  }

  #entryOf(presented: Presented, origin: Origin): Awaitable<Entry> {
    const key = this.#cache.key(presented)
    const entry = this.#cache.right(key, this.#clockMs())
    const isUnknown = entry === undefined || (entry.isWeak && !entry.networks?.has(origin.address))
    if (isUnknown) return this.#verify(key, presented, origin)
    const state = this.#stateOf(entry)
    return state instanceof Promise
      ? state.then((found) => this.#refresh(entry, found, key, presented, origin))
      : this.#refresh(entry, state, key, presented, origin)
  }

  /** One read serves every request of one turn of the event loop. */
  #stateOf(entry: Entry): Awaitable<State> {
    if (entry.stateTurn === this.#turn) return entry.state
    entry.state = credentialVersion(this.#options.store, entry.caller.credentialId)
    entry.stateTurn = this.#turn
    if (!this.#turnEnds) {
      this.#turnEnds = true
      setImmediate(() => {
        this.#turn++
        this.#turnEnds = false
      })
    }
    return entry.state
  }

  /** A remembered credential holds as long as nobody changed, revoked or disabled anything about it. */
  #refresh(
    entry: Entry,
    state: State,
    key: string,
    presented: Presented,
    origin: Origin,
  ): Awaitable<Entry> {
    if (state?.version === entry.version && state.companyDisabledAt === null) return entry
    this.#cache.forget(key)
    return this.#verify(key, presented, origin)
  }

  async #verify(key: string, presented: Presented, origin: Origin): Promise<Entry> {
    const verified = await this.#verifier.verify(key, presented, origin)
    const entry: Entry = {
      ...verified,
      bucket: this.#limiter.bucket(verified.caller.credentialId),
      notedAt: 0,
      state: undefined,
      stateTurn: -1,
    }
    this.#cache.rememberRight(key, entry, this.#clockMs())
    return entry
  }

  #open(entry: Entry, { presented, origin, scope, request }: Knock): Caller {
    // Known from here on, also where it is refused for another reason.
    request.caller = entry.caller
    const now = this.#options.clock()
    if (entry.expiresAt !== null && now >= entry.expiresAt)
      throw new Fault('CredentialExpired', {
        says: { date: new Date(entry.expiresAt / 1000).toISOString().slice(0, 10) },
        headers: challenge,
      })
    if (entry.networks !== null && !entry.networks.has(origin.address))
      throw new Fault('IpNotAllowed')
    if (entry.caller.company.settings.refusesQueryCredentials && presented.viaQuery)
      throw this.#refuseQuery()
    if (this.#options.rate !== null) this.#limiter.take(entry.bucket, origin.isLoopback)
    if (scope !== null && !entry.caller.scopes.has(scope))
      throw new Fault('ScopeMissing', { says: { scope } })
    if (now - entry.notedAt >= noteEvery) this.#noteUse(entry, now)
    return presented.viaQuery ? entry.callerViaQuery : entry.caller
  }

  #refuseQuery(): Fault {
    return new Fault('QueryCredentialsRefused', { headers: this.#deprecation })
  }

  /** Beside the request: no call waits for it, and none fails with it. */
  #noteUse(entry: Entry, now: number): void {
    entry.notedAt = now
    const { store, onTrouble } = this.#options
    const note = store
      .inHouseTransaction((writer) => noteCredentialUse(writer, entry.caller.credentialId, now))
      .catch(onTrouble)
      .finally(() => this.#notes.delete(note))
    this.#notes.add(note)
  }
}

interface Entry extends Verified {
  readonly bucket: Bucket
  /** When its use was last written down. */
  notedAt: number
  /** What the database said of it, and in which turn of the event loop. */
  state: Awaitable<State>
  stateTurn: number
}

type State = Awaited<ReturnType<typeof credentialVersion>>

/** Of a gate without a limit: its buckets are filled, and nobody looks into them. */
const unlimited: Rate = { callsPerMinute: 1, burst: 1 }

/** Microseconds: the last use of a credential is shown to the minute. */
const noteEvery = 60_000_000

/** The first of January 2026, in seconds. */
const queryCredentialsDeprecatedAt = 1_767_225_600
