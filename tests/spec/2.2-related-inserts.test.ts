// Interface 2.2.8: inserts behind a relation to many, which link the new record, on every database.
import { beforeEach, describe, expect, test } from 'vitest'
import { serviceSchema } from '../../src/model/service-schema.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { usage } from '../support/material-client.ts'
import { useCompany, useTestServer, type CallOptions } from '../support/server.ts'

describe.each(databases)('inserts behind a relation on $name', (database) => {
  const server = useTestServer(database, 'related')
  const company = useCompany(server)
  beforeEach(async () => {
    await done('/odata/Avdeling', [{ Id: 'Ab' }, { Id: 'aB' }])
    await done('/odata/Anlegg', { Id: 'A/1' })
    await done('/odata/Prosjekt', { Id: 'P1' })
  })

  const post = (address: string, json: unknown, options: CallOptions = {}) =>
    server.call('POST', address, { as: company, json, ...options })

  const done = (address: string, json: unknown) => expectStatus(post(address, json), 201)

  const everything = async () => (await server.call('GET', '/odata/$all', { as: company })).json.value

  test('2.2.8 the new record is in the set, and refers to the record in the path', async () => {
    const employee = await done("/odata/Avdeling('Ab')/Ansatte", { Fornavn: 'Kari' })
    expect(employee.json).toMatchObject({ Id: 1, AvdelingId: 'Ab' })
    expect(employee.headers['location']).toBe('http://localhost/odata/Ansatt(1)')
    expect(employee.json['@odata.context']).toBe('http://localhost/odata/$metadata#Ansatt/$entity')
    const project = await done('/prosjekt/anlegg/A%2F1/Prosjekter', { id: 'P2', navn: 'x' })
    expect(project.json).toMatchObject({ id: 'P2', anleggid: 'A/1' })
    const material = await done("/odata/Prosjekt('P1')/Transaksjoner", usage)
    expect(material.json).toMatchObject({ Id: 1, ProsjektId: 'P1' })
    expect(material.headers['location']).toBe('http://localhost/odata/Transaksjon(1)')
  })

  test('2.2.8 a list is linked as a whole', async () => {
    const { json } = await done("/odata/Avdeling('aB')/Ansatte", [{ Id: 5 }, { Id: 6 }])
    expect(json).toMatchObject([{ AvdelingId: 'aB' }, { AvdelingId: 'aB' }])
    const count = await server.call('GET', "/odata/Avdeling('aB')/Ansatte/$count", { as: company })
    expect(count.text).toBe('2')
  })

  test('2.2.8 the reference may be sent too, as a field or bound', async () => {
    const path = "/odata/Avdeling('Ab')/Ansatte"
    await done(path, { AvdelingId: 'Ab' })
    await done(path, { 'Avdeling@odata.bind': "Avdeling('Ab')" })
  })

  test.each([
    ["Avdeling('Ab')/Ansatte", { AvdelingId: 'aB' }, 'AvdelingId'],
    ["Avdeling('Ab')/Ansatte", { AvdelingId: null }, 'AvdelingId'],
    ["Avdeling('Ab')/Ansatte", { 'Avdeling@odata.bind': "Avdeling('aB')" }, 'Avdeling@odata.bind'],
    ["Prosjekt('P1')/Transaksjoner", { ...usage, ProsjektId: 'P2' }, 'ProsjektId'],
  ])('2.2.8 %s with %j is refused, and nothing is stored', async (path, body, target) => {
    const before = await everything()
    const reply = await post(`/odata/${path}`, body)
    expect([reply.status, reply.json.error.code]).toEqual([400, 'InvalidValue'])
    expect(reply.json.error.target).toBe(target)
    expect(await everything()).toEqual(before)
  })

  test('2.2.8 in a list, the row that refers to another record is refused', async () => {
    const rows = [{ Id: 5 }, { Id: 6, AvdelingId: 'aB' }, { Id: 7 }]
    const path = "/odata/Avdeling('Ab')/Ansatte"
    const whole = await post(path, rows)
    expect(whole.json.error).toMatchObject({
      code: 'InvalidRows',
      details: [{ code: 'InvalidValue', target: '[1].AvdelingId' }],
    })
    const partly = await post(`${path}?atomic=false`, rows)
    expect(partly.json.resultater).toMatchObject([
      { index: 0, code: 'inserted', record: { Id: 5, AvdelingId: 'Ab' } },
      { index: 1, code: 'InvalidValue' },
      { index: 2, code: 'inserted', record: { Id: 7, AvdelingId: 'Ab' } },
    ])
  })

  test("2.2.8 an unknown record in the path is 404, another company's too, byte for byte", async () => {
    const before = await everything()
    const headers = { 'x-request-id': 'a' }
    const unknown = await post("/odata/Avdeling('x')/Ansatte", {}, { headers })
    expect([unknown.status, unknown.json.error.code]).toEqual([404, 'NotFound'])
    const conditional = await post("/odata/Avdeling('x')/Ansatte", {}, { headers: { ...headers, 'if-match': 'W/"1"' } })
    expect(conditional.text).toBe(unknown.text)
    const foreign = await post("/odata/Avdeling('Ab')/Ansatte", {}, { headers, as: server.tenantB })
    expect(foreign.text).toBe(unknown.text.replace('Avdeling(x)', 'Avdeling(Ab)'))
    for (const path of ['Avdeling(1)/Ansatte', "Prosjekt('x')/Transaksjoner"])
      expect((await post(`/odata/${path}`, usage)).status, path).toBeGreaterThanOrEqual(400)
    expect((await post("/odata/Prosjekt('x')/Transaksjoner", usage)).status).toBe(404)
    expect(await everything()).toEqual(before)
  })

  test('2.2.8 every relation to many takes inserts; relations to one and longer paths do not', async () => {
    const relations = serviceSchema.relations.filter(({ isMany }) => isMany)
    expect(relations.length).toBeGreaterThan(0)
    for (const { of, wire } of relations) {
      const reply = await server.call('PUT', `/odata/${of.wire}('x')/${wire}`, { json: {} })
      expect([wire, reply.headers['allow']]).toEqual([wire, 'GET, HEAD, POST'])
    }
    await done("/odata/Avdeling('Ab')/Ansatte", { Id: 5 })
    for (const path of [
      'Ansatt(5)/Avdeling',
      'Ansatt(5)/Avdeling/Ansatte',
      "Avdeling('Ab')/Ansatte(5)",
      "Avdeling('Ab')/Ansatte/$ref",
      "Avdeling('Ab')/Ansatte/$count",
    ]) {
      const reply = await post(`/odata/${path}`, {})
      expect([path, reply.status, reply.headers['allow']]).toEqual([path, 405, 'GET, HEAD'])
    }
  })

  test('2.2.8 a record behind a relation is not written, nor another one with its key', async () => {
    await done('/odata/Avdeling', { Id: 'P1' })
    await done("/odata/Avdeling('Ab')/Prosjekter", { Id: 'P2' })
    await done('/odata/Avdeling', { Id: 'P2' })
    const before = await everything()
    for (const root of ['odata', 'ansatt'])
      for (const method of ['PATCH', 'DELETE']) {
        const address = `/${root}/Avdeling('Ab')/Prosjekter('P2')`
        const reply = await server.call(method, address, { as: company, json: { Navn: 'x' } })
        expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, HEAD'])
      }
    expect(await everything()).toEqual(before)
  })

  test('2.2.8 the scope is that of the set', async () => {
    const reader = await server.addCompany('LESER', { scopes: ['directory:read'] })
    expectError(await post("/odata/Avdeling('Ab')/Ansatte", {}, { as: reader }), 403, 'ScopeMissing')
  })

  test('2.2.8 the same Idempotency-Key behind another record is another request', async () => {
    const headers = { 'idempotency-key': 'a' }
    const first = await post("/odata/Avdeling('Ab')/Ansatte", {}, { headers })
    const again = await post("/odata/Avdeling('Ab')/Ansatte", {}, { headers })
    expect([first.status, again.text]).toEqual([201, first.text])
    expectError(await post("/odata/Avdeling('aB')/Ansatte", {}, { headers }), 422, 'IdempotencyKeyReused')
  })

  test('2.2.8 $1/Ansatte inserts behind the record that the change set inserts', async () => {
    const requests = [
      { id: '1', url: 'Avdeling', body: { Id: 'Ny' } },
      { id: '2', url: '$1/Ansatte', body: { Fornavn: 'Kari' } },
    ].map((one) => ({ ...one, method: 'POST', atomicityGroup: 'g', headers: { 'content-type': 'application/json' } }))
    const { json } = await post('/odata/$batch', { requests })
    expect(json.responses).toMatchObject([{ status: 201 }, { status: 201, body: { AvdelingId: 'Ny' } }])
  })
})
