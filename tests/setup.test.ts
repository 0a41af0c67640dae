import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { issueSetupToken } from '../src/auth/tokens/first-run-token.ts'
import { limits } from '../src/http/limits.ts'
import { findCompany } from '../src/store/accounts/companies.ts'
import { listCredentials } from '../src/store/accounts/credentials.ts'
import { findUser, listMembers } from '../src/store/accounts/users.ts'
import { databases } from './support/databases.ts'
import { expectError, expectStatus } from './support/replies.ts'
import { startEmptyTestServer, type TestServer } from './support/server.ts'

describe.each(databases)('the set-up on $name', (database) => {
  let server: TestServer
  let now: number
  beforeEach(async () => {
    server = await startEmptyTestServer(database, 'setup')
    now = Date.UTC(2026, 0, 1) * 1000
    server.clock.now = () => now
  })
  afterEach(() => server.close())

  const issue = () => server.store.inSystemTransaction((writer) => issueSetupToken(writer, randomBytes, now))
  const get = (path: string, headers = {}) => server.call('GET', path, { as: null, headers })
  const post = (json: object) => server.call('POST', '/setup', { as: null, json })
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

  test('before set-up, only the set-up and the health of the server are served', async () => {
    for (const path of ['/livez', '/readyz', '/version', '/setup', '/app/manifest.json'])
      expect((await get(path)).status, path).toBe(200)
    for (const path of ['/limits', '/dev/Omsetning/Finn', '/setup/more', '/app/okt', '/app/sso'])
      expect((await get(path)).json.error.code, path).toBe('NotInitialised')
  })

  test.each([
    ['en', 'The server is not set up', 'Find the set-up link in the window or the log'],
    ['nb', 'Serveren er ikke satt opp', 'Finn oppsettslenken i vinduet eller loggen'],
  ])('before set-up, a browser gets a page that says where the link is, in %s', async (language, title, help) => {
    const token = await issue()
    const { accept } = browser
    for (const path of ['/', '/app', '/app/i-dag', '/x']) {
      const reply = await get(path, { accept, 'accept-language': language })
      expect([path, reply.status]).toEqual([path, 503])
      expect(reply.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-language': language,
        'cache-control': 'no-store',
        vary: expect.stringMatching(/^Accept, Accept-Language/),
      })
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
      expect(reply.text).toContain(`<h1>${title}</h1>`)
      expect(reply.text).toContain(help)
      expect(reply.text).not.toContain(token)
    }
    for (const header of ['application/json', '*/*', 'application/json, text/html;q=0.5'])
      expect((await get('/', { accept: header })).json.error.code).toBe('NotInitialised')
    // Java clients ask for HTML by default.
    for (const path of ['/dev/Omsetning/Finn', '/Ansatt/Ansatt', '/openapi.json'])
      expect((await get(path, { accept })).json.error.code).toBe('NotInitialised')
    const post = await server.call('POST', '/x', { as: null, headers: { accept } })
    expect(post.json.error.code).toBe('NotInitialised')
  })

  test('the icon that the set-up page names is served before set-up', async () => {
    const named = /<link rel="icon" href="([^"]+)"/.exec((await get('/setup')).text)?.[1] ?? ''
    const icon = await get(new URL(named, 'http://server.example/setup').pathname)
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  })

  test('before set-up, /livez replies without the database', async () => {
    await server.store.close()
    expect((await get('/livez')).status).toBe(200)
  })

  test('a program sets a server up with its token, and gets every secret once', async () => {
    const reply = await expectStatus(post({ ...setup, token: await issue() }), 201)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json).toEqual({
      company: 'Fjord AS',
      companyPassword: expect.stringMatching(/^[\dA-Za-z]{32}$/),
      email: 'kari@fjord.example',
      key: expect.stringMatching(/^dv_live_/),
      scopes: ['revenue:read', 'revenue:write', 'directory:read'],
    })
    const { companyPassword, key } = reply.json
    const find = '/dev/Omsetning/Finn'
    expect((await get(`${find}?firma=fjord+as&passord=${companyPassword}`)).json).toEqual([])
    expect((await get(find, { 'tb-key': key })).json).toEqual([])
  })

  test('the body has a small limit, because it is read before authentication', async () => {
    expectError(await post({ ...setup, company: 'x'.repeat(limits.publicBodyBytesMax) }), 413, 'BodyTooLarge')
  })

  test('the owner is administrator of the company and operator of the server', async () => {
    await post({ ...setup, token: await issue() })
    const company = await findCompany(server.store, 'fjord as')
    if (company === undefined) throw new Error('no company')
    expect(company).toMatchObject({ name: 'Fjord AS', timezone: 'Europe/Oslo', currency: 'NOK' })
    expect(await listMembers(server.store, { companyId: company.id })).toMatchObject([
      { email: 'kari@fjord.example', role: 'admin', departments: null },
    ])
    const owner = await findUser(server.store, 'KARI@fjord.example')
    expect(owner).toMatchObject({ isOperator: 1 })
    expect(owner?.passwordHash).toMatch(/^\$argon2id\$/)
    const credentials = await listCredentials(server.store, { companyId: company.id })
    expect(credentials.find(({ kind }) => kind === 'key')).toMatchObject({
      name: 'kasse',
      scopes: 'revenue:read revenue:write directory:read',
      expiresAt: now + 365 * 24 * 3600 * 1_000_000,
    })
  })

  test('a chosen password is accepted and not returned; without scopes no key is created', async () => {
    const chosen = 'blå elv under isen'
    const reply = await post({ ...setup, companyPassword: chosen, scopes: '', token: await issue() })
    expect(reply.json).toMatchObject({ companyPassword: null, key: null, scopes: [] })
    const found = await get('/dev/Omsetning/Finn', {
      authorization: `Basic ${Buffer.from(`Fjord AS:${chosen}`).toString('base64')}`,
    })
    expect(found.json).toEqual([])
  })

  test('set-up happens once: later callers get 409, a browser as a page', async () => {
    const token = await issue()
    expect((await post({ ...setup, token })).status).toBe(201)
    for (const again of [await post({ ...setup, token }), await get('/setup')]) {
      expect(again).toMatchObject({ status: 409 })
      expect(again.json.error.code).toBe('SetupAlreadyDone')
    }
    const page = await get('/setup', browser)
    expect(page).toMatchObject({ status: 409 })
    expect(page.text).toContain('<h1>This server is set up already</h1>')
    expect(page.text).not.toContain('<script')
  })

  test('of a hundred concurrent attempts one succeeds, and nothing is created twice', async () => {
    const token = await issue()
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        post({ ...setup, company: `Firma ${index}`, email: `eier${index}@x.example`, token }),
      ),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(99)
    const made = await Promise.all(replies.map(async (_, index) => findCompany(server.store, `Firma ${index}`)))
    expect(made.filter((company) => company !== undefined)).toHaveLength(1)
  })

  test('a token is valid for 60 minutes, once, and only the latest one', async () => {
    const first = await issue()
    const second = await issue()
    for (const token of [first, 'guessed', '', 'x'.repeat(5_000)]) {
      const reply = await post({ ...setup, token })
      expect(reply).toMatchObject({ status: 403 })
      expect(reply.json.error.code).toBe('InvalidSetupLink')
    }
    now += 60 * 60_000_000 - 1
    expect((await post({ ...setup, token: second, email: '' })).json.error.code).toBe('MissingField')
    now += 1
    expect((await post({ ...setup, token: second })).json.error.code).toBe('InvalidSetupLink')
  })

  test('all invalid fields are reported at once, and the token stays valid', async () => {
    const token = await issue()
    const reply = await post({
      token,
      company: 'a:b',
      timezone: 'Europe/Olso',
      companyPassword: 'kort',
      email: 'kari',
      scopes: 'revenue:red',
    })
    expect(reply.status).toBe(400)
    const { code, details } = reply.json.error
    expect(code).toBe('InvalidValue')
    expect(details.map((detail: { target: string }) => detail.target)).toEqual([
      'company',
      'timezone',
      'companyPassword',
      'email',
      'password',
      'scopes',
    ])
    expect((await post({ ...setup, token })).status).toBe(201)
  })

  test.each([
    ['', 'EmptyBody'],
    ['[]', 'InvalidBodyType'],
    ['{', 'MalformedJson'],
    ['{"tokn":"x"}', 'UnknownField'],
    ['{"company":5}', 'InvalidType'],
    ['{"scopes":["revenue:read"]}', 'InvalidType'],
    ['{"constructor":"x"}', 'UnknownField'],
  ])('a body %j is rejected: %s', async (body, code) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await server.call('POST', '/setup', { as: null, body, headers })
    expect(reply.json.error.code).toBe(code)
  })

  test.each(['application/xml', 'application/x-www-form-urlencoded', 'text/plain'])(
    'a body of type %s is rejected with the supported type',
    async (type) => {
      const headers = { 'content-type': type, accept: 'application/json' }
      const body = `token=${await issue()}`
      const reply = await server.call('POST', '/setup', { as: null, body, headers })
      expect(reply).toMatchObject({ status: 415 })
      expect(reply.headers['accept-post']).toBe('application/json')
    },
  )

  test('messages are in the language of the caller and repeat no value', async () => {
    const token = await issue()
    const hostile = '"><script>alert(1)</script>'
    const json = { ...setup, token, company: `${hostile}:`, email: '', password: 'kort hemm' }
    const headers = { 'accept-language': 'nn,en;q=0.5' }
    const reply = await server.call('POST', '/setup', { as: null, json, headers })
    expect(reply.headers).toMatchObject({ 'content-language': 'nb' })
    expect(reply.json.error.details).toMatchObject([
      { target: 'company' },
      { target: 'email', message: 'email er påkrevd.' },
      { target: 'password', message: expect.stringContaining('minst 15') },
    ])
    for (const secret of [token, 'kort hemm', '<script>']) expect(reply.text).not.toContain(secret)
  })

  test('the page loads from this server alone, and has nothing of the request', async () => {
    const token = await issue()
    const { headers, text } = await get(`/setup?token=${token}`, browser)
    const policy = headers['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/unsafe|sandbox|\*/)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(text).not.toContain(token)
    const assets = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
    expect(assets.length).toBeGreaterThan(2)
    for (const path of assets) expect([path, (await get(path)).status]).toEqual([path, 200])
  })

  test('remote callers are rejected over plain HTTP', async () => {
    for (const method of ['GET', 'POST']) {
      const reply = await expectStatus(server.call(method, '/setup', { as: null, address: '10.1.2.3' }), 403)
      expect(reply.text).toContain('HTTPS')
    }
  })
})

const setup = {
  company: 'Fjord AS',
  email: 'kari@fjord.example',
  password: 'riktig hest batteri stift',
  keyName: 'kasse',
  scopes: 'revenue:*,directory:read',
}
