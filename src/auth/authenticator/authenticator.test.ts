import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseNetworks } from '../../lib/network.ts'
import { findCompany, insertCompany, updateCompany } from '../../store/accounts/companies.ts'
import {
  findCredential,
  insertCredential,
  listCredentials,
  updateCredential,
} from '../../store/accounts/credentials.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'
import { databases } from '../../../tests/support/databases.ts'
import { Authenticator, type AuthenticatorSettings } from './authenticator.ts'
import { hashPassword, hashSecret } from '../passwords/password-hash.ts'
import { rateOf } from './rate-limit.ts'
import { passwordScopes } from '../scopes.ts'
import { generateId, generateKey, generatePassword, foreignKeyId } from '../tokens/secret.ts'

const cheap = { memoryKiB: 64, passes: 1 }
const pepper = randomBytes(32)
const minute = 60_000_000
const day = 24 * 60 * minute

let store: Store
let now: number
let backgroundErrors: unknown[]
let authenticators: Authenticator[]
/** The one of most tests. */
let authenticator: Authenticator

describe.each(databases)('the authenticator on $name', ({ make }) => {
  let drop: () => Promise<void>
  beforeEach(async () => {
    const database = await make('authenticator')
    drop = database.drop
    store = await openStore({ url: database.url, canCreate: false, connectionsMax: 4 })
    now = Date.UTC(2026, 0, 1) * 1000
    backgroundErrors = []
    authenticators = []
    authenticator = makeAuthenticator()
  })
  afterEach(async () => {
    await Promise.all(authenticators.map((authenticator) => authenticator.flushUsage()))
    await store.close()
    await drop()
    expect(backgroundErrors).toEqual([])
  })

  test('a company authenticates with its name, in any letter case, and its password', async () => {
    const id = await company('Fjord')
    const secret = generatePassword(randomBytes)
    const created = await credential(id, 'password', 'generated', secret)
    const caller = await authenticator.authenticate(createRequest(`firma=FJORD&passord=${secret}`), 'revenue:write')
    expect(caller).toMatchObject({
      companyId: id,
      company: { name: 'Fjord', zone: 'Europe/Oslo', currency: 'NOK' },
      credentialId: created.id,
      actor: 'password',
      owner: 'password',
      viaQuery: true,
    })
    expect([...caller.scopes]).toEqual(passwordScopes)
  })

  test('a key authenticates by itself, also one in a foreign format', async () => {
    const id = await company('Fjord')
    const { id: keyId, key } = generateKey('live', randomBytes)
    await credential(id, 'key', 'generated', key, { id: keyId, owner: 'key:kasse' })
    const foreign = '6f9619ff-8b86-d011-b42d-00cf4fc964ff'
    await credential(id, 'key', 'generated', foreign, { id: foreignKeyId(foreign, pepper) })
    const caller = await authenticator.authenticate(createRequest('', { headers: { 'tb-key': key } }), 'revenue:read')
    expect(caller).toMatchObject({ actor: `key:${keyId}`, owner: 'key:kasse', viaQuery: false })
    expect(await outcome('', { headers: { authorization: `Bearer ${foreign}` } })).toBe('Fjord')
    expect(await outcome('', { headers: { 'tb-key': `${key.slice(0, -1)}_` } })).toBe('InvalidCredentials')
    const { key: unknown } = generateKey('live', randomBytes)
    expect(await outcome(`key=${unknown}`)).toBe('InvalidCredentials')
  })

  test('unknown company, wrong password and disabled company get the same error', async () => {
    await chosenCredential()
    const closed = await company('Stengt')
    await credential(closed, 'password', 'chosen', chosen)
    await credential(closed, 'password', 'generated', 'generert')
    await disable('Stengt')
    const answers = []
    for (const search of [
      'firma=Ukjent&passord=x',
      'firma=Fjord&passord=x',
      'firma=Stengt&passord=riktig+hest+batteri+stift',
      'firma=Stengt&passord=generert',
    ]) {
      const error: unknown = await Promise.resolve(
        authenticator.authenticate(createRequest(search), 'revenue:read'),
      ).catch((error: unknown) => error)
      const { code, status, headers, message } = error as Record<string, unknown>
      answers.push(JSON.stringify({ code, status, headers, message }))
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('Basic realm=')
    expect(answers[0]).toContain('401')
  })

  describe('a cached credential', () => {
    test('is accepted synchronously with SQLite', async () => {
      await chosenCredential()
      await authenticator.authenticate(createRequest(chosenPair), 'revenue:read')
      const again = authenticator.authenticate(createRequest(chosenPair), 'revenue:read')
      expect(again instanceof Promise).toBe(store.dialect === 'postgres')
      await again
    })

    test('expires exactly at its expiry time', async () => {
      const id = await company('Fjord')
      await credential(id, 'password', 'chosen', chosen, { expiresAt: now + minute })
      expect(await outcome(chosenPair)).toBe('Fjord')
      now += minute
      expect(await outcome(chosenPair)).toBe('CredentialExpired')
      expect(await outcome('firma=Fjord&passord=feil')).toBe('InvalidCredentials')
      authenticator = makeAuthenticator()
      expect(await outcome(chosenPair)).toBe('CredentialExpired')
    })

    test('stores its last use once a minute', async () => {
      const created = await chosenCredential()
      const used = async () => {
        await authenticator.authenticate(createRequest(chosenPair), 'revenue:read')
        await authenticator.flushUsage()
        return (await findCredential(store, { id: created.id }))?.lastUsedAt
      }
      const first = now
      expect(await used()).toBe(first)
      now += minute / 2
      expect(await used()).toBe(first)
      now += minute / 2
      expect(await used()).toBe(now)
    })
  })

  test('a weak legacy password is accepted only from its networks, and looks wrong elsewhere', async () => {
    const id = await company('Fjord')
    await credential(id, 'password', 'weak', '1234', { allowedNetworks: '["10.0.0.0/24"]' })
    const client = ['firma=Fjord&passord=1234'] as const
    const attacker = ['firma=Fjord&passord=1234', { address: '10.0.1.1' }] as const
    // Before and after a call from an allowed network, with and without cache.
    expect(await outcome(...attacker)).toBe('InvalidCredentials')
    expect(await outcome(...client)).toBe('Fjord')
    expect(await outcome(...attacker)).toBe('InvalidCredentials')
    expect(await outcome(...client)).toBe('Fjord')
    expect(await outcome('firma=Fjord&passord=4321')).toBe('InvalidCredentials')
  })

  test('a weak password without networks is never accepted', async () => {
    await credential(await company('Fjord'), 'password', 'weak', '1234')
    expect(await outcome('firma=Fjord&passord=1234')).toBe('InvalidCredentials')
  })

  test('a changed company is reloaded on every server', async () => {
    const id = await company('Fjord')
    const key = generateKey('live', randomBytes)
    await credential(id, 'key', 'generated', key.key, { id: key.id })
    const authenticators = [makeAuthenticator(), makeAuthenticator()]
    const zones = () =>
      Promise.all(
        authenticators.map(
          async (authenticator) =>
            (await authenticator.authenticate(createRequest(`key=${key.key}`), 'revenue:read')).company.zone,
        ),
      )
    expect(await zones()).toEqual(['Europe/Oslo', 'Europe/Oslo'])
    const found = await findCompany(store, 'Fjord')
    if (found === undefined) throw new Error('no such company')
    await store.inSystemTransaction((writer) => updateCompany(writer, { ...found, timezone: 'UTC' }))
    // All requests of one event-loop tick share one read.
    await new Promise((resolve) => setImmediate(resolve))
    expect(await zones()).toEqual(['UTC', 'UTC'])
  })

  test('company names are compared after Unicode normalization', async () => {
    await credential(await company('Ba\u030Aten'), 'password', 'generated', 'hemmelig')
    for (const name of ['b%C3%A5ten', 'BA%CC%8ATEN'])
      expect(await outcome(`firma=${name}&passord=hemmelig`)).toBe('Ba\u030Aten')
  })

  test('a password never has scopes that are reserved for keys', async () => {
    const id = await company('Fjord')
    await credential(id, 'password', 'generated', 's', { scopes: 'revenue:read directory:personal' })
    const caller = await authenticator.authenticate(createRequest('firma=Fjord&passord=s'), 'revenue:read')
    expect([...caller.scopes]).toEqual(['revenue:read'])
  })

  describe('two credentials in one request', () => {
    test('of the same company authenticate as the key', async () => {
      const id = await company('Fjord')
      await credential(id, 'password', 'generated', 's')
      await credential(id, 'key', 'generated', 'k', { id: foreignKeyId('k', pepper) })
      const caller = await authenticator.authenticate(
        createRequest('firma=Fjord&passord=s', { headers: { 'tb-key': 'k' } }),
        'revenue:read',
      )
      expect(caller).toMatchObject({ companyId: id, actor: `key:${foreignKeyId('k', pepper)}` })
    })
  })

  describe('a client with a valid secret is never locked out', () => {
    test('by a thousand attackers, when its secret is generated', async () => {
      await generatedCredential('Fjord', 'generert')
      for (let i = 0; i < 150; i++) await outcome(`firma=Fjord&passord=gjett${i}`, { address: `10.1.${i % 250}.9` })
      expect(await outcome('firma=Fjord&passord=generert')).toBe('Fjord')
    })

    test('by an attacker at the same address, when its secret is generated', async () => {
      await generatedCredential('Fjord', 'generert')
      const refusals = []
      for (let i = 0; i < 30; i++) refusals.push(await outcome(`firma=Fjord&passord=gjett${i}`))
      expect(refusals.filter((code) => code === 'InvalidCredentials').length).toBe(7)
      expect(refusals.filter((code) => code === 'TooManyFailedLogins').length).toBe(23)
      expect(await outcome('firma=Fjord&passord=generert')).toBe('Fjord')
    })

    test('by attackers, when its network is known from the last 30 days, also with an empty cache', async () => {
      await chosenCredential()
      expect(await outcome(chosenPair)).toBe('Fjord')
      now += 29 * day
      authenticator = makeAuthenticator()
      for (let i = 0; i < 120; i++) await outcome(`firma=Fjord&passord=gjett${i}`, { address: `10.1.${i}.9` })
      expect(await outcome(chosenPair, { address: '10.7.7.7' })).toBe('TooManyFailedLogins')
      expect(await outcome(chosenPair)).toBe('Fjord')
    })

    test('by an attacker behind the same address, when its password is chosen', async () => {
      await chosenCredential()
      const second = 1_000_000
      const evaluated: number[] = []
      for (let at = 0; at < 150; at++) {
        // The client calls every 12.5 minutes, so that the cache entry has expired (10 minutes).
        if (at % 30 === 0) expect(await outcome(chosenPair)).toBe('Fjord')
        for (let i = 0; i < 3; i++) {
          const guess = `firma=Fjord&passord=gjett${at}-${i}`
          if ((await outcome(guess)) === 'InvalidCredentials') evaluated.push(now)
        }
        now += 25 * second
      }
      const inMinuteFrom = (start: number) => evaluated.filter((when) => when >= start && when < start + minute).length
      expect(evaluated.length).toBeGreaterThan(0)
      expect(Math.max(...evaluated.map(inMinuteFrom))).toBeLessThanOrEqual(10)
    })

    test('by an attacker behind the same address after a restart: its second try is accepted', async () => {
      await chosenCredential()
      expect(await outcome(chosenPair)).toBe('Fjord')
      authenticator = makeAuthenticator()
      for (let i = 0; i < 50; i++) await outcome(`firma=Fjord&passord=gjett${i}`)
      expect(await outcome(chosenPair)).toBe('TooManyFailedLogins')
      for (let i = 50; i < 100; i++) await outcome(`firma=Fjord&passord=gjett${i}`)
      expect(await outcome(chosenPair)).toBe('Fjord')
    })

    test('by its previous password: it counts once, and the new one is accepted', async () => {
      const created = await chosenCredential()
      expect(await outcome(chosenPair)).toBe('Fjord')
      await change(created.id, { secretHash: await hashPassword('et nytt passord', cheap) })
      // All requests of one event-loop tick share one read.
      await new Promise((resolve) => setImmediate(resolve))
      for (let i = 0; i < 20; i++) expect(await outcome(chosenPair)).toBe('InvalidCredentials')
      expect(await outcome('firma=Fjord&passord=et+nytt+passord')).toBe('Fjord')
    })

    test('by repeating the same wrong pair: it counts once', async () => {
      await chosenCredential()
      for (let i = 0; i < 100; i++) expect(await outcome('firma=Fjord&passord=feil')).toBe('InvalidCredentials')
      expect(await outcome(chosenPair)).toBe('Fjord')
    })

    test('by its own burst after a restart: concurrent requests share one verification', async () => {
      await chosenCredential()
      const all = await Promise.all(Array.from({ length: 200 }, () => outcome(chosenPair)))
      expect(new Set(all)).toEqual(new Set(['Fjord']))
    })
  })

  test('a rejected password is accepted as soon as it is set', async () => {
    const id = await company('Fjord')
    await credential(id, 'password', 'chosen', chosen)
    expect(await outcome('firma=Fjord&passord=nytt')).toBe('InvalidCredentials')
    await credential(id, 'password', 'chosen', 'nytt')
    expect(await outcome('firma=Fjord&passord=nytt')).toBe('Fjord')
  })

  test('of 500 concurrent guesses at most 100 are checked, and the rest must wait', async () => {
    await chosenCredential()
    const all = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        outcome(`firma=Fjord&passord=gjett${i}`, { address: `10.1.${i % 250}.${i % 2}` }),
      ),
    )
    const count = (code: string) => all.filter((one) => one === code).length
    expect(count('InvalidCredentials')).toBeLessThanOrEqual(100)
    expect(count('Overloaded') + count('TooManyFailedLogins')).toBeGreaterThanOrEqual(400)
  })

  test('a hash with outdated parameters is rehashed at the next login', async () => {
    const created = await chosenCredential()
    authenticator = makeAuthenticator({}, { memoryKiB: 128, passes: 1 })
    expect(await outcome(chosenPair)).toBe('Fjord')
    expect((await findCredential(store, { id: created.id }))?.secretHash).toContain('$m=128,t=1,p=1$')
    expect(await outcome(chosenPair)).toBe('Fjord')
  })

  test('plain HTTP is accepted only from this machine, allowed networks and trusted proxies', async () => {
    await generatedCredential('Fjord', 's')
    authenticator = makeAuthenticator({ trustProxy: parseNetworks(['192.0.2.1']) })
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    const overTls = { ...forwarded, 'x-forwarded-proto': 'https' }
    for (const [connection, expected] of [
      [{ address: '127.0.0.1' }, 'Fjord'],
      [{ address: '10.1.2.3' }, 'Fjord'],
      [{ address: '203.0.113.7' }, 'TlsRequired'],
      [{ address: '203.0.113.7', secure: true }, 'Fjord'],
      [{ address: '127.0.0.1', headers: forwarded }, 'TlsRequired'],
      [{ address: '192.0.2.1', headers: overTls }, 'Fjord'],
      [{ address: '192.0.2.2', headers: overTls }, 'TlsRequired'],
    ] as const) {
      const found = await outcome('firma=Fjord&passord=s', connection)
      expect([connection, found]).toEqual([connection, expected])
    }
  })

  describe('the rate limit', () => {
    test('is counted per credential and rejects calls when it is exhausted', async () => {
      await generatedCredential('Fjord', 's')
      await generatedCredential('Fjell', 's')
      authenticator = makeAuthenticator({ rate: rateOf(9) })
      const fjord = 'firma=Fjord&passord=s'
      for (let i = 0; i < 3; i++) expect(await outcome(fjord)).toBe('Fjord')
      expect(await outcome(fjord)).toBe('RateLimited')
      expect(await outcome('firma=Fjell&passord=s')).toBe('Fjell')
      expect(await outcome('firma=Fjord&passord=s', { address: '127.0.0.1' })).toBe('Fjord')
    })

    test('is in the headers of every response, with a deprecation for query credentials', async () => {
      await generatedCredential('Fjord', 's')
      authenticator = makeAuthenticator({ rate: rateOf(6_000) })
      const viaQuery = await authenticator.authenticate(createRequest('firma=Fjord&passord=s'), 'revenue:read')
      expect(authenticator.headersFor(viaQuery)).toEqual({
        RateLimit: '"default";r=1999;t=1',
        'RateLimit-Policy': '"default";q=6000;w=60',
        Deprecation: '@1767225600',
        Link: '<https://tall.example.no/docs#credentials>; rel="deprecation"',
      })
      const headers = { 'x-firma': 'Fjord', 'x-passord': 's' }
      const viaHeader = await authenticator.authenticate(createRequest('', { headers }), 'revenue:read')
      expect(Object.keys(authenticator.headersFor(viaHeader))).toEqual(['RateLimit', 'RateLimit-Policy'])
    })
  })
})

