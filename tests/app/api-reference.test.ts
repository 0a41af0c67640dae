// ADR 0046: the ten-minute key for trying calls in the API reference, on every database.
import { describe, expect, test } from 'vitest'
import type { Role } from '../../src/auth/roles.ts'
import { saveGroupMembership } from '../../src/store/accounts/identities.ts'
import type { Writer } from '../../src/store/store.ts'
import { disableUser, eraseUser, saveMembership } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { openSession, openSessionAs } from './session-client.ts'

const trial = '/app/data/dokumentasjon/nokkel'

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'reference')
  const clock = useClock(server)

  const open = async (role: Role) => openSessionAs(server, server.tenantA, role)

  const statusOf = async (method: string, path: string, key: string, json?: object) =>
    (await server.call(method, path, { as: null, headers: { 'tb-key': key }, json })).status

  test('the key reads what its user may read, and neither writes, decides nor shows personal fields', async () => {
    const { key } = (await (await open('admin')).send('POST', trial)).json
    for (const path of ['/dev/Omsetning/Finn', '/ansatt/ansatt', '/prosjekt/Transaksjon'])
      expect([path, await statusOf('GET', path, key)]).toEqual([path, 200])
    const row = { Dato: '2026-05-04', AvdelingID: '20', Omsetning: 5 }
    expect(await statusOf('POST', '/dev/Omsetning/Lagre', key, row)).toBe(403)
    expect(await statusOf('POST', '/prosjekt/Transaksjon/Godkjenn', key, { ids: [1] })).toBe(403)
    expect(await statusOf('GET', '/prosjekt/TransaksjonsEksport', key)).toBe(403)
    expect(await statusOf('GET', '/ansatt/ansatt?$select=Adresse', key)).toBe(403)
    expect((await server.call('GET', '/dev/Omsetning/Finn')).json).toEqual([])
  })

  test('the key expires after ten minutes, and when its user gets another', async () => {
    const session = await open('viewer')
    const { key: first } = (await session.send('POST', trial)).json
    const { key: second } = (await session.send('POST', trial)).json
    const other = (await (await open('viewer')).send('POST', trial)).json.key
    const finn = '/dev/Omsetning/Finn'
    expect(await statusOf('GET', finn, first)).toBe(401)
    expect([await statusOf('GET', finn, second), await statusOf('GET', finn, other)]).toEqual([200, 200])
    clock.now += 10 * 60_000_000
    expect(await statusOf('GET', finn, second)).toBe(401)
  })

  test('the key ends when its user gets another role or is removed', async () => {
    const admin = await open('admin')
    const people = '/app/data/administrasjon/personer'
    for (const [path, more] of [
      ['endre', { role: 'registrant' }],
      ['steng', {}],
    ] as const) {
      const person = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
      const { key } = (await (await openSession(server, person)).send('POST', trial)).json
      expect(await statusOf('GET', '/dev/Omsetning/Finn', key)).toBe(200)
      await admin.send('POST', `${people}/${path}`, { id: String(person.id), ...more })
      expect(await statusOf('GET', '/dev/Omsetning/Finn', key)).toBe(401)
    }
  })

  test('the key ends when its user loses access by a command or by a group of the identity provider', async () => {
    const { tenantA } = server
    const lost: ((writer: Writer, userId: number) => Promise<void>)[] = [
      (writer, id) => disableUser(writer, id, 1),
      (writer, id) => eraseUser(writer, id, 1),
      (writer, userId) =>
        saveMembership(writer, { companyId: tenantA.id, userId, role: 'registrant', departments: null }),
      (writer, userId) =>
        saveGroupMembership(
          writer,
          { companyId: tenantA.id, userId, role: 'viewer', departments: null, disabledAt: 1, setByGroups: 'revoked' },
          undefined,
        ),
    ]
    for (const lose of lost) {
      const person = await server.addUser([{ company: tenantA, role: 'viewer' }])
      const { key } = (await (await openSession(server, person)).send('POST', trial)).json
      expect(await statusOf('GET', '/dev/Omsetning/Finn', key)).toBe(200)
      await server.store.inSystemTransaction((writer) => lose(writer, person.id))
      expect(await statusOf('GET', '/dev/Omsetning/Finn', key)).toBe(401)
    }
  })

  test('the key is in the audit log, and not among the credentials of integrations', async () => {
    const admin = await open('admin')
    const { key } = (await admin.send('POST', trial)).json
    const { credentials } = (await admin.get('/app/data/administrasjon')).json
    expect(credentials.map(({ id }: { id: string }) => id)).not.toContain(key.split('_')[2])
    const { text } = await admin.get('/app/data/revisjon')
    expect(text).toContain('key-trial')
    expect(text).not.toContain(key)
  })

  test('the page is public, and loads no script and no data from other origins', async () => {
    const { status, headers, text } = await server.call('GET', '/docs', { as: null })
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; .*connect-src 'self';/,
    )
    expect(text).not.toMatch(/<script(?![^>]*src="\/app\/assets\/)/)
  })
})
