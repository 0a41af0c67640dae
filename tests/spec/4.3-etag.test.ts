// ETags: conditional reads of records and sets, and the ETags of records in sets.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/engine/model/resource.ts'
import type { Schema } from '../../src/engine/model/schema.ts'
import { withSchemaConnection } from '../../src/store/open-store.ts'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { usage } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'

/** Notes with a version, and a log of them without one, although it has a field `changedAt`. */
const notes: Schema = {
  namespace: 'Notes',
  resources: [
    defineResource({
      table: 'etagNote',
      wire: 'Note',
      key: ['book', 'page'],
      etagField: 'version',
      readScope: 'directory:read',
      writeScope: 'directory:write',
      fields: {
        book: { wire: 'Book', type: 'text' },
        page: { wire: 'Page', type: 'integer' },
        version: { wire: 'Version', type: 'integer' },
      },
    }),
    defineResource({
      table: 'etagLog',
      wire: 'Log',
      key: ['id'],
      readScope: 'directory:read',
      fields: { id: { wire: 'Id', type: 'integer' }, changedAt: { wire: 'ChangedAt', type: 'timestamp' } },
    }),
  ],
  relations: [],
}

describe.each(databases)('ETags on $name', (database) => {
  const server = useTestServer(database, 'etag', { services: [{ schema: notes, roots: ['notes'] }] })
  beforeAll(async () => {
    await withSchemaConnection(server.url, async (db) => {
      const company = sql.lit(server.tenantA.id)
      for (const statement of [
        sql`create table "etagNote" ("companyId" bigint, book text, page bigint, version bigint)`,
        sql`create table "etagLog" ("companyId" bigint, id bigint, "changedAt" bigint)`,
        sql`insert into "etagNote" values (${company}, 'Å "1"', 2, 7)`,
        sql`insert into "etagLog" values (${company}, 1, 1700000000000000)`,
      ])
        await statement.execute(db)
    })
    await fillDirectory(server, server.tenantA, {
      departments: [{ id: 'Å "1"' }, { id: '2' }],
      employees: [{ id: 1, departmentId: 'Å "1"' }],
    })
    await save({ Dato: '2024-01-01', AvdelingID: '2', Omsetning: 1 })
    const related = { AvdelingId: '2', AnsattId: 1 }
    for (const [path, json] of [
      ['/odata/Anlegg', [{ Id: "O'N/å" }, { Id: '%s' }]],
      ['/odata/Prosjekt', { Id: 'P"1\\', AvdelingId: '2', AnleggId: "O'N/å" }],
      ['/odata/Transaksjon', { ...usage, ...related, ProsjektId: 'P"1\\' }],
    ] as const)
      expect((await server.call('POST', path, { json })).status).toBe(201)
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

  interface ReadRecord {
    readonly [name: string]: unknown
  }

  /** The records of a reply and those that are expanded in them, with full metadata. */
  const recordsWithin = (record: ReadRecord): ReadRecord[] => [
    record,
    ...Object.values(record)
      .flat()
      .filter((value): value is ReadRecord => typeof value === 'object' && value !== null)
      .flatMap(recordsWithin),
  ]

  test.each([
    'Ansatt?$expand=Avdeling',
    'Avdeling?$expand=Ansatte($orderby=Fornavn),Prosjekter($expand=Anlegg)&$orderby=Navn desc',
    'Prosjekt?$select=Navn&$expand=Transaksjoner,Avdeling&$orderby=Navn',
    'Anlegg?$filter=Id ne null',
    'Transaksjon?$select=Antall&$orderby=Antall,Id&$expand=Ansatt($select=Fornavn)',
    'Omsetning?$expand=Avdeling&$orderby=Omsetning desc',
    "Avdeling('2')/Prosjekter?$orderby=Navn",
    '$all',
  ])('every record of %s has the ETag that a read of the record alone has', async (address) => {
    const full = { headers: { accept: 'application/json;odata.metadata=full' } }
    const { json, status, text } = await server.call('GET', `/odata/${address}`, full)
    expect(status, text).toBe(200)
    const found: ReadRecord[] = json.value.flatMap(recordsWithin)
    const writable = found.filter((record) => record['@odata.editLink'] !== undefined)
    expect(writable.length).toBeGreaterThan(0)
    for (const record of writable) {
      const alone = await get(String(record['@odata.id']).replace('http://localhost', ''))
      expect(alone.headers['etag']).toMatch(/^W\//)
      expect([record['@odata.id'], record['@odata.etag']]).toEqual([record['@odata.id'], alone.headers['etag']])
    }
    for (const record of found.filter((one) => !writable.includes(one)))
      expect(record).not.toHaveProperty(['@odata.etag'])
    // The same with minimal metadata, in the same order.
    const minimal = await get(`/odata/${address}`)
    const etags = minimal.json.value.flatMap(recordsWithin).flatMap((record: ReadRecord) => record['@odata.etag'] ?? [])
    expect(etags).toEqual(writable.map((record) => record['@odata.etag']))
  })

  test('the ETag comes first, is named @etag in 4.01, and is a member where nulls are omitted', async () => {
    const headers = { 'odata-maxversion': '4.01', prefer: 'omit-values=nulls' }
    const { text } = await server.call('GET', '/odata/Anlegg?$select=Navn,Id', { headers })
    expect(text).toMatch(/"value":\[\{"@etag":"W\/\\"\d{16}\\"","Id":"%s"\},/)
  })

  test.each([
    '/odata/Ansatt?$format=application/json;odata.metadata=none',
    '/odata/Ansatt(1)?$format=application/json;odata.metadata=none',
    '/odata/Ansatt?$apply=filter(Id gt 0)',
    '/odata/Ansatt/$ref',
    '/odata/Ansatt(1)/Fornavn/$value',
    '/odata/Ansatt(1)/Id',
    '/odata/OmsetningLogg',
    '/prosjekt/TransaksjonsEksport',
    '/dev/Omsetning/Finn',
    '/dev/Ansatte/Finn',
    '/notes/Log',
    '/notes/Log(1)',
  ])('%s has no ETag in its body', async (address) => {
    const reply = await get(address)
    expect(reply.status, reply.text).toBeLessThan(300)
    expect(reply.text).not.toContain('etag')
  })

  test('the field of the ETag is the one that the resource declares, whatever its name', async () => {
    const etag = 'W/"7"'
    const one = await get("/notes/Note(Book='%C3%85%20%221%22',Page=2)")
    expect([one.headers['etag'], one.json['@odata.etag']]).toEqual([etag, etag])
    expect((await get('/notes/Note?$select=Page')).json.value).toEqual([{ '@odata.etag': etag, Page: 2 }])
    const log = await get('/notes/Log(1)')
    expect([log.status, log.headers['etag']]).toEqual([200, undefined])
  })

  test('a caller who may not write a set gets its records without ETags, and If-None-Match works', async () => {
    const scopes = ['directory:read', 'material:read', 'material:write'] as const
    const reader = await server.addCompany('ETAG READER', { scopes })
    await fillDirectory(server, reader, { departments: [{ id: '1' }], employees: [{ id: 1, departmentId: '1' }] })
    const read = (path: string, headers = {}) => server.call('GET', path, { as: reader, headers })
    const set = await read('/odata/Ansatt?$expand=Avdeling')
    expect(set.json.value).toMatchObject([{ Id: 1, Avdeling: { Id: '1' } }])
    expect(set.text).not.toContain('etag')
    const alone = await read('/odata/Ansatt(1)')
    expect(alone.text).not.toContain('etag')
    const known = { 'if-none-match': alone.headers['etag'] ?? '' }
    expect((await read('/odata/Ansatt(1)', known)).status).toBe(304)
    const json = { ...usage, AnsattId: 1 }
    expect((await server.call('POST', '/odata/Transaksjon', { as: reader, json })).status).toBe(201)
    const written = await read('/odata/Transaksjon?$expand=Ansatt')
    expect(written.json.value).toMatchObject([{ '@odata.etag': expect.stringMatching(/^W/) }])
    expect(written.json.value[0].Ansatt).not.toHaveProperty(['@odata.etag'])
  })

  test('a record that was read in a set is changed with its ETag, once', async () => {
    const { json } = await get('/odata/Anlegg?$orderby=Navn&$top=1')
    const [{ '@odata.etag': etag }] = json.value
    const change = (Navn: string) =>
      server.call('PATCH', "/odata/Anlegg('%25s')", { json: { Navn }, headers: { 'if-match': etag } })
    expect((await change('A')).status).toBe(200)
    expect((await change('B')).status).toBe(412)
  })
})
