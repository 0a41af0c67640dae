// Every route of the route table: it rejects anonymous callers, and isolates companies from each other.
import { beforeAll, describe, expect, test } from 'vitest'
import { publicRoutes } from '../src/api/public-routes.ts'
import { openapi } from '../src/api/openapi/openapi.ts'
import { routes, type Route } from '../src/api/routes.ts'
import { databases } from './support/databases.ts'
import { fillDirectory } from './support/directory.ts'
import { expectError, expectStatus } from './support/replies.ts'
import { useTestServer, type TestReply, type CallOptions } from './support/server.ts'
import { newRevenueClient, revenueClientFor, type RevenueClient } from './support/revenue-client.ts'

const usage = { Dato: '2024-05-01', VareId: 'A1', Antall: 2, Salgspris: 10 }

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }

/**
 * An example call of each route, by its path or the end of it; `id` is replaced by a record's key.
 */
const examples: Readonly<Record<string, (id: number) => Example>> = {
  '/dev/Ansatte/Finn': (id) => ({ query: { $filter: `Id eq ${id}` } }),
  '/dev/Avdelinger/Finn': () => ({ query: { $filter: "Navn ne 'x'" } }),
  '/dev/Prosjekter/Finn': () => ({ query: { $orderby: 'Navn' } }),
  Finn: (id) => ({ query: { $filter: `InntektsPlanId eq ${id} or InntekstplanId in (${id})` } }),
  Lagre: () => ({ json: { ...row, Merknad: 'ny' } }),
  Oppdater: (id) => ({ json: { InntekstplanId: id, Omsetning: 1, Merknad: 'endret' } }),
  LagreEllerOppdaterListe: (id) => ({ json: [{ InntekstplanId: id, Omsetning: 1 }, row] }),
  LagreEllerOppdaterOmsetningPrDato: (id) => ({ json: [{ ...row, InntekstplanId: id }] }),
  LagreEllerOppdaterOmsetningPrDatoPrAvdeling: (id) => ({ json: [{ ...row, InntekstplanId: id }] }),
  AggsertOmsetning: (id) => ({ json: { ...row, InntekstplanId: id, Referanse: 'bong 1' } }),
  Omsetning: (id) => ({ query: { $filter: `InntektsPlanId eq ${id}` } }),
  OmsetningLogg: (id) => ({ query: { $filter: `InntektsPlanId eq ${id} or Id eq ${id}` } }),
  ansatt: () => ({ query: { $expand: 'avdeling' } }),
  avdeling: () => ({ query: { $expand: 'Ansatte' } }),
  Prosjekt: () => ({ query: { $expand: 'avdeling,anlegg' } }),
  anlegg: () => ({}),
  'Omsetning(:id)': () => ({}),
  'ansatt(:id)': () => ({}),
  'avdeling(:id)': () => ({}),
  'Prosjekt(:id)': () => ({}),
  'anlegg(:id)': () => ({}),
  'POST Ansatte': () => ({ json: [{ Fornavn: 'Kari' }, { Fornavn: 'Ola' }] }),
  'GET /prosjekt/Transaksjon': (id) => ({ query: { $filter: `Id eq ${id}` } }),
  'POST /prosjekt/Transaksjon': () => ({ json: usage }),
  'PATCH /prosjekt/Transaksjon(:id)': () => ({ json: { Antall: 3 } }),
  'Transaksjon(:id)': () => ({}),
  Godkjenn: (id) => ({ json: { ids: [id] } }),
  Avvis: (id) => ({ json: { ids: [id], grunn: 'feil vare' } }),
  TrekkGodkjenning: (id) => ({ json: { ids: [id] }, before: 'Godkjenn' }),
  '/prosjekt/Transaksjon(:id)/Godkjenn': () => ({}),
  '/prosjekt/Transaksjon(:id)/Avvis': () => ({ json: { grunn: 'feil vare' } }),
  '/prosjekt/Transaksjon(:id)/TrekkGodkjenning': () => ({ before: 'Godkjenn' }),
  TransaksjonsEksport: () => ({ before: 'Godkjenn' }),
  '/prosjekt/TransaksjonsEksport/Batch': () => ({ json: { max: 1 }, before: 'Godkjenn' }),
  Forleng: () => ({ json: { leaseSeconds: 60 }, before: 'Batch' }),
  Resultat: (id) => ({ json: { ids: [id] }, before: 'Batch' }),
  Frigi: () => ({ before: 'Batch' }),
  Bryt: () => ({ json: { grunn: 'maskinen er borte' }, before: 'Batch' }),
  ProvIgjen: (id) => ({ json: { ids: [id] }, before: 'failed' }),
  TilGodkjenning: (id) => ({ json: { ids: [id], grunn: 'feil prosjekt' }, before: 'Godkjenn' }),
  Varsler: () => ({}),
  Angre: (id) => ({ json: { ids: [id], grunn: 'feil mottaker' }, before: 'Eksportert' }),
  Lukk: (id) => ({ json: { ids: [id], grunn: 'ført for hånd' }, before: 'Godkjenn' }),
  Historikk: () => ({ before: 'Eksportert' }),
  Avstem: (id) => ({ json: { ids: [id] }, before: 'Eksportert' }),
  Eksportert: (id) => ({ json: { ids: [id] }, before: 'Godkjenn' }),
  '/prosjekt/Transaksjon/Batch': () => ({ json: [{ ...usage, EksternId: '1' }] }),
}

