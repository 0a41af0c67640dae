// Administration in the app: keys, passwords, members and settings of one company.
import { describe, expect, test } from 'vitest'
import { insertDestination, assignCredential, getCredentialDestination } from '../../src/store/export/destinations.ts'
import { formatSubject } from '../../web/features/audit/audit-subject.ts'
import { auditTexts } from './audit-texts.ts'
import { databases } from '../support/databases.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { signInAs, openSession, useSession } from './session-client.ts'

const { nb } = auditTexts

const at = '/app/data/administrasjon'
const minute = 60_000_000

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-administration')
  const clock = useClock(server)
  const { company, session: admin } = useSession(server, 'admin')

  const act = (path: string, fields: object) => admin.send('POST', `${at}/${path}`, fields)
  const seen = async () => (await admin.get(at)).json
  const credentialsNamed = async (name: string | null) =>
    (await seen()).credentials.filter((one: { name: string | null }) => one.name === name)
  const callWith = async (method: string, path: string, headers: Record<string, string>) =>
    (await server.call(method, `/dev/Omsetning/${path}`, { as: null, headers })).status
  const tryKey = (key: string) => callWith('GET', 'Finn', { 'tb-key': key })
  const tryPassword = (passord: string) => callWith('GET', 'Finn', { 'X-Firma': company.name, 'X-Passord': passord })
  const auditActions = async () =>
    (await admin.get('/app/data/revisjon')).json.rows.map(({ action }: { action: string }) => action)

  test('a key is shown once, is limited to its scopes, and can have a second until one is revoked', async () => {
    const made = await act('nokler/ny', { name: 'kasse', scopes: 'revenue:read', days: '30' })
    expect(made.json).toMatchObject({ name: 'kasse', secret: expect.stringMatching(/^dv_live_/) })
    expect(await tryKey(made.json.secret)).toBe(200)
    const [first] = await credentialsNamed('kasse')
    expect(first).toMatchObject({ state: 'live', scopes: ['revenue:read'], id: made.json.id })
    expect(first.expiresAt - first.createdAt).toBe(30 * 24 * 60 * minute)
    expect(JSON.stringify(await seen())).not.toContain(made.json.secret)
    expect((await act('nokler/ny', { name: 'kasse', scopes: 'revenue:read' })).status).toBe(409)
    const next = await act('nokler/forny', { id: first.id })
    expect([await tryKey(made.json.secret), await tryKey(next.json.secret)]).toEqual([200, 200])
    const third = await act('nokler/forny', { id: first.id })
    expect(third.json.error.code).toBe('TooManyActiveKeys')
    expect((await act('nokler/trekk', { id: first.id })).status).toBe(200)
    expect([await tryKey(made.json.secret), await tryKey(next.json.secret)]).toEqual([401, 200])
    const states = (await credentialsNamed('kasse')).map(({ state }: { state: string }) => state)
    expect(states.toSorted()).toEqual(['live', 'revoked'])
    expect(await auditActions()).toEqual(['key-revoke', 'key-rotate', 'key-add', 'sign-in'])
  })

  test('a renewed key works for the same destination, from the same networks', async () => {
    const { id } = (await act('nokler/ny', { name: 'lonn', scopes: 'material:export' })).json
    await server.updateCredential(id, { allowedNetworks: '["10.0.0.0/8"]' })
    await server.store.inSystemTransaction(async (writer) => {
      await insertDestination(writer, { companyId: company.id, name: 'lønn', now: 1 })
      await assignCredential(writer, { companyId: company.id, id, destinationId: 2 })
    })
    const renewed = (await act('nokler/forny', { id })).json.id
    const keys = await credentialsNamed('lonn')
    expect(keys.find((key: { id: string }) => key.id === renewed)).toMatchObject({
      scopes: ['material:export'],
      allowedNetworks: ['10.0.0.0/8'],
    })
    const found = await getCredentialDestination(server.store, { companyId: company.id, credentialId: renewed })
    expect(found).toMatchObject({ id: 2 })
  })

  test("each till vendor has a password of its own, limited to its scopes and revoked without the others'", async () => {
    const add = (name: string, scopes: string) => act('nokler/ny', { kind: 'password', name, scopes, days: '' })
    const { secret: north, id } = (await add('Kasse Nord', 'revenue:read')).json
    const { secret: south } = (await add('Kasse Sør', 'revenue:read revenue:write')).json
    const passwords = [north, south, company.password]
    const statuses = () => Promise.all(passwords.map(tryPassword))
    expect(await statuses()).toEqual([200, 200, 200])
    const [listed] = await credentialsNamed('Kasse Nord')
    expect(listed).toMatchObject({ id, kind: 'password', scopes: ['revenue:read'], expiresAt: null })
    for (const secret of passwords) expect(JSON.stringify(await seen())).not.toContain(secret)
    expect((await add('Kasse Nord', 'revenue:read')).status).toBe(409)

    const row = { Dato: '2026-01-05', AvdelingID: '10', Omsetning: 5 }
    const save = (passord: string) =>
      server.call('POST', '/dev/Omsetning/Lagre', {
        as: null,
        headers: { 'X-Firma': company.name, 'X-Passord': passord },
        json: row,
      })
    expect((await save(north)).json.error.code).toBe('ScopeMissing')
    expect((await save(south)).status).toBe(200)

    const renewed = (await act('nokler/forny', { id })).json.secret
    expect(await tryPassword(renewed)).toBe(200)
    expect((await act('nokler/trekk', { id })).status).toBe(200)
    expect(await statuses()).toEqual([401, 200, 200])
    expect(await tryPassword(renewed)).toBe(200)
    const [own] = await credentialsNamed(null)
    expect((await act('nokler/trekk', { id: own.id })).status).toBe(200)
    expect(await statuses()).toEqual([401, 200, 401])
    expect(await auditActions()).toEqual(
      ['revoke', 'revoke', 'rotate', 'add', 'add'].map((verb) => `key-${verb}`).concat('sign-in'),
    )
  })

  test('the revenue log names the till vendor whose password wrote', async () => {
    const added = { kind: 'password', name: 'Kasse Nord', scopes: 'revenue:*' }
    const { secret, id } = (await act('nokler/ny', added)).json
    await server.call('POST', '/dev/Omsetning/Lagre', {
      as: null,
      headers: { 'X-Firma': company.name, 'X-Passord': secret },
      json: { Dato: '2026-01-05', AvdelingID: '10', Omsetning: 5 },
    })
    const log = await server.call('GET', '/omsetning/OmsetningLogg', { as: company })
    expect(log.json.value).toMatchObject([{ Av: `password:${id}` }])
    const cell = { date: '2026-01-05', department: '10', kind: 'I' }
    const { log: entries } = (await admin.get('/app/data/omsetning/celle', cell)).json
    expect(entries).toMatchObject([{ actor: `password:Kasse Nord (${id})` }])
  })

  test("another company's key can be neither seen, nor rotated, nor revoked", async () => {
    const theirs = await server.addCredential(server.tenantB)
    for (const path of ['nokler/forny', 'nokler/trekk']) expect((await act(path, { id: theirs.id })).status).toBe(404)
    expect(JSON.stringify(await seen())).not.toContain(theirs.id)
    expect(await auditActions()).toEqual(['sign-in'])
  })

  test('a new role or a removal takes effect at the next request, in this company alone', async () => {
    const ola = await server.addUser([
      { company, role: 'viewer' },
      { company: server.tenantB, role: 'viewer' },
    ])
    const here = await openSession(server, ola, company.name)
    const there = await openSession(server, ola, server.tenantB.name)
    const idOf = async (email: string) =>
      String((await seen()).people.find((one: { email: string }) => one.email === email).id)
    const id = await idOf(ola.email)
    await act('personer/endre', { id, role: 'approver', departments: '10' })
    expect((await here.get('/app/okt')).json).toMatchObject({ role: 'approver' })
    expect((await act('personer/steng', { id })).status).toBe(200)
    expect([(await here.get('/app/okt')).status, (await there.get('/app/okt')).status]).toEqual([401, 200])
    expect((await signInAs(server, ola, company.name)).status).toBe(401)
    await act('personer/apne', { id })
    // A session that has ended is not revived.
    expect((await here.get('/app/okt')).status).toBe(401)
    expect((await signInAs(server, ola, company.name)).status).toBe(204)
    const viewerOfOther = await server.addUser([{ company: server.tenantB, role: 'viewer' }])
    expect(viewerOfOther.email).not.toBe('')
    for (const path of ['personer/endre', 'personer/steng', 'personer/apne'])
      expect((await act(path, { id: '999999', role: 'viewer' })).status).toBe(404)
  })

  test('the last administrator of a company cannot be removed', async () => {
    const [{ id }] = (await seen()).people
    for (const [path, fields] of [
      ['personer/steng', { id: String(id) }],
      ['personer/endre', { id: String(id), role: 'viewer' }],
    ] as const) {
      expect((await act(path, fields)).json.error.code).toBe('LastAdministrator')
      expect((await seen()).people).toMatchObject([{ id, role: 'admin', disabledAt: null }])
    }
    expect(await auditActions()).toEqual(['sign-in'])
  })

  test('settings change one by one, and take effect in the API at once', async () => {
    const put = () =>
      server.call('POST', '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', {
        as: company,
        json: [{ Dato: '2026-05-01T00:00:00Z', AvdelingID: '20', Omsetning: 1 }],
      })
    expect((await put()).status).toBe(200)
    const fields = { zone: 'Europe/London', 'refuses-zones': 'true' }
    expect((await act('innstillinger', fields)).status).toBe(200)
    expect((await put()).status).toBe(400)
    await act('innstillinger', { currency: 'GBP' })
    expect(await seen()).toMatchObject({
      zone: 'Europe/London',
      currency: 'GBP',
      settings: { 'refuses-zones': true, 'requires-four-eyes': false },
    })
    expect(await auditActions()).toEqual(['settings', 'settings', 'sign-in'])
  })

  test('replies to callers state when the day ends and whether amounts contain tax; no date or amount changes', async () => {
    const as = company
    const info = async () => (await server.call('GET', '/openapi.json', { as })).json.info
    const unset = { timezone: 'Europe/Oslo', currency: 'NOK', dayEndsAt: '00:00' }
    expect((await info())['x-company']).toEqual({ ...unset, name: company.name, amounts: 'unstated' })
    const row = { Dato: '2026-05-01T02:00:00', AvdelingID: '20', Omsetning: 125 }
    await server.call('POST', '/dev/Omsetning/Lagre', { as, json: row })
    const find = async () => (await server.call('GET', '/dev/Omsetning/Finn', { as })).json
    const before = await find()
    const fields = { 'day-ends-at': '03:00', amounts: 'with-tax' }
    expect((await act('innstillinger', fields)).status).toBe(200)
    expect((await seen()).settings).toMatchObject(fields)
    expect((await info())['x-company']).toMatchObject({ dayEndsAt: '03:00', amounts: 'with-tax' })
    await server.call('POST', '/dev/Omsetning/Lagre', { as, json: row })
    const { InntektsPlanId: _, ...stored } = before[0]
    expect(await find()).toEqual([before[0], { ...stored, InntektsPlanId: expect.any(Number) }])
    expect(stored).toMatchObject({ Dato: '2026-05-01T00:00:00', Omsetning: 125 })
    const anonymous = await server.call('GET', '/openapi.json', { as: null })
    expect(anonymous.json.info['x-company']).toBeUndefined()
    const wrong = { as: null, headers: { 'tb-key': 'feil' } }
    expect((await server.call('GET', '/openapi.json', wrong)).status).toBe(401)
  })

  test('an invalid key, member or setting is rejected, and nothing changes', async () => {
    const before = await seen()
    for (const [path, fields, code] of [
      ['nokler/ny', { name: 'a', scopes: 'revenue:all' }, 'InvalidValue'],
      ['nokler/ny', { name: 'a' }, 'MissingField'],
      ['nokler/ny', { name: ' a', scopes: 'revenue:read' }, 'InvalidValue'],
      ['nokler/ny', { name: 'a', scopes: 'revenue:read', days: '0' }, 'InvalidValue'],
      ['nokler/ny', { kind: 'token', name: 'a', scopes: 'revenue:read' }, 'InvalidValue'],
      ['nokler/ny', { kind: 'password', name: 'a', scopes: 'export:undo' }, 'InvalidValue'],
      ['nokler/forny', {}, 'MissingField'],
      ['personer/inviter', { email: 'ingen', role: 'viewer' }, 'InvalidValue'],
      ['personer/inviter', { email: 'a@b.no', role: 'konge' }, 'InvalidValue'],
      ['personer/inviter', { email: 'a@b.no', role: 'viewer', departments: '2' }, 'InvalidValue'],
      ['personer/endre', { id: 'x', role: 'viewer' }, 'InvalidValue'],
      ['innstillinger', { zone: 'Mars/Olympus' }, 'InvalidValue'],
      ['innstillinger', { currency: 'kroner' }, 'InvalidValue'],
      ['innstillinger', { 'refuses-zones': 'maybe' }, 'InvalidValue'],
      ['innstillinger', { 'day-ends-at': '24:00' }, 'InvalidValue'],
      ['innstillinger', { amounts: 'true' }, 'InvalidValue'],
      ['innstillinger', { toString: 'true' }, 'InvalidValue'],
    ] as const) {
      const { json } = await act(path, fields)
      expect(json.error?.code, `${path} ${JSON.stringify(fields)}`).toBe(code)
    }
    expect(await seen()).toEqual(before)
  })

  test('changing keys and members requires re-authentication, changing settings does not', async () => {
    clock.now += 5 * minute
    for (const path of [
      'nokler/ny',
      'nokler/forny',
      'nokler/trekk',
      'personer/inviter',
      'personer/endre',
      'personer/steng',
      'personer/apne',
    ])
      expect([path, (await act(path, {})).json.error.code]).toEqual([path, 'ReauthenticationRequired'])
    expect((await act('innstillinger', { currency: 'SEK' })).status).toBe(200)
  })

  test('the audit log has an entry for each change', async () => {
    const { id } = (await act('nokler/ny', { name: 'kasse', scopes: 'revenue:read' })).json
    const [{ id: user }] = (await seen()).people
    await act('personer/endre', { id: String(user), role: 'admin' })
    await act('innstillinger', { currency: 'SEK' })
    const { rows } = (await admin.get('/app/data/revisjon')).json
    const actionLabels: Readonly<Record<string, string>> = nb.audit.actions
    const labels = rows.map((row: { action: string; data: string }) => [
      actionLabels[row.action],
      formatSubject(row, nb),
    ])
    expect(labels).toEqual([
      ['Endret innstillinger', 'Valuta'],
      ['Endret person', `Bruker ${user}`],
      ['Laget nøkkel eller passord', `Nøkkel ${id}`],
      ['Logget inn', 'Med passord'],
    ])
    for (const action of ['alert-rule', 'key-rotate', 'key-revoke', 'person-enable', 'person-disable'])
      expect(actionLabels[action]).toBeDefined()
  })
})
