import { beforeAll, describe, expect, test, vi } from 'vitest'
import { openapi } from '../src/api/openapi/openapi.ts'
import { errorCatalog } from '../src/errors/catalog.ts'
import { databases } from './support/databases.ts'
import { useTestServer, startEmptyTestServer, type TestReply } from './support/server.ts'
import { entriesOf, memberOf, resolveReference, schemaProblems } from './support/json-schema.ts'
import { newRevenueClient, type RevenueClient } from './support/revenue-client.ts'

const document: unknown = JSON.parse(JSON.stringify(openapi('1.2.3', 'https://tall.example.no')))
const paths = entriesOf(memberOf(document, 'paths'))
const operations = paths.flatMap(([path, methods]) =>
  entriesOf(methods).map(([method, operation]) => ({ path, method, operation })),
)

describe('the OpenAPI document', () => {
  test('has title, version and description', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d$/),
      info: { title: expect.any(String), version: '1.2.3', license: { identifier: 'MIT' } },
      servers: [{ url: 'https://tall.example.no' }],
    })
    const known = ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components']
    expect(entriesOf(document).map(([name]) => name)).toEqual(known)
  })

  test('has references that resolve, and uses everything it defines', () => {
    const text = JSON.stringify(document)
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to))
    for (const reference of references) expect(resolveReference(reference, document)).toBeDefined()
    for (const kind of ['schemas', 'responses'])
      for (const [name] of entriesOf(resolveReference(`#/components/${kind}`, document)))
        expect(references).toContain(`#/components/${kind}/${name}`)
  })

  test('describes every operation: a unique id, every path parameter, every reply', () => {
    const names = operations.map(({ operation }) => memberOf(operation, 'operationId'))
    expect(new Set(names).size).toBe(names.length)
    for (const { path, method, operation } of operations) {
      expect(path).toMatch(/^\//)
      expect(['get', 'post', 'put', 'patch', 'delete']).toContain(method)
      expect(memberOf(operation, 'summary')).toEqual(expect.any(String))
      const parameters = listOf(memberOf(operation, 'parameters'))
      const named = parameters.map((one) => [memberOf(one, 'in'), memberOf(one, 'name')].join(' '))
      expect(new Set(named).size).toBe(named.length)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name}`)
      expect(named.filter((name) => name.startsWith('path '))).toEqual(inPath)
      const responses = entriesOf(memberOf(operation, 'responses'))
      expect(responses.map(([status]) => status).join(' ')).toMatch(/^(20[014]|200 201) default$/)
      const hasBody = memberOf(operation, 'requestBody') !== undefined
      const isBare = /\)\/(Godkjenn|TrekkGodkjenning)$/.test(path)
      expect(hasBody, `${method} ${path}`).toBe(['post', 'put', 'patch'].includes(method) && !isBare)
    }
  })

  test('has security schemes for every authentication method, and no credential among the parameters', () => {
    const schemes = entriesOf(resolveReference('#/components/securitySchemes', document)).map(([name]) => name)
    const required = listOf(memberOf(document, 'security')).flatMap((one) => entriesOf(one).map(([name]) => name))
    expect(new Set(required)).toEqual(new Set(schemes))
    expect(JSON.stringify(paths)).not.toMatch(/"name":"(firma|passord|key)"/)
  })

  test('has every code of the catalogue', () => {
    const codes = resolveReference('#/components/schemas/ErrorCode', document)
    expect(memberOf(codes, 'enum')).toEqual(Object.keys(errorCatalog))
    const descriptions = entriesOf(memberOf(codes, 'x-enumDescriptions'))
    for (const [, text] of descriptions) expect(text).toMatch(/^[45]\d\d: .+ – .+/)
  })

  test('groups the operations by task: each has one, and each task has operations', () => {
    const tags = listOf(memberOf(document, 'tags')).map((one) => memberOf(one, 'name'))
    const used = operations.map(({ operation }) => listOf(memberOf(operation, 'tags')))
    for (const own of used) expect(own).toHaveLength(1)
    expect(new Set(used.flat())).toEqual(new Set(tags))
  })

  test('describes every parameter', () => {
    const parameters = operations.flatMap(({ operation }) => listOf(memberOf(operation, 'parameters') ?? []))
    for (const one of parameters) expect([memberOf(one, 'name'), memberOf(one, 'description')]).not.toContain(undefined)
    expect(parameters.length).toBeGreaterThan(500)
  })

  test('names each task in Norwegian too', () => {
    for (const tag of listOf(memberOf(document, 'tags')))
      expect(memberOf(tag, 'description')).toMatch(
        /^(Hente|Sende|Endre|Registrere|Godkjenne|Eksportere|Drifte|OData) ?/,
      )
  })

  test('the default of atomic is that of the operation', () => {
    const defaultOf = (path: string) => {
      const parameters = listOf(memberOf(memberOf(memberOf(memberOf(document, 'paths'), path), 'post'), 'parameters'))
      const atomic = parameters.find((one) => memberOf(one, 'name') === 'atomic')
      return memberOf(memberOf(atomic, 'schema'), 'default')
    }
    expect(defaultOf('/prosjekt/Transaksjon/Batch')).toBe(true)
    expect(defaultOf('/prosjekt/Transaksjonseksport/Eksportert')).toBe(false)
    expect(defaultOf('/prosjekt/TransaksjonsEksport/Batch/{id}/Resultat')).toBe(false)
  })

  test('is closed: replies have no undocumented fields', () => {
    for (const [name, schema] of entriesOf(resolveReference('#/components/schemas', document)))
      if (!name.endsWith('Input') && memberOf(schema, 'type') !== 'string')
        expect(memberOf(schema, 'additionalProperties'), name).toBe(false)
  })
})

describe.each(databases)('replies on $name', (database) => {
  const server = useTestServer(database, 'openapi')
  let revenueClient: RevenueClient
  beforeAll(async () => {
    revenueClient = await newRevenueClient(server)
  })

  const row = { Dato: '2024-05-01', AvdelingID: '10', Omsetning: 12.5, Merknad: 'å' }
  const dev = '/dev/Omsetning'
  const material = {
    AnsattId: 1,
    AvdelingId: '7',
    VareId: 'V1',
    Varenavn: 'Skruer',
    Antall: 2,
    Dato: '2024-05-01',
    Kilde: 'kasse',
    EksternId: 'A1',
  }
  const declared = { 'x-api-version': '3.0' }
  const tour: [string, string, number, (object | undefined)?, Record<string, string>?][] = [
    ['GET', '/livez', 200],
    ['GET', '/readyz', 200],
    ['GET', '/version', 200],
    ['GET', '/limits', 200],
    ['GET', '/openapi.json', 200],
    ['POST', `${dev}/Lagre`, 200, row],
    ['POST', `${dev}/Lagre?dryRun=true`, 200, row],
    ['POST', `${dev}/Lagre`, 400, { ...row, Dato: '2024-02-30' }],
    ['POST', `${dev}/Lagre`, 400, { Dato: 1, Omsetning: 'x', AvdelingID: [] }],
    ['POST', `${dev}/Oppdater`, 200, { InntekstplanId: 1, Omsetning: -3 }],
    ['POST', `${dev}/Oppdater`, 404, { InntekstplanId: 99, Omsetning: -3 }],
    ['POST', `${dev}/LagreEllerOppdaterListe`, 200, [row, { ...row, AvdelingID: '20' }]],
    ['POST', `${dev}/LagreEllerOppdaterListe?dryRun=true`, 200, [row]],
    ['POST', `${dev}/LagreEllerOppdaterListe?atomic=false`, 200, [row, { Dato: 'x' }]],
    ['POST', `${dev}/LagreEllerOppdaterListe?atomic=false`, 422, [{ Dato: 'x' }]],
    ['POST', `${dev}/LagreEllerOppdaterListe`, 400, [row, { Dato: 'x' }]],
    ['POST', `${dev}/LagreEllerOppdaterOmsetningPrDato`, 200, [row]],
    ['POST', `${dev}/AggsertOmsetning`, 200, { ...row, Referanse: 'bong 1' }],
    ['POST', `${dev}/AggsertOmsetning`, 200, [{ ...row, Referanse: 'bong 2' }]],
    ['POST', `${dev}/AggsertOmsetning`, 409, { ...row, Omsetning: 1, Referanse: 'bong 1' }],
    ['GET', `${dev}/Finn`, 200],
    ['GET', `${dev}/Finn?$select=SistEndretDato,OpprettetDato,Dato&$top=1`, 200],
    ['GET', `${dev}/Finn?$filter=Dat eq null`, 400],
    ['GET', '/omsetning/Omsetning?$count=true', 200],
    ['GET', '/omsetning/OmsetningLogg', 200],
    ['DELETE', '/omsetning/Omsetning(99)', 404],
    ['POST', '/ansatt/avdeling', 201, { id: '7', navn: 'Å' }, declared],
    ['POST', '/ansatt/avdeling', 201, [{ id: '8' }], declared],
    ['POST', '/ansatt/avdeling?atomic=false', 200, [{ id: '8' }, { id: '9' }], declared],
    ['PUT', '/ansatt/avdeling', 200, [{ id: '8', navn: 'B' }], declared],
    ['POST', '/ansatt/avdeling', 409, { id: '7' }],
    ['POST', '/ansatt/ansatt', 201, { fornavn: 'Kari' }, declared],
    ['PATCH', '/ansatt/ansatt(1)', 200, { fornavn: 'Ola' }, declared],
    ['GET', '/ansatt/ansatt(1)', 200, undefined, declared],
    ['POST', '/prosjekt/Prosjekt', 201, { id: 'P', avdelingid: '7' }, declared],
    ['POST', '/prosjekt/Transaksjon', 201, material, declared],
    ['POST', '/prosjekt/Transaksjon', 200, material, declared],
    ['POST', '/prosjekt/Transaksjon/Batch', 200, [material], { accept: 'application/xml' }],
    ['GET', '/dev/Ansatte/Finn', 200, undefined, { accept: 'application/xml' }],
    ['POST', '/setup', 409, {}],
    ['GET', `${dev}/Finn?firma=x&passord=y`, 400, undefined, { 'x-firma': 'z', 'x-passord': 'w' }],
    ['GET', `${dev}/Finn?$top=x`, 400, undefined, { accept: 'application/problem+json' }],
    ['POST', `${dev}/Lagre`, 400, [row], { accept: 'application/problem+json' }],
  ]

  test('match the document, for a sequence of calls to every route', async () => {
    for (const [method, address, status, json, headers = {}] of tour) {
      const reply = await revenueClient.call(method, address, { headers, json })
      const operationName = `${method} ${address}`
      expect(reply.status, `${operationName}: ${reply.text}`).toBe(status)
      expect(problemsIn(reply, method, address), operationName).toEqual([])
    }
  })

  test('the validator detects an undocumented field', async () => {
    const reply = await revenueClient.find()
    const more = { ...reply, json: [{ ...reply.json[0], companyId: 1 }] }
    expect(problemsIn(more, 'GET', `${dev}/Finn`)).not.toEqual([])
  })

  test('the document is serialized once for all clients without credentials', async () => {
    const stringify = vi.spyOn(JSON, 'stringify')
    const documents = () => stringify.mock.calls.filter(([value]) => Object.hasOwn(Object(value), 'openapi')).length
    const read = async () => (await server.call('GET', '/openapi.json', { as: null })).text
    const first = await read()
    const before = documents()
    expect(await read()).toBe(first)
    expect(documents()).toBe(before)
    stringify.mockRestore()
  })

  test('a set-up is documented too', async () => {
    const empty = await startEmptyTestServer(database, 'openapi_setup')
    const refused = await empty.call('POST', '/setup', { as: null, json: { token: 'x' } })
    expect(refused.status).toBe(403)
    expect(problemsIn(refused, 'POST', '/setup')).toEqual([])
    await empty.close()
  })
})

/** Where a reply deviates from the document for its URL and status. */
function problemsIn(reply: TestReply, method: string, address: string): string[] {
  const path = (address.split('?')[0] ?? '').replace(/\(\d+\)$/, '({id})')
  const responses = memberOf(memberOf(memberOf(memberOf(document, 'paths'), path), method.toLowerCase()), 'responses')
  const own = memberOf(responses, String(reply.status)) ?? memberOf(responses, 'default')
  const reference = memberOf(own, '$ref')
  const response = typeof reference === 'string' ? resolveReference(reference, document) : own
  const mediaType = reply.headers['content-type']?.split(';')[0] ?? ''
  if (mediaType === 'text/html') return []
  const described = memberOf(memberOf(response, 'content'), mediaType)
  if (described === undefined) return [`${mediaType} is not described`]
  if (mediaType === 'application/xml') return []
  return schemaProblems(reply.json, memberOf(described, 'schema'), document)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
