// Interface 2.2.7: references that bodies set by the URL of the related record, on every database.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { usage } from '../support/material-client.ts'
import { expectSuccess } from '../support/replies.ts'
import { useCompany, useTestServer, type TestReply } from '../support/server.ts'

type Headers = Readonly<Record<string, string>>

describe.each(databases)('bind annotations on $name', (database) => {
  const server = useTestServer(database, 'bind')
  const company = useCompany(server)
  beforeEach(async () => {
    await done('POST', '/odata/Avdeling', [{ Id: '10' }, { Id: "Å/'7", HovedavdelingId: '10' }])
    await done('POST', '/odata/Anlegg', { Id: 'A1' })
    await done('POST', '/odata/Ansatt', { Id: 1, Fornavn: 'Kari', AvdelingId: '10' })
    await done('POST', '/odata/Prosjekt', { Id: 'P1' })
  })

  const call = (method: string, address: string, json?: unknown, headers: Headers = {}) =>
    server.call(method, address, { as: company, headers, json })

  const done = async (method: string, address: string, json?: unknown) =>
    (await expectSuccess(call(method, address, json))).json

  /** All that a refused write could have changed. */
  const everything = async () => (await done('GET', '/odata/$all')).value

  const refused = (reply: TestReply, status: number, code: string, target: string) => {
    expect(reply.status, reply.text).toBe(status)
    const { error } = reply.json
    expect(error.details?.[0] ?? error).toMatchObject({ code, target })
  }

  test.each([
    "Avdeling('10')",
    "/Avdeling('10')",
    'Avdeling/10',
    "avdeling(id='10')",
    "/odata/Avdeling('10')",
    "http://localhost/odata/Avdeling('10')",
    "HTTP://LOCALHOST/ODATA/avdeling('10')",
    "Avdeling('%31%30')",
  ])('2.2.7 a bind annotation links to the record with the URL %s', async (url) => {
    const inserted = await done('POST', '/odata/Ansatt', { Id: 2, 'Avdeling@odata.bind': url })
    expect(inserted).toMatchObject({ Id: 2, AvdelingId: '10' })
    const newer = await done('PATCH', '/odata/Ansatt(2)', { 'Prosjekt@bind': "Prosjekt('P1')" })
    expect(newer).toMatchObject({ AvdelingId: '10', ProsjektId: 'P1' })
    const read = await done('GET', '/odata/Ansatt(2)?$expand=Avdeling,Prosjekt')
    expect(read).toMatchObject({ Avdeling: { Id: '10' }, Prosjekt: { Id: 'P1' } })
  })

  test('2.2.7 the key in the URL may be percent-encoded or not, and the root is the one that was called', async () => {
    for (const url of ["Avdeling('%C3%85%2F''7')", "/ansatt/Avdeling('Å%2F''7')"]) {
      const body = { 'AVDELING@OData.Bind': url }
      const reply = await call('POST', '/ansatt/ansatt', body, { 'odata-version': '4.0' })
      expect([url, reply.status, reply.json.AvdelingId]).toEqual([url, 201, "Å/'7"])
    }
  })

  test('2.2.7 every set of the directory takes bind annotations, in lists and upserts too', async () => {
    await done('POST', '/odata/Prosjekt', [
      { Id: 'P2', 'Anlegg@odata.bind': "Anlegg('A1')", 'Ansvarlig@odata.bind': 'Ansatt(1)' },
    ])
    expect(await done('GET', "/odata/Prosjekt('P2')")).toMatchObject({ AnleggId: 'A1', AnsvarligId: 1 })
    await done('PUT', '/odata/Avdeling', [
      { Id: '10', 'Ansvarlig@odata.bind': 'Ansatt(1)' },
      { Id: '11', 'Hovedavdeling@odata.bind': "Avdeling('10')" },
    ])
    const departments = await done('GET', '/odata/Avdeling?$select=Id,HovedavdelingId,AnsvarligId')
    expect(departments.value).toMatchObject([{ Id: '10', AnsvarligId: 1 }, { Id: '11', HovedavdelingId: '10' }, {}])
  })

  test('2.2.7 null clears the reference', async () => {
    const cleared = await done('PATCH', '/odata/Ansatt(1)', { 'Avdeling@odata.bind': null })
    expect(cleared.AvdelingId).toBeNull()
    const inserted = await done('POST', '/odata/Ansatt', { 'Avdeling@odata.bind': null })
    expect(inserted.AvdelingId).toBeNull()
  })

  test('2.2.7 the field of the reference may be sent too, with the same value', async () => {
    const both = { AvdelingId: '10', 'Avdeling@odata.bind': "Avdeling('10')" }
    expect((await done('PATCH', '/odata/Ansatt(1)', both)).AvdelingId).toBe('10')
    const neither = { AvdelingId: null, 'Avdeling@odata.bind': null }
    expect((await done('PATCH', '/odata/Ansatt(1)', neither)).AvdelingId).toBeNull()
  })

  test.each<[object, number, string, string]>([
    [{ 'Avdeling@odata.bind': "Avdeling('11')" }, 422, 'ReferenceNotFound', 'Avdeling@odata.bind'],
    [{ 'Avdeling@bind': "Avdeling('11')" }, 422, 'ReferenceNotFound', 'Avdeling@bind'],
    [{ 'Avdeling@odata.bind': 'Ansatt(1)' }, 400, 'InvalidValue', 'Avdeling@odata.bind'],
    [{ 'Avdeling@odata.bind': 'Avdeling(10)' }, 400, 'InvalidValue', 'Avdeling@odata.bind'],
    [{ 'Avdeling@odata.bind': 'Avdeling' }, 400, 'InvalidValue', 'Avdeling@odata.bind'],
    [{ 'Avdeling@odata.bind': '$1' }, 400, 'InvalidValue', 'Avdeling@odata.bind'],
    [{ 'Avdeling@odata.bind': '' }, 400, 'InvalidValue', 'Avdeling@odata.bind'],
    [{ 'Avdeling@odata.bind': "Avdeling('%00')" }, 400, 'InvalidValue', 'Avdeling@odata.bind'],
    [{ 'Avdeling@odata.bind': "Avdeling('10')?a" }, 400, 'InvalidValue', 'Avdeling@odata.bind'],
    [{ 'Avdeling@odata.bind': "Avdeling('10')/Navn" }, 400, 'InvalidValue', 'Avdeling@odata.bind'],
    [{ 'Avdeling@odata.bind': "http://elsewhere/odata/Avdeling('10')" }, 400, 'InvalidValue', 'Avdeling@odata.bind'],
    [{ 'Avdeling@odata.bind': "../odata/Avdeling('10')" }, 400, 'InvalidValue', 'Avdeling@odata.bind'],
    [{ 'Avdeling@odata.bind': 10 }, 400, 'InvalidType', 'Avdeling@odata.bind'],
    [{ 'Avdeling@odata.bind': ["Avdeling('10')"] }, 400, 'InvalidType', 'Avdeling@odata.bind'],
    [{ AvdelingId: '10', 'Avdeling@odata.bind': "Avdeling('11')" }, 400, 'DuplicateField', 'Avdeling@odata.bind'],
    [{ AvdelingId: null, 'Avdeling@odata.bind': "Avdeling('10')" }, 400, 'DuplicateField', 'Avdeling@odata.bind'],
    [{ AvdelingId: '10', 'Avdeling@odata.bind': null }, 400, 'DuplicateField', 'Avdeling@odata.bind'],
    [
      { 'Avdeling@odata.bind': "Avdeling('10')", 'avdeling@bind': "Avdeling('10')" },
      400,
      'DuplicateField',
      'avdeling@bind',
    ],
    [{ 'Avdelng@odata.bind': "Avdeling('10')" }, 400, 'UnknownField', 'Avdelng@odata.bind'],
    [{ 'Anlegg@odata.bind': "Anlegg('A1')" }, 400, 'UnknownField', 'Anlegg@odata.bind'],
    [{ '@odata.bind': "Avdeling('10')" }, 400, 'UnknownField', '@odata.bind'],
  ])('2.2.7 %j is refused with its place, and nothing is stored', async (body, ...expected) => {
    const before = await everything()
    const [status, code, target] = expected
    const inserted = await call('POST', '/odata/Ansatt', { Id: 2, Fornavn: 'B', ...body })
    refused(inserted, status, code, target)
    refused(await call('PATCH', '/odata/Ansatt(1)', body), status, code, target)
    const rows = [
      { Id: 2, Fornavn: 'B' },
      { Id: 3, ...body },
    ]
    refused(await call('POST', '/odata/Ansatt', rows), 400, code, `[1].${target}`)
    expect(await everything()).toEqual(before)
  })

  test('2.2.7 a record of another company is refused like one that does not exist, byte for byte', async () => {
    const body = { 'Avdeling@odata.bind': "Avdeling('10')" }
    const options = { json: body, headers: { 'x-request-id': 'a' }, as: server.tenantB }
    const foreign = await server.call('POST', '/odata/Ansatt', options)
    const unknown = await server.call('POST', '/odata/Ansatt', {
      ...options,
      json: { 'Avdeling@odata.bind': "Avdeling('11')" },
    })
    expect([foreign.status, foreign.text]).toEqual([422, unknown.text.replace('11', '10')])
  })

  test('2.2.7 a relation to many is refused with the field to set instead', async () => {
    const body = { 'Ansatte@odata.bind': ['Ansatt(1)'] }
    for (const sent of [body, { 'Ansatte@odata.bind': null }]) {
      const reply = await call('PATCH', "/odata/Avdeling('10')", sent)
      refused(reply, 400, 'CollectionNotBindable', 'Ansatte@odata.bind')
      expect(reply.json.error.message).toContain('Set AvdelingId of each Ansatt')
    }
    const norwegian = await call('POST', '/odata/Avdeling', { Id: '12', ...body }, { 'accept-language': 'nb' })
    expect(norwegian.json.error.message).toContain('Sett heller AvdelingId')
    expect((await call('GET', "/odata/Avdeling('12')")).status).toBe(404)
  })

  test('2.2.7 a text that is longer than any URL of a record is refused', async () => {
    for (const key of ['('.repeat(300), '('.repeat(9000), `'${'x'.repeat(9000)}'`]) {
      const body = { 'Avdeling@odata.bind': `Avdeling(${key})` }
      const reply = await call('POST', '/odata/Ansatt', body)
      refused(reply, 400, 'InvalidValue', 'Avdeling@odata.bind')
    }
  })

  test('2.2.7 an unknown relation is refused with the closest one', async () => {
    const reply = await call('POST', '/odata/Ansatt', { 'Avdelng@odata.bind': "Avdeling('10')" })
    expect(reply.json.error.message).toBe('There is no field "Avdelng@odata.bind". Did you mean "Avdeling@odata.bind"?')
  })

  test('2.2.7 with atomic=false only the row with the missing record is refused', async () => {
    const reply = await call('POST', '/odata/Ansatt?atomic=false', [
      { Id: 2, 'Avdeling@odata.bind': "Avdeling('10')" },
      { Id: 3, 'Avdeling@odata.bind': "Avdeling('11')" },
    ])
    expect(reply.json.resultater).toMatchObject([
      { code: 'inserted', record: { AvdelingId: '10' } },
      { code: 'ReferenceNotFound', target: '[1].Avdeling@odata.bind' },
    ])
  })

  test('2.2.7 $1 is the record that an earlier request of the change set inserts', async () => {
    const requests = [
      { id: '1', url: 'Avdeling', body: { Id: "Ny/'1", Navn: 'Ny' } },
      { id: '2', url: 'Ansatt', body: { 'Avdeling@odata.bind': '$1' } },
      { id: '3', url: '$1', method: 'PATCH', body: { 'Ansvarlig@odata.bind': '$2' } },
    ].map((one) => ({ method: 'POST', atomicityGroup: 'g', headers: { 'content-type': 'application/json' }, ...one }))
    const { responses } = await done('POST', '/odata/$batch', { requests })
    expect(responses).toMatchObject([
      { status: 201 },
      { status: 201, body: { AvdelingId: "Ny/'1" } },
      { status: 200, body: { AnsvarligId: 2 } },
    ])
  })

  test('2.2.7 $1 in a multipart batch, and a reference to a request that failed', async () => {
    const part = (id: string, line: string, body: object) =>
      [
        '--b',
        'Content-Type: application/http',
        `Content-ID: ${id}`,
        '',
        `${line} HTTP/1.1`,
        'Content-Type: application/json',
        '',
        JSON.stringify(body),
        '',
      ].join('\r\n')
    const parts = [
      part('1', 'POST Avdeling', { Id: '20' }),
      part('2', 'POST Ansatt', { Id: 2, 'Avdeling@odata.bind': '$1' }),
      part('3', 'POST Avdeling', { Id: '20' }),
      part('4', 'POST Ansatt', { Id: 3, 'Avdeling@odata.bind': '$3' }),
    ]
    const reply = await server.call('POST', '/odata/$batch', {
      as: company,
      body: `${parts.join('')}--b--\r\n`,
      headers: { 'content-type': 'multipart/mixed; boundary=b', prefer: 'odata.continue-on-error' },
    })
    expect(reply.text.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['201', '201', '409', '400'])
    const { value } = await done('GET', '/odata/Ansatt?$filter=Id gt 1')
    expect(value).toMatchObject([{ Id: 2, AvdelingId: '20' }])
  })

  describe('of transactions', () => {
    const bound = {
      'Ansatt@odata.bind': 'Ansatt(1)',
      'Avdeling@odata.bind': "Avdeling('10')",
      'Prosjekt@odata.bind': "/Prosjekt('P1')",
      'Anlegg@odata.bind': "http://localhost/prosjekt/Anlegg('A1')",
    }
    const fields = { AnsattId: 1, AvdelingId: '10', ProsjektId: 'P1', AnleggId: 'A1' }
    const missing = { 'Avdeling@odata.bind': "Avdeling('11')" }
    const transactions = async () => (await done('GET', '/odata/Transaksjon')).value

    test('2.2.7 POST, PATCH and Batch set the references', async () => {
      const posted = await done('POST', '/prosjekt/Transaksjon', { ...usage, ...bound })
      expect(posted).toMatchObject(fields)
      await done('POST', '/prosjekt/Transaksjon/Batch', [usage, { ...usage, ...bound }])
      await done('POST', '/prosjekt/Transaksjon/Batch', { transaksjoner: [{ ...usage, ...bound }] })
      await done('PATCH', '/prosjekt/Transaksjon(2)', bound)
      expect(await transactions()).toMatchObject([fields, fields, fields, fields])
      const cleared = await done('PATCH', '/prosjekt/Transaksjon(2)', { 'Ansatt@odata.bind': null })
      expect(cleared).toMatchObject({ ...fields, AnsattId: null })
    })

    test('2.2.7 a bound record must exist, although a field may name one that does not', async () => {
      const field = { ...usage, AvdelingId: '11' }
      expect((await done('POST', '/prosjekt/Transaksjon', field)).AvdelingId).toBe('11')
      const before = await transactions()
      const target = 'Avdeling@odata.bind'
      const posted = await call('POST', '/prosjekt/Transaksjon', { ...usage, ...missing })
      refused(posted, 422, 'ReferenceNotFound', target)
      const patched = await call('PATCH', '/prosjekt/Transaksjon(1)', missing)
      refused(patched, 422, 'ReferenceNotFound', target)
      const list = [usage, { ...usage, ...missing }]
      const registered = await call('POST', '/prosjekt/Transaksjon/Batch', list)
      refused(registered, 400, 'ReferenceNotFound', `[1].${target}`)
      expect(await transactions()).toEqual(before)
      const partly = await done('POST', '/prosjekt/Transaksjon/Batch?atomic=false', list)
      expect(partly.resultater).toMatchObject([
        { code: 'registered' },
        { code: 'ReferenceNotFound', target: `[1].${target}` },
      ])
    })

    test('2.2.7 a bound employee that cannot exist is refused like any other', async () => {
      for (const id of ['0', '2147483648', '999999999999999']) {
        const body = { ...usage, 'Ansatt@odata.bind': `Ansatt(${id})` }
        refused(await call('POST', '/prosjekt/Transaksjon', body), 422, 'ReferenceNotFound', 'Ansatt@odata.bind')
      }
    })
  })
})
