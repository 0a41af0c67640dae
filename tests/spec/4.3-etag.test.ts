// ETags: conditional reads of records and sets.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { useTestServer } from '../support/server.ts'

describe.each(databases)('ETags on $name', (database) => {
  const server = useTestServer(database, 'etag')
  beforeAll(async () => {
    await fillDirectory(server, server.tenantA, {
      departments: [{ id: 'Å "1"' }, { id: '2' }],
      employees: [{ id: 1, departmentId: 'Å "1"' }],
    })
    await save({ Dato: '2024-01-01', AvdelingID: '2', Omsetning: 1 })
  })

  const save = (row: object) => server.call('POST', '/dev/LagreEllerOppdaterListe', { json: [row] })

  const get = (path: string, known?: string) =>
    server.call('GET', path, known === undefined ? {} : { headers: { 'if-none-match': known } })

  test.each([
    '/odata/$metadata',
    '/odata',
    '/odata/Ansatt(1)',
    '/odata/Ansatt(1)?$select=Id',
    '/odata/Ansatt(1)/Avdeling',
    '/omsetning/Omsetning(1)',
  ])('%s has an ETag, and is 304 with If-None-Match', async (path) => {
    const first = await get(path)
    const etag = first.headers['etag'] ?? ''
    expect(etag).toMatch(/^W\/"[!#-~]+"$/)
    for (const known of [etag, etag.slice(2), `"x", ${etag}`, '*', `W/"a",${etag.slice(2)},"b"`]) {
      const again = await get(path, known)
      expect([again.status, again.text], known).toEqual([304, ''])
      expect(again.headers['etag']).toBe(etag)
      expect(again.headers['odata-version']).toBe('4.0')
    }
    for (const known of ['"x"', 'x', '', etag.slice(0, -1), `W/"${etag.slice(4)}`]) {
      const again = await get(path, known)
      expect([again.status, again.text], known).toEqual([200, first.text])
    }
  })

  test('a record contains its own @odata.etag; with expanded records the reply has no other', async () => {
    const plain = await get('/odata/Ansatt(1)')
    expect(plain.json['@odata.etag']).toBe(plain.headers['etag'])
    const expanded = await get('/odata/Ansatt(1)?$expand=Avdeling', plain.headers['etag'])
    expect([expanded.status, expanded.headers['etag']]).toEqual([200, undefined])
    expect(expanded.json['@odata.etag']).toBe(plain.headers['etag'])
  })

  test('a change produces another ETag', async () => {
    const before = await get('/omsetning/Omsetning(1)')
    await save({ InntekstplanId: 1, Omsetning: 2 })
    const after = await get('/omsetning/Omsetning(1)', before.headers['etag'])
    expect(after.status).toBe(200)
    expect(after.headers['etag']).not.toBe(before.headers['etag'])
    const log = await get('/odata/OmsetningLogg(1)')
    expect([log.status, log.headers['etag']]).toEqual([200, undefined])
  })
})
