// OpenID Connect provider: authorization URL, code exchange and claims.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type Configuration,
  type CustomFetch,
} from 'openid-client'
import { ApiError } from '../errors/api-error.ts'
import { createHttpClient, type HttpClient } from '../http/http-client.ts'
import { isLoopbackHost } from '../lib/network.ts'

export interface ProviderSettings {
  /** Must equal the `iss` of the provider exactly. */
  readonly issuer: string
  readonly clientId: string
  /** '' for a public client. */
  readonly clientSecret: string
  /** Space-separated. */
  readonly scopes: string
  /** Name of the groups claim. */
  readonly groupsClaim: string
  /** Further hosts of the provider that may be called. */
  readonly hosts: readonly string[]
}

/** Values of an authorization request that are checked in the callback. */
export interface AuthorizationRequest {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Requires the provider to authenticate the person again (`max_age=0`, `prompt=login`). */
  readonly forcesReauthentication: boolean
}

/** Claims about the signed-in person. */
export interface IdentityClaims {
  readonly issuer: string
  readonly subject: string
  /** For display only; never identifies the account. */
  readonly email: string | null
  readonly groups: readonly string[]
  /** `auth_time` in microseconds; null when the provider does not send it. */
  readonly authenticatedAt: number | null
}

export class OidcProvider {
  readonly #settings: ProviderSettings
  readonly #hosts: readonly string[]
  readonly #outbound: HttpClient
  #discovered: Promise<Configuration> | undefined

  constructor(settings: ProviderSettings) {
    this.#settings = settings
    this.#hosts = [new URL(settings.issuer).hostname, ...settings.hosts]
    this.#outbound = createHttpClient(this.#hosts)
  }

  /** Builds the authorization URL. Throws `ProviderUnavailable`. */
  async authorizationUrl(request: AuthorizationRequest, redirectUri: string): Promise<string> {
    const configuration = await this.#configuration()
    const { state, nonce, verifier, forcesReauthentication } = request
    return buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#settings.scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(forcesReauthentication ? { max_age: '0', prompt: 'login' } : {}),
    }).href
  }

  /** Exchanges the code of the callback URL for claims. Throws `SingleSignOnFailed` when a check fails. */
  async exchangeCode(request: AuthorizationRequest, callbackUrl: string): Promise<IdentityClaims> {
    const configuration = await this.#configuration()
    try {
      const tokens = await authorizationCodeGrant(configuration, new URL(callbackUrl), {
        expectedState: request.state,
        expectedNonce: request.nonce,
        pkceCodeVerifier: request.verifier,
        ...(request.forcesReauthentication ? { maxAge: 0 } : {}),
      })
      const claims = tokens.claims()
      // The library accepts other issuers for multi-tenant providers; this server requires the configured one.
      if (claims === undefined || claims.iss !== this.#settings.issuer) throw new IssuerMismatch()
      const more = await this.#userInfo(configuration, claims, tokens.access_token)
      return this.#toIdentityClaims(claims, { ...more, ...claims })
    } catch (error) {
      throw providerError('SingleSignOnFailed', error)
    }
  }

  #toIdentityClaims(
    { iss, sub, auth_time: seconds }: { iss: string; sub: string; auth_time?: number },
    claims: Readonly<Record<string, unknown>>,
  ): IdentityClaims {
    const groups = claims[this.#settings.groupsClaim]
    // An unverified address must not be used.
    const isUnverified = claims['email_verified'] === false
    const email = isUnverified ? null : (claims['email'] ?? claims['preferred_username'])
    return {
      issuer: iss,
      subject: sub,
      email: typeof email === 'string' ? email : null,
      groups: [groups].flat().filter((group) => typeof group === 'string'),
      authenticatedAt: seconds === undefined ? null : seconds * 1_000_000,
    }
  }

  /** Claims missing from the ID token; empty when the userinfo endpoint is on a host that may not be called. */
  async #userInfo(
    configuration: Configuration,
    claims: { readonly sub: string; readonly [claim: string]: unknown },
    accessToken: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { userinfo_endpoint: endpoint = '' } = configuration.serverMetadata()
    const isComplete = claims[this.#settings.groupsClaim] !== undefined && claims['email'] !== undefined
    if (isComplete || !URL.canParse(endpoint) || !this.#hosts.includes(new URL(endpoint).hostname)) return {}
    return fetchUserInfo(configuration, accessToken, claims.sub)
  }

  /** Discovered once; a failed discovery is retried by the next request. */
  #configuration(): Promise<Configuration> {
    return (this.#discovered ??= this.#discover().catch((error: unknown) => {
      this.#discovered = undefined
      throw providerError('ProviderUnavailable', error)
    }))
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    const server = new URL(issuer)
    const configuration = await discovery(
      server,
      clientId,
      {},
      clientSecret === '' ? None() : ClientSecretPost(clientSecret),
      {
        [customFetch]: this.#fetch,
        // Plain HTTP is allowed on this machine only.
        execute: isLoopbackHost(server.hostname) ? [allowInsecureRequests] : [],
      },
    )
    if (configuration.serverMetadata().issuer !== issuer) throw new IssuerMismatch()
    enableNonRepudiationChecks(configuration)
    return configuration
  }

  /** Maps network errors to `ProviderUnavailable`. */
  readonly #fetch: CustomFetch = async (url, { method, headers, body }) => {
    const text = body instanceof URLSearchParams ? body.toString() : (body ?? null)
    if (text !== null && typeof text !== 'string') throw new Error('binary request bodies are not supported')
    try {
      return await this.#outbound(url, { method, headers, body: text })
    } catch (error) {
      throw providerError('ProviderUnavailable', error)
    }
  }
}

class IssuerMismatch extends Error {
  readonly code = 'ISSUER_MISMATCH'
}

/** Keeps only the error code, because the errors of the library contain what was sent. */
function providerError(code: 'ProviderUnavailable' | 'SingleSignOnFailed', error: unknown): ApiError {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof ApiError) return cause
  return new ApiError(code, { cause: new ProviderError(codeIn(error) ?? codeIn(cause) ?? 'UNKNOWN') })
}

function codeIn(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

class ProviderError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}
