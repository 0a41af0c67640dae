// The service document and CSDL in both formats (OData 4.01 part 1, 11.1).
import { describe, expect, test } from 'vitest'
import { serviceSchema } from '../../src/model/service-schema.ts'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { addressOf, type Options } from '../support/revenue-client.ts'

// The metadata needs no database.
describe.each(databases.slice(0, 1))('metadata on $name', (database) => {
  const server = useTestServer(database, 'metadata')

  const get = (path: string, query: Options = {}, headers: Readonly<Record<string, string>> = {}) =>
    server.call('GET', addressOf(path, query), { headers })

  test.each([
    [undefined, 'xml'],
    ['*/*', 'xml'],
    ['application/xml', 'xml'],
    ['application/json, text/plain, */*', 'xml'],
    [
      'application/json;odata.metadata=minimal;q=1.0, application/json;odata=minimalmetadata;q=0.9, application/atomsvc+xml;q=0.8, application/atom+xml;q=0.8, application/xml;q=0.7, text/plain;q=0.7',
      'xml',
    ],
    ['application/json', 'json'],
    ['application/json, text/plain', 'json'],
    ['text/html', '406'],
    ['application/xml;q=0', '406'],
  ])('Accept: %s gets %s', async (accept, format) => {
    const reply = await get('/odata/$metadata', {}, accept === undefined ? {} : { accept })
    if (format === '406') expect(reply.status).toBe(406)
    else expect(reply.headers['content-type']).toBe(`application/${format}`)
  })

  test('XML describes keys, facets, relations both ways, and capabilities', async () => {
    const { text } = await get('/odata/$metadata')
    for (const part of [
      '<edmx:Edmx Version="4.0" ',
      '<Annotation Term="Core.SchemaVersion" String="1"/>',
      '<Property Name="Id" Type="Edm.Int32" Nullable="false"><Annotation Term="Core.Description" String="Number"/><Annotation Term="Core.ComputedDefaultValue" Bool="true"/></Property>',
      '<Property Name="Fornavn" Type="Edm.String" MaxLength="100"><Annotation Term="Core.Description" String="First name"/></Property>',
      '<Property Name="ipType" Type="Edm.String" MaxLength="10" DefaultValue="I" Nullable="false">',
      '<Property Name="OpprettetDato" Type="Edm.DateTimeOffset" Precision="6" Nullable="false"><Annotation Term="Core.Description" String="Insert"/><Annotation Term="Core.Computed" Bool="true"/></Property>',
      '<Property Name="GodkjentDato" Type="Edm.DateTimeOffset" Precision="6"><Annotation',
      '<NavigationProperty Name="Avdeling" Type="Dagsverk.Avdeling" Partner="Ansatte"><ReferentialConstraint Property="AvdelingId" ReferencedProperty="Id"/></NavigationProperty>',
      '<NavigationProperty Name="Ansatte" Type="Collection(Dagsverk.Ansatt)" Partner="Avdeling"/>',
      '<NavigationProperty Name="Hovedavdeling" Type="Dagsverk.Avdeling"><ReferentialConstraint',
      '<Annotation Term="Core.Description" String="Revenue of a department on a date"/>',
      '<PropertyValue Property="Deletable" Bool="true"/><PropertyValue Property="FilterSegmentSupported" Bool="false"/>',
      '<Annotation Term="Core.OptimisticConcurrency"><Collection><PropertyPath>SistEndretDato</PropertyPath></Collection></Annotation>',
      '<PropertyValue Property="NavigationProperty" NavigationPropertyPath="Ansatte"/><PropertyValue Property="InsertRestrictions"><Record><PropertyValue Property="Insertable" Bool="true"/></Record></PropertyValue>',
      '<Annotation Term="Core.ODataVersions" String="4.0 4.01"/>',
      '<Annotation Term="Capabilities.ConformanceLevel" EnumMember="Capabilities.ConformanceLevelType/',
    ])
      expect(text).toContain(part)
    const newer = await get('/odata/$metadata', {}, { 'odata-maxversion': '4.01' })
    expect(newer.text).toContain('<edmx:Edmx Version="4.01" ')
  })

  test('JSON has the same content as XML', async () => {
    const { json } = await get('/odata/$metadata', { $format: 'json' }, { 'odata-maxversion': '4.01' })
    expect(json).toMatchObject({ $Version: '4.01', $EntityContainer: 'Dagsverk.Container' })
    expect(json.Dagsverk.Ansatt).toMatchObject({
      $Kind: 'EntityType',
      $Key: ['Id'],
      Id: { $Type: 'Edm.Int32' },
      Fornavn: { $Nullable: true, $MaxLength: 100 },
      Stillingsprosent: { $Type: 'Edm.Decimal', $Nullable: true, $Precision: 15, $Scale: 4 },
      Avdeling: {
        $Kind: 'NavigationProperty',
        $Type: 'Dagsverk.Avdeling',
        $Nullable: true,
        $Partner: 'Ansatte',
        $ReferentialConstraint: { AvdelingId: 'Id' },
      },
    })
    expect(json.Dagsverk.Avdeling.Ansatte).toEqual({
      $Kind: 'NavigationProperty',
      $Collection: true,
      $Type: 'Dagsverk.Ansatt',
      $Partner: 'Avdeling',
    })
    expect(json.Dagsverk.Container.Omsetning).toMatchObject({
      $Collection: true,
      $Type: 'Dagsverk.Omsetningspost',
      $NavigationPropertyBinding: { Avdeling: 'Avdeling' },
      '@Capabilities.DeleteRestrictions': { Deletable: true },
    })
  })

  test('every property is described, and can be null if its field can, as in the OpenAPI document', async () => {
    const { json } = await get('/odata/$metadata', { $format: 'json' })
    const openapi = await get('/openapi.json')
    for (const { type, wire, fields } of serviceSchema.resources) {
      const described = json.Dagsverk[type ?? wire]
      const { properties } = openapi.json.components.schemas[wire]
      for (const { wire: name, description = '', optional = false } of Object.values(fields)) {
        expect(description, `${wire}.${name}`).toMatch(/^[A-Z].*[^.]$/)
        const found = [described[name]['@Core.Description'], described[name].$Nullable ?? false]
        expect([wire, name, ...found]).toEqual([wire, name, description, optional])
        expect(properties[name].description).toContain(description)
      }
    }
  })

  test('the capabilities of writes match what the URLs accept', async () => {
    const { json } = await get('/odata/$metadata', { $format: 'json' })
    for (const { wire, writeScope } of serviceSchema.resources) {
      const set = json.Dagsverk.Container[wire]
      const replies = async (method: string, path: string) => {
        const roots = ['odata', 'ansatt', 'prosjekt', 'omsetning']
        const calls = roots.map((root) => server.call(method, `/${root}/${path}`, { body: '' }))
        const statuses = (await Promise.all(calls)).map(({ status }) => status)
        const taken = new Set(statuses.map((status) => status !== 405))
        // The same under every root.
        expect([method, path, taken.size]).toEqual([method, path, 1])
        return taken.has(true)
      }
      const capabilities = [
        set['@Capabilities.InsertRestrictions'].Insertable,
        set['@Capabilities.UpdateRestrictions'].Updatable,
        set['@Capabilities.DeleteRestrictions'].Deletable,
      ]
      const taken = [
        await replies('POST', wire),
        await replies('PATCH', `${wire}(99)`),
        await replies('DELETE', `${wire}(99)`),
      ]
      expect([wire, taken]).toEqual([wire, capabilities])
      expect([wire, writeScope !== undefined]).toEqual([wire, capabilities.includes(true)])
    }
  })

  test('the capabilities of writes behind relations match what the URLs accept', async () => {
    const { json } = await get('/odata/$metadata', { $format: 'json' })
    const allowed = async (path: string) => (await server.call('PUT', `/odata/${path}`, { body: '' })).headers['allow']
    for (const { of, wire, isMany } of serviceSchema.relations) {
      const { RestrictedProperties } = json.Dagsverk.Container[of.wire]['@Capabilities.NavigationRestrictions']
      const path = `${of.wire}('x')/${wire}`
      const insertable = (await allowed(path)) === 'GET, HEAD, POST'
      expect(RestrictedProperties).toContainEqual({
        NavigationProperty: wire,
        InsertRestrictions: { Insertable: insertable },
        UpdateRestrictions: { Updatable: false },
        DeleteRestrictions: { Deletable: false },
      })
      const single = isMany ? `${path}('x')` : path
      expect([single, await allowed(single)]).toEqual([single, 'GET, HEAD'])
    }
  })

  test('the sets that take updates or deletes, and no others, name the property of their ETags', async () => {
    const { json } = await get('/odata/$metadata', { $format: 'json' })
    for (const { wire, writeScope } of serviceSchema.resources) {
      const named = json.Dagsverk.Container[wire]['@Core.OptimisticConcurrency']
      expect([wire, named]).toEqual([wire, writeScope === undefined ? undefined : ['SistEndretDato']])
    }
  })

  test('the capabilities of delta links match the sets that have them', async () => {
    const { json } = await get('/odata/$metadata', { $format: 'json' })
    for (const { wire } of serviceSchema.resources) {
      const reply = await get(`/odata/${wire}`, {}, { prefer: 'track-changes' })
      const { Supported } = json.Dagsverk.Container[wire]['@Capabilities.ChangeTracking']
      expect([wire, reply.json['@odata.deltaLink'] !== undefined]).toEqual([wire, Supported])
    }
  })

  test('every function listed as a filter function works', async () => {
    const { json } = await get('/odata/$metadata', { $format: 'json' })
    const calls: Readonly<Record<string, string>> = {
      contains: "contains(Navn,'a')",
      endswith: "endswith(Navn,'a')",
      startswith: "startswith(Navn,'a')",
      concat: "concat(Navn,'a') eq 'ba'",
      length: 'length(Navn) gt 1',
      indexof: "indexof(Navn,'a') eq 0",
      substring: "substring(Navn,1) eq 'a'",
      tolower: "tolower(Navn) eq 'a'",
      toupper: "toupper(Navn) eq 'A'",
      trim: "trim(Navn) eq 'a'",
      ...Object.fromEntries(
        ['year', 'month', 'day', 'hour', 'minute', 'second', 'fractionalseconds'].map((name) => [
          name,
          `${name}(SistEndretDato) lt 1`,
        ]),
      ),
      date: 'date(SistEndretDato) eq 2024-05-01',
      time: 'time(SistEndretDato) eq 12:00:00',
      totalseconds: "totalseconds(duration'PT1S') eq 1",
      round: 'round(1.5) eq 2',
      floor: 'floor(1.5) eq 1',
      ceiling: 'ceiling(1.5) eq 2',
      ...Object.fromEntries(['now', 'mindatetime', 'maxdatetime'].map((name) => [name, `SistEndretDato lt ${name}()`])),
      totaloffsetminutes: 'totaloffsetminutes(SistEndretDato) eq 0',
      cast: "cast(Navn,'Edm.String') eq 'a'",
      isof: 'isof(Navn,Edm.String)',
    }
    const filterFunctions: string[] = json.Dagsverk.Container['@Capabilities.FilterFunctions']
    expect(filterFunctions.toSorted()).toEqual(Object.keys(calls).toSorted())
    for (const name of filterFunctions) {
      const reply = await get('/odata/Avdeling', { $filter: calls[name] ?? name })
      expect([name, reply.status]).toEqual([name, 200])
    }
  })

  test('the service document has the kind and the URL of each set', async () => {
    const { json, headers } = await get('/odata', {}, { 'odata-maxversion': '4.01' })
    expect(headers['content-type']).toBe('application/json;metadata=minimal')
    expect(json).toEqual({
      '@context': 'http://localhost/odata/$metadata',
      value: serviceSchema.resources.map(({ wire }) => ({ name: wire, kind: 'EntitySet', url: wire })),
    })
  })
})