/** The bodies sent to directory sets, by method. */
const written: Readonly<Record<string, unknown>> = {
  POST: { Id: '5', EksternId: 'ny' },
  PUT: [{ Id: '5', EksternId: 'endret' }, { Id: '6' }],
  PATCH: { EksternId: 'endret' },
}

interface Example {
  readonly query?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** What has to be done with the transaction first. */
  readonly before?: 'Godkjenn' | 'Eksportert' | 'Batch' | 'failed'
}

function exampleOf({ method, path, operation }: Route, id: number): Example | undefined {
  const end = path.split('/').at(-1) ?? ''
  const isDirectory = /^(Ansatt|Avdeling|Prosjekt|Anlegg)$/.test(operation.resource.wire)
  if (isDirectory && method === 'PUT' && end.endsWith('(:id)')) return { json: written['PATCH'] }
  if (isDirectory && method in written && end !== 'Ansatte') return { json: written[method] }
  return (examples[`${method} ${path}`] ?? examples[path] ?? examples[`${method} ${end}`] ?? examples[end])?.(id)
}

/** Text keys are quoted. */
function addressOf({ path, operation }: Route, id: number): string {
  const { key, fields } = operation.resource
  const isText = fields[key[0] ?? '']?.type === 'text'
  return path.replace(':id', isText ? `'${id}'` : String(id))
}

/** The data of one company, so that every route has something to return. */
function directoryOf(id: number) {
  return {
    departments: [{ id: String(id), name: 'Byggevarer' }, { id: `${id}0` }],
    sites: [{ id: String(id), name: 'Oslo nord' }, { id: `${id}0` }],
    projects: [{ id: String(id), name: 'Nybygg', departmentId: `${id}0`, siteId: `${id}0` }],
    employees: [{ id, firstName: 'Kari', departmentId: `${id}0` }],
  }
}

const named = routes.map((route) => ({ name: `${route.method} ${route.path}`, route }))

