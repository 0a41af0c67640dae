// ADR 0107: the ten-minute key for trying calls in the API reference, on every database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/auth/roles.ts'
import { saveGroupMembership } from '../../src/store/accounts/identities.ts'
import type { Writer } from '../../src/store/store.ts'
import { disableUser, forgetUser, saveMembership } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { buildHouse, type House } from '../support/server.ts'
import { visit } from './session-client.ts'

const trial = '/app/data/dokumentasjon/nokkel'

describe.each(databases)('$name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'reference')
  })
  afterAll(() => house.close())

  const open = async (role: Role) =>
    visit(house, await house.person([{ company: house.mine, role }]))

  const statusOf = async (method: string, path: string, key: string, json?: object) =>
    (
      await house.call(method, path, {
        as: null,
        headers: { 'tb-key': key },
        ...(json === undefined ? {} : { json }),
      })
    ).status

  test('the key reads what its user may read, and neither writes, decides nor shows personal fields', async () => {
    const { key } = (await (await open('admin')).act('POST', trial)).json
    for (const path of ['/dev/Omsetning/Finn', '/ansatt/ansatt', '/prosjekt/Transaksjon'])
      expect([path, await statusOf('GET', path, key)]).toEqual([path, 200])
    const row = { Dato: '2026-05-04', AvdelingID: '20', Omsetning: 5 }
    expect(await statusOf('POST', '/dev/Omsetning/Lagre', key, row)).toBe(403)
    expect(await statusOf('POST', '/prosjekt/Transaksjon/Godkjenn', key, { ids: [1] })).toBe(403)
    expect(await statusOf('GET', '/prosjekt/TransaksjonsEksport', key)).toBe(403)
    expect(await statusOf('GET', '/ansatt/ansatt?$select=Adresse', key)).toBe(403)
    expect((await house.call('GET', '/dev/Omsetning/Finn')).json).toEqual([])
  })

  test('the key expires after ten minutes, and when its user gets another', async () => {
    const visitor = await open('viewer')
    const { key: first } = (await visitor.act('POST', trial)).json
    const { key: second } = (await visitor.act('POST', trial)).json
    const other = (await (await open('viewer')).act('POST', trial)).json.key
    const finn = '/dev/Omsetning/Finn'
    expect(await statusOf('GET', finn, first)).toBe(401)
    expect([await statusOf('GET', finn, second), await statusOf('GET', finn, other)]).toEqual([
      200, 200,
    ])
    const { now } = house.clock
    const start = now()
    try {
      house.clock.now = () => start + 10 * 60_000_000
      expect(await statusOf('GET', finn, second)).toBe(401)
    } finally {
      house.clock.now = now
    }
  })

  test('the key ends when its user gets another role or is removed', async () => {
    const admin = await open('admin')
    const people = '/app/data/administrasjon/personer'
    for (const [path, more] of [
      ['endre', { role: 'registrant' }],
      ['steng', {}],
    ] as const) {
      const person = await house.person([{ company: house.mine, role: 'viewer' }])
      const { key } = (await (await visit(house, person)).act('POST', trial)).json
      expect(await statusOf('GET', '/dev/Omsetning/Finn', key)).toBe(200)
      await admin.act('POST', `${people}/${path}`, { id: String(person.id), ...more })
      expect(await statusOf('GET', '/dev/Omsetning/Finn', key)).toBe(401)
    }
  })

  test('the key ends when its user loses access by a command or by a group of the identity provider', async () => {
    const { mine } = house
    const lost: ((writer: Writer, userId: number) => Promise<void>)[] = [
      (writer, id) => disableUser(writer, id, 1),
      (writer, id) => forgetUser(writer, id, 1),
      (writer, userId) =>
        saveMembership(writer, {
          companyId: mine.id,
          userId,
          role: 'registrant',
          departments: null,
        }),
      (writer, userId) =>
        saveGroupMembership(writer, {
          companyId: mine.id,
          userId,
          role: 'viewer',
          departments: null,
          disabledAt: 1,
          byGroups: 'taken',
        }),
    ]
    for (const lose of lost) {
      const person = await house.person([{ company: mine, role: 'viewer' }])
      const { key } = (await (await visit(house, person)).act('POST', trial)).json
      expect(await statusOf('GET', '/dev/Omsetning/Finn', key)).toBe(200)
      await house.store.inHouseTransaction((writer) => lose(writer, person.id))
      expect(await statusOf('GET', '/dev/Omsetning/Finn', key)).toBe(401)
    }
  })

  test('the key is in the audit log, and not among the keys of integrations', async () => {
    const admin = await open('admin')
    const { key } = (await admin.act('POST', trial)).json
    const { keys } = (await admin.get('/app/data/administrasjon')).json
    expect(keys.map(({ id }: { id: string }) => id)).not.toContain(key.split('_')[2])
    const { text } = await admin.get('/app/data/revisjon')
    expect(text).toContain('key-trial')
    expect(text).not.toContain(key)
  })

  test('the page is public, and loads no script and no data from other origins', async () => {
    const { status, headers, text } = await house.call('GET', '/docs', { as: null })
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; .*connect-src 'self';/,
    )
    expect(text).not.toMatch(/<script(?![^>]*src="\/app\/assets\/)/)
  })
})
