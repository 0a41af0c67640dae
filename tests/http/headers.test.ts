// The security headers of every reply, on every route and with every status.
import { beforeAll, describe, expect, test } from 'vitest'
import { publicRoutes } from '../../src/api/public-routes.ts'
import { routes, type Route } from '../../src/api/routes.ts'
import { limits } from '../../src/http/limits.ts'
import { sqlite } from '../support/databases.ts'
import { expectStatus } from '../support/replies.ts'
import { useTestServer, type TestReply, type CallOptions, type TestServer } from '../support/server.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }

const server = useTestServer(sqlite, 'headers')
let key = ''
let otherKey = ''
beforeAll(async () => {
  expect((await server.call('POST', '/dev/Omsetning/Lagre', { json: row })).status).toBe(200)
  key = (await server.addCredential(server.tenantA, { scopes: 'material:read' })).secret
  otherKey = (await server.addCredential(server.tenantA, { scopes: 'revenue:read' })).secret
})

interface Address {
  readonly method: string
  readonly path: string
  readonly isOpen: boolean
  readonly scope: string | null
  /** A body for routes that require one. */
  readonly good: CallOptions
}

const usage = { Dato: '2024-05-01', VareId: 'A1', Antall: 2 }

/** A record of each resource as it is written. */
const records: Readonly<Record<string, object>> = {
  Ansatt: { Fornavn: 'Kari' },
  Avdeling: { Id: 'ny', Navn: 'Ny' },
  Prosjekt: { Id: 'ny', Navn: 'Nytt' },
  Anlegg: { Id: 'ny', Navn: 'Nytt' },
  Transaksjon: usage,
}

/** Fields of the requests with bodies of their own; each route uses those that it knows. */
const members = { ids: [1], grunn: 'x', reason: 'x', kode: 'other' }

function goodBody({ method, path, operation }: Route): unknown {
  const { body, resource, requestSchema } = operation
  if (body === 'none') return undefined
  if (requestSchema !== undefined) {
    const { properties = {} } = requestSchema as { properties?: object }
    return Object.fromEntries(Object.entries(members).filter(([name]) => name in properties))
  }
  if (path.endsWith('Oppdater')) return { InntekstplanId: 1, Omsetning: 1 }
  const record = records[resource.wire] ?? row
  if (method === 'PATCH') return resource.wire === 'Transaksjon' ? { Antall: 3 } : { EksternId: 'x' }
  if (method === 'PUT' && body === 'many') return [{ ...record, Id: resource.wire === 'Ansatt' ? 9 : 'satt' }]
  return body === 'one' ? record : [record]
}

const addresses: readonly Address[] = [
  ...routes.map((one) => ({
    method: one.method,
    path: one.path.replace(':id', '1'),
    isOpen: false,
    scope: one.operation.scope,
    good: { json: goodBody(one) },
  })),
  ...publicRoutes.map(({ method, path }) => ({ method, path, isOpen: true, scope: null, good: {} })),
].sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))

/** How to provoke each status; null where it depends on the route. */
const variants: readonly [name: string, status: number | null, change: (address: Address) => Call][] = [
  ['as documented', null, (address) => address],
  ['as XML', null, ({ good, ...address }) => withHeaders(address, good, { accept: 'application/xml' })],
  [
    'as a problem, in Norwegian',
    421,
    ({ good, ...address }) =>
      withHeaders(address, good, { accept: 'application/problem+json', 'accept-language': 'nb', host: 'evil.example' }),
  ],
  ['with an unknown Host', 421, ({ good, ...a }) => withHeaders(a, good, { host: 'evil.example' })],
  ['with an Expect header', 417, ({ good, ...a }) => withHeaders(a, good, { expect: 'tea' })],
  ['with long headers', 431, ({ good, ...a }) => withHeaders(a, good, { x: 'x'.repeat(limits.headersBytesMax) })],
  ['with a long URL', 414, (a) => ({ ...a, path: `${a.path}?${'x'.repeat(16_384)}` })],
  ['with an unsupported method', 405, ({ path, good }) => ({ method: unsupportedMethod(path), path, good })],
  ['under an unknown path', 404, (address) => ({ ...address, path: `/nei${address.path}` })],
  ['with an invalid escape', 400, (address) => ({ ...address, path: `${address.path}%zz` })],
]

const protectedVariants: typeof variants = [
  ['without credentials', 401, (address) => ({ ...address, good: { ...address.good, as: null } })],
  [
    'with a wrong password',
    401,
    (a) => ({ ...a, path: `${a.path}?firma=MITT&passord=feil`, good: { ...a.good, as: null } }),
  ],
  [
    'without the scope',
    403,
    ({ good, ...a }) =>
      withHeaders(a, { ...good, as: null }, { 'tb-key': a.scope === 'material:read' ? otherKey : key }),
  ],
  ['over plain HTTP', 403, (a) => ({ ...a, good: { ...a.good, address: '192.0.2.1' } })],
  ['with a parameter twice', 400, (a) => ({ ...a, path: `${a.path}?firma=MITT&firma=MITT` })],
]

interface Call {
  readonly method: string
  readonly path: string
  readonly good: CallOptions
}

function withHeaders(address: Omit<Call, 'good'>, good: CallOptions, headers: Record<string, string>) {
  return { ...address, good: { ...good, headers: { ...good.headers, ...headers } } }
}

/** A method that the route does not support. */
function unsupportedMethod(path: string): string {
  const taken = addresses.filter((one) => one.path === path).map(({ method }) => method)
  return ['PUT', 'DELETE', 'PATCH', 'POST'].find((one) => !taken.includes(one)) ?? 'PUT'
}

