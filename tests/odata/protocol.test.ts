// Versions, formats and preferences (OData 4.01 part 1, 5 and 8; OData JSON 4.01, 3).
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { recordsIn, withoutEtags } from '../support/etags.ts'
import { useTestServer } from '../support/server.ts'
import { addressOf, type Options } from '../support/revenue-client.ts'

const root = 'http://localhost/odata'
/** Of all records that the tests insert. */
const stamp = '1700000000000000'

describe.each(databases)('the OData protocol on $name', (database) => {
  const server = useTestServer(database, 'protocol')
  beforeAll(async () => {
    await fillDirectory(server, server.tenantA, {
      departments: [
        { id: '10', name: 'Byggevarer', isActive: true, responsibleId: 1 },
        { id: 'Å/\'%s\\"?', name: 'Rart', parentId: '10' },
      ],
      employees: [
        { id: 1, firstName: 'Kari', departmentId: '10', positionPercent: 375_000 },
        { id: 2, firstName: null, departmentId: 'Å/\'%s\\"?', hiredOn: '2024-05-01' },
      ],
    })
  })

  const get = (path: string, query: Options = {}, headers: Readonly<Record<string, string>> = {}) =>
    server.call('GET', addressOf(path, query), { headers })

  describe('versions', () => {
    test.each([
      [undefined, '4.0'],
      ['4.0', '4.0'],
      ['4', '4.0'],
      ['4.0;NetFx', '4.0'],
      ['4.00', '4.0'],
      ['4.01', '4.01'],
      ['4.1', '4.01'],
      ['9', '4.01'],
    ])('OData-MaxVersion %s gets version %s', async (maxVersion, version) => {
      const headers = maxVersion === undefined ? {} : { 'odata-maxversion': maxVersion }
      const reply = await get('/odata/Avdeling', { $top: '1', $count: 'true' }, headers)
      expect([reply.status, reply.headers['odata-version']]).toEqual([200, version])
      const prefix = version === '4.0' ? '@odata.' : '@'
      expect(Object.keys(reply.json)).toEqual([`${prefix}context`, `${prefix}count`, 'value'])
      expect(reply.headers['content-type']).toBe(
        version === '4.0' ? 'application/json;odata.metadata=minimal' : 'application/json;metadata=minimal',
      )
    })

    test.each([
      ['3.0', 'VersionNotSupported'],
      ['0', 'VersionNotSupported'],
      ['x', 'InvalidHeader'],
      ['', 'InvalidHeader'],
      ['4.01, 4.0', 'InvalidHeader'],
    ])('OData-MaxVersion %s is rejected: %s', async (maxVersion, code) => {
      const reply = await get('/odata/Avdeling', {}, { 'odata-maxversion': maxVersion })
      expect([reply.status, reply.json.error.code, reply.json.error.target]).toEqual([
        400,
        code,
        'header:OData-MaxVersion',
      ])
      expect((await get('/dev/Omsetning/Finn', {}, { 'odata-maxversion': maxVersion })).status).toBe(200)
    })

    test('every reply has its version once, and Vary with the headers that it depends on', async () => {
      const calls: readonly (readonly [string, string, number])[] = [
        ['GET', '/odata', 200],
        ['GET', '/odata/$metadata', 200],
        ['GET', '/odata/Ansatt', 200],
        ['HEAD', '/odata/Ansatt', 200],
        ['GET', '/odata/Ansatt(1)', 200],
        ['GET', '/odata/Ansatt/$count', 200],
        ['GET', '/odata/Ansatt(99)', 404],
        ['GET', '/odata/Ukjent', 404],
        ['GET', '/odata/Ansatt?$filter=x', 400],
        ['GET', '/odata/$crossjoin(A)', 501],
        ['POST', '/odata/$metadata', 405],
        ['DELETE', '/omsetning/Omsetning(99)', 404],
        ['GET', '/ansatt/ansatt', 200],
        ['GET', '/prosjekt/%zz', 400],
      ]
      for (const version of ['4.0', '4.01'])
        for (const [method, address, status] of calls) {
          const headers = { 'odata-maxversion': version }
          const reply = await server.call(method, address, { headers })
          expect([address, reply.status]).toEqual([address, status])
          expect(reply.headers['odata-version'], address).toBe(version)
          expect(reply.headers['vary'], address).toMatch(/\bOData-MaxVersion\b/)
        }
      const anonymousReply = await server.call('GET', '/odata/Ansatt', { as: null })
      expect([anonymousReply.status, anonymousReply.headers['odata-version']]).toEqual([401, '4.0'])
      expect((await get('/dev/Omsetning/Finn')).headers['odata-version']).toBeUndefined()
    })

    test('the context of 4.01 names an expanded relation, that of 4.0 its selected fields', async () => {
      const contextOf = async (query: Options, version: string) => {
        const { json } = await get('/odata/Ansatt', query, { 'odata-maxversion': version })
        return (json['@context'] ?? json['@odata.context']).replace(`${root}/$metadata`, '')
      }
      const both = async (query: Options) => [await contextOf(query, '4.0'), await contextOf(query, '4.01')]
      expect(await both({ $expand: 'Avdeling' })).toEqual(['#Ansatt', '#Ansatt(Avdeling())'])
      expect(await both({ $select: 'Id', $expand: 'Avdeling($select=Navn)' })).toEqual([
        '#Ansatt(Id,Avdeling(Navn))',
        '#Ansatt(Id,Avdeling(Navn))',
      ])
      expect(await both({ $expand: 'Avdeling($expand=Hovedavdeling)' })).toEqual([
        '#Ansatt',
        '#Ansatt(Avdeling(Hovedavdeling()))',
      ])
    })

    test('the schema has a version, and any other version is 404', async () => {
      for (const $schemaversion of ['1', '*']) expect((await get('/odata/Ansatt', { $schemaversion })).status).toBe(200)
      for (const path of ['/odata/Ansatt', '/odata/Ansatt(1)', '/odata/Ansatt/$count', '/odata', '/odata/$metadata'])
        expect((await get(path, { schemaVersion: '2' })).status, path).toBe(404)
    })

    test('snapshot isolation over several requests is rejected, in both spellings', async () => {
      for (const name of ['isolation', 'odata-isolation'])
        expectError(await get('/odata/Ansatt', {}, { [name]: 'snapshot' }), 412, 'IsolationNotSupported')
    })
  })

  describe('Accept', () => {
    const minimal = 'application/json;odata.metadata=minimal'
    test.each([
      ['*/*', minimal],
      ['application/*', minimal],
      ['APPLICATION/JSON; ODATA.METADATA=MINIMAL', minimal],
      ['application/json;', minimal],
      ['application/json; ;odata.metadata=full;', 'application/json;odata.metadata=full'],
      ['application/json;odata.metadata=full', 'application/json;odata.metadata=full'],
      ['application/json;metadata=none', 'application/json;odata.metadata=none'],
      ['application/json;odata.metadata=full;q=0.2,application/json', minimal],
      ['application/json;odata.metadata=none,application/json;q=0.9', 'application/json;odata.metadata=none'],
      ['application/json,application/json;odata.metadata=full', 'application/json;odata.metadata=full'],
      ['application/json;charset=utf-8', `${minimal};charset=utf-8`],
      ['application/json;odata.streaming=true', `${minimal};odata.streaming=true`],
      ['application/json;ExponentialDecimals=true', minimal],
      ['application/json;IEEE754Compatible=true', `${minimal};IEEE754Compatible=true`],
      [
        'application/json;odata.metadata=minimal;q=1.0, application/json;odata=minimalmetadata;q=0.9, application/atomsvc+xml;q=0.8, application/atom+xml;q=0.8, application/xml;q=0.7, text/plain;q=0.7',
        minimal,
      ],
      ['application/json;odata=verbose,text/plain, */*; q=0.01', minimal],
    ])('Accept %s gets %s', async (accept, contentType) => {
      const reply = await get('/odata/Ansatt', {}, { accept })
      expect([reply.status, reply.headers['content-type']]).toEqual([200, contentType])
    })

    test('$format takes precedence over Accept, and its short form takes no parameters', async () => {
      const formatted = (format: string, path = '/odata/Ansatt') =>
        get(path, { $format: format }, { accept: 'text/html' })
      expect((await formatted('json')).headers['content-type']).toBe(minimal)
      expect((await formatted('application/json;odata.metadata=none')).headers['content-type']).toBe(
        'application/json;odata.metadata=none',
      )
      for (const format of ['json;odata.metadata=none', 'atom', 'xml'])
        expect((await formatted(format)).status, format).toBe(406)
      expect((await formatted('json', '/ansatt/ansatt')).status).toBe(200)
      for (const format of ['json', 'xml'])
        expect((await formatted(format, '/odata/$metadata')).headers['content-type']).toBe(`application/${format}`)
    })

    test('a count is text/plain', async () => {
      for (const accept of ['text/plain', '*/*', 'application/json'])
        expect((await get('/odata/Ansatt/$count', {}, { accept })).text).toBe('2')
      expect((await get('/odata/Ansatt/$count', {}, { accept: 'image/png' })).status).toBe(406)
    })
  })

  describe('metadata levels and preferences', () => {
    const read = async (accept: string, path: string, query: Options, version = '4.0') => {
      const headers = { accept: `application/json;${accept}`, 'odata-maxversion': version }
      const reply = await expectStatus(get(path, query, headers))
      return reply.text
    }

    test('metadata=none: only the count', async () => {
      const query = { $select: 'Id', $count: 'true', $top: '1', $expand: 'Ansatte/$count' }
      expect(await read('metadata=none', '/odata/Avdeling', query)).toBe(
        '{"@odata.count":2,"value":[{"Id":"10","Ansatte@odata.count":1}]}',
      )
      expect(await read('metadata=none', '/odata/Ansatt(1)', { $select: 'Id' })).toBe('{"Id":1}')
      expect(await read('metadata=none', '/odata/Ansatt(1)/Fornavn', {})).toBe('{"value":"Kari"}')
      expect(await read('metadata=none', '/odata', {})).toMatch(/^\{"value":/)
    })

    test('metadata=full: types, ids and navigation links, keys encoded', async () => {
      const query = { $select: 'Navn,SistEndretDato', $expand: 'Hovedavdeling($select=AnsvarligId)' }
      const key = "%C3%85%2F''%25s%5C%22%3F"
      const at = `${root}/Avdeling('${key}')`
      const record = JSON.parse(await read('metadata=full', '/odata/Avdeling', query)).value[1]
      expect(record).toEqual({
        '@odata.type': '#Dagsverk.Avdeling',
        '@odata.etag': `W/"${stamp}"`,
        '@odata.id': at,
        '@odata.editLink': at,
        Navn: 'Rart',
        'SistEndretDato@odata.type': '#DateTimeOffset',
        SistEndretDato: '2023-11-14T22:13:20.000000Z',
        'Hovedavdeling@odata.associationLink': `${at}/Hovedavdeling/$ref`,
        'Hovedavdeling@odata.navigationLink': `${at}/Hovedavdeling`,
        Hovedavdeling: expect.objectContaining({
          '@odata.etag': `W/"${stamp}"`,
          '@odata.id': `${root}/Avdeling('10')`,
          'AnsvarligId@odata.type': '#Int32',
          AnsvarligId: 1,
        }),
        'Ansatte@odata.associationLink': `${at}/Ansatte/$ref`,
        'Ansatte@odata.navigationLink': `${at}/Ansatte`,
        'Prosjekter@odata.associationLink': `${at}/Prosjekter/$ref`,
        'Prosjekter@odata.navigationLink': `${at}/Prosjekter`,
        'Ansvarlig@odata.associationLink': `${at}/Ansvarlig/$ref`,
        'Ansvarlig@odata.navigationLink': `${at}/Ansvarlig`,
      })
      const again = await get(record['@odata.id'].replace('http://localhost', ''), { $select: 'Navn' })
      expect(again.json.Navn).toBe('Rart')
    })

    test('metadata=full in 4.01: annotations without odata, types without #', async () => {
      const text = await read('metadata=full', '/odata/Ansatt', { $select: 'Id', $top: '1' }, '4.01')
      expect(text).toContain(
        `{"@type":"#Dagsverk.Ansatt","@etag":"W/\\"${stamp}\\"","@id":"${root}/Ansatt(1)","@editLink":"${root}/Ansatt(1)","Id@type":"Int32","Id":1,"Avdeling@associationLink":"${root}/Ansatt(1)/Avdeling/$ref"`,
      )
    })

    test('metadata=full: context, type and ETag come first; read-only records have no edit link', async () => {
      const text = await read('metadata=full', '/odata/Ansatt(1)', { $select: 'Id' })
      expect(Object.keys(JSON.parse(text)).slice(0, 5)).toEqual([
        '@odata.context',
        '@odata.type',
        '@odata.etag',
        '@odata.id',
        '@odata.editLink',
      ])
      await server.call('POST', '/dev/Omsetning/Lagre', { json: { Omsetning: 1 } })
      const [entry] = JSON.parse(await read('metadata=full', '/odata/OmsetningLogg', {})).value
      expect(entry).toHaveProperty(['@odata.readLink'])
      expect(entry).not.toHaveProperty(['@odata.editLink'])
    })

    test('metadata=full adds no ids to results that are not entities', async () => {
      const field = await read('metadata=full', '/odata/Ansatt(1)/Stillingsprosent', {})
      expect(field).toBe(`{"@odata.context":"${root}/$metadata#Ansatt(1)/Stillingsprosent","value":37.5}`)
      expect(await read('metadata=full', '/odata/Ansatt/$ref', { $top: '1' }, '4.01')).toBe(
        `{"@context":"${root}/$metadata#Collection($ref)","value":[{"@id":"Ansatt(1)"}]}`,
      )
    })

    test('IEEE754Compatible=true: amounts and counts are strings, at every depth', async () => {
      const query = {
        $select: 'Id',
        $expand: 'Ansatte($select=Id,Stillingsprosent;$count=true)',
        $count: 'true',
        $top: '1',
      }
      const text = await read('IEEE754Compatible=true', '/odata/Avdeling', query)
      expect(withoutEtags(text)).toBe(
        `{"@odata.context":"${root}/$metadata#Avdeling(Id,Ansatte(Id,Stillingsprosent))","@odata.count":"2","value":[` +
          '{"Id":"10","Ansatte@odata.count":"1","Ansatte":[{"Id":1,"Stillingsprosent":"37.5"}]}]}',
      )
    })

    test('omit-values=nulls: null values are omitted, at every depth, and Preference-Applied says so', async () => {
      const query = {
        $select: 'Id,Fornavn,Stillingsprosent,AnsattDato',
        $expand: 'Avdeling($select=Id,HovedavdelingId),Prosjekt',
      }
      for (const name of ['omit-values', 'odata.omit-values', 'OData.Omit-Values']) {
        const reply = await get('/odata/Ansatt', query, { prefer: `x=y, ${name}="nulls"` })
        expect(reply.headers['preference-applied']).toBe('odata.omit-values=nulls')
        expect(recordsIn(reply)).toEqual([
          { Id: 1, Fornavn: 'Kari', Stillingsprosent: 37.5, Avdeling: { Id: '10' }, Prosjekt: null },
          { Id: 2, AnsattDato: '2024-05-01', Avdeling: { Id: 'Å/\'%s\\"?', HovedavdelingId: '10' }, Prosjekt: null },
        ])
      }
      const all = { prefer: 'omit-values=nulls', accept: 'application/json;metadata=full;IEEE754Compatible=true' }
      const [first, second] = (await get('/odata/Ansatt', query, all)).json.value
      expect(first).toMatchObject({ '@odata.id': `${root}/Ansatt(1)`, Stillingsprosent: '37.5' })
      expect(second).not.toHaveProperty('Fornavn')
      const lone = await get('/odata/Ansatt(2)', { $select: 'Fornavn' }, { prefer: 'omit-values=nulls' })
      expect(Object.keys(lone.json)).toEqual(['@odata.context', '@odata.etag'])
    })

    test('Preference-Applied lists both of two applied preferences', async () => {
      const headers = { prefer: 'omit-values=nulls, maxpagesize=1', 'odata-maxversion': '4.01' }
      const reply = await get('/odata/Ansatt', {}, headers)
      expect(reply.headers['preference-applied']).toBe('omit-values=nulls, maxpagesize=1')
      expect(reply.json['@nextLink']).toContain('$skiptoken=')
    })

    test('unknown preferences have no effect', async () => {
      const plain = await get('/odata/Ansatt')
      for (const prefer of ['omit-values=defaults', 'odata.include-annotations="*"', 'respond-async', '"', ',;='])
        expect((await get('/odata/Ansatt', {}, { prefer })).text).toBe(plain.text)
    })
  })

  test('query options are read in any letter case, with or without $', async () => {
    const reply = await get('/odata/Ansatt', { SELECT: 'id', Top: '1', ORDERBY: 'ID DESC', $CoUnT: 'TRUE' })
    expect(reply.json).toMatchObject({ '@odata.count': 2, value: [{ Id: 2 }] })
    expect((await get('/odata/Ansatt', { $top: '1', TOP: '1' })).json.error.code).toBe('DuplicateParameter')
  })
})
