// `Prefer: return` of writes (RFC 7240, 4.2; OData 4.01 part 1, 8.2.8.7), on every database.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { usage } from '../support/material-client.ts'
import { useCompany, useTestServer } from '../support/server.ts'

describe.each(databases)('Prefer: return on $name', (database) => {
  const server = useTestServer(database, 'return')
  const company = useCompany(server)

  const call = (method: string, address: string, json: unknown, prefer?: string) =>
    server.call(method, address, { as: company, json, headers: prefer === undefined ? {} : { prefer } })

  const minimal = async (method: string, address: string, json: unknown) => {
    const reply = await call(method, address, json, 'respond-async, return=minimal')
    expect([reply.status, reply.text], reply.text).toEqual([204, ''])
    expect(reply.headers['preference-applied']).toBe('return=minimal')
    expect(reply.headers).not.toHaveProperty('content-type')
    expect(reply.headers['vary']).toContain('Prefer')
    return reply.headers
  }

  test('minimal: an inserted record is 204 with its URL and ETag, and a change with its ETag', async () => {
    const inserted = await minimal('POST', '/odata/Ansatt', { Fornavn: 'Kari' })
    const address = 'http://localhost/odata/Ansatt(1)'
    expect(inserted).toMatchObject({ location: address, 'odata-entityid': address })
    const changed = await minimal('PATCH', '/odata/Ansatt(1)', { Fornavn: 'Ola' })
    const read = await server.call('GET', '/odata/Ansatt(1)', { as: company })
    expect(read.json.Fornavn).toBe('Ola')
    expect(changed['etag']).toBe(read.headers['etag'])
    expect(inserted['etag']).not.toBe(changed['etag'])
  })

  test('minimal: a transaction is 204 with its URL, whether it is new or known already', async () => {
    const address = 'http://localhost/prosjekt/Transaksjon(1)'
    const known = { ...usage, EksternId: 'x' }
    const inserted = await minimal('POST', '/prosjekt/Transaksjon', known)
    expect(inserted).toMatchObject({ location: address, 'odata-entityid': address })
    expect(await minimal('POST', '/prosjekt/Transaksjon', known)).toMatchObject({ 'odata-entityid': address })
    await minimal('PATCH', '/prosjekt/Transaksjon(1)', { Antall: 3 })
    const read = await server.call('GET', '/prosjekt/Transaksjon(1)', { as: company })
    expect(read.json.Antall).toBe(3)
  })

  test('minimal: lists too, except for one result per row', async () => {
    await minimal('POST', '/odata/Anlegg', [{ Id: '1' }, { Id: '2' }])
    await minimal('PUT', '/odata/Anlegg', [{ Id: '1', Navn: 'A' }])
    const rows = [{ Id: '1', Navn: 'B' }]
    const partly = await call('PUT', '/odata/Anlegg?atomic=false', rows, 'return=minimal')
    expect([partly.status, partly.json.antall]).toEqual([200, { updated: 1 }])
    expect(partly.headers['preference-applied']).toBeUndefined()
  })

  test('representation: the record, and the reply says so', async () => {
    const reply = await call('POST', '/odata/Anlegg', { Id: '1' }, 'return="representation"')
    expect([reply.status, reply.json.Id]).toEqual([201, '1'])
    expect(reply.headers['preference-applied']).toBe('return=representation')
    const plain = await call('PATCH', '/odata/Anlegg(%271%27)', { Navn: 'A' }, 'return=other')
    expect([plain.status, plain.json.Navn]).toEqual([200, 'A'])
    expect(plain.headers['preference-applied']).toBeUndefined()
  })

  test('a refused write has its error in the body, and /dev always replies with records', async () => {
    expectError(await call('POST', '/odata/Anlegg', { Ukjent: 1 }, 'return=minimal'), 400, 'UnknownField')
    const row = { Dato: '2024-05-01', AvdelingID: '1', Omsetning: 1 }
    const saved = await call('POST', '/dev/Omsetning/Lagre', row, 'return=minimal')
    expect([saved.status, saved.json.Omsetning]).toEqual([200, 1])
  })

  test('a repeat with the same Idempotency-Key gets the same reply', async () => {
    const send = () =>
      server.call('POST', '/odata/Ansatt', {
        as: company,
        json: { Fornavn: 'Kari' },
        headers: { prefer: 'return=minimal', 'idempotency-key': 'a' },
      })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status, again.text]).toEqual([204, 204, ''])
    expect(again.headers).toMatchObject({
      'odata-entityid': first.headers['odata-entityid'],
      'idempotency-replayed': 'true',
    })
  })

  test('$1 in a batch is the record of a request that preferred a minimal reply', async () => {
    const headers = { 'content-type': 'application/json', prefer: 'return=minimal' }
    const requests = [
      { id: '1', url: 'Avdeling', body: { Id: '10' } },
      { id: '2', url: 'Ansatt', body: { 'Avdeling@odata.bind': '$1' } },
    ].map((one) => ({ ...one, method: 'POST', headers }))
    const reply = await call('POST', '/odata/$batch', { requests })
    expect(reply.json.responses).toMatchObject([{ status: 204 }, { status: 204 }])
    const read = await server.call('GET', '/odata/Ansatt(1)/Avdeling/Id/$value', { as: company })
    expect(read.text).toBe('10')
  })
})
