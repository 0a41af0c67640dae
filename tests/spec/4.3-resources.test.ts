// Interface 4.3: every kind of URL below a service root, with its reply to the byte, on every database.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { expectStatus } from '../support/replies.ts'
import { useTestServer, type CallOptions } from '../support/server.ts'
import { createShopTables, shop, insertShopData } from '../engine/shop.ts'

const at = 'http://localhost/odata/$metadata'
const stamp = '1700000000000000'
const etag = `"@odata.etag":"W/\\"${stamp}\\""`
function departments(...values: string[]) {
  const records = values.map((id) => `{${etag},"Id":"${id}"}`)
  return `{"@odata.context":"${at}#Avdeling(Id)","value":[${records.join(',')}]}`
}
function employees(...ids: number[]) {
  const records = ids.map((id) => `{${etag},"Id":${id}}`)
  return `{"@odata.context":"${at}#Ansatt(Id)","value":[${records.join(',')}]}`
}
function one(set: string, id: string) {
  return `{"@odata.context":"${at}#${set}(Id)/$entity",${etag},"Id":${id}}`
}
function value(of: string, json: string) {
  return `{"@odata.context":"${at}#${of}","value":${json}}`
}
function refs(...ids: string[]) {
  return `{"@odata.context":"${at}#Collection($ref)","value":[${ids.map((id) => `{"@odata.id":"${id}"}`).join(',')}]}`
}
function ref(id: string) {
  return `{"@odata.context":"${at}#$ref","@odata.id":"${id}"}`
}

