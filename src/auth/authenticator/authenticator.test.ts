import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseNetworks } from '../../lib/network.ts'
import { findCompany, insertCompany, updateCompany } from '../../store/accounts/companies.ts'
import {
  credentialById,
  insertCredential,
  listCredentials,
  updateCredential,
} from '../../store/accounts/credentials.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'
import { databases } from '../../../tests/support/databases.ts'
import { Gate, type GateOptions } from './authenticator.ts'
import { hashChosen, hashGenerated } from '../passwords/password-hash.ts'
import { rateOf } from './rate-limit.ts'
import { passwordScopes } from '../scopes.ts'
import { generateId, generateKey, generatePassword, idOfForeignKey } from '../tokens/secret.ts'

const cheap = { memoryKiB: 64, passes: 1 }
const pepper = randomBytes(32)
const minute = 60_000_000
const day = 24 * 60 * minute

let store: Store
let now: number
let troubles: unknown[]
let gates: Gate[]

describe.each(databases)('the gate on $name', ({ make }) => {
  let drop: () => Promise<void>
  beforeEach(async () => {
    const made = await make('gate')
    drop = made.drop
    store = await openStore({ url: made.url, isCreating: false, connectionsMax: 4 })
    now = Date.UTC(2026, 0, 1) * 1000
    troubles = []
    gates = []
  })
  afterEach(async () => {
    await Promise.all(gates.map((gate) => gate.settled()))
    await store.close()
    await drop()
    expect(troubles).toEqual([])
  })

  test('a company comes in by its name in any letter case and its password', async () => {
    const id = await company('Fjord')
    const secret = generatePassword(randomBytes)
    const made = await credential(id, 'password', 'generated', secret)
    const gate = makeGate()
    const caller = await gate.admit(visit(`firma=FJORD&passord=${secret}`), 'revenue:write')
    expect(caller).toMatchObject({
      companyId: id,
      company: { name: 'Fjord', zone: 'Europe/Oslo', currency: 'NOK' },
      credentialId: made.id,
      actor: 'password',
      owner: 'password',
      viaQuery: true,
    })
    expect([...caller.scopes]).toEqual(passwordScopes)
  })

  test('a key comes in by itself, one made elsewhere too', async () => {
    const id = await company('Fjord')
    const { id: keyId, key } = generateKey('live', randomBytes)
    await credential(id, 'key', 'generated', key, { id: keyId, owner: 'key:kasse' })
    const foreign = '6f9619ff-8b86-d011-b42d-00cf4fc964ff'
    await credential(id, 'key', 'generated', foreign, { id: idOfForeignKey(foreign, pepper) })
    const gate = makeGate()
    const caller = await gate.admit(visit('', { headers: { 'tb-key': key } }), 'revenue:read')
    expect(caller).toMatchObject({ actor: `key:${keyId}`, owner: 'key:kasse', viaQuery: false })
    expect(
      await outcome(gate, visit('', { headers: { authorization: `Bearer ${foreign}` } })),
    ).toBe('Fjord')
    expect(await outcome(gate, visit('', { headers: { 'tb-key': `${key.slice(0, -1)}_` } }))).toBe(
      'InvalidCredentials',
    )
    const { key: unknown } = generateKey('live', randomBytes)
    expect(await outcome(gate, visit(`key=${unknown}`))).toBe('InvalidCredentials')
  })

  test('unknown company, wrong password and disabled company are answered alike', async () => {
    await credential(await company('Fjord'), 'password', 'chosen', chosen)
    const closed = await company('Stengt')
    await credential(closed, 'password', 'chosen', chosen)
    await credential(closed, 'password', 'generated', 'generert')
    await disable('Stengt')
    const gate = makeGate()
    const answers = []
    for (const search of [
      'firma=Ukjent&passord=x',
      'firma=Fjord&passord=x',
      'firma=Stengt&passord=riktig+hest+batteri+stift',
      'firma=Stengt&passord=generert',
    ]) {
      const refusal: unknown = await Promise.resolve(
        gate.admit(visit(search), 'revenue:read'),
      ).catch((error: unknown) => error)
      const { code, status, headers, message } = refusal as Record<string, unknown>
      answers.push(JSON.stringify({ code, status, headers, message }))
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('Basic realm=')
    expect(answers[0]).toContain('401')
  })

  test('no credentials at all is 401 with a challenge', () => {
    expect(() => makeGate().admit(visit('$top=1'), 'revenue:read')).toThrow(
      expect.objectContaining({
        code: 'MissingCredentials',
        headers: { 'WWW-Authenticate': expect.stringContaining('Bearer') },
      }),
    )
  })

  describe('a remembered credential', () => {
    test('is let in at once by the embedded database', async () => {
      await credential(await company('Fjord'), 'password', 'chosen', chosen)
      const gate = makeGate()
      await gate.admit(visit(chosenPair), 'revenue:read')
      const again = gate.admit(visit(chosenPair), 'revenue:read')
      expect(again instanceof Promise).toBe(store.dialect === 'postgres')
      await again
    })

    test('ends with its revocation, at once', async () => {
      const made = await credential(await company('Fjord'), 'password', 'chosen', chosen)
      const gate = makeGate()
      expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
      await change(made.id, { revokedAt: now })
      expect(await outcome(gate, visit(chosenPair))).toBe('InvalidCredentials')
    })

    test('ends when its company is disabled, at once', async () => {
      await credential(await company('Fjord'), 'password', 'chosen', chosen)
      const gate = makeGate()
      expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
      await disable('Fjord')
      expect(await outcome(gate, visit(chosenPair))).toBe('InvalidCredentials')
    })

    test('loses a scope that is taken away, at once', async () => {
      const made = await credential(await company('Fjord'), 'password', 'chosen', chosen)
      const gate = makeGate()
      expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
      await change(made.id, { scopes: 'revenue:write' })
      expect(await outcome(gate, visit(chosenPair))).toBe('ScopeMissing')
    })

    test('expires to the moment', async () => {
      const id = await company('Fjord')
      await credential(id, 'password', 'chosen', chosen, { expiresAt: now + minute })
      const gate = makeGate()
      expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
      now += minute
      expect(await outcome(gate, visit(chosenPair))).toBe('CredentialExpired')
      expect(await outcome(makeGate(), visit(chosenPair))).toBe('CredentialExpired')
      expect(await outcome(gate, visit('firma=Fjord&passord=feil'))).toBe('InvalidCredentials')
    })

    test('is let in only from the addresses it is bound to', async () => {
      const id = await company('Fjord')
      await credential(id, 'password', 'chosen', chosen, { addresses: '["10.0.0.0/24"]' })
      const gate = makeGate()
      expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
      expect(await outcome(gate, visit(chosenPair, { address: '10.0.1.1' }))).toBe('IpNotAllowed')
    })

    test('writes down its use once a minute', async () => {
      const made = await credential(await company('Fjord'), 'password', 'chosen', chosen)
      const gate = makeGate()
      const used = async () => {
        await gate.admit(visit(chosenPair), 'revenue:read')
        await gate.settled()
        return (await credentialById(store, made.id))?.lastUsedAt
      }
      const first = now
      expect(await used()).toBe(first)
      now += minute / 2
      expect(await used()).toBe(first)
      now += minute / 2
      expect(await used()).toBe(now)
    })
  })

  test('a short password that was taken over opens from its addresses alone, and tells nobody else', async () => {
    const id = await company('Fjord')
    await credential(id, 'password', 'weak', '1234', { addresses: '["10.0.0.0/24"]' })
    const gate = makeGate()
    const till = visit('firma=Fjord&passord=1234')
    const stranger = visit('firma=Fjord&passord=1234', { address: '10.0.1.1' })
    // Before the right address has called, after it, and what either is remembered for.
    expect(await outcome(gate, stranger)).toBe('InvalidCredentials')
    expect(await outcome(gate, till)).toBe('Fjord')
    expect(await outcome(gate, stranger)).toBe('InvalidCredentials')
    expect(await outcome(gate, till)).toBe('Fjord')
    expect(await outcome(gate, visit('firma=Fjord&passord=4321'))).toBe('InvalidCredentials')
  })

  test('a weak password that lost its addresses opens from nowhere', async () => {
    await credential(await company('Fjord'), 'password', 'weak', '1234')
    expect(await outcome(makeGate(), visit('firma=Fjord&passord=1234'))).toBe('InvalidCredentials')
  })

  test('a company is read anew when it changes, in every server that knows it', async () => {
    const id = await company('Fjord')
    const key = generateKey('live', randomBytes)
    await credential(id, 'key', 'generated', key.key, { id: key.id })
    const gates = [makeGate(), makeGate()]
    const zones = () =>
      Promise.all(
        gates.map(
          async (gate) => (await gate.admit(visit(`key=${key.key}`), 'revenue:read')).company.zone,
        ),
      )
    expect(await zones()).toEqual(['Europe/Oslo', 'Europe/Oslo'])
    const found = await findCompany(store, 'Fjord')
    if (found === undefined) throw new Error('no such company')
    await store.inHouseTransaction((writer) => updateCompany(writer, { ...found, timezone: 'UTC' }))
    // One read serves every request of one turn.
    await new Promise((resolve) => setImmediate(resolve))
    expect(await zones()).toEqual(['UTC', 'UTC'])
  })

  test('a name is one name, however its letters are put together', async () => {
    await credential(await company('Ba\u030Aten'), 'password', 'generated', 'hemmelig')
    for (const name of ['b%C3%A5ten', 'BA%CC%8ATEN'])
      expect(await outcome(makeGate(), visit(`firma=${name}&passord=hemmelig`))).toBe('Ba\u030Aten')
  })

  test('the password never carries more than a password may', async () => {
    const id = await company('Fjord')
    await credential(id, 'password', 'generated', 's', {
      scopes: 'revenue:read directory:personal',
    })
    const caller = await makeGate().admit(visit('firma=Fjord&passord=s'), 'revenue:read')
    expect([...caller.scopes]).toEqual(['revenue:read'])
  })

  describe('two credentials in one request', () => {
    test('of one company come in, as the key', async () => {
      const id = await company('Fjord')
      await credential(id, 'password', 'generated', 's')
      await credential(id, 'key', 'generated', 'k', { id: idOfForeignKey('k', pepper) })
      const caller = await makeGate().admit(
        visit('firma=Fjord&passord=s', { headers: { 'tb-key': 'k' } }),
        'revenue:read',
      )
      expect(caller).toMatchObject({ companyId: id, actor: `key:${idOfForeignKey('k', pepper)}` })
    })

    test('of two companies are ambiguous', async () => {
      await credential(await company('Fjord'), 'password', 'generated', 's')
      await credential(await company('Fjell'), 'key', 'generated', 'k', {
        id: idOfForeignKey('k', pepper),
      })
      const request = visit('firma=Fjord&passord=s', { headers: { 'tb-key': 'k' } })
      expect(await outcome(makeGate(), request)).toBe('AmbiguousCredentials')
    })

    test('of which one is wrong are refused', async () => {
      await credential(await company('Fjord'), 'password', 'generated', 's')
      const request = visit('firma=Fjord&passord=s', { headers: { 'tb-key': 'k' } })
      expect(await outcome(makeGate(), request)).toBe('InvalidCredentials')
    })
  })

  describe('a till is never locked out', () => {
    test('by a thousand strangers, when its secret was generated', async () => {
      await credential(await company('Fjord'), 'password', 'generated', 'generert')
      const gate = makeGate()
      for (let i = 0; i < 150; i++)
        await outcome(
          gate,
          visit(`firma=Fjord&passord=gjett${i}`, { address: `10.1.${i % 250}.9` }),
        )
      expect(await outcome(gate, visit('firma=Fjord&passord=generert'))).toBe('Fjord')
    })

    test('by a neighbour at its own address, when its secret was generated', async () => {
      await credential(await company('Fjord'), 'password', 'generated', 'generert')
      const gate = makeGate()
      const refusals = []
      for (let i = 0; i < 30; i++)
        refusals.push(await outcome(gate, visit(`firma=Fjord&passord=gjett${i}`)))
      expect(refusals.filter((code) => code === 'InvalidCredentials').length).toBe(7)
      expect(refusals.filter((code) => code === 'TooManyFailedLogins').length).toBe(23)
      expect(await outcome(gate, visit('firma=Fjord&passord=generert'))).toBe('Fjord')
    })

    test('by strangers, when its address was right within 30 days: with a cold cache too', async () => {
      await credential(await company('Fjord'), 'password', 'chosen', chosen)
      expect(await outcome(makeGate(), visit(chosenPair))).toBe('Fjord')
      now += 29 * day
      const gate = makeGate()
      for (let i = 0; i < 120; i++)
        await outcome(gate, visit(`firma=Fjord&passord=gjett${i}`, { address: `10.1.${i}.9` }))
      expect(await outcome(gate, visit(chosenPair, { address: '10.7.7.7' }))).toBe(
        'TooManyFailedLogins',
      )
      expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
    })

    test('by one who guesses beside it behind the same address, when its password was chosen', async () => {
      await credential(await company('Fjord'), 'password', 'chosen', chosen)
      const gate = makeGate()
      const second = 1_000_000
      const evaluated: number[] = []
      for (let at = 0; at < 150; at++) {
        // The till comes every twelve and a half minutes: what was not seen for ten is verified anew.
        if (at % 30 === 0) expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
        for (let i = 0; i < 3; i++) {
          const guess = visit(`firma=Fjord&passord=gjett${at}-${i}`)
          if ((await outcome(gate, guess)) === 'InvalidCredentials') evaluated.push(now)
        }
        now += 25 * second
      }
      const inMinuteFrom = (start: number) =>
        evaluated.filter((when) => when >= start && when < start + minute).length
      expect(evaluated.length).toBeGreaterThan(0)
      expect(Math.max(...evaluated.map(inMinuteFrom))).toBeLessThanOrEqual(10)
    })

    test('by one who guesses beside it while the server starts anew: it comes in when it calls again', async () => {
      await credential(await company('Fjord'), 'password', 'chosen', chosen)
      expect(await outcome(makeGate(), visit(chosenPair))).toBe('Fjord')
      const gate = makeGate()
      for (let i = 0; i < 50; i++) await outcome(gate, visit(`firma=Fjord&passord=gjett${i}`))
      expect(await outcome(gate, visit(chosenPair))).toBe('TooManyFailedLogins')
      for (let i = 50; i < 100; i++) await outcome(gate, visit(`firma=Fjord&passord=gjett${i}`))
      expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
    })

    test('by its own password that was changed: the old one counts once, and the new one comes in', async () => {
      const made = await credential(await company('Fjord'), 'password', 'chosen', chosen)
      const gate = makeGate()
      expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
      await change(made.id, { secretHash: await hashChosen('et nytt passord', cheap) })
      // One read serves every request of one turn.
      await new Promise((resolve) => setImmediate(resolve))
      for (let i = 0; i < 20; i++)
        expect(await outcome(gate, visit(chosenPair))).toBe('InvalidCredentials')
      expect(await outcome(gate, visit('firma=Fjord&passord=et+nytt+passord'))).toBe('Fjord')
    })

    test('by a till that repeats the same mistyped pair: it counts once', async () => {
      await credential(await company('Fjord'), 'password', 'chosen', chosen)
      const gate = makeGate()
      for (let i = 0; i < 100; i++)
        expect(await outcome(gate, visit('firma=Fjord&passord=feil'))).toBe('InvalidCredentials')
      expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
    })

    test('by its own burst after a restart: the same pair is verified once', async () => {
      await credential(await company('Fjord'), 'password', 'chosen', chosen)
      const gate = makeGate()
      const all = await Promise.all(
        Array.from({ length: 200 }, () => outcome(gate, visit(chosenPair))),
      )
      expect(new Set(all)).toEqual(new Set(['Fjord']))
    })
  })

  test('a password that was wrong is right as soon as it is set', async () => {
    const id = await company('Fjord')
    await credential(id, 'password', 'chosen', chosen)
    const gate = makeGate()
    expect(await outcome(gate, visit('firma=Fjord&passord=nytt'))).toBe('InvalidCredentials')
    await credential(id, 'password', 'chosen', 'nytt')
    expect(await outcome(gate, visit('firma=Fjord&passord=nytt'))).toBe('Fjord')
  })

  test('500 guesses at once: at most a hundred are evaluated, the rest told to wait', async () => {
    await credential(await company('Fjord'), 'password', 'chosen', chosen)
    const gate = makeGate()
    const all = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        outcome(
          gate,
          visit(`firma=Fjord&passord=gjett${i}`, { address: `10.1.${i % 250}.${i % 2}` }),
        ),
      ),
    )
    const count = (code: string) => all.filter((one) => one === code).length
    expect(count('InvalidCredentials')).toBeLessThanOrEqual(100)
    expect(count('Overloaded') + count('TooManyFailedLogins')).toBeGreaterThanOrEqual(400)
  })

  test('a hash of an older cost is made anew when the password is next right', async () => {
    const made = await credential(await company('Fjord'), 'password', 'chosen', chosen)
    const gate = makeGate({ hashCost: { memoryKiB: 128, passes: 1 } })
    expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
    expect((await credentialById(store, made.id))?.secretHash).toContain('$m=128,t=1,p=1$')
    expect(await outcome(gate, visit(chosenPair))).toBe('Fjord')
  })

  describe('plain http', () => {
    test('is served to this machine and the allowed networks alone, before any secret is looked at', async () => {
      await credential(await company('Fjord'), 'password', 'generated', 's')
      const gate = makeGate({ trustProxy: parseNetworks(['192.0.2.1']) })
      const from = (address: string, headers: Record<string, string> = {}, secure = false) =>
        outcome(gate, visit('firma=Fjord&passord=s', { address, headers, secure }))
      expect(await from('127.0.0.1')).toBe('Fjord')
      expect(await from('10.1.2.3')).toBe('Fjord')
      expect(await from('203.0.113.7')).toBe('TlsRequired')
      expect(await from('203.0.113.7', {}, true)).toBe('Fjord')
      expect(await from('127.0.0.1', { 'x-forwarded-for': '203.0.113.7' })).toBe('TlsRequired')
      const proxied = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }
      expect(await from('192.0.2.1', proxied)).toBe('Fjord')
      expect(await from('192.0.2.2', proxied)).toBe('TlsRequired')
    })
  })

  describe('the rate', () => {
    test('is counted per credential and refuses when it is used up', async () => {
      await credential(await company('Fjord'), 'password', 'generated', 's')
      await credential(await company('Fjell'), 'password', 'generated', 's')
      const gate = makeGate({ rate: rateOf(9) })
      const fjord = visit('firma=Fjord&passord=s')
      for (let i = 0; i < 3; i++) expect(await outcome(gate, fjord)).toBe('Fjord')
      expect(await outcome(gate, fjord)).toBe('RateLimited')
      expect(await outcome(gate, visit('firma=Fjell&passord=s'))).toBe('Fjell')
      expect(await outcome(gate, visit('firma=Fjord&passord=s', { address: '127.0.0.1' }))).toBe(
        'Fjord',
      )
    })

    test('is written on every answer, and a secret in the address is discouraged', async () => {
      await credential(await company('Fjord'), 'password', 'generated', 's')
      const gate = makeGate({ rate: rateOf(6_000) })
      const viaQuery = await gate.admit(visit('firma=Fjord&passord=s'), 'revenue:read')
      expect(gate.headersFor(viaQuery)).toEqual({
        RateLimit: '"default";r=1999;t=1',
        'RateLimit-Policy': '"default";q=6000;w=60',
        Deprecation: '@1767225600',
        Link: '<https://tall.example.no/docs#credentials>; rel="deprecation"',
      })
      const headers = { 'x-firma': 'Fjord', 'x-passord': 's' }
      const viaHeader = await gate.admit(visit('', { headers }), 'revenue:read')
      expect(Object.keys(gate.headersFor(viaHeader))).toEqual(['RateLimit', 'RateLimit-Policy'])
    })
  })

  test('no refusal repeats a secret', async () => {
    await credential(await company('Fjord'), 'password', 'chosen', chosen)
    const gate = makeGate()
    const secret = 'kanarifugl'
    for (const request of [
      visit(`firma=Fjord&passord=${secret}`),
      visit(`firma=Fjord&passord=${secret}&passord=${secret}`),
      visit(`firma=Fjord&passord=${secret}%`),
      visit(`key=dv_live_${secret}`),
      visit('', { headers: { authorization: `Basic ${btoa(`Fjord:${secret}`)}` } }),
      visit('', { headers: { 'tb-key': secret } }),
    ]) {
      const error: unknown = await (async () => gate.admit(request, 'revenue:read'))().catch(
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(Error)
      const told = error as Error
      expect(`${told.message} ${told.stack} ${JSON.stringify(told)}`).not.toContain(secret)
    }
  })
})