describe.each(databases)('every route on $name', (database) => {
  const server = useTestServer(database, 'routes')

  /** Calls a route with its example, naming the record `id`. */
  const call = (route: Route, id: number, options: CallOptions = {}): Promise<TestReply> => {
    const { query = {}, json } = exampleOf(route, id) ?? {}
    const search = new URLSearchParams(query).toString()
    const path = addressOf(route, id)
    return server.call(route.method, search === '' ? path : `${path}?${search}`, {
      json,
      ...options,
      headers: { 'x-request-id': 'samme', ...options.headers },
    })
  }

  /** A transaction that the route can be called with. */
  const register = async (revenueClient: RevenueClient, route: Route) => {
    await revenueClient.call('POST', '/prosjekt/Transaksjon', { json: usage })
    const before = exampleOf(route, 1)?.before
    if (before === undefined) return
    await revenueClient.call('POST', '/prosjekt/Transaksjon(1)/Godkjenn')
    if (before === 'Batch') await revenueClient.call('POST', '/prosjekt/TransaksjonsEksport/Batch')
    const marked = { Eksportert: { ids: [1] }, failed: { failed: [{ id: 1 }] } }
    if (before === 'Eksportert' || before === 'failed')
      await revenueClient.call('POST', '/prosjekt/TransaksjonsEksport/Eksportert', { json: marked[before] })
  }

  test('every route has an example in this file', () => {
    const missing = named.filter(({ route }) => exampleOf(route, 1) === undefined)
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  test('every route has a unique path', () => {
    const addresses = routes.map(({ method, path }) => `${method} ${path.toLowerCase()}`)
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  const documentedRoutes = () => {
    const document = openapi('1', '') as { paths: Record<string, Record<string, unknown>> }
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    )
  }
  const isOfService = ({ path }: { path: string }) => /^\/odata\b/.test(path)

  test('every route is in the OpenAPI document, which has no others', async () => {
    const served = [...named.map(({ name }) => name), ...publicRoutes.map(({ method, path }) => `${method} ${path}`)]
    const asDocumented = (name: string) => name.replace(/:(\w+)/, '{$1}')
    const documented = documentedRoutes().filter((one) => !isOfService(one))
    expect(documented.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(served.map(asDocumented).sort())
    expect((await server.call('GET', '/openapi.json', { as: null })).status).toBe(200)
  })

  test('the document describes the sets of the service, for callers with a credential', async () => {
    const ofService = documentedRoutes().filter(isOfService)
    expect(ofService.length).toBeGreaterThan(30)
    for (const { method, path } of ofService) {
      const address = path.replace('{id}', '99')
      const known = await server.call(method, address, { body: '' })
      const missing = path.includes('{id}') ? [405] : [404, 405]
      expect(missing, `${method} ${path}`).not.toContain(known.status)
      const anonymousReply = await server.call(method, address, { as: null, body: '' })
      expect([method, path, anonymousReply.status]).toEqual([method, path, 401])
    }
  })

  test.each(named)('$name replies to its own company', async ({ route }) => {
    const revenueClient = await newRevenueClient(server)
    await revenueClient.insert(row)
    await fillDirectory(server, revenueClient.company, directoryOf(1))
    await register(revenueClient, route)
    const reply = await call(route, 1, { as: revenueClient.company })
    expect([200, 201, 204], reply.text).toContain(reply.status)
  })

  test.each(named)('$name returns no field that its description does not have', async ({ route }) => {
    const revenueClient = await newRevenueClient(server)
    await revenueClient.insert({ ...row, Merknad: 'x' })
    await fillDirectory(server, revenueClient.company, directoryOf(1))
    await register(revenueClient, route)
    const { text, status } = await call(route, 1, { as: revenueClient.company })
    if (status === 204 || route.operation.responseKind === 'results') return
    const reply = JSON.parse(text)
    const records: object[] = [route.operation.responseKind === 'set' ? reply.value : reply].flat()
    const described = Object.values(route.operation.resource.fields)
      .filter((field) => field.onlyWhenSelected !== true)
      .map(({ documentName, wire }) => (/^\/(ansatt|prosjekt)/.test(route.path) ? (documentName ?? wire) : wire))
    // Clients of this URL look for their department under this name too.
    if (route.path === '/dev/Avdelinger/Finn') described.push('AvdelingID')
    expect(records.length).toBeGreaterThan(0)
    // An expanded record is an object with a description of its own.
    for (const record of records)
      expect(
        Object.entries(record)
          .filter(([name, value]) => !name.startsWith('@') && !isNested(value))
          .map(([name]) => name),
      ).toEqual(described)
  })

  test.each(named)('$name rejects anonymous callers', async ({ route }) => {
    const reply = await call(route, 1, { as: null })
    expectError(reply, 401, 'MissingCredentials')
    expect(reply.headers['www-authenticate']).toContain('Basic')
  })

  test.each(named)('$name rejects a wrong password and a wrong key', async ({ route }) => {
    const { name, key } = server.tenantA
    for (const headers of [
      { 'x-firma': name, 'x-passord': 'feil' },
      { 'tb-key': key.slice(0, -1) },
      { authorization: 'Bearer x' },
    ]) {
      expectError(await call(route, 1, { as: null, headers }), 401, 'InvalidCredentials')
    }
  })

  test.each(named)('$name rejects keys with every scope but its own', async ({ route }) => {
    const { scope } = route.operation
    const others = [
      'revenue:read',
      'revenue:write',
      'directory:read',
      'directory:write',
      'material:write',
      'material:export',
    ]
    const lacking = await server.addCredential(server.tenantA, {
      scopes: others.filter((one) => one !== scope).join(' '),
    })
    const reply = await call(route, 1, { as: null, headers: { 'tb-key': lacking.secret } })
    expectError(reply, 403, 'ScopeMissing', { message: expect.stringContaining(scope) })
    // Replacing an employee clears personal fields too.
    const isReplaced = route.method === 'PUT' && route.path === '/ansatt/ansatt(:id)'
    const scopes = isReplaced ? [scope, 'directory:personal' as const] : [scope]
    const revenueClient = await newRevenueClient(server, { scopes })
    expect((await call(route, 1, { as: revenueClient.company })).status).not.toBe(403)
  })

  test.each(named)('$name rejects other methods, and says which it supports', async ({ route }) => {
    const path = addressOf(route, 1)
    const taken = routes.filter((one) => one.path === route.path).map(({ method }) => method as string)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !taken.includes(one))) {
      const reply = await server.call(method, path)
      expect(reply.status, method).toBe(405)
      const allow = taken.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ')
      expect(reply.headers['allow']).toBe(allow)
    }
  })

  describe("with another company's records", () => {
    let clientA: RevenueClient
    let clientB: RevenueClient
    beforeAll(async () => {
      clientA = await newRevenueClient(server)
      clientB = await newRevenueClient(server)
    })

    const everything = async (revenueClient: RevenueClient) => {
      const directory = ['Ansatt', 'Avdeling', 'Prosjekt', 'Anlegg'].map(
        async (set) => (await revenueClient.call('GET', `/odata/${set}`)).json.value,
      )
      return {
        records: await revenueClient.records({ $select: '*,SistEndretDato,OpprettetDato' }),
        journal: (await revenueClient.revenueLog()).json.value,
        directory: await Promise.all(directory),
      }
    }

    test.each(named)(
      '$name replies byte for byte as if they did not exist, and leaves them unchanged',
      async ({ route }) => {
        const caller = await newRevenueClient(server)
        const before = await call(route, 1, { as: caller.company })
        const secondInstance = await newRevenueClient(server)
        const other = await newRevenueClient(server)
        // The other company has the record, its cell, the reference and the Idempotency-Key.
        await other.accumulate({ ...row, Omsetning: 7, Referanse: 'bong 1' }, {}, { 'idempotency-key': 'k' })
        await other.insert(row)
        for (const id of [1, 5]) await fillDirectory(server, other.company, directoryOf(id))
        const dataOfOther = await everything(other)
        const after = await call(route, 1, { as: secondInstance.company, headers: { 'idempotency-key': 'k' } })
        expect(withoutStamps(after.text)).toBe(withoutStamps(before.text))
        expect(after.status).toBe(before.status)
        expect(Object.keys(after.headers).filter((name) => name !== 'x-retry-safe')).toEqual(
          Object.keys(before.headers).filter((name) => name !== 'x-retry-safe'),
        )
        expect(await everything(other)).toEqual(dataOfOther)
      },
    )

    test('a list with keys of both is rejected like one with an unknown key, and changes neither', async () => {
      await clientA.insert(row)
      await clientB.saveList([row, row, row])
      const [myOwn, theirOwn] = [await everything(clientA), await everything(clientB)]
      for (const list of [
        [
          { InntekstplanId: 1, Omsetning: 5 },
          { InntekstplanId: 3, Omsetning: 5 },
        ],
        [{ InntekstplanId: 3, Omsetning: 5 }, row],
      ]) {
        const reply = await expectStatus(clientA.saveList(list), 404)
        expect(reply.json.error.details).toHaveLength(1)
      }
      expect(await everything(clientA)).toEqual(myOwn)
      expect(await everything(clientB)).toEqual(theirOwn)
    })

    test('no filter, order or selection reaches them', async () => {
      await clientA.insert({ ...row, Merknad: 'mitt' })
      await clientB.insert({ ...row, Merknad: 'deres' })
      for (const query of [
        { $filter: 'true or true' },
        { $filter: "not (Merknad eq 'mitt')" },
        { $filter: "Merknad eq 'deres'" },
        { $orderby: 'Merknad desc' },
        { $skip: '0', $top: '100000' },
        { $filter: "AvdelingID eq '20'' or ''1''=''1'" },
      ]) {
        const { text, status } = await clientA.find(query)
        expect(status).toBe(200)
        expect(text).not.toContain('deres')
      }
    })

    test('the password of one company is not accepted together with the key of the other', async () => {
      for (const { route } of named) {
        const reply = await call(route, 1, {
          as: clientA.company,
          headers: { 'x-firma': clientB.company.name, 'x-passord': clientB.company.password },
        })
        expectError(reply, 400, 'AmbiguousCredentials')
      }
    })

    test('a company cannot name another in any parameter or field', async () => {
      const revenueClient = revenueClientFor(server, server.tenantA)
      const claims = { firma: server.tenantB.name, companyId: 2, company_id: 2 }
      expect((await revenueClient.insert({ ...row, ...claims })).status).toBe(200)
      expect((await revenueClient.find({ companyId: '2' })).json).toHaveLength(1)
      expect(await revenueClientFor(server, server.tenantB).records()).toEqual([])
    })
  })
})

function withoutStamps(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, 'Z')
    .replace(/W\/[^,]+/, 'W/')
    .replace(/key:\w{8}/g, 'key:')
}

function isNested(value: unknown) {
  return typeof value === 'object' && value !== null
}