function makeAuthenticator(settings: Partial<AuthenticatorSettings> = {}, hashCost = cheap): Authenticator {
  const authenticator = new Authenticator({
    store,
    pepper,
    hashCost,
    clock: () => now,
    random: randomBytes,
    settings: {
      trustProxy: parseNetworks([]),
      isBehindProxy: false,
      allowHttp: parseNetworks(['10.0.0.0/8']),
      rate: null,
      rejectsQueryCredentials: false,
      ...settings,
    },
    publicUrl: 'https://tall.example.no',
    onBackgroundError: (problem) => backgroundErrors.push(problem),
  })
  authenticators.push(authenticator)
  return authenticator
}

async function company(name: string): Promise<number> {
  return store.inSystemTransaction((writer) =>
    insertCompany(writer, { name, timezone: 'Europe/Oslo', currency: 'NOK', settings: '{}' }, now),
  )
}

async function credential(
  companyId: number,
  kind: 'password' | 'key',
  secretKind: CredentialTable['secretKind'],
  secret: string,
  more: Partial<CredentialTable> = {},
): Promise<CredentialTable> {
  const row: CredentialTable = {
    companyId,
    id: generateId(randomBytes),
    kind,
    name: kind,
    owner: kind,
    secretKind,
    secretHash: secretKind === 'generated' ? hashSecret(secret, pepper) : await hashPassword(secret, cheap),
    scopes: passwordScopes.join(' '),
    allowedNetworks: null,
    version: 1,
    createdAt: now,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...more,
  }
  await store.inSystemTransaction((writer) => insertCredential(writer, row))
  return row
}

