// The identity provider: where people are sent, and what it says of them when they come back. The only speaker of OIDC.
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
import { Fault } from '../errors/catalog.ts'
import { outboundTo, ownNames, type Outbound } from '../http/http-client.ts'

export interface ProviderSettings {
  /** As the provider spells itself, to the letter. */
  readonly issuer: string
  readonly clientId: string
  /** '' for a client without one. */
  readonly clientSecret: string
  /** Separated by blanks. */
  readonly scopes: string
  /** The claim that lists groups. */
  readonly groupsClaim: string
  /** Hosts that are called beside the issuer's. */
  readonly hosts: readonly string[]
}

/** What is known when somebody is sent away, and needed when they come back. */
export interface Asking {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The provider is to ask for the password, however lately it did. */
  readonly isAnew: boolean
}

/** What the provider says of who came back. */
export interface Claimed {
  readonly issuer: string
  readonly subject: string
  /** For people to read; never who somebody is. */
  readonly email: string | null
  readonly groups: readonly string[]
  /** When the provider asked for the password, in microseconds; null where it does not say. */
  readonly authenticatedAt: number | null
}

export class Provider {
  readonly #settings: ProviderSettings
  readonly #hosts: readonly string[]
  readonly #outbound: Outbound
  #found: Promise<Configuration> | undefined

  constructor(settings: ProviderSettings) {
    this.#settings = settings
    this.#hosts = [new URL(settings.issuer).hostname, ...settings.hosts]
    this.#outbound = outboundTo(this.#hosts)
  }

  get issuer(): string {
    return this.#settings.issuer
  }

  /** Where the browser goes. Throws `ProviderUnavailable`. */
  async address(asking: Asking, backTo: string): Promise<string> {
    const configuration = await this.#configuration()
    const { state, nonce, verifier, isAnew } = asking
    return buildAuthorizationUrl(configuration, {
      redirect_uri: backTo,
      scope: this.#settings.scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isAnew ? { max_age: '0', prompt: 'login' } : {}),
    }).href
  }

  /** `cameBackTo` is the address with all that the provider put into it. Throws `SignOnFailed` for whatever is not as asked. */
  async claims(asking: Asking, cameBackTo: string): Promise<Claimed> {
    const configuration = await this.#configuration()
    try {
      const tokens = await authorizationCodeGrant(configuration, new URL(cameBackTo), {
        expectedState: asking.state,
        expectedNonce: asking.nonce,
        pkceCodeVerifier: asking.verifier,
        ...(asking.isAnew ? { maxAge: 0 } : {}),
      })
      const claims = tokens.claims()
      // The library lets one provider stand for the tenants of another; here it is the one that is named.
      if (claims === undefined || claims.iss !== this.#settings.issuer) throw new Mismatch()
      const more = await this.#userInfo(configuration, claims, tokens.access_token)
      return this.#claimed(claims, { ...more, ...claims })
    } catch (error) {
      throw refused('SignOnFailed', error)
    }
  }

  #claimed(
    { iss, sub, auth_time: seconds }: { iss: string; sub: string; auth_time?: number },
    claims: Readonly<Record<string, unknown>>,
  ): Claimed {
    const groups = claims[this.#settings.groupsClaim]
    // Whoever may write any address into a profile is not to have the account that bears it.
    const isDenied = claims['email_verified'] === false
    const email = isDenied ? null : (claims['email'] ?? claims['preferred_username'])
    return {
      issuer: iss,
      subject: sub,
      email: typeof email === 'string' ? email : null,
      groups: [groups].flat().filter((group) => typeof group === 'string'),
      authenticatedAt: seconds === undefined ? null : seconds * 1_000_000,
    }
  }

  /** What the token leaves out; a provider may keep it at a host that is not called, and then it is not known. */
  async #userInfo(
    configuration: Configuration,
    claims: { readonly sub: string; readonly [claim: string]: unknown },
    accessToken: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { userinfo_endpoint: endpoint = '' } = configuration.serverMetadata()
    const isWhole =
      claims[this.#settings.groupsClaim] !== undefined && claims['email'] !== undefined
    if (isWhole || !URL.canParse(endpoint) || !this.#hosts.includes(new URL(endpoint).hostname))
      return {}
    return fetchUserInfo(configuration, accessToken, claims.sub)
  }

  /** Asked for once; a provider that is away is asked again by the next who comes. */
  #configuration(): Promise<Configuration> {
    return (this.#found ??= this.#discover().catch((error: unknown) => {
      this.#found = undefined
      throw refused('ProviderUnavailable', error)
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
        // On this machine, where no network stands between.
        execute: ownNames.includes(server.hostname) ? [allowInsecureRequests] : [],
      },
    )
    if (configuration.serverMetadata().issuer !== issuer) throw new Mismatch()
    enableNonRepudiationChecks(configuration)
    return configuration
  }

  /** A provider that cannot be reached has refused nothing. */
  readonly #fetch: CustomFetch = async (address, { method, headers, body }) => {
    const text = body instanceof URLSearchParams ? body.toString() : (body ?? null)
    if (text !== null && typeof text !== 'string') throw new Error('a call with a body of bytes')
    try {
      return await this.#outbound(address, { method, headers, body: text })
    } catch (error) {
      throw refused('ProviderUnavailable', error)
    }
  }
}

class Mismatch extends Error {
  readonly code = 'ISSUER_MISMATCH'
}

/** What the library finds wrong is told by its code alone: its errors hold what was sent. */
function refused(code: 'ProviderUnavailable' | 'SignOnFailed', error: unknown): Fault {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Fault) return cause
  return new Fault(code, { cause: new Told(codeIn(error) ?? codeIn(cause) ?? 'UNKNOWN') })
}

function codeIn(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null
}

class Told extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}
