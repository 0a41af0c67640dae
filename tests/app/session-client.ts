// A client of the browser app without a browser: signs in, keeps the cookie, sends the CSRF token.
import type { Answer, House, Person } from '../support/server.ts'

export interface Visitor {
  readonly cookie: string
  readonly csrf: string
  get(path: string, query?: Readonly<Record<string, string>>): Promise<Answer>
  act(
    method: string,
    path: string,
    json?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
}

/** The Fetch Metadata of a request by our own page. */
export const ownPage = { 'sec-fetch-site': 'same-origin' } as const

export const session = '/app/okt'

export function signInAs(
  house: House,
  { email, password }: Person,
  company = '',
  headers: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return house.call('POST', session, {
    as: null,
    json: { email, password, company, ...more },
    headers: { ...ownPage, ...headers },
  })
}

/** The session cookie, or another one, as the browser sends it back. */
export function cookieIn(answer: Answer, name = '__Host-sid'): string {
  return new RegExp(`${name}=[^;,]*`).exec(setCookie(answer))?.[0] ?? ''
}

/** Several cookies in one header, separated by commas. */
export function setCookie({ headers }: Answer): string {
  return [headers['set-cookie'] ?? ''].flat().join(', ')
}

export async function visit(house: House, person: Person, company = ''): Promise<Visitor> {
  return visitWith(house, cookieIn(await signInAs(house, person, company)))
}

export async function visitWith(house: House, cookie: string): Promise<Visitor> {
  const get: Visitor['get'] = (path, query = {}) =>
    house.call('GET', `${path}?${new URLSearchParams(query).toString()}`, {
      as: null,
      headers: { cookie },
    })
  const { csrf } = (await get(session)).json
  return {
    cookie,
    csrf,
    get,
    act: (method, path, json, headers = {}) =>
      house.call(method, path, {
        as: null,
        headers: { cookie, 'x-csrf-token': csrf, ...ownPage, ...headers },
        ...(json === undefined ? {} : { json }),
      }),
  }
}
