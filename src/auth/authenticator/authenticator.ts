// Authenticator: authenticates API requests and applies their rate limit.
import type { Caller } from '../caller.ts'
import { authenticateHeader } from './www-authenticate.ts'
import { CredentialCache } from './credential-cache.ts'
import { parseCredentials, type CredentialRequest, type PresentedCredential } from './credentials.ts'
import { LoginThrottle } from '../passwords/login-throttle.ts'
import { SharedLoginThrottle } from '../passwords/shared-login-throttle.ts'
import { HashQueue } from '../passwords/hash-queue.ts'
import { getClientConnection, type ForwardedRequest, type ClientConnection } from './client-address.ts'
import { RateLimiter, type Bucket, type Rate } from './rate-limit.ts'
import type { Scope } from '../scopes.ts'
import type { CryptoContext } from '../tokens/credential-factory.ts'
import { Verifier, type VerifiedCredential } from './verifier.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Networks } from '../../lib/network.ts'
import { microsecondsPerMinute } from '../../lib/timestamp.ts'
import { getCredentialVersion, recordCredentialUse } from '../../store/accounts/credentials.ts'
import type { Awaitable, Store } from '../../store/store.ts'

/** Read at each use, because a reload of the configuration changes them. */
export interface AuthenticatorSettings {
  readonly trustProxy: Networks
  /** Whether no client is on this machine, also not one without a forwarding header. */
  readonly isBehindProxy: boolean
  /** Networks that may use plain HTTP; loopback always may. */
  readonly allowHttp: Networks
  /** Null: no rate limit. */
  readonly rate: Rate | null
  /** Whether passwords and keys in the query string are rejected for every company. */
  readonly rejectsQueryCredentials: boolean
}

export interface AuthenticatorOptions extends CryptoContext {
  readonly store: Store
  readonly settings: AuthenticatorSettings
  /** Whether nobody is refused for the number of calls, which are counted, or of failed logins; in a sandbox. */
  readonly isLenient?: boolean
  /** The base of the documentation link; '' when the server has no public URL. */
  readonly publicUrl: string
  /** Receives errors of background writes, like recording that a key was used. */
  readonly onBackgroundError: (problem: unknown) => void
}

export interface AuthRequest extends CredentialRequest, ForwardedRequest {
  /** Set as soon as the credential is verified. */
  caller?: { readonly companyId: number; readonly credentialId: string }
}

/** How many password hashes are being computed or queued. */
export interface PasswordHashLoad {
  readonly hashesRunning: number
  readonly hashesWaiting: number
}

/** A presented credential and the scope that the request needs. */
interface AuthAttempt {
  readonly presented: PresentedCredential
  readonly connection: ClientConnection
  readonly scope: Scope | null
  readonly request: AuthRequest
  /** Whether the rate limit counts it. */
  readonly isCounted: boolean
}

/** The limits that apply before a password is hashed, shared by API and browser sign-in. */
export interface PasswordThrottle {
  readonly throttle: SharedLoginThrottle
  readonly queue: HashQueue
}

const counted = { isCounted: true }

export class Authenticator {
  readonly passwordThrottle: PasswordThrottle
  readonly #options: AuthenticatorOptions
  readonly #cache: CredentialCache<CachedCredential>
  readonly #verifier: Verifier
  readonly #limiter: RateLimiter
  readonly #deprecation: Readonly<Record<string, string>>
  readonly #clockMs: () => number
  readonly #pendingWrites = new Set<Promise<void>>()