describe.each(databases)('4.3 resource paths on $name', (database) => {
  const server = useTestServer(database, 'resources', { services: [{ schema: shop, roots: ['shop'] }] })
  beforeAll(async () => {
    await createShopTables(server)
    await insertShopData(server, server.tenantA)
    await fillDirectory(server, server.tenantA, {
      departments: [
        { id: '10', name: 'Byggevarer', isActive: true, responsibleId: 1 },
        { id: "O'N/å", name: null, parentId: '10' },
      ],
      sites: [{ id: 'A1', name: 'Oslo nord' }],
      projects: [
        { id: 'P1', name: 'Nybygg', departmentId: '10', siteId: 'A1', startedOn: '2024-05-01' },
        { id: 'P2', name: '"%s"', departmentId: "O'N/å" },
      ],
      employees: [
        { id: 1, firstName: 'Kari', departmentId: '10', positionPercent: 375_000, isActive: true },
        { id: 2, firstName: 'Ola\n"', departmentId: '10', projectId: 'P1', bornOn: '1980-01-02' },
        { id: 3, firstName: null, departmentId: null },
      ],
    })
    await fillDirectory(server, server.tenantB, {
      departments: [{ id: '77', name: 'Naboens' }],
      employees: [{ id: 9, firstName: 'Nabo', departmentId: '77' }],
    })
  })

  const get = (address: string, options: CallOptions = {}) => server.call('GET', address, options)
  const odd = "O''N%2F%C3%A5"

  test.each([
    // navigation, to one and to many, to any depth
    ["Avdeling('10')/Ansatte?$select=Id", employees(1, 2)],
    ['Avdeling/10/Ansatte?$select=Id', employees(1, 2)],
    [`Avdeling('${odd}')/Ansatte?$select=Id`, employees()],
    ["Avdeling('10')/Ansatte?$select=Id&$skip=5", employees()],
    ["Avdeling('10')/Ansatte?$select=Id&$filter=Fornavn eq 'Kari'", employees(1)],
    ["Avdeling('10')/Ansatte?$select=Id&$orderby=Id desc&$top=1", employees(2)],
    ["avdeling('10')/ANSATTE(2)?$select=Id", one('Ansatt', '2')],
    ["Avdeling('10')/Ansatte/2/Prosjekt?$select=Id", one('Prosjekt', '"P1"')],
    ["Avdeling('10')/Ansatte(Id=2)/Prosjekt/Anlegg?$select=Id", one('Anlegg', '"A1"')],
    ["Prosjekt('P1')/Avdeling?$select=Id", one('Avdeling', '"10"')],
    ["Prosjekt('P2')/Avdeling?$select=Id", one('Avdeling', '"O\'N/å"')],
    ["Prosjekt('P2')/Avdeling/Hovedavdeling/Ansatte?$select=Id", employees(1, 2)],
    ["Prosjekt('P1')/Avdeling/Prosjekter('P1')/Navn/$value", 'Nybygg'],
    // counts
    ['Ansatt/$count', '3'],
    ["Avdeling('10')/Ansatte/$count", '2'],
    ["Avdeling('10')/Ansatte/$count?$filter=Id gt 1", '1'],
    [`Avdeling('${odd}')/Ansatte/$count`, '0'],
    // single properties
    ['Ansatt(1)/Fornavn', value('Ansatt(1)/Fornavn', '"Kari"')],
    ['Ansatt/2/fornavn', value('Ansatt(2)/Fornavn', '"Ola\\n\\""')],
    ['Ansatt(1)/Stillingsprosent', value('Ansatt(1)/Stillingsprosent', '37.5')],
    ['Ansatt(1)/Aktiv', value('Ansatt(1)/Aktiv', 'true')],
    ["Prosjekt('P2')/Avdeling/Id", value("Avdeling('O''N/å')/Id", '"O\'N/å"')],
    ['Ansatt(2)/Fornavn/$value', 'Ola\n"'],
    ['Ansatt(1)/Stillingsprosent/$value', '37.5'],
    ['Ansatt(2)/Fodt/$value', '1980-01-02'],
    ['Ansatt(1)/SistEndretDato/$value', '2023-11-14T22:13:20.000000Z'],
    ["Prosjekt('P2')/Navn/$value", '"%s"'],
    // references
    ['Ansatt/$ref?$top=2', refs('Ansatt(1)', 'Ansatt(2)')],
    ['Avdeling/$ref', refs("Avdeling('10')", "Avdeling('O''N%2F%C3%A5')")],
    ["Avdeling('10')/Ansatte/$ref?$orderby=Id desc", refs('Ansatt(2)', 'Ansatt(1)')],
    ['Ansatt(2)/$ref', ref('Ansatt(2)')],
    ["Prosjekt('P2')/Avdeling/$ref", ref("Avdeling('O''N%2F%C3%A5')")],
    ['$entity?$id=Ansatt(2)&$select=Id', one('Ansatt', '2')],
    ["$entity?$id=http://localhost/odata/Avdeling('10')&$select=Id", one('Avdeling', '"10"')],
    ["$entity?$id=/odata/Avdeling('10')&$select=Id", one('Avdeling', '"10"')],
    ["$entity/Dagsverk.Avdeling?$id=Avdeling('10')&$select=Id", one('Avdeling', '"10"')],
    // type casts
    ['Ansatt/Dagsverk.Ansatt?$select=Id', employees(1, 2, 3)],
    ['Ansatt/dagsverk.ansatt(1)?$select=Id', one('Ansatt', '1')],
    ["Avdeling('10')/Dagsverk.Avdeling/Ansatte/Dagsverk.Ansatt/$count", '2'],
    // filter segments, with aliases in the path and in the query
    ["Avdeling/$filter(Id%20eq%20'10')?$select=Id", departments('10')],
    ['Ansatt/$filter(@a)/$filter(@b)?$select=Id&@a=Id gt 1&@b=Fornavn ne null', employees(2)],
    ['Ansatt/$filter(@a)/$count?@a=Id gt 1', '2'],
    ['Ansatt/$filter(@missing)?$select=Id', employees()],
    ["Avdeling('10')/Ansatte/$filter(@a)?$select=Id&$filter=Id lt 9&@a=Id ne 1", employees(2)],
    ["Ansatt/$filter(@a)?$select=Id&@a=Avdeling/Navn eq 'Byggevarer'", employees(1, 2)],
    ["Avdeling('10')/Ansatte/$filter(@a)/$count?@a=Prosjekt/Anlegg/Navn ne null", '1'],
    ['Ansatt(@id)?$select=Id&@id=2', one('Ansatt', '2')],
    ["Avdeling(@id)/Ansatte?$select=Id&@id='10'", employees(1, 2)],
  ])('%s', async (path, body) => {
    const reply = await get(`/odata/${path}`)
    expect([reply.status, reply.text]).toEqual([200, body])
    const type = body.startsWith('{"@odata.context"') ? 'application/json' : 'text/plain;'
    expect(reply.headers['content-type']).toContain(type)
    const head = await server.call('HEAD', `/odata/${path}`)
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test.each([
    'Ansatt(3)/Avdeling',
    'Ansatt(3)/Avdeling/$ref',
    'Ansatt(3)/Avdeling/Navn',
    'Ansatt(3)/Fornavn',
    'Ansatt(3)/Fornavn/$value',
    "Avdeling('10')/Hovedavdeling",
  ])('%s is null: 204 without a body', async (path) => {
    const reply = await get(`/odata/${path}`)
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(reply.headers['odata-version']).toBe('4.0')
  })

  test.each([
    'Ansatt(4)',
    'Ansatt(4)/Fornavn',
    'Ansatt(4)/Avdeling',
    'Ansatt(4)/$ref',
    "Avdeling('77')",
    "Avdeling('77')/Ansatte",
    "Avdeling('77')/Ansatte/$count",
    "Avdeling('77')/Ansatte/$ref",
    "Avdeling('77')/Hovedavdeling",
    "Avdeling('77')/Navn/$value",
    "Avdeling('10')/Ansatte(3)",
    "Avdeling('10')/Ansatte(9)",
    "Avdeling('10')/Ansatte/9",
    'Ansatt(3)/Avdeling/Ansatte',
    "Avdeling('10')/Ansatte('2')",
    '$entity?$id=Ansatt(4)',
    '$entity?$id=Ansatt',
    '$entity?$id=http://elsewhere/odata/Ansatt(1)',
  ])('%s is 404, whether it belongs to another company or does not exist', async (path) => {
    const reply = await get(`/odata/${path}`, { headers: { 'x-request-id': 'a' } })
    const unknown = await get('/odata/Ansatt(5)', { headers: { 'x-request-id': 'a' } })
    // The message names the record as the path does, and depends on nothing else.
    const { message, ...others } = reply.json.error
    expect([reply.status, { ...others, message: unknown.json.error.message }]).toEqual([404, unknown.json.error])
    expect(message).toMatch(/^(The record|(Ansatt|Avdeling)(\('?\d+'?\))?) could not be found\.$/)
  })

  test.each([
    'Ansatt(1)/Avdeling(1)',
    'Ansatt(1)/Fornavn/Lengde',
    'Ansatt(1)/Dagsverk.Avdeling',
    'Ansatt(1)/Dagsverk.Ansatt/Dagsverk.Ansatt',
    "Avdeling('10')/Ukjent",
    '$entity/Dagsverk.Avdeling?$id=Ansatt(1)',
  ])('%s is not a URL', async (path) => {
    expect((await get(`/odata/${path}`)).status).toBe(404)
  })

  test('a path through a set without its scope is rejected at that segment', async () => {
    const key = await server.addCompany('BARE', { scopes: ['revenue:read'] })
    const reply = await get('/omsetning/Omsetning(1)/Avdeling', { as: key })
    expect([reply.status, reply.json.error.target]).toEqual([403, 'path:14'])
    const personal = await server.addCompany('UPERSONLIG', { scopes: ['directory:read'] })
    const field = await get('/odata/Ansatt(1)/Fodt/$value', { as: personal })
    expect([field.status, field.json.error.target]).toEqual([403, 'path:11'])
  })

  test('relations to one, fields and counts are read-only, and say so', async () => {
    for (const path of ['Ansatt(1)/Avdeling', 'Ansatt(1)/Fornavn', 'Ansatt/$count', '']) {
      const reply = await server.call('PUT', `/odata/${path}`, { json: {} })
      expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, HEAD'])
    }
  })

  test.each([
    ["Order(Region='N',Number=2)/Lines?$select=Position", '{"Position":1}', '{"Position":3}'],
    ['Order/N/2/Lines?$select=Position', '{"Position":1}', '{"Position":3}'],
    ["Order(Region='N',Number=2)/Lines(3)?$select=Position", '#Line(Position)/$entity', ''],
    ['Order/N/2/Lines/3?$select=Position', '#Line(Position)/$entity', ''],
    ["Order(Region='N',Number=2)/Lines(Region='N',Number=2,Position=3)/Order?$select=Number", '"Number":2', ''],
    ["Line(Region='N',Number=2,Position=3)/Price", "#Line(Region='N',Number=2,Position=3)/Price", ''],
    ["Order(Region='O''',Number=1)/$ref", "\"Order(Region='O''',Number=1)\"", ''],
    ['Customer(2)/Orders/$ref', '"Order(Region=', ''],
    ['Customer(3)/InvitedBy/Invited/$count', '', ''],
  ])('a custom model with composite keys: %s', async (path, first, second) => {
    const reply = await expectStatus(server.call('GET', `/shop/${path}`))
    expect(reply.text).toContain(first)
    expect(reply.text).toContain(second)
  })

  test.each([
    'Customer?$orderby=Name desc,Since',
    'Customer?$orderby=IsTrusted',
    'Order?$orderby=PlacedAt desc&$expand=Customer($select=Id)',
    'Order?$orderby=CustomerId,Number desc',
    'Line?$orderby=Note,Price desc',
    'Line?$orderby=Price&$filter=Position gt 1&$select=Note',
    'Line',
  ])('a custom model with composite keys, page by page: %s', async (path) => {
    const whole = await server.call('GET', `/shop/${path}`)
    const found: unknown[] = []
    let link = `/shop/${path}`
    while (link !== '') {
      const page = await expectStatus(server.call('GET', link, { headers: { prefer: 'maxpagesize=7' } }))
      found.push(...page.json.value)
      link = (page.json['@odata.nextLink'] ?? '').replace('http://localhost', '')
    }
    expect(found).toEqual(whole.json.value)
  })
})
