// Interface 5: credentials, scopes, and the company that a caller acts for.
import { beforeAll, describe, expect, test } from 'vitest'
import { findCompanyById, updateCompany } from '../../src/store/accounts/companies.ts'
import { openRawConnection, parseReplies, request } from '../http/conversation.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useTestServer, type TestCompany, type TestReply } from '../support/server.ts'
import { sandboxDate, startSandbox } from '../support/sandbox.ts'
import { newRevenueClient } from '../support/revenue-client.ts'

const finn = '/dev/Omsetning/Finn'
const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }
function basic(company: string, password: string) {
  return `Basic ${Buffer.from(`${company}:${password}`).toString('base64')}`
}

describe.each(databases)('credentials on $name', (database) => {
  const server = useTestServer(database, '5-authentication')
  beforeAll(async () => {
    await server.call('POST', '/dev/Omsetning/Lagre', { as: server.tenantA, json: { Merknad: 'mitt' } })
    await server.call('POST', '/dev/Omsetning/Lagre', { as: server.tenantB, json: { Merknad: 'ditt' } })
  })

  /** A call with exactly these credentials. */
  const ask = (query = '', headers: Record<string, string> = {}, path = finn) =>
    server.call('GET', `${path}${query === '' ? '' : `?${query}`}`, { as: null, headers })

  const pairOf = ({ name, password }: TestCompany) => `firma=${name}&passord=${password}`

  /** Whose records were returned, or the code of the error. */
  const outcome = async (answering: TestReply | Promise<TestReply>) => {
    const reply = await answering
    return reply.status === 200 ? reply.json[0].Merknad : reply.json.error.code
  }

  describe('firma and passord', () => {
    test('5.1 in the query authenticate every call', async () => {
      const { tenantA, tenantB } = server
      expect(await outcome(ask(pairOf(tenantA)))).toBe('mitt')
      expect(await outcome(ask(`passord=${tenantB.password}&firma=${tenantB.name}`))).toBe('ditt')
    })

    test('5.1 work on every revenue endpoint, also outside /dev', async () => {
      const pair = pairOf(server.tenantA)
      const calls: [string, string, unknown?][] = [
        ['POST', '/dev/Omsetning/LagreEllerOppdaterListe', []],
        ['POST', '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', []],
        ['POST', '/dev/Omsetning/AggsertOmsetning', []],
        ['POST', '/omsetning/AggsertOmsetning', []],
        ['GET', '/omsetning/Omsetning'],
        ['GET', '/omsetning/OmsetningLogg'],
      ]
      for (const [method, path, json] of calls) {
        const reply = await server.call(method, `${path}?${pair}`, { as: null, json })
        expect(reply.status, path).toBe(200)
      }
    })

    test('5.1 names are case-insensitive, the company too; the password is not', async () => {
      expect(await outcome(ask(`FIRMA=${server.tenantA.name}&Passord=${server.tenantA.password}`))).toBe('mitt')
      expect(await outcome(ask(`firma=${server.tenantA.name.toLowerCase()}&passord=${server.tenantA.password}`))).toBe(
        'mitt',
      )
      expect(await outcome(ask(`%66irma=+${server.tenantA.name}+&passord=%20${server.tenantA.password}`))).toBe('mitt')
      const swapped = server.tenantA.password.replace(/[a-z]/gi, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      )
      expect(await outcome(ask(`firma=${server.tenantA.name}&passord=${swapped}`))).toBe('InvalidCredentials')
    })

    test('5.1 a chosen password may contain spaces, plus signs and non-ASCII letters', async () => {
      const company = await server.addCompany('Ærlig & Sønn')
      const chosen = 'rød grønn + blå = 100 %'
      await server.addCredential(company, { kind: 'password', chosen })
      const query = new URLSearchParams({ firma: company.name, passord: chosen }).toString()
      expect((await ask(query)).status).toBe(200)
      expect((await ask('', { authorization: basic(company.name, chosen) })).status).toBe(200)
      expect((await ask(query.replaceAll('%2B', '+'))).status).toBe(401)
    })

    test('5.1 can be sent in headers, and as HTTP Basic', async () => {
      expect(await outcome(ask('', { 'X-Firma': server.tenantA.name, 'X-Passord': server.tenantA.password }))).toBe(
        'mitt',
      )
      expect(await outcome(ask('', { authorization: basic(server.tenantA.name, server.tenantA.password) }))).toBe(
        'mitt',
      )
      expect(
        await outcome(
          ask('', { authorization: basic(server.tenantA.name, server.tenantA.password).replace('Basic', 'bASIC') }),
        ),
      ).toBe('mitt')
      expect(await outcome(ask(`firma=${server.tenantA.name}`, { 'X-Passord': server.tenantA.password }))).toBe('mitt')
    })

    test('5.1 half a pair is not a credential', async () => {
      for (const query of [
        `firma=${server.tenantA.name}`,
        `passord=${server.tenantA.password}`,
        'firma=&passord=',
        `firma=${server.tenantA.name}&passord=`,
      ])
        expect(await outcome(ask(query)), query).toBe('MissingCredentials')
      expect(await outcome(ask('', { 'X-Firma': server.tenantA.name }))).toBe('MissingCredentials')
      expect(await outcome(ask('', { authorization: 'Basic !!!' }))).toBe('MissingCredentials')
    })

    test('5.1 unknown company and wrong password get the same reply, byte for byte', async () => {
      const wrong = [
        `firma=${server.tenantA.name}&passord=feil`,
        `firma=UKJENT&passord=feil`,
        `firma=UKJENT&passord=${server.tenantA.password}`,
      ]
      const replies = []
      for (const query of wrong) replies.push(await ask(query, { 'x-request-id': 'same' }))
      for (const reply of replies) {
        expectError(reply, 401, 'InvalidCredentials')
        expect(reply.text).toBe(replies[0]?.text)
        expect(reply.headers['www-authenticate']).toBe(replies[0]?.headers['www-authenticate'])
      }
    })

    test('5.1 the password of one company never works for another', async () => {
      const { tenantA, tenantB } = server
      expect(await outcome(ask(`firma=${tenantB.name}&passord=${tenantA.password}`))).toBe('InvalidCredentials')
    })

    test('5.1 without credentials every endpoint is 401', async () => {
      const reply = await ask()
      expectError(reply, 401, 'MissingCredentials')
      expect(reply.headers['www-authenticate']).toContain('Basic realm="dagsverk", charset="UTF-8"')
      expect(reply.headers['www-authenticate']).toContain('Bearer')
    })
  })

  describe('the test account', () => {
    test('5.2 the test account does not exist on a server of real accounts', async () => {
      for (const [query, headers] of [
        ['firma=TEST&passord=test', {}],
        ['firma=EMPTY&passord=empty', {}],
        ['key=test-key', {}],
        ['', { 'tb-key': 'test2-key' }],
      ] as const)
        expect(await outcome(ask(query, headers))).toBe('InvalidCredentials')
    })
  })

  describe('an API key', () => {
    test('5.3 is sent in the header tb-key, in a header or parameter key, or as a Bearer token', async () => {
      const { key } = server.tenantA
      expect(await outcome(ask('', { 'tb-key': key }))).toBe('mitt')
      expect(await outcome(ask('', { 'TB-KEY': ` ${key} ` }))).toBe('mitt')
      expect(await outcome(ask('', { key }))).toBe('mitt')
      expect(await outcome(ask(`key=${key}`))).toBe('mitt')
      expect(await outcome(ask(`KEY=${key}`))).toBe('mitt')
      expect(await outcome(ask('', { authorization: `Bearer ${key}` }))).toBe('mitt')
      expect(await outcome(ask('', { authorization: `bearer ${key}` }))).toBe('mitt')
    })

    test('5.3 works under both generations of URLs', async () => {
      for (const path of ['/omsetning/Omsetning', '/omsetning/OmsetningLogg', finn])
        expect((await ask('', { 'tb-key': server.tenantA.key }, path)).status).toBe(200)
    })

    test('5.3 with a letter wrong, missing or added is rejected', async () => {
      const { key } = server.tenantA
      const last = key.endsWith('a') ? 'b' : 'a'
      for (const wrong of [key.slice(0, -1), `${key}a`, key.slice(0, -1) + last, 'x', 'dv_', key.toUpperCase()])
        expect(await outcome(ask('', { 'tb-key': wrong }))).toBe('InvalidCredentials')
    })

    test('5.3 the headers that every client of the newer interface sends do not authenticate', async () => {
      const { key } = server.tenantA
      const sent = { 'Ocp-Apim-Subscription-Key': key, 'x-api-version': '1.0', 'Content-Type': 'application/json' }
      expect(await outcome(ask('', sent))).toBe('MissingCredentials')
      expect(await outcome(ask('', { ...sent, 'tb-key': key }))).toBe('mitt')
    })

    test('5.3 a key is not accepted in a parameter of any other name', async () => {
      for (const query of [`tb-key=${server.tenantA.key}`, `apikey=${server.tenantA.key}`])
        expect((await ask(query)).status).not.toBe(200)
    })
  })

  describe('two credentials', () => {
    test('5.3 of one company are accepted', async () => {
      expect(await outcome(ask(pairOf(server.tenantA), { 'tb-key': server.tenantA.key }))).toBe('mitt')
      expect(await outcome(ask(`key=${server.tenantA.key}`, { 'tb-key': server.tenantA.key }))).toBe('mitt')
    })

    test('5.3 of two companies are rejected as ambiguous', async () => {
      const { tenantA, tenantB } = server
      const reply = await ask(pairOf(tenantA), { 'tb-key': tenantB.key })
      expectError(reply, 400, 'AmbiguousCredentials')
      expect(await outcome(ask(`key=${tenantA.key}`, { 'tb-key': tenantB.key }))).toBe('AmbiguousCredentials')
      expect(await outcome(ask(pairOf(tenantA), { authorization: basic(tenantB.name, tenantB.password) }))).toBe(
        'AmbiguousCredentials',
      )
    })

    test('5.3 of which one is wrong are rejected', async () => {
      expect(await outcome(ask(`firma=${server.tenantA.name}&passord=feil`, { 'tb-key': server.tenantA.key }))).toBe(
        'InvalidCredentials',
      )
    })

    test('5.3 three credentials are rejected', async () => {
      const reply = await ask(`key=a&firma=${server.tenantA.name}&passord=${server.tenantA.password}`, {
        'tb-key': server.tenantA.key,
      })
      expect(reply.json.error.code).toBe('AmbiguousCredentials')
    })

    test('5.3 a credential parameter given twice is rejected, whatever its values', async () => {
      for (const query of [
        `firma=${server.tenantA.name}&firma=${server.tenantA.name}&passord=${server.tenantA.password}`,
        `firma=${server.tenantA.name}&FIRMA=x&passord=${server.tenantA.password}`,
        `key=${server.tenantA.key}&key=${server.tenantA.key}`,
      ]) {
        expectError(await ask(query), 400, 'DuplicateParameter')
      }
    })
  })

  describe('scopes', () => {
    test('5.3 a key is limited to its scopes', async () => {
      const reader = await server.addCredential(server.tenantA, { scopes: 'revenue:read' })
      const writer = await server.addCredential(server.tenantA, { scopes: 'revenue:write' })
      const outsider = await server.addCredential(server.tenantA, { scopes: 'directory:read' })
      const write = (secret: string) =>
        server.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', {
          as: null,
          json: [],
          headers: { 'tb-key': secret },
        })
      expect((await ask('', { 'tb-key': reader.secret })).status).toBe(200)
      expect((await write(writer.secret)).status).toBe(200)
      for (const refused of [
        await write(reader.secret),
        await ask('', { 'tb-key': writer.secret }),
        await ask('', { 'tb-key': outsider.secret }, '/omsetning/OmsetningLogg'),
        await write(outsider.secret),
      ]) {
        expectError(refused, 403, 'ScopeMissing')
        expect(refused.json.error.message).toMatch(/revenue:(read|write)/)
      }
    })

    test('5.3 a removed scope is gone with the next call', async () => {
      const key = await server.addCredential(server.tenantA)
      expect((await ask('', { 'tb-key': key.secret })).status).toBe(200)
      await server.updateCredential(key.id, { scopes: 'revenue:write' })
      expect(await outcome(ask('', { 'tb-key': key.secret }))).toBe('ScopeMissing')
    })
  })

  describe('revocation and expiry', () => {
    test('5.3 a revoked key fails with the next call, with the same reply as an unknown one', async () => {
      const key = await server.addCredential(server.tenantA)
      const [before, after] = [
        await ask('', { 'tb-key': key.secret }),
        await server
          .updateCredential(key.id, { revokedAt: server.clock.now() })
          .then(() => ask('', { 'tb-key': key.secret, 'x-request-id': 'same' })),
      ]
      const unknown = await ask('', { 'tb-key': 'ukjent', 'x-request-id': 'same' })
      expect(before.status).toBe(200)
      expect(after.status).toBe(401)
      expect(after.text).toBe(unknown.text)
    })

    test('5.3 a key that is revoked while a body arrives slowly writes nothing', async () => {
      const address = await server.http.listen(0, '127.0.0.1')
      const remark = 'Kommer langsomt'
      const inBatch = { id: '1', method: 'POST', url: '/odata/Ansatt', body: { Fornavn: remark } }
      const bodies = {
        '/dev/Omsetning/Lagre': { Merknad: remark },
        '/odata/Ansatt': { Fornavn: remark },
        '/odata/$batch': { requests: [inBatch] },
        '/prosjekt/Transaksjon/Batch': [],
      }
      const startedAt = server.clock.now()
      for (const [path, json] of Object.entries(bodies)) {
        server.clock.now = () => startedAt
        const key = await server.addCredential(server.tenantA)
        const body = JSON.stringify(json)
        const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', `tb-key: ${key.secret}`]
        const ofBody = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close']
        const connection = openRawConnection(address)
        await connection.send(request([...lines, ...ofBody], body.slice(0, 1)))
        await expect.poll(() => server.http.load().bodyBytesInFlight).toBe(1)
        server.clock.now = () => startedAt + 1_000_000
        await server.updateCredential(key.id, { revokedAt: server.clock.now() })
        await connection.send(body.slice(1))
        const [reply] = parseReplies(await connection.ended)
        expect(reply?.status, path).toBe(401)
      }
      server.clock.now = () => Date.now() * 1000
      const stored = await server.call('GET', `${finn}?$filter=Merknad eq '${remark}'`, { as: server.tenantA })
      expect(stored.json).toEqual([])
    })

    test("5.3 a revoked password fails with the next call, the company's other passwords do not", async () => {
      const password = await server.addCredential(server.tenantA, { kind: 'password' })
      const query = `firma=${server.tenantA.name}&passord=${password.secret}`
      expect(await outcome(ask(query))).toBe('mitt')
      await server.updateCredential(password.id, { revokedAt: server.clock.now() })
      expect(await outcome(ask(query))).toBe('InvalidCredentials')
      expect(await outcome(ask(pairOf(server.tenantA)))).toBe('mitt')
    })

    test('5.3 an expired key is reported as expired only if its secret is right', async () => {
      const now = server.clock.now()
      const key = await server.addCredential(server.tenantA, { expiresAt: now + 1_000_000 })
      server.clock.now = () => now
      expect((await ask('', { 'tb-key': key.secret })).status).toBe(200)
      server.clock.now = () => now + 1_000_000
      const reply = await ask('', { 'tb-key': key.secret })
      expectError(reply, 401, 'CredentialExpired')
      expect(reply.headers['www-authenticate']).toContain('Bearer')
      server.clock.now = () => Date.now() * 1000
    })

    test('5.3 a disabled company is rejected with the next call', async () => {
      const revenueClient = await newRevenueClient(server)
      expect((await revenueClient.find()).status).toBe(200)
      const company = await findCompanyById(server.store, { id: revenueClient.company.id })
      if (company === undefined) throw new Error('the company is gone')
      await server.store.inSystemTransaction((writer) => updateCompany(writer, { ...company, disabledAt: 1 }))
      expect((await revenueClient.find()).json.error.code).toBe('InvalidCredentials')
      await server.store.inSystemTransaction((writer) => updateCompany(writer, company))
      expect((await revenueClient.find()).status).toBe(200)
    })

    test('5.3 a key rotates with two active at the same time', async () => {
      const [old, fresh] = [await server.addCredential(server.tenantA), await server.addCredential(server.tenantA)]
      for (const { secret } of [old, fresh]) expect((await ask('', { 'tb-key': secret })).status).toBe(200)
      await server.updateCredential(old.id, { revokedAt: server.clock.now() })
      expect((await ask('', { 'tb-key': old.secret })).status).toBe(401)
      expect((await ask('', { 'tb-key': fresh.secret })).status).toBe(200)
    })
  })

  describe('networks', () => {
    test('5.3 a credential bound to networks is accepted from them alone', async () => {
      const key = await server.addCredential(server.tenantA, { allowedNetworks: '["127.0.0.2"]' })
      const from = (address: string) =>
        server.call('GET', finn, { as: null, address, headers: { 'tb-key': key.secret } })
      expect((await from('127.0.0.2')).status).toBe(200)
      expectError(await from('127.0.0.1'), 403, 'IpNotAllowed')
    })

    test('5.3 plain HTTP is accepted from this machine alone', async () => {
      for (const query of ['', pairOf(server.tenantA)]) {
        const reply = await server.call('GET', `${finn}?${query}`, { as: null, address: '192.0.2.7' })
        expectError(reply, 403, 'TlsRequired')
      }
    })

    test('5.3 behind a proxy no caller counts as this machine or as the proxy, and the caller is who the proxy says, without its port', async () => {
      const settings = { trustProxy: '127.0.0.1', behindProxy: 'on' }
      const behindProxy = await server.secondInstance({ settings })
      const { secret } = await server.addCredential(server.tenantA, { allowedNetworks: '["203.0.113.7"]' })
      const call = (headers: Record<string, string>) =>
        behindProxy.call('GET', finn, { as: null, headers: { 'tb-key': secret, ...headers } })
      const tls = { 'x-forwarded-proto': 'https' }
      expectError(await call({}), 403, 'TlsRequired')
      expect((await call({ ...tls, 'x-forwarded-for': '203.0.113.7:5678' })).status).toBe(200)
      for (const headers of [tls, { ...tls, 'x-forwarded-for': 'unknown' }]) {
        const { status, json } = await call(headers)
        expect([status, json.error.code, json.error.target]).toEqual([
          400,
          'MalformedRequest',
          'header:x-forwarded-for',
        ])
      }
    })

    test('5.3 forwarding headers are ignored unless the proxy is trusted', async () => {
      const headers = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' }
      await expectStatus(server.call('GET', finn, { address: '192.0.2.7', headers }), 403)
    })
  })

  describe('unusual URLs', () => {
    test.each(['/DEV/OMSETNING/FINN', '//dev//Omsetning//Finn/', '/dev/Omsetning/%46inn', '/dev/omsetning/finn'])(
      '5.1 %s requires credentials like its plain spelling',
      async (path) => {
        expect((await ask('', {}, path)).status).toBe(401)
        expect((await ask(`firma=${server.tenantA.name}&passord=feil`, {}, path)).status).toBe(401)
        expect(await outcome(ask(pairOf(server.tenantA), {}, path))).toBe('mitt')
      },
    )
  })

  describe('two companies', () => {
    test('5.1 see their own records only, whatever they request', async () => {
      const [one, other] = [await newRevenueClient(server), await newRevenueClient(server)]
      await one.saveList([row, { ...row, Omsetning: 1 }])
      await other.setPerDate([{ ...row, Omsetning: 2 }])
      expect((await one.records()).map(({ Omsetning }) => Omsetning)).toEqual([100, 1])
      expect((await other.records()).map(({ Omsetning }) => Omsetning)).toEqual([2])
      expect((await other.find({ $count: 'true' })).headers['x-total-count']).toBe('1')
      expect((await other.revenueLog()).json.value).toHaveLength(1)
    })

    test('5.1 share no cell', async () => {
      const [one, other] = [await newRevenueClient(server), await newRevenueClient(server)]
      await one.accumulate(row)
      await other.accumulate({ ...row, Omsetning: 1 })
      await other.setPerDate([{ ...row, Omsetning: 7 }])
      expect(await one.records()).toEqual([expect.objectContaining({ Omsetning: 100 })])
    })

    test('5.1 have separate sequences of keys', async () => {
      const [one, other] = [await newRevenueClient(server), await newRevenueClient(server)]
      expect((await one.insert(row)).json.InntektsPlanId).toBe(1)
      expect((await other.insert(row)).json.InntektsPlanId).toBe(1)
    })
  })
})

test('5.2 the test account serves the example calls of the specification', async () => {
  const sandbox = await startSandbox()
  try {
    const filter = new URLSearchParams({
      firma: 'TEST',
      passord: 'test',
      $filter: `Dato lt datetime('${sandboxDate}') and ipType eq 'I'`,
      $top: '3',
    })
    const reply = await fetch(`${sandbox.address}${finn}?${filter.toString()}`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-sandbox')).toBe('true')
    expect(await reply.json()).toHaveLength(3)
  } finally {
    await sandbox.stop()
  }
})