  constructor(options: AuthenticatorOptions) {
    this.#options = options
    this.#clockMs = () => options.clock() / 1000
    this.#cache = new CredentialCache(options.random)
    this.passwordThrottle = {
      throttle: new SharedLoginThrottle(options.isLenient === true ? null : new LoginThrottle(this.#clockMs), options),
      queue: options.isLenient === true ? new HashQueue(withoutQueueLimit) : new HashQueue(),
    }
    this.#verifier = new Verifier({ ...options, ...this.passwordThrottle, checkedCredentials: this.#cache })
    this.#limiter = new RateLimiter(() => options.settings.rate ?? unlimited, this.#clockMs)
    this.#deprecation = {
      Deprecation: `@${queryCredentialsDeprecatedAt}`,
      Link: `<${options.publicUrl}/docs#credentials>; rel="deprecation"`,
    }
  }

  /**
   * Returns the caller when the credentials are valid and carry the scope, if one is required. Synchronous when the
   * credential is cached and the database answers synchronously. Throws or rejects with an `ApiError` otherwise.
   * A request that is authenticated again is not counted again.
   */
  authenticate(request: AuthRequest, scope: Scope | null, { isCounted } = counted): Awaitable<Caller> {
    const connection = this.#getConnection(request)
    this.#requireTls(connection)
    const [first, second] = parseCredentials(request)
    if (first === undefined) throw new ApiError('MissingCredentials', { headers: authenticateHeader })
    if (this.#options.settings.rejectsQueryCredentials && (first.viaQuery || second?.viaQuery === true))
      throw this.#queryCredentialsError()
    const attempt: AuthAttempt = { presented: first, connection, scope, request, isCounted }
    if (second !== undefined) return this.#authenticateBoth(attempt, second)
    const entry = this.#getEntry(first, connection)
    return entry instanceof Promise
      ? entry.then((found) => this.#authorize(found, attempt))
      : this.#authorize(entry, attempt)
  }

  /** Counts one more call of a caller, for a request that contains several. Throws `RateLimited`. */
  countCall({ credentialId }: Caller, request: ForwardedRequest): void {
    this.#countCall(this.#limiter.bucket(credentialId), this.#getConnection(request))
  }

  #countCall(bucket: Bucket, { isLoopback }: ClientConnection): void {
    const { settings, isLenient = false } = this.#options
    if (settings.rate !== null) this.#limiter.take(bucket, isLoopback || isLenient)
  }

  /** The headers of every response to this caller: rate limit, and the deprecation of query credentials. */
  headersFor(caller: Caller): Record<string, string> {
    const { credentialId, viaQuery } = caller
    return {
      ...(this.rate && this.#limiter.headers(this.#limiter.bucket(credentialId))),
      ...(viaQuery ? this.#deprecation : undefined),
    }
  }

  /** Null: no rate limit. */
  get rate(): Rate | null {
    return this.#options.settings.rate
  }

  load(): PasswordHashLoad {
    return { hashesRunning: this.passwordThrottle.queue.running, hashesWaiting: this.passwordThrottle.queue.waiting }
  }

  /** Resolves when all pending background writes are done, so that the store can be closed. */
  async flushUsage(): Promise<void> {
    await Promise.all(this.#pendingWrites)
  }

  /** Allows plain HTTP only from loopback and from the configured networks. Throws `TlsRequired`. */
  requireTls(request: ForwardedRequest): void {
    this.#requireTls(this.#getConnection(request))
  }

  #getConnection(request: ForwardedRequest): ClientConnection {
    const { trustProxy, isBehindProxy } = this.#options.settings
    const connection = getClientConnection(request, trustProxy)
    return isBehindProxy ? { ...connection, isLoopback: false } : connection
  }

  #requireTls({ isLoopback, isSecure, address }: ClientConnection): void {
    if (!isLoopback && !isSecure && !this.#options.settings.allowHttp.has(address)) throw new ApiError('TlsRequired')
  }

  /** Both must be valid and of the same company. The first one, a key before a password, is the caller. */
  async #authenticateBoth(attempt: AuthAttempt, second: PresentedCredential): Promise<Caller> {
    const { presented, connection } = attempt
    const entry = await this.#getEntry(presented, connection)
    const other = await this.#getEntry(second, connection)
    if (entry.caller.companyId !== other.caller.companyId) throw new ApiError('AmbiguousCredentials')
    const viaQuery = presented.viaQuery || second.viaQuery
    return this.#authorize(entry, { ...attempt, presented: { ...presented, viaQuery } })
  }

  #getEntry(presented: PresentedCredential, connection: ClientConnection): Awaitable<CachedCredential> {
    const key = this.#cache.key(presented)
    const entry = this.#cache.getVerified(key, this.#clockMs())
    const isUnknown = entry === undefined || (entry.isWeak && !entry.networks?.has(connection.address))
    if (isUnknown) return this.#verify(key, presented, connection)
    /** A cached credential is valid until the credential or its company is changed, revoked or disabled. */
    const refresh = (state: CachedCredentialVersion) => {
      if (state?.version === entry.version && state.companyDisabledAt === null) return entry
      this.#cache.delete(key)
      return this.#verify(key, presented, connection)
    }
    const state = this.#getState(entry)
    return state instanceof Promise ? state.then(refresh) : refresh(state)
  }

  /** Read again only when it may have changed. */
  #getState(entry: CachedCredential): Awaitable<CachedCredentialVersion> {
    const { store } = this.#options
    const snapshotVersion = store.snapshotVersion()
    if (entry.snapshotVersion === snapshotVersion) return entry.state
    entry.state = getCredentialVersion(store, { companyId: entry.caller.companyId, id: entry.caller.credentialId })
    entry.snapshotVersion = snapshotVersion
    return entry.state
  }

  async #verify(key: string, presented: PresentedCredential, connection: ClientConnection): Promise<CachedCredential> {
    const verified = await this.#verifier.verify(key, presented, connection)
    const entry: CachedCredential = {
      ...verified,
      bucket: this.#limiter.bucket(verified.caller.credentialId),
      recordedAt: 0,
      state: undefined,
      snapshotVersion: null,
    }
    this.#cache.saveVerified(key, entry, this.#clockMs())
    return entry
  }

