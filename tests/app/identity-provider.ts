// A real identity provider on this machine, and a client that signs in there like a browser.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import type { TestServerOptions } from '../support/server.ts'

export interface IdentityProvider {
  readonly issuer: string
  /** The settings of a server that signs in here. */
  readonly settings: NonNullable<TestServerOptions['settings']>
  /** Further claims about a subject. */
  readonly claimsBySubject: Map<string, Readonly<Record<string, unknown>>>
  /**
   * Opens a URL of the provider, signs in as the subject, and returns the callback URL with its
   * parameters.
   */
  signIn(address: string, subject: string): Promise<URL>
  close(): Promise<void>
}

export const oidcClient = { id: 'dagsverk', secret: 'hemmeligheten mellom de to' } as const

/** Sets the redirect URI of the client. */
export async function startProvider(
  redirectUri: string,
  secret: string = oidcClient.secret,
): Promise<IdentityProvider> {
  const claimsBySubject = new Map<string, Readonly<Record<string, unknown>>>()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: oidcClient.id,
        client_secret: secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    cookies: { keys: ['nøkkel for prøver'] },
    findAccount: (_: unknown, subject: string) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, ...claimsBySubject.get(subject) }),
    }),
    pkce: { required: () => true },
    ttl: { Grant: 600, Interaction: 600, Session: 600, AccessToken: 600, IdToken: 600 },
  })
  server.on('request', provider.callback())
  return {
    issuer,
    settings: {
      oidcIssuer: issuer,
      oidcClientId: oidcClient.id,
      oidcClientSecret: oidcClient.secret,
      oidcName: 'Prøveleverandør',
    },
    claimsBySubject,
    signIn: (address, subject) => signIn(address, subject, issuer),
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Follows the provider's pages, and fills in its forms. */
async function signIn(address: string, subject: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const open = async (url: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  let response = await open(address)
  for (let step = 0; step < 12; step++) {
    const location = response.headers.get('location')
    if (location !== null) {
      const url = new URL(location, issuer)
      if (url.origin !== issuer) return url
      response = await open(url.href)
      continue
    }
    const page = await response.text()
    const action = /action="(?<action>[^"]+)"/.exec(page)?.groups?.['action']
    const prompt = /name="prompt" value="(?<prompt>\w+)"/.exec(page)?.groups?.['prompt']
    if (action === undefined || prompt === undefined)
      throw new Error(`the provider replied ${response.status}: ${page.slice(0, 500)}`)
    response = await open(new URL(action, issuer).href, { prompt, login: subject, password: 'x' })
  }
  throw new Error('the provider redirects in a loop')
}
