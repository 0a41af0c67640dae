// Replies to writes, shaped by $select, $expand and $format (OData 4.01 part 1, 11.4).
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus, expectSuccess } from '../support/replies.ts'
import { usage } from '../support/material-client.ts'
import { useCompany, useTestServer } from '../support/server.ts'

describe.each(databases)('representations on $name', (database) => {
  const server = useTestServer(database, 'representation')
  const company = useCompany(server)
  beforeEach(async () => {
    await write('POST', 'Avdeling', [{ Id: '10', Navn: 'Bygg' }, { Id: '20' }])
  })

  const call = (method: string, path: string, json?: unknown, headers = {}) =>
    server.call(method, `/odata/${path}`, { as: company, json, headers })

  const write = (method: string, path: string, json: unknown, headers = {}) =>
    expectSuccess(call(method, path, json, headers))

  const refused = async (method: string, path: string, json: unknown) => {
    const { status, json: body } = await call(method, path, json)
    return `${status} ${body.error?.code} ${body.error?.target}`
  }

  const count = async (set: string) => Number((await call('GET', `${set}/$count`)).text)

  test('an inserted record is returned as $select and $expand ask', async () => {
    const options = '$select=Fornavn&$expand=Avdeling($select=Navn)'
    const body = { Fornavn: 'Kari', Etternavn: 'Å', 'Avdeling@odata.bind': "Avdeling('10')" }
    const reply = await expectStatus(write('POST', `Ansatt?${options}`, body), 201)
    expect(reply.headers).toMatchObject({ location: 'http://localhost/odata/Ansatt(1)' })
    expect(reply.json).toEqual({
      '@odata.context': 'http://localhost/odata/$metadata#Ansatt(Fornavn,Avdeling(Navn))/$entity',
      '@odata.etag': reply.headers['etag'],
      Fornavn: 'Kari',
      Avdeling: { '@odata.etag': expect.stringMatching(/^W/), Navn: 'Bygg' },
    })
    const { text } = await call('GET', `Ansatt(1)?${options}`)
    expect(reply.json).toEqual(JSON.parse(text))
  })

  test('PATCH and PUT return the record as $select and $expand ask', async () => {
    await write('POST', 'Ansatt', { AvdelingId: '10' })
    const options = '$select=Id&$expand=Avdeling($expand=Hovedavdeling)'
    const changed = await write('PATCH', `Ansatt(1)?${options}`, { AvdelingId: '20' })
    expect(changed.json).toMatchObject({ Id: 1, Avdeling: { Id: '20', Hovedavdeling: null } })
    const replaced = await write('PUT', `Ansatt(1)?${options}`, { Fornavn: 'Ola' })
    expect(replaced.json).toMatchObject({ Id: 1, Avdeling: null })
    expect(replaced.json).not.toHaveProperty('Fornavn')
  })

  test('POST and PATCH of a material transaction return it as $select and $expand ask, also behind a relation', async () => {
    await write('POST', 'Prosjekt', { Id: 'P' })
    const options = '$select=Antall&$expand=Avdeling($select=Id),Prosjekt($select=Id)'
    const body = { ...usage, Antall: 2, AvdelingId: '10' }
    const { json } = await write('POST', `Prosjekt('P')/Transaksjoner?${options}`, body)
    expect(json).toMatchObject({ Antall: 2, Avdeling: { Id: '10' }, Prosjekt: { Id: 'P' } })
    expect(json).not.toHaveProperty('Id')
    const changed = await write('PATCH', 'Transaksjon(1)?$select=Antall', { Antall: 3 })
    expect(Object.keys(changed.json)).toEqual(['@odata.context', '@odata.etag', 'Antall'])
  })

  test('$format, and Accept, select metadata and the format of decimals', async () => {
    const post = (format: string) =>
      write('POST', `Ansatt?$format=application/json;${format}`, { Stillingsprosent: 37.5 })
    const none = await post('odata.metadata=none')
    expect(none.text).not.toContain('@odata')
    const quoted = await post('IEEE754Compatible=true')
    expect(quoted.headers['content-type']).toBe('application/json;odata.metadata=minimal;IEEE754Compatible=true')
    expect(quoted.json.Stillingsprosent).toBe('37.5')
    const full = await post('odata.metadata=full')
    expect(full.json).toMatchObject({
      '@odata.type': '#Dagsverk.Ansatt',
      '@odata.editLink': 'http://localhost/odata/Ansatt(3)',
      'Avdeling@odata.navigationLink': 'http://localhost/odata/Ansatt(3)/Avdeling',
    })
    const accept = 'application/json;odata.metadata=minimal;IEEE754Compatible=true'
    const changed = await write('PATCH', 'Ansatt(1)', { Stillingsprosent: 50 }, { accept })
    expect(changed.json.Stillingsprosent).toBe('50')
  })

  test.each([
    ['$select=Fornavn,Ukjent', '400 UnknownProperty $select:9'],
    ['$select=', '400 InvalidSelect $select:1'],
    ['$expand=Avdeling($select=Ukjent)', '400 UnknownProperty $expand:18'],
    ['$expand=Ukjent', '400 UnknownProperty $expand:1'],
    ['$format=atom', '406 NotAcceptable $format'],
    ['$schemaversion=9', '404 NotFound $schemaversion'],
    ['$expand=Avdeling($expand=Ansatte)', '501 NotSupported $expand'],
    ['$expand=Avdeling&dryRun=true', '501 NotSupported $expand'],
    ['$format=application/json;metadata=full&dryRun=true', '501 NotSupported $format'],
    ['$filter=true', '501 NotSupported $filter'],
    ['$compute=Id add 1 as Neste', '501 NotSupported $compute'],
    ['$top=1', '501 NotSupported $top'],
    ['$index=1', '501 NotSupported $index'],
    ['$ukjent=1', '400 UnknownQueryOption $ukjent'],
  ])('%s is refused before anything is written: %s', async (options, expected) => {
    expect(await refused('POST', `Ansatt?${options}`, { Fornavn: 'Kari' })).toBe(expected)
    expect(await count('Ansatt')).toBe(0)
    await write('POST', 'Ansatt', { Fornavn: 'Kari' })
    for (const method of ['PATCH', 'PUT'])
      expect(await refused(method, `Ansatt(1)?${options}`, { Fornavn: 'Ola' })).toBe(expected)
    expect((await call('GET', 'Ansatt(1)')).json.Fornavn).toBe('Kari')
    const headers = { prefer: 'return=minimal' }
    expect((await call('POST', `Ansatt?${options}`, {}, headers)).status).toBeGreaterThan(399)
  })

  test('what the caller may not read is refused before anything is written', async () => {
    const scopes = 'directory:write material:write'
    const { secret } = await server.addCredential(company, { scopes })
    const send = (path: string, json: object) =>
      server.call('POST', `/odata/${path}`, { as: { ...company, key: secret }, json })
    expectError(await send('Ansatt?$select=Fodt', {}), 403, 'ScopeMissing')
    expectError(await send('Transaksjon?$expand=Avdeling', usage), 403, 'ScopeMissing')
    expect([await count('Ansatt'), await count('Transaksjon')]).toEqual([0, 0])
  })

  test('$select shapes the records of a list; $expand of a list is 501', async () => {
    const rows = [{ Fornavn: 'A' }, { Fornavn: 'B' }]
    const { json } = await write('POST', 'Ansatt?$select=Fornavn', rows)
    expect(json).toEqual(rows)
    expect(await refused('POST', 'Ansatt?$expand=Avdeling', rows)).toBe('501 NotSupported $expand')
    const dry = await write('POST', 'Ansatt?$select=Id,Fornavn&dryRun=true', { Fornavn: 'C' })
    expect(dry.json).toMatchObject({ Id: null, Fornavn: 'C' })
    expect(await count('Ansatt')).toBe(2)
  })

  test('lists have no metadata, and their Content-Type never says full', async () => {
    const headers = { accept: 'application/json;odata.metadata=full;IEEE754Compatible=true' }
    for (const options of ['', '?atomic=false']) {
      const reply = await write('POST', `Ansatt${options}`, [{ Fornavn: 'A' }], headers)
      expect(reply.text).not.toContain('@odata')
      expect(reply.headers['content-type']).toBe('application/json;odata.metadata=minimal;IEEE754Compatible=true')
    }
    const dry = await call('POST', 'Ansatt?dryRun=true', { Fornavn: 'A' }, headers)
    expect([dry.status, dry.json.error.target]).toEqual([501, 'header:Accept'])
  })

  test.each(['g', undefined])('in a batch, group %s, records written before are expanded', async (group) => {
    const headers = { 'content-type': 'application/json' }
    const requests = [
      { id: '1', url: 'Avdeling?$select=Navn', body: { Id: '30', Navn: 'Ny' } },
      { id: '2', url: 'Ansatt?$select=Id&$expand=Avdeling', body: { 'Avdeling@odata.bind': '$1' } },
    ].map((one) => ({ ...one, method: 'POST', headers, atomicityGroup: group }))
    const { json } = await write('POST', '$batch', { requests })
    expect(json.responses).toMatchObject([
      { status: 201, body: { Navn: 'Ny' } },
      { status: 201, body: { Id: 1, Avdeling: { Id: '30', Navn: 'Ny' } } },
    ])
    expect(json.responses[0].body).not.toHaveProperty('Id')
  })

  test('a repeat with the same Idempotency-Key and other options is 422', async () => {
    const headers = { 'idempotency-key': 'k' }
    const first = await write('POST', 'Ansatt?$select=Id&$expand=Avdeling', {}, headers)
    const again = await write('POST', 'Ansatt?$select=Id&$expand=Avdeling', {}, headers)
    expect(again.text).toBe(first.text)
    expectError(await call('POST', 'Ansatt?$select=Id', {}, headers), 422, 'IdempotencyKeyReused')
  })

  test('2.2.4 PUT of a record clears what the body leaves out, and takes a record as it was read', async () => {
    await write('POST', 'Ansatt', { Fornavn: 'Kari', Notat: 'x', AvdelingId: '10', Aktiv: true })
    const read = await call('GET', 'Ansatt(1)')
    const sent = { ...read.json, Etternavn: 'Aas', Aktiv: null }
    const etag = read.headers['etag'] ?? ''
    const same = await write('PUT', 'Ansatt(1)', sent, { 'if-match': etag })
    expect(same.json).toMatchObject({ Fornavn: 'Kari', Etternavn: 'Aas', AvdelingId: '10' })
    expect((await call('PUT', 'Ansatt(1)', sent, { 'if-match': etag })).status).toBe(412)
    const cleared = await write('PUT', 'Ansatt(1)', { Etternavn: 'Berg' })
    const { OpprettetDato, SistEndretDato, ...rest } = cleared.json
    expect(OpprettetDato).toBe(read.json.OpprettetDato)
    expect(SistEndretDato).not.toBe(read.json.SistEndretDato)
    const values = Object.entries(rest).filter(([name, value]) => value !== null && !name.includes('@'))
    expect(Object.fromEntries(values)).toEqual({ Id: 1, Etternavn: 'Berg' })
  })

  test('2.2.4 PUT of a record is refused where it could not mean that', async () => {
    await write('POST', 'Ansatt', { Fornavn: 'Kari', Notat: 'x' })
    expect(await refused('PUT', 'Ansatt(1)', {})).toBe('400 NothingToChange undefined')
    expect(await refused('PUT', 'Ansatt(1)', { Id: 2, Fornavn: 'B' })).toBe('400 InvalidValue Id')
    expect(await refused('PUT', 'Ansatt(9)', { Fornavn: 'B' })).toBe('404 NotFound undefined')
    expect(await refused('PUT', 'Ansatt(1)', [{ Fornavn: 'B' }])).toMatch(/^400 InvalidBodyType/)
    expect(await refused('PUT', 'Transaksjon(1)', usage)).toMatch(/^405/)
    expect((await call('GET', 'Ansatt(1)')).json).toMatchObject({ Fornavn: 'Kari', Notat: 'x' })
  })

  test('2.2.4 PUT of a record leaves the fields that the caller cannot see', async () => {
    await write('POST', 'Ansatt', { Fornavn: 'Kari', Etternavn: 'Aas', Notat: 'x' })
    const scopes = 'directory:read directory:write'
    const { secret } = await server.addCredential(company, { scopes })
    const options = { as: { ...company, key: secret } }
    const put = (json: unknown) => server.call('PUT', '/odata/Ansatt(1)', { ...options, json })
    const { json: read } = await server.call('GET', '/odata/Ansatt(1)', options)
    const same = await put(read)
    expect([same.status, same.json]).toEqual([200, read])
    expect((await put({ Fornavn: 'Ola' })).json).toMatchObject({ Fornavn: 'Ola', Etternavn: null })
    expectError(await put({ Fornavn: 'Per', Notat: null }), 403, 'ScopeMissing', { target: 'Notat' })
    expect((await call('GET', 'Ansatt(1)')).json).toMatchObject({ Fornavn: 'Ola', Notat: 'x' })
  })

  test.each([
    ['Ansatt', { Fornavn: 'A', Avdeling: { Id: '30' } }, 'Avdeling'],
    ['Ansatt', { Fornavn: 'A', avdeling: null }, 'avdeling'],
    ['Avdeling', { Id: '30', Ansatte: [{ Fornavn: 'A' }] }, 'Ansatte'],
    ['Avdeling', { Id: '30', 'Ansatte@odata.delta': [] }, 'Ansatte@odata.delta'],
    ['Transaksjon', { ...usage, 'Avdeling@delta': {} }, 'Avdeling@delta'],
  ])('a related record in the body of %s is 501 with its place: %j', async (set, body, place) => {
    const before = await count(set)
    expect(await refused('POST', set, body)).toBe(`501 NotSupported ${place}`)
    if (set !== 'Transaksjon') {
      const list = await call('POST', set, [{ Id: set === 'Ansatt' ? 7 : '40' }, body])
      expect([list.status, list.json.error.code]).toEqual([400, 'InvalidRows'])
      expect(list.json.error.details).toMatchObject([{ code: 'NotSupported', target: `[1].${place}` }])
    }
    expect(await count(set)).toBe(before)
  })

  test('$metadata says what writes support', async () => {
    const { json } = await call('GET', '$metadata?$format=json')
    const { Container } = json.Dagsverk
    expect(Container).toMatchObject({
      '@Capabilities.ModificationQueryOptions': { ExpandSupported: true, SelectSupported: true },
      '@Capabilities.DeepInsertSupport': { Supported: false },
      '@Capabilities.DeepUpdateSupport': { Supported: false },
    })
    const methods = (set: string) => Container[set]['@Capabilities.UpdateRestrictions'].UpdateMethod
    expect(['Ansatt', 'Transaksjon', 'Omsetning'].map(methods)).toEqual(['PATCH,PUT', 'PATCH', undefined])
    const xml = await call('GET', '$metadata')
    expect(xml.text).toContain('EnumMember="Capabilities.HttpMethod/PATCH Capabilities.HttpMethod/PUT"')
  })
})