  #authorize(entry: CachedCredential, { presented, connection, scope, request, isCounted }: AuthAttempt): Caller {
    // Set for the log even when the request is rejected below.
    request.caller = entry.caller
    const now = this.#options.clock()
    if (entry.expiresAt !== null && now >= entry.expiresAt)
      throw new ApiError('CredentialExpired', {
        params: { date: new Date(entry.expiresAt / 1000).toISOString().slice(0, 10) },
        headers: authenticateHeader,
      })
    if (entry.networks !== null && !entry.networks.has(connection.address)) throw new ApiError('IpNotAllowed')
    if (entry.caller.company.settings.refusesQueryCredentials && presented.viaQuery) throw this.#queryCredentialsError()
    if (isCounted) this.#countCall(entry.bucket, connection)
    if (scope !== null && !entry.caller.scopes.has(scope)) throw new ApiError('ScopeMissing', { params: { scope } })
    if (now - entry.recordedAt >= usePrecision) this.#recordUse(entry, now)
    return presented.viaQuery ? entry.callerViaQuery : entry.caller
  }

  #queryCredentialsError(): ApiError {
    return new ApiError('QueryCredentialsNotAllowed', { headers: this.#deprecation })
  }

  /** Runs in the background: no request waits for it or fails because of it. */
  #recordUse(entry: CachedCredential, now: number): void {
    entry.recordedAt = now
    const { store, onBackgroundError } = this.#options
    const write = store
      .inSystemTransaction((writer) => recordCredentialUse(writer, { id: entry.caller.credentialId, lastUsedAt: now }))
      .catch(onBackgroundError)
      .finally(() => this.#pendingWrites.delete(write))
    this.#pendingWrites.add(write)
  }
}

interface CachedCredential extends VerifiedCredential {
  readonly bucket: Bucket
  /** When its last use was last stored. */
  recordedAt: number
  /** The result of the last version read, and the snapshot it was read in. */
  state: Awaitable<CachedCredentialVersion>
  snapshotVersion: number | null
}

type CachedCredentialVersion = Awaited<ReturnType<typeof getCredentialVersion>>

const withoutQueueLimit = { runningMax: 2, waitingMax: Infinity, rejectionMs: 0 } as const

/** Placeholder for a server without a rate limit: its buckets are never checked. */
const unlimited: Rate = { callsPerMinute: 1, burst: 1 }

/** The last use of a credential is stored to the minute. */
const usePrecision = microsecondsPerMinute

/** 2026-01-01, in seconds since 1970. */
const queryCredentialsDeprecatedAt = 1_767_225_600
