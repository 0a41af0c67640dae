// A client of the browser app without a browser: signs in, keeps the cookie, sends the CSRF token.
import { beforeEach } from 'vitest'
import type { Role } from '../../src/auth/roles.ts'
import { useCompany, type TestCompany, type TestReply, type TestServer, type TestUser } from '../support/server.ts'

export interface SessionClient {
  readonly cookie: string
  readonly csrf: string
  get(path: string, query?: Readonly<Record<string, string>>): Promise<TestReply>
  send(method: string, path: string, json?: unknown, headers?: Readonly<Record<string, string>>): Promise<TestReply>
}

/** The Fetch Metadata of a request by our own page. */
export const ownPage = { 'sec-fetch-site': 'same-origin' } as const

export const sessionPath = '/app/okt'

export function signInAs(
  server: TestServer,
  { email, password }: TestUser,
  company = '',
  headers: Readonly<Record<string, string>> = {},
  fields: Readonly<Record<string, string>> = {},
): Promise<TestReply> {
  return server.call('POST', sessionPath, {
    as: null,
    json: { email, password, company, ...fields },
    headers: { ...ownPage, ...headers },
  })
}

/** 200 while the session of the cookie lasts. */
export async function sessionStatus(server: TestServer, cookie: string): Promise<number> {
  return (await server.call('GET', sessionPath, { as: null, headers: { cookie } })).status
}

/** The session cookie, or another one, as the browser sends it back. */
export function findCookie(reply: TestReply, name = '__Host-sid'): string {
  return new RegExp(`${name}=[^;,]*`).exec(setCookieHeader(reply))?.[0] ?? ''
}

/** Several cookies in one header, separated by commas. */
export function setCookieHeader({ headers }: TestReply): string {
  return [headers['set-cookie'] ?? ''].flat().join(', ')
}

export async function openSession(server: TestServer, person: TestUser, company = ''): Promise<SessionClient> {
  return resumeSession(server, findCookie(await signInAs(server, person, company)))
}

/** A session of a new user with this role. */
export async function openSessionAs(server: TestServer, company: TestCompany, role: Role): Promise<SessionClient> {
  return openSession(server, await server.addUser([{ company, role }]))
}

/** A company of its own with a user, and a session of this user: new ones for each test. Before the first test their members are missing. */
export function useSession(
  server: TestServer,
  role: Role,
): { readonly company: TestCompany; readonly user: TestUser; readonly session: SessionClient } {
  const company = useCompany(server)
  const [user, session] = [{} as TestUser, {} as SessionClient]
  beforeEach(async () => {
    Object.assign(user, await server.addUser([{ company, role }]))
    Object.assign(session, await openSession(server, user))
  })
  return { company, user, session }
}

export async function resumeSession(server: TestServer, cookie: string): Promise<SessionClient> {
  const get: SessionClient['get'] = (path, query = {}) =>
    server.call('GET', `${path}?${new URLSearchParams(query).toString()}`, { as: null, headers: { cookie } })
  const { csrf } = (await get(sessionPath)).json
  return {
    cookie,
    csrf,
    get,
    send: (method, path, json, headers = {}) =>
      server.call(method, path, { as: null, headers: { cookie, 'x-csrf-token': csrf, ...ownPage, ...headers }, json }),
  }
}