function createRequest(
  search: string,
  {
    headers = {},
    address = '10.0.0.1',
    secure = false,
  }: Partial<{ headers: Record<string, string>; address: string; secure: boolean }> = {},
) {
  return { search, address, secure, header: (name: string) => headers[name] }
}

/** The company's name, or the error code. */
async function outcome(...request: Parameters<typeof createRequest>) {
  try {
    return (await authenticator.authenticate(createRequest(...request), 'revenue:read')).company.name
  } catch (error) {
    return (error as { code: string }).code
  }
}

/** The company Fjord with a chosen password. */
async function chosenCredential(): Promise<CredentialTable> {
  return credential(await company('Fjord'), 'password', 'chosen', chosen)
}

async function generatedCredential(name: string, secret: string): Promise<CredentialTable> {
  return credential(await company(name), 'password', 'generated', secret)
}

const chosen = 'riktig hest batteri stift'
const chosenPair = 'firma=Fjord&passord=riktig+hest+batteri+stift'

async function change(id: string, changed: Partial<CredentialTable>) {
  const found = await findCredential(store, { id })
  if (found === undefined) throw new Error('no such credential')
  await store.inSystemTransaction((writer) => updateCredential(writer, { ...found, ...changed }))
}

async function disable(name: string) {
  const found = await findCompany(store, name)
  if (found === undefined) throw new Error('no such company')
  await store.inSystemTransaction((writer) => updateCompany(writer, { ...found, disabledAt: now }))
  expect(await listCredentials(store, { companyId: found.id })).not.toEqual([])
}