function expectProtected({ headers, status, text }: TestReply, path: string, method = 'POST'): void {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
  })
  const isPage = headers['content-type']?.startsWith('text/html') === true
  const policy = headers['content-security-policy']?.split('; ')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  // A page has its own policy; nothing else may be rendered as a page.
  if (!isPage) expect(policy).toContain('sandbox')
  expect(policy?.join()).not.toContain('unsafe')
  expect(headers['cache-control']).toBe(
    status >= 400 ||
      /^\/(?!dev|omsetning|ansatt|prosjekt|odata)/i.test(path) ||
      status === 204 ||
      (method !== 'GET' && /^\/(ansatt|prosjekt)/.test(path)) ||
      path.startsWith('/prosjekt/TransaksjonsEksport')
      ? 'no-store'
      : path.startsWith('/dev/') || path.includes('Aggsert')
        ? 'no-store, no-cache'
        : 'no-cache',
  )
  for (const name of ['server', 'x-powered-by', 'strict-transport-security']) expect(headers[name]).toBeUndefined()
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  if (status < 400) return
  expect(headers['content-language']).toBe(/forespørsel|serveren/i.test(text) ? 'nb' : 'en')
  const varying = headers['vary']?.replace(', OData-MaxVersion', '')
  expect(varying).toBe(isPage ? 'Accept-Language' : 'Accept, Accept-Language')
  if (status === 401) expect(headers['www-authenticate']).toMatch(/^Basic .*Bearer/)
  if (status === 405) expect(headers['allow']).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
}

describe.each(addresses)('$method $path', (address) => {
  test.each(address.isOpen ? variants : [...protectedVariants, ...variants.toReversed()])(
    '%s',
    async (_, status, change) => {
      const { method, path, good } = change(address)
      const reply = await server.call(method, path, good)
      if (status !== null) expect(reply.status, reply.text).toBe(status)
      else if (!address.isOpen) expect([200, 201, 204, 404, 406, 409, 422], reply.text).toContain(reply.status)
      expectProtected(reply, path, method)
    },
  )
})

test.each([
  [409, 'ReferenceReused', '/dev/AggsertOmsetning', { ...row, Omsetning: 2, Referanse: 'a' }, {}],
  [422, 'IdempotencyKeyReused', '/dev/Omsetning/Lagre', { Omsetning: 2 }, { 'idempotency-key': 'a' }],
])('%d %s', async (status, code, path, json, headers) => {
  const first = { ...row, Referanse: 'a' }
  expect((await server.call('POST', path, { json: first, headers })).status).toBe(200)
  const reply = await server.call('POST', path, { json, headers })
  expect([reply.status, reply.json.error.code]).toEqual([status, code])
  expectProtected(reply, path)
})

test('413, 415, 429 and 503 have the same headers', async () => {
  const post = (body: string, headers: Record<string, string>) =>
    server.call('POST', '/dev/Omsetning/Lagre', { body, headers })
  const guesses = async () => {
    for (let guess = 0; ; guess += 1) {
      const address = `/dev/Omsetning/Finn?firma=GJETTET&passord=${guess}`
      const reply = await server.call('GET', address, { as: null })
      if (reply.status !== 401) return reply
    }
  }
  const json = { 'content-type': 'application/json' }
  const secondInstance = await server.secondInstance({ limits: { ...limits, bodyBytesInFlightMax: 1 } })
  const replies = [
    await post(' '.repeat(limits.bodyBytesMax + 1), json),
    await post('{}', { 'content-type': 'text/plain' }),
    await post('{}', { ...json, 'content-encoding': 'gzip' }),
    await guesses(),
    await secondInstance.call('POST', '/dev/Omsetning/Lagre', { json: row }),
  ]
  expect(replies.map(({ status }) => status)).toEqual([413, 415, 415, 429, 503])
  for (const reply of replies) expectProtected(reply, '/dev/')
  for (const reply of replies.slice(3)) expect(reply.headers).toHaveProperty('retry-after')
})

describe('over TLS, according to a trusted proxy', () => {
  let secondInstance: TestServer
  beforeAll(async () => {
    secondInstance = await server.secondInstance({ settings: { trustProxy: '10.0.0.1' } })
  })

  const through = (address: string, proto: string, path = '/dev/Omsetning/Finn') =>
    secondInstance.call('GET', path, {
      address,
      headers: { 'x-forwarded-proto': proto, 'x-forwarded-for': '192.0.2.7' },
    })

  test('every reply has Strict-Transport-Security', async () => {
    for (const [path, status] of [
      ['/dev/Omsetning/Finn', 200],
      ['/omsetning/Omsetning', 200],
      ['/livez', 200],
      ['/dev/Omsetning/Finn?$top=x', 400],
      ['/dev/%zz', 400],
      ['/ikke/her', 404],
      ['/dev/Omsetning/Lagre', 405],
    ] as const) {
      const reply = await expectStatus(through('10.0.0.1', 'https', path), status)
      expect(reply.headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
    }
  })

  test('links use https', async () => {
    const { json } = await through('10.0.0.1', 'https', '/omsetning/Omsetning')
    expect(json['@odata.context']).toBe('https://localhost/omsetning/$metadata#Omsetning')
  })

  test.each([
    ['the proxy was called over plain HTTP', '10.0.0.1', 'http'],
    ['an untrusted caller claims HTTPS', '10.0.0.2', 'https'],
    ['a local caller claims HTTPS', '127.0.0.1', 'https'],
  ])('no Strict-Transport-Security when %s', async (_, address, proto) => {
    const reply = await expectStatus(through(address, proto), 403)
    expect(reply.headers).not.toHaveProperty('strict-transport-security')
  })
})
