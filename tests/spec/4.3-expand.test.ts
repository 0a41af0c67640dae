// Interface 4.3: reading with related records, on every database.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { recordsIn, withoutEtags } from '../support/etags.ts'
import { useTestServer, type CallOptions } from '../support/server.ts'
import { addressOf, type Options } from '../support/revenue-client.ts'

const origin = 'http://localhost'

describe.each(databases)('related records on $name', (database) => {
  const server = useTestServer(database, 'expand')
  beforeAll(async () => {
    await fillDirectory(server, server.tenantA, {
      departments: [
        { id: '10', name: 'Byggevarer', isActive: true, responsibleId: 1 },
        { id: '007', name: 'Kiosken "Åpent"', parentId: '10', isActive: false },
      ],
      sites: [{ id: 'A1', name: 'Oslo nord', postalCode: '0150' }],
      projects: [
        { id: 'P1', name: 'Nybygg', departmentId: '10', siteId: 'A1', startedOn: '2024-05-01' },
        { id: 'P2', name: null, departmentId: '007' },
        { id: 'P3', name: '100 % ferdig', siteId: 'A1' },
      ],
      employees: [
        { id: 1, firstName: 'Kari', lastName: 'Ås', departmentId: '10', positionPercent: 375_000 },
        { id: 2, firstName: 'Ola', lastName: "O'Brien", departmentId: '007', address: 'Storgata 1' },
        { id: 3, firstName: 'Åse', lastName: null, departmentId: null, projectId: 'P1' },
      ],
    })
    await fillDirectory(server, server.tenantB, {
      departments: [{ id: '10', name: 'Naboens' }],
      employees: [{ id: 1, firstName: 'Nabo', departmentId: '10' }],
    })
  })

  const get = (path: string, query: Options = {}, options: CallOptions = {}) =>
    server.call('GET', addressOf(path, query), options)

  const valueOf = async (path: string, query: Options = {}, options: CallOptions = {}) =>
    recordsIn(await expectStatus(get(path, query, options)))

  const declared = { headers: { 'x-api-version': '3.0' } }

  describe('the three example requests of the specification', () => {
    test('4.3.3 employees with $select and $expand, the names as they were requested', async () => {
      const reply = await server.call(
        'GET',
        '/ansatt/ansatt?$select=Id,fornavn,etternavn,avdelingid&$expand=avdeling($select=id,navn)',
      )
      expect(withoutEtags(reply.text)).toBe(
        `{"@odata.context":"${origin}/ansatt/$metadata#Ansatt(Id,Fornavn,Etternavn,AvdelingId,Avdeling(Id,Navn))","value":[` +
          '{"Id":1,"fornavn":"Kari","etternavn":"Ås","avdelingid":"10","avdeling":{"id":"10","navn":"Byggevarer"}},' +
          '{"Id":2,"fornavn":"Ola","etternavn":"O\'Brien","avdelingid":"007","avdeling":{"id":"007","navn":"Kiosken \\"Åpent\\""}},' +
          '{"Id":3,"fornavn":"Åse","etternavn":null,"avdelingid":null,"avdeling":null}]}',
      )
    })

    test('4.3.1 $expand returns all fields of the department', async () => {
      const [first] = await valueOf('/ansatt/ansatt', {
        $select: 'Id,fornavn,etternavn,avdelingid',
        $expand: 'avdeling',
      })
      expect(first.avdeling).toEqual({
        id: '10',
        navn: 'Byggevarer',
        HovedavdelingId: null,
        Beskrivelse: null,
        Organisasjonsnr: null,
        AnsvarligId: 1,
        Epost: null,
        Aktiv: true,
        EksternId: null,
        SistEndretDato: '2023-11-14T22:13:20.000000Z',
        OpprettetDato: '2023-11-14T22:13:20.000000Z',
      })
    })

    test('4.3.3 departments with $select alone', async () => {
      const reply = await get('/ansatt/avdeling', { $select: 'id,navn' })
      expect(withoutEtags(reply.text)).toBe(
        `{"@odata.context":"${origin}/ansatt/$metadata#Avdeling(Id,Navn)","value":[` +
          '{"id":"007","navn":"Kiosken \\"Åpent\\""},{"id":"10","navn":"Byggevarer"}]}',
      )
    })

    test('4.3.2 projects with two relations, each with its own $select', async () => {
      const reply = await get('/prosjekt/Prosjekt', {
        $select: 'id,navn,avdelingid,anleggid',
        $expand: 'avdeling($select=id,navn),anlegg($select=id,navn)',
      })
      expect(JSON.parse(withoutEtags(reply.text))).toEqual({
        '@odata.context': `${origin}/prosjekt/$metadata#Prosjekt(Id,Navn,AvdelingId,AnleggId,Avdeling(Id,Navn),Anlegg(Id,Navn))`,
        value: [
          {
            id: 'P1',
            navn: 'Nybygg',
            avdelingid: '10',
            anleggid: 'A1',
            avdeling: { id: '10', navn: 'Byggevarer' },
            anlegg: { id: 'A1', navn: 'Oslo nord' },
          },
          {
            id: 'P2',
            navn: null,
            avdelingid: '007',
            anleggid: null,
            avdeling: { id: '007', navn: 'Kiosken "Åpent"' },
            anlegg: null,
          },
          {
            id: 'P3',
            navn: '100 % ferdig',
            avdelingid: null,
            anleggid: 'A1',
            avdeling: null,
            anlegg: { id: 'A1', navn: 'Oslo nord' },
          },
        ],
      })
    })
  })

  describe('4.3.4 the envelope', () => {
    test('is that of OData, not cacheable, with one OData-Version', async () => {
      const reply = await get('/ansatt/avdeling', { $select: 'id', $count: 'true', $top: '1' })
      expect(reply.headers).toMatchObject({
        'content-type': 'application/json;odata.metadata=minimal',
        'cache-control': 'no-cache',
        'odata-version': '4.0',
      })
      expect(reply.json).toEqual({
        '@odata.context': `${origin}/ansatt/$metadata#Avdeling(Id)`,
        '@odata.count': 2,
        value: [{ '@odata.etag': 'W/"1700000000000000"', id: '007' }],
      })
    })

    test.each([
      [{}, '#Ansatt'],
      [{ $expand: 'avdeling' }, '#Ansatt'],
      [{ $select: '*' }, '#Ansatt(*)'],
      [{ $select: 'ID,FORNAVN', $expand: 'AVDELING' }, '#Ansatt(Id,Fornavn)'],
      [{ $expand: 'prosjekt($select=id)' }, '#Ansatt(Prosjekt(Id))'],
      [
        { $select: 'Id', $expand: 'avdeling($expand=Hovedavdeling($select=Navn))' },
        '#Ansatt(Id,Avdeling(Hovedavdeling(Navn)))',
      ],
    ])('the context names the selected fields as declared: %j', async (query, context) => {
      const reply = await get('/ansatt/ansatt', query)
      expect(reply.json['@odata.context']).toBe(`${origin}/ansatt/$metadata${context}`)
    })

    test.each([
      ['application/json', 200],
      ['*/*', 200],
      ['application/json;odata.metadata=minimal', 200],
      ['application/json;odata=verbose,text/plain, */*; q=0.01', 200],
      ['text/html', 406],
      ['application/xml', 406],
      ['application/json;odata=verbose', 406],
      ['application/json;q=0', 406],
      ['application/json;odata.metadata=verbose, text/html', 406],
    ])('for Accept: %s is %i', async (accept, status) => {
      const reply = await expectStatus(get('/ansatt/ansatt', {}, { headers: { accept } }), status)
      if (status === 406) expect(reply.text).toContain('NotAcceptable')
    })
  })

  describe('names', () => {
    test('9.2 v3 URLs begin with the area, and support $expand', async () => {
      for (const path of ['/ansatt/ansatt', '/prosjekt/Prosjekt'])
        expect((await valueOf(path, { $expand: 'avdeling' }))[0]).toHaveProperty('avdeling')
      expect((await get('/dev/Omsetning/Finn', { $expand: 'Avdeling' })).status).toBe(400)
    })

    test('a plain client gets the names of the specification, at the top and in $expand', async () => {
      const [first] = await valueOf('/prosjekt/prosjekt', { $expand: '*' })
      expect(Object.keys(first)).toEqual(
        expect.arrayContaining(['id', 'navn', 'avdelingid', 'anleggid', 'avdeling', 'anlegg']),
      )
      expect(Object.keys(first.avdeling)).toEqual(expect.arrayContaining(['id', 'navn']))
      expect(Object.keys(first)).toEqual(expect.arrayContaining(['Status', 'StartDato', 'Ansvarlig']))
    })

    test('a client gets the names as it spelled them, the first of two spellings', async () => {
      const query = { $select: 'FORNAVN,fornavn,iD', $expand: 'aVDELING($select=NAVN)', $top: '1' }
      expect(await valueOf('/ANSATT//Ansatt/', query)).toEqual([
        { FORNAVN: 'Kari', iD: 1, aVDELING: { NAVN: 'Byggevarer' } },
      ])
    })

    test.each(['x-api-version', 'OData-Version', 'OData-MaxVersion'])(
      'a client that sends %s gets the declared names',
      async (name) => {
        const query = { $select: 'id,fornavn', $expand: 'avdeling($select=navn)', $top: '1' }
        expect(await valueOf('/ansatt/ansatt', query, { headers: { [name]: '4.0' } })).toEqual([
          { Id: 1, Fornavn: 'Kari', Avdeling: { Navn: 'Byggevarer' } },
        ])
      },
    )
  })

  describe('options inside $expand', () => {
    test('$expand nests, to one and to many', async () => {
      const query = {
        $select: 'Id',
        $filter: "Id eq '10'",
        $expand:
          'Ansvarlig($select=Id;$expand=Avdeling($select=Navn)),Prosjekter($select=Navn,StartDato;$expand=Anlegg($select=Navn;$expand=Prosjekter($select=Id)))',
      }
      expect(await valueOf('/ansatt/Avdeling', query, declared)).toEqual([
        {
          Id: '10',
          Ansvarlig: { Id: 1, Avdeling: { Navn: 'Byggevarer' } },
          Prosjekter: [
            {
              Navn: 'Nybygg',
              StartDato: '2024-05-01',
              Anlegg: { Navn: 'Oslo nord', Prosjekter: [{ Id: 'P1' }, { Id: 'P3' }] },
            },
          ],
        },
      ])
    })

    test('a to-many relation takes $filter, $orderby, $skip, $top and $count of its own', async () => {
      const of = async (options: string) =>
        (await valueOf('/prosjekt/anlegg', { $select: 'Id', $expand: `Prosjekter(${options})` }))[0]
      expect(await of('$select=id;$orderby=navn desc;$top=1;$count=true')).toEqual({
        Id: 'A1',
        'Prosjekter@odata.count': 2,
        Prosjekter: [{ id: 'P1' }],
      })
      expect(await of("$select=id;$filter=contains(navn,'%')")).toMatchObject({ Prosjekter: [{ id: 'P3' }] })
      expect(await of('$select=id;$skip=1')).toMatchObject({ Prosjekter: [{ id: 'P3' }] })
      expect(await of('$select=id;$filter=false')).toMatchObject({ Prosjekter: [] })
      expect(await of('$select=Id;$orderby=AvdelingId')).toMatchObject({ Prosjekter: [{ Id: 'P3' }, { Id: 'P1' }] })
    })

    test('$expand works in a streamed reply, in any order', async () => {
      const company = await server.addCompany('MANGE')
      await fillDirectory(server, company, {
        departments: [{ id: '1', name: 'En' }],
        employees: Array.from({ length: 2500 }, (_, index) => ({
          id: index + 1,
          lastName: String(index % 7),
          departmentId: index % 2 === 0 ? '1' : null,
        })),
      })
      for (const $orderby of ['Id', 'Etternavn desc']) {
        const query = { $select: 'Id', $expand: 'avdeling($select=navn)', $orderby }
        const all = await valueOf('/ansatt/ansatt', query, { as: company })
        expect(new Set(all.map(({ Id }: { Id: number }) => Id)).size).toBe(2500)
        for (const { Id, avdeling } of all) expect(avdeling).toEqual(Id % 2 === 1 ? { navn: 'En' } : null)
      }
    })

    test('/$count of a relation returns only a number', async () => {
      const query = { $select: 'Id', $expand: 'Ansatte/$count' }
      expect(await valueOf('/ansatt/avdeling', query)).toEqual([
        { Id: '007', 'Ansatte@odata.count': 1 },
        { Id: '10', 'Ansatte@odata.count': 1 },
      ])
    })

    test('$expand works in a page, in any order', async () => {
      const query = {
        $select: 'Id',
        $expand: 'avdeling($select=navn)',
        $orderby: 'Etternavn desc',
        $top: '2',
        $skip: '1',
      }
      expect(await valueOf('/ansatt/ansatt', query)).toEqual([
        { Id: 2, avdeling: { navn: 'Kiosken "Åpent"' } },
        { Id: 3, avdeling: null },
      ])
    })

    test('$expand never returns records of another company', async () => {
      const query = { $select: 'Id', $expand: 'avdeling($select=navn;$expand=Ansatte($select=Id))' }
      expect(await valueOf('/ansatt/ansatt', query, { as: server.tenantB })).toEqual([
        { Id: 1, avdeling: { navn: 'Naboens', Ansatte: [{ Id: 1 }] } },
      ])
    })

    test('$expand writes amounts, dates and booleans as at the top level', async () => {
      const query = { $select: 'Id', $expand: 'Ansatte($select=Stillingsprosent,Aktiv)' }
      const [, second] = await valueOf('/ansatt/avdeling', query)
      expect(second.Ansatte).toEqual([{ Stillingsprosent: 37.5, Aktiv: null }])
    })
  })

  describe('URLs below a service root', () => {
    test.each(['/ansatt', '/prosjekt', '/omsetning', '/ODATA'])('%s has every set', async (root) => {
      const sets = ['Ansatt', 'Avdeling', 'Prosjekt', 'anlegg', 'OMSETNING', 'OmsetningLogg']
      for (const set of sets) {
        const reply = await expectStatus(get(`${root}/${set}`, { $top: '1' }))
        expect(reply.json['@odata.context']).toMatch(new RegExp(`${root}/\\$metadata#${set}$`, 'i'))
      }
      expect((await get(`${root}/Ukjent`)).status).toBe(404)
    })

    test('under /odata names are the declared ones', async () => {
      const query = { $select: 'id,navn', $expand: 'ansatte($select=id)', $top: '1' }
      expect(await valueOf('/odata/avdeling', query)).toEqual([
        { Id: '007', Navn: 'Kiosken "Åpent"', Ansatte: [{ Id: 2 }] },
      ])
    })

    test.each([
      "/ansatt/Avdeling('007')",
      '/ansatt/avdeling(%27007%27)/',
      "/prosjekt//Avdeling(Id='007')",
      '/ansatt/avdeling/007',
    ])('one record by its key: %s', async (path) => {
      const reply = await get(path, { $select: 'id', $expand: 'ansatte($select=fornavn)' })
      const root = path.split('/')[1]
      expect(reply.text).toBe(
        `{"@odata.context":"${origin}/${root}/$metadata#Avdeling(Id,Ansatte(Fornavn))/$entity","@odata.etag":"W/\\"1700000000000000\\"","id":"007","ansatte":[{"@odata.etag":"W/\\"1700000000000000\\"","fornavn":"Ola"}]}`,
      )
    })

    test("a key that no record has, another company's, and an invalid key are all 404", async () => {
      const mine = await get("/ansatt/Avdeling('99')", {}, { headers: { 'x-request-id': 'a' } })
      expect([mine.status, mine.json.error.code]).toEqual([404, 'NotFound'])
      const options = { as: server.tenantB, headers: { 'x-request-id': 'a' } }
      expect((await get("/ansatt/Avdeling('007')", {}, options)).text).toBe(mine.text.replace("'99'", "'007'"))
      for (const key of ['7', "Navn='x'", 'null', "Id='a',Id='b'", "Id='007',Navn='x'"])
        expect((await get(`/ansatt/Avdeling(${key})`)).status, key).toBe(404)
      expect((await get('/ansatt/Ansatt(1)')).json.fornavn).toBe('Kari')
      for (const key of ["'1'", '1.5', '9007199254740993', '1e400'])
        expect((await get(`/ansatt/Ansatt(${key})`)).status, key).toBe(404)
    })

    test('text keys are compared byte for byte', async () => {
      expect((await get("/prosjekt/Prosjekt('P1')")).status).toBe(200)
      expect((await get("/prosjekt/Prosjekt('p1')")).status).toBe(404)
    })

    test('the service document names every set', async () => {
      for (const path of ['/odata', '/Prosjekt/']) {
        const reply = await get(path)
        expect(reply.json['@odata.context']).toBe(`${origin}/${path.split('/')[1]}/$metadata`)
        expect(reply.json.value).toContainEqual({ name: 'Ansatt', kind: 'EntitySet', url: 'Ansatt' })
        expect(reply.json.value).toHaveLength(8)
      }
      expect((await get('/odata', {}, { as: null })).status).toBe(401)
    })

    test('$metadata describes every set, to every authenticated caller', async () => {
      const { secret } = await server.addCredential(server.tenantA, { scopes: 'revenue:write' })
      const options = { as: null, headers: { 'tb-key': secret, accept: 'application/json, text/plain, */*' } }
      const reply = await get('/ansatt/$metadata', {}, options)
      expect([reply.status, reply.headers['content-type'], reply.headers['odata-version']]).toEqual([
        200,
        'application/xml',
        '4.0',
      ])
      for (const part of [
        '<EntityType Name="Ansatt"><Key><PropertyRef Name="Id"/></Key>',
        '<EntitySet Name="Omsetning" EntityType="Dagsverk.Omsetningspost">',
      ])
        expect(reply.text).toContain(part)
    })

    test('the number of records is returned as text', async () => {
      const reply = await get('/odata/Ansatt/$count', { $filter: 'AvdelingId ne null' })
      expect([reply.status, reply.text]).toEqual([200, '2'])
      expect(reply.headers['content-type']).toBe('text/plain;charset=utf-8')
    })

    test('service documents, $metadata and $count are read-only', async () => {
      const reply = await server.call('POST', '/odata/Ansatt/$count')
      expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, HEAD'])
      expect((await server.call('HEAD', '/odata/Ansatt')).status).toBe(200)
      expect((await get('/odata/Ansatt(1)', {}, { as: null })).status).toBe(401)
    })
  })

  describe('ADR 0008 the directory as bare arrays', () => {
    test('departments also have their key under the name that revenue uses', async () => {
      const reply = await get('/dev/Avdelinger/Finn', { $filter: "AvdelingID eq '007'" })
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(reply.json).toEqual([expect.objectContaining({ Id: '007', Navn: 'Kiosken "Åpent"', AvdelingID: '007' })])
      const select = await get('/dev/avdelinger/finn', { $select: 'navn', $top: '1' })
      expect(select.json).toEqual([{ Navn: 'Kiosken "Åpent"' }])
    })

    test('employees and projects, in XML too', async () => {
      expect((await get('/dev/Ansatte/Finn', { $select: 'Id', $orderby: 'Id desc' })).json).toEqual([
        { Id: 3 },
        { Id: 2 },
        { Id: 1 },
      ])
      const xml = { headers: { accept: 'application/xml' } }
      const query = { $select: 'Navn,InterntProsjekt,StartDato', $filter: "Id eq 'P1'" }
      expect((await get('/dev/Prosjekter/Finn', query, xml)).text).toContain(
        '<Prosjekt><Navn>Nybygg</Navn><InterntProsjekt xsi:nil="true"/><StartDato>2024-05-01T00:00:00</StartDato></Prosjekt>',
      )
      const flags = await get('/dev/Avdelinger/Finn', { $select: 'Aktiv' }, xml)
      expect(flags.text).toContain('<Avdeling><Aktiv>false</Aktiv></Avdeling>')
    })
  })

  describe('personal fields', () => {
    const withoutRight = async () => {
      const { secret } = await server.addCredential(server.tenantA, { scopes: 'directory:read' })
      return { as: null, headers: { 'tb-key': secret } }
    }

    test('personal fields are left out for callers without the scope, in $expand too', async () => {
      const options = await withoutRight()
      const [first] = await valueOf('/ansatt/avdeling', { $expand: 'Ansatte' }, options)
      const [employee] = await valueOf('/ansatt/ansatt', { $select: '*' }, options)
      for (const one of [first.Ansatte[0], employee]) {
        expect(one).toHaveProperty('Epost')
        for (const name of ['Adresse', 'Postnummer', 'Poststed', 'TlfPrivat', 'Fodt', 'Notat'])
          expect(one).not.toHaveProperty(name)
      }
      expect((await valueOf('/ansatt/ansatt'))[1].Adresse).toBe('Storgata 1')
    })

    test.each([
      { $select: 'Id,Adresse' },
      { $filter: "Adresse eq 'x'" },
      { $orderby: 'Fodt' },
      { $expand: 'Avdeling($expand=Ansatte($select=Notat))' },
    ])('naming a personal field without the scope is rejected: %j', async (query: Options) => {
      const reply = await expectStatus(get('/ansatt/ansatt', query, await withoutRight()), 403)
      expect(reply.json.error).toMatchObject({
        code: 'ScopeMissing',
        message: expect.stringContaining('directory:personal'),
      })
    })

    test('expanding a set without its scope is rejected', async () => {
      const { secret } = await server.addCredential(server.tenantA, { scopes: 'revenue:read' })
      const options = { as: null, headers: { 'tb-key': secret } }
      const refused = await get('/omsetning/Omsetning', { $expand: 'Avdeling' }, options)
      expect([refused.status, refused.json.error.target]).toEqual([403, '$expand:1'])
      expect(await valueOf('/omsetning/Omsetning', { $expand: '*' }, options)).toEqual([])
    })
  })

  describe('errors', () => {
    test.each([
      ['avdelin', 400, 'UnknownProperty', '$expand:1'],
      ['avdeling,avdeling', 400, 'InvalidExpand', '$expand:10'],
      ['avdeling($select=navnet)', 400, 'UnknownProperty', '$expand:18'],
      ['avdeling($top=1)', 400, 'InvalidExpand', '$expand:1'],
      ['avdeling($expand=Ansatte($filter=Navn eq 1))', 400, 'UnknownProperty', '$expand:34'],
      ['avdeling($expand=Ansatte($filter=Id eq ))', 400, 'InvalidExpand', '$expand:40'],
      ['avdeling($levels=2)', 400, 'UnknownProperty', '$expand:1'],
      ['avdeling($expand=Hovedavdeling($levels=5))', 400, 'ExpandTooComplex', '$expand:18'],
      [
        'avdeling($expand=Ansatte($expand=Avdeling($expand=Ansatte($expand=Avdeling($expand=Ansatte)))))',
        400,
        'ExpandTooComplex',
        '$expand:84',
      ],
    ])('$expand=%s is %i %s', async ($expand, status, code, target) => {
      expectError(await get('/ansatt/ansatt', { $expand }), status, code, { target })
    })

    test('more than 30 relations are too many', async () => {
      const star = 'avdeling($expand=*($expand=*($expand=*)))'
      const reply = await get('/ansatt/ansatt', { $expand: star })
      expect(reply.json.error).toMatchObject({ code: 'ExpandTooComplex' })
    })

    test('an unknown name is rejected with the closest known name, relations too', async () => {
      const reply = await get('/ansatt/ansatt', { $expand: 'avdelin' })
      expect(reply.json.error.message).toContain('Did you mean "Avdeling"?')
    })
  })
})