function makeGate(options: Partial<GateOptions> = {}): Gate {
  const gate = new Gate({
    store,
    pepper,
    hashCost: cheap,
    clock: () => now,
    random: randomBytes,
    trustProxy: parseNetworks([]),
    allowHttp: parseNetworks(['10.0.0.0/8']),
    rate: null,
    publicUrl: 'https://tall.example.no',
    onTrouble: (problem) => troubles.push(problem),
    ...options,
  })
  gates.push(gate)
  return gate
}

async function company(name: string): Promise<number> {
  return store.inHouseTransaction((writer) =>
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
  const made: CredentialTable = {
    companyId,
    id: generateId(randomBytes),
    kind,
    name: kind,
    owner: kind,
    secretKind,
    secretHash:
      secretKind === 'generated' ? hashGenerated(secret, pepper) : await hashChosen(secret, cheap),
    scopes: passwordScopes.join(' '),
    addresses: null,
    version: 1,
    createdAt: now,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...more,
  }
  await store.inHouseTransaction((writer) => insertCredential(writer, made))
  return made
}

function visit(
  search: string,
  {
    headers = {},
    address = '10.0.0.1',
    secure = false,
  }: Partial<{
    headers: Record<string, string>
    address: string
    secure: boolean
  }> = {},
) {
  return { search, address, secure, header: (name: string) => headers[name] }
}

async function outcome(
  gate: Gate,
  request: ReturnType<typeof visit>,
  scope = 'revenue:read' as const,
) {
  try {
    return (await gate.admit(request, scope)).company.name
  } catch (error) {
    return (error as { code: string }).code
  }
}

const chosen = 'riktig hest batteri stift'
const chosenPair = 'firma=Fjord&passord=riktig+hest+batteri+stift'

async function change(id: string, changed: Partial<CredentialTable>) {
  const found = await credentialById(store, id)
  if (found === undefined) throw new Error('no such credential')
  await store.inHouseTransaction((writer) => updateCredential(writer, { ...found, ...changed }))
}

async function disable(name: string) {
  const found = await findCompany(store, name)
  if (found === undefined) throw new Error('no such company')
  await store.inHouseTransaction((writer) => updateCompany(writer, { ...found, disabledAt: now }))
  expect(await listCredentials(store, found.id)).not.toEqual([])
}
