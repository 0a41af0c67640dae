// Interface 2.2: writing the directory, on every database.
import { array, assert, asyncProperty, boolean, constantFrom, record } from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { expectError, expectStatus, expectSuccess } from '../support/replies.ts'
import { recordsIn } from '../support/etags.ts'
import { seed } from '../support/random.ts'
import {
  useTestServer,
  type TestReply,
  type TestCompany,
  type TestCompanyOptions,
  type TestServer,
} from '../support/server.ts'

type Headers = Readonly<Record<string, string>>

const deletions = statement<{ resource: string; key: string; at: number }>(
  ({ value }) =>
    sql`select resource, key, at from "directoryDeletion" where "companyId" = ${value('companyId')} order by resource`,
)

const writing = record({
  isFirst: boolean(),
  key: constantFrom('a', 'b', 'c'),
  name: constantFrom('A', 'B', 'C', null),
})

describe.each(databases)('the directory on $name', (database) => {
  const server = useTestServer(database, 'directory_writes')
  let company: TestCompany
  let companies = 0
  const newCompany = async (options?: TestCompanyOptions) => {
    company = await server.addCompany(`FIRMA ${++companies}`, options)
  }
  beforeEach(() => newCompany())

  const call = (method: string, address: string, json?: unknown, headers: Headers = {}) =>
    server.call(method, address, { as: company, headers, json })

  const done = (method: string, address: string, json?: unknown, headers?: Headers) =>
    expectSuccess(call(method, address, json, headers))

  const all = async (set: string, query = '') => recordsIn(await done('GET', `/odata/${set}${query}`))

  const refused = (reply: TestReply, status: number, code: string, target?: string) => {
    expectError(reply, status, code)
    if (target !== undefined) expect(reply.json.error.target).toBe(target)
  }

  describe('inserting', () => {
    test('2.2.1 a high id chosen by a caller does not advance the sequence of assigned ids', async () => {
      await done('POST', '/odata/Ansatt', { Id: 2_147_483_647, Fornavn: 'Sist' })
      const { json } = await done('POST', '/odata/Ansatt', [{ Fornavn: 'A' }, { Fornavn: 'B' }])
      expect(json.map(({ Id }: { Id: number }) => Id)).toEqual([1, 2])
    })

    test('2.2.1 inserting one object returns 201 with the record, its Location, and an assigned id', async () => {
      const reply = await expectStatus(call('POST', '/ansatt/ansatt', { fornavn: 'Kari', ETTERNAVN: 'Ås' }), 201)
      const address = 'http://localhost/ansatt/Ansatt(1)'
      expect(reply.headers).toMatchObject({ location: address, 'odata-entityid': address })
      expect(reply.json).toMatchObject({ Id: 1, fornavn: 'Kari', etternavn: 'Ås', Aktiv: null })
      // The reply equals what a read returns.
      const read = await call('GET', '/ansatt/ansatt(1)')
      expect(read.text).toBe(reply.text)
    })

    test('2.2.1 OData clients get the declared field names under every service root', async () => {
      for (const root of ['ansatt', 'prosjekt', 'omsetning', 'odata']) {
        const reply = await call('POST', `/${root}/Avdeling`, { id: root, navn: 'Å' }, { 'odata-maxversion': '4.0' })
        expect(reply.status, reply.text).toBe(201)
        expect(reply.json).toMatchObject({ Id: root, Navn: 'Å' })
        expect(reply.headers['location']).toBe(`http://localhost/${root}/Avdeling('${root}')`)
      }
      expect(await all('Avdeling')).toHaveLength(4)
    })

    test('2.2.1 inserting an array returns 201 with the array in its order', async () => {
      const reply = await call('POST', '/ansatt/Ansatte', [{ Fornavn: 'A', Id: 7 }, { Fornavn: 'B' }])
      expect(reply.status, reply.text).toBe(201)
      expect(reply.json.map((one: { Id: number }) => one.Id)).toEqual([7, 8])
      expect((await call('POST', '/ansatt/ansatt', [])).text).toBe('[]')
    })

    test('2.2.1 the id of a deleted employee is never assigned again', async () => {
      await done('POST', '/ansatt/ansatt', { Id: 40 })
      await done('DELETE', '/ansatt/ansatt(40)')
      expect((await done('POST', '/ansatt/ansatt', {})).json.Id).toBe(41)
      await call('POST', '/ansatt/ansatt?dryRun=true', {})
      expect((await done('POST', '/ansatt/ansatt', {})).json.Id).toBe(42)
    })

    test('2.2.1 ids that exist before the first insert are not assigned again', async () => {
      await fillDirectory(server, company, { employees: [{ id: 8 }, { id: 9 }] })
      await done('DELETE', '/ansatt/ansatt(9)')
      expect((await done('POST', '/ansatt/ansatt', {})).json.Id).toBe(10)
    })

    test('2.2.1 a text key is stored byte for byte, whatever characters it contains', async () => {
      for (const id of ["O'Brien", 'a/b', '007', 'Ab', 'ab', '50 %', '½ #1?'])
        await done('POST', '/odata/Anlegg', { Id: id, Navn: id })
      expect(await all('Anlegg')).toHaveLength(7)
      const { headers } = await call('POST', '/odata/Anlegg', { Id: "5' ?#/%", Navn: 'x' })
      const there = await call('GET', (headers['location'] ?? '').replace('http://localhost', ''))
      expect(there.json).toMatchObject({ Id: "5' ?#/%" })
    })

    test.each([
      [{ Navn: 'x' }, 400, 'MissingField', 'Id'],
      [{ Id: '' }, 400, 'MissingField', 'Id'],
      [{ Id: '1', Nvan: 'x' }, 400, 'UnknownField', 'Nvan'],
      [{ Id: '1', Navn: 'x', NAVN: 'x' }, 400, 'DuplicateField', 'Navn'],
      [{ Id: '1', SistEndretDato: '2024-01-01' }, 400, 'ReadOnlyField', 'SistEndretDato'],
      [{ Id: '1', HovedavdelingId: 'x' }, 422, 'ReferenceNotFound', 'HovedavdelingId'],
      [{ Id: '1', AnsvarligId: 9 }, 422, 'ReferenceNotFound', 'AnsvarligId'],
      [{ Id: '1', AnsvarligId: 'ni' }, 400, 'InvalidType', 'AnsvarligId'],
      [{ Id: '1', Aktiv: 'kanskje' }, 400, 'InvalidType', 'Aktiv'],
      [{ Id: 'x'.repeat(51) }, 400, 'ValueTooLong', 'Id'],
      [{ Id: '1', Navn: 'a\u0000b' }, 400, 'InvalidCharacter', 'Navn'],
      [7, 400, 'InvalidBodyType', undefined],
    ])('2.2.1 %j is rejected, and nothing is stored', async (body, status, code, target) => {
      refused(await call('POST', '/odata/Avdeling', body), status, code, target)
      expect(await all('Avdeling')).toEqual([])
    })

    test('2.2.1 an unknown field is rejected with the closest known name; annotations are ignored', async () => {
      const { json } = await call('POST', '/odata/Avdeling', { Id: '1', Nvan: 'x' })
      expect(json.error.message).toContain('Did you mean "Navn"?')
      await done('POST', '/odata/Avdeling', { '@odata.id': 'x', Id: '1', 'Navn@x': 1 })
    })

    test('2.2.1 null is a valid field value but not a valid key', async () => {
      const { json } = await done('POST', '/odata/Ansatt', { Id: null, Fornavn: null, Aktiv: null })
      expect(json).toMatchObject({ Id: 1, Fornavn: null, Aktiv: null })
    })

    test('2.2.1 employee ids are limited to Edm.Int32', async () => {
      for (const Id of [-1, 2_147_483_648])
        refused(await call('POST', '/odata/Ansatt', { Id }), 400, 'NumberOutOfRange', 'Id')
      await done('POST', '/odata/Ansatt', { Id: 2_147_483_647 })
    })

    test('2.2.1 an existing key is 409, whether it is stored or repeated within the list', async () => {
      await done('POST', '/odata/Avdeling', { Id: '1', Navn: 'første' })
      refused(await call('POST', '/odata/Avdeling', { Id: '1' }), 409, 'AlreadyExists', 'Id')
      const list = await call('POST', '/odata/Avdeling', [{ Id: '2' }, { Id: '2' }, { Id: '1' }])
      refused(list, 409, 'Conflict')
      expect(list.json.error.details).toMatchObject([
        { code: 'AlreadyExists', target: '[1].Id', message: 'Avdeling(2) already exists.' },
        { code: 'AlreadyExists', target: '[2].Id' },
      ])
      expect(await all('Avdeling')).toHaveLength(1)
    })

    test('2.2.1 write bodies that are not JSON are 415, and an unsupported Accept is 406', async () => {
      const xml = { 'content-type': 'application/xml', accept: 'application/json' }
      const body = '<Avdeling><Id>1</Id></Avdeling>'
      const reply = await server.call('POST', '/odata/Avdeling', { as: company, body, headers: xml })
      refused(reply, 415, 'UnsupportedMediaType')
      expect(reply.headers['accept-post']).toBe('application/json')
      const plain = { accept: 'text/plain' }
      refused(await call('POST', '/odata/Avdeling', { Id: '1' }, plain), 406, 'NotAcceptable')
      expect(await all('Avdeling')).toEqual([])
    })
  })

  describe('lists', () => {
    test('2.2.2 a list is stored whole or not at all; each invalid row is reported with its position', async () => {
      const rows = [{ Id: '1' }, { Navn: 'x' }, { Id: '3', Fodt: 1 }, { Id: '4', AnsvarligId: 1 }]
      const reply = await call('POST', '/odata/Avdeling', rows)
      refused(reply, 400, 'InvalidRows')
      const targets = reply.json.error.details.map((one: { target: string }) => one.target)
      expect(targets).toEqual(['[1].Id', '[2].Fodt'])
      expect(await all('Avdeling')).toEqual([])
    })

    test('2.2.2 with atomic=false the valid rows are stored and each row has its own result', async () => {
      const rows = [{ Id: '1' }, { Navn: 'x' }, { Id: '3', AnsvarligId: 1 }]
      const reply = await expectStatus(done('POST', '/odata/Avdeling?atomic=false', rows))
      expect(reply.json.resultater).toMatchObject([
        { index: 0, code: 'inserted', record: { Id: '1' } },
        { index: 1, code: 'MissingField', target: '[1].Id' },
        { index: 2, code: 'ReferenceNotFound', target: '[2].AnsvarligId' },
      ])
      expect(await all('Avdeling')).toHaveLength(1)
    })

    test('2.2.2 rows of a list may refer to one another in any order, and fail together', async () => {
      const chain = [
        { Id: 'c', HovedavdelingId: 'b' },
        { Id: 'b', HovedavdelingId: 'a' },
        { Id: 'a', AnsvarligId: 5 },
        { Id: 'x', HovedavdelingId: 'y' },
        { Id: 'y', HovedavdelingId: 'x' },
      ]
      const reply = await done('POST', '/odata/Avdeling?atomic=false', chain)
      const codes = reply.json.resultater.map((one: { code: string }) => one.code)
      expect(codes).toEqual(['ReferenceNotFound', 'ReferenceNotFound', 'ReferenceNotFound', 'inserted', 'inserted'])
    })

    test('2.2.2 a dry run returns the result of the write and stores nothing', async () => {
      const reply = await done('POST', '/odata/Ansatt?dryRun=true', [{}, { Id: 9 }])
      expect(reply.headers['x-dry-run']).toBe('true')
      expect(reply.json).toMatchObject([{ Id: null }, { Id: 9 }])
      expect(reply.headers['location']).toBeUndefined()
      expect(await all('Ansatt')).toEqual([])
    })

    test('2.2.2 a list has at most 100,000 rows', async () => {
      const rows = Array.from({ length: 100_001 }, () => '{}').join(',')
      const reply = await server.call('POST', '/odata/Ansatt', {
        as: company,
        body: `[${rows}]`,
        headers: { 'content-type': 'application/json' },
      })
      refused(reply, 400, 'TooManyItems')
    })

    test('2.2.2 a repeat with the same Idempotency-Key returns the first reply again', async () => {
      const key = { 'idempotency-key': 'k1' }
      const first = await done('POST', '/odata/Ansatt', { Fornavn: 'Kari' }, key)
      const again = await expectStatus(done('POST', '/odata/Ansatt', { Fornavn: 'Kari' }, key), 201)
      expect(again.text).toBe(first.text)
      expect(again.headers['location']).toBe(first.headers['location'])
      expect(again.headers['idempotency-replayed']).toBe('true')
      refused(await call('POST', '/odata/Ansatt', { Fornavn: 'Ola' }, key), 422, 'IdempotencyKeyReused')
      expect(await all('Ansatt')).toHaveLength(1)
    })

    test('2.2.2 a long reply is generated again from the records for a repeat, also with text keys', async () => {
      const rows = Array.from({ length: 700 }, (_, index) => ({ Id: `D${index}`, Navn: 'x'.repeat(100) }))
      const key = { 'idempotency-key': 'lang' }
      const first = await done('POST', '/odata/Avdeling', rows, key)
      const again = await done('POST', '/odata/Avdeling', rows, key)
      expect(again.text).toBe(first.text)
      expect(again.headers['idempotency-replayed']).toBe('true')
    })
  })

  describe('PUT of an array', () => {
    test('2.2.3 updates existing records and inserts new ones; fields that were not sent keep their values', async () => {
      await done('POST', '/odata/Avdeling', { Id: '1', Navn: 'A', Epost: 'a@b.no' })
      const reply = await done('PUT', '/odata/Avdeling', [
        { Id: '1', Navn: 'B' },
        { Id: '2', Navn: 'C' },
      ])
      expect(reply.status).toBe(200)
      expect(reply.json).toMatchObject([
        { Id: '1', Navn: 'B', Epost: 'a@b.no' },
        { Id: '2', Navn: 'C' },
      ])
      expect(await all('Avdeling')).toEqual(reply.json)
    })

    test('2.2.3 a row equal to the stored record changes nothing, not even SistEndretDato', async () => {
      const before = await done('POST', '/odata/Avdeling', [{ Id: '1', Navn: 'A', Aktiv: true }])
      const rows = [{ Id: '1', Navn: 'A', Aktiv: true }]
      const { json } = await done('PUT', '/odata/Avdeling?atomic=false', rows)
      expect(json.resultater).toMatchObject([{ code: 'unchanged' }])
      expect(await all('Avdeling')).toEqual(before.json)
    })

    test('2.2.3 two rows of one record are applied in order, and both results show the final record', async () => {
      const { json } = await done('PUT', '/odata/Avdeling', [
        { Id: '1', Navn: 'A' },
        { Id: '1', Epost: 'a@b.no' },
        { Id: '1', Navn: null },
      ])
      expect(new Set(json.map((one: object) => JSON.stringify(one))).size).toBe(1)
      expect(json[0]).toMatchObject({ Navn: null, Epost: 'a@b.no' })
    })
  })

  describe('PATCH', () => {
    test('2.2.4 changes only the named fields, with the key in parentheses or as a path segment', async () => {
      await done('POST', '/odata/Ansatt', { Id: 7, Fornavn: 'Kari', Etternavn: 'Ås', Aktiv: true })
      for (const [address, change] of [
        ['/ansatt/ansatt(7)', { fornavn: 'Ola' }],
        ['/prosjekt/Ansatt/7', { Aktiv: null }],
        ['/odata/Ansatt(Id=7)', { Stillingsprosent: '37,5'.replace(',', '.') }],
      ] as const)
        expect((await done('PATCH', address, change)).status).toBe(200)
      expect(await all('Ansatt')).toMatchObject([
        { Fornavn: 'Ola', Etternavn: 'Ås', Aktiv: null, Stillingsprosent: 37.5 },
      ])
    })

    test('2.2.4 changes SistEndretDato and leaves OpprettetDato', async () => {
      const { json: before } = await done('POST', '/odata/Avdeling', { Id: '1' })
      const { json: after } = await done('PATCH', "/odata/Avdeling('1')", { Navn: 'B' })
      expect(after.SistEndretDato > before.SistEndretDato).toBe(true)
      expect(after.OpprettetDato).toBe(before.OpprettetDato)
    })

    test('2.2.4 the key may be repeated in the body; a different key, or no field to change, is 400', async () => {
      await done('POST', '/odata/Avdeling', { Id: '1', Navn: 'A' })
      await done('PATCH', "/odata/Avdeling('1')", { Id: '1', Navn: 'B' })
      const other = await call('PATCH', "/odata/Avdeling('1')", { Id: '2', Navn: 'C' })
      refused(other, 400, 'InvalidValue', 'Id')
      refused(await call('PATCH', "/odata/Avdeling('1')", {}), 400, 'NothingToChange')
      expect(await all('Avdeling')).toMatchObject([{ Id: '1', Navn: 'B' }])
    })

    test('2.2.4 an unknown key and a key of another company are the same 404, byte for byte', async () => {
      const headers = { 'x-request-id': 'samme' }
      const before = await call('PATCH', "/odata/Avdeling('1')", { Navn: 'A' }, headers)
      refused(before, 404, 'NotFound')
      const unread = await call('GET', "/odata/Avdeling('1')", undefined, headers)
      refused(unread, 404, 'NotFound')
      const mine = company
      await newCompany()
      await done('POST', '/odata/Avdeling', { Id: '1', Navn: 'deres' })
      company = mine
      const after = await call('PATCH', "/odata/Avdeling('1')", { Navn: 'A' }, headers)
      expect(after.text).toBe(before.text)
      const read = await call('GET', "/odata/Avdeling('1')", undefined, headers)
      expect(read.text).toBe(unread.text)
      for (const key of ['7', 'null', "Navn='x'"])
        refused(await call('PATCH', `/odata/Avdeling(${key})`, { Navn: 'A' }), 404, 'NotFound')
    })

    test('2.2.4 If-Match and If-None-Match are honoured', async () => {
      const { headers } = await done('POST', '/odata/Avdeling', { Id: '1', Navn: 'A' })
      const etag = headers['etag'] ?? ''
      const patch = (Navn: string, conditions: Headers) => call('PATCH', "/odata/Avdeling('1')", { Navn }, conditions)
      const second = await expectStatus(patch('B', { 'if-match': etag }))
      refused(await patch('C', { 'if-match': etag }), 412, 'PreconditionFailed', 'header:If-Match')
      refused(await patch('C', { 'if-none-match': '*' }), 412, 'PreconditionFailed')
      const ours = second.headers['etag'] ?? ''
      expect((await patch('C', { 'if-match': `"x", ${ours}` })).status).toBe(200)
      expect((await patch('D', { 'if-match': '*' })).status).toBe(200)
      refused(await call('DELETE', "/odata/Avdeling('1')", undefined, { 'if-match': ours }), 412, 'PreconditionFailed')
      expect(await all('Avdeling')).toMatchObject([{ Navn: 'D' }])
    })

    test('2.2.4 If-Match is rejected on a set, which has no ETag', async () => {
      const { headers } = await done('POST', '/odata/Avdeling', { Id: '1', Navn: 'A' })
      const match = { 'if-match': headers['etag'] ?? '' }
      const rows = [{ Id: '1', Navn: 'B' }]
      for (const method of ['PUT', 'POST'])
        refused(await call(method, '/odata/Avdeling', rows, match), 412, 'PreconditionFailed')
      await done('PUT', '/odata/Avdeling', rows, { 'if-match': '*' })
      expect(await all('Avdeling')).toMatchObject([{ Navn: 'B' }])
    })

    test('2.2.4 of two callers with the same ETag, one succeeds and one gets 412', async () => {
      const { headers } = await done('POST', '/odata/Avdeling', { Id: '1', Navn: '0' })
      const secondInstance = await server.secondInstance()
      const patch = (on: TestServer, Navn: string) =>
        on.call('PATCH', "/odata/Avdeling('1')", {
          as: company,
          json: { Navn },
          headers: { 'if-match': headers['etag'] ?? '' },
        })
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          // A name of its own: a write that changes nothing would keep the ETag.
          patch(index % 2 ? server : secondInstance, `Ny ${index}`),
        ),
      )
      expect(replies.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
        200,
        ...Array<number>(9).fill(412),
      ])
    })
  })

  describe('DELETE', () => {
    test('2.2.5 returns 204 and deletes the record', async () => {
      await done('POST', '/odata/Anlegg', { Id: 'A1' })
      const reply = await expectStatus(call('DELETE', "/odata/Anlegg('A1')"), 204)
      expect(reply.text).toBe('')
      refused(await call('DELETE', "/odata/Anlegg('A1')"), 404, 'NotFound')
      expect(await all('Anlegg')).toEqual([])
    })

    test('2.2.5 a record that is referred to is 409, and the error names what refers to it', async () => {
      await done('POST', '/odata/Avdeling', [{ Id: '1' }, { Id: '2', HovedavdelingId: '1' }])
      await done('POST', '/odata/Anlegg', { Id: 'A1' })
      await done('POST', '/odata/Prosjekt', { Id: 'P1', AnleggId: 'A1', AvdelingId: '2' })
      const by = async (address: string) => {
        const reply = await call('DELETE', address)
        refused(reply, 409, 'InUse')
        return reply.json.error.message
      }
      expect(await by("/odata/Avdeling('1')")).toContain('Avdeling(2)')
      expect(await by("/odata/Avdeling('2')")).toContain('Prosjekt(P1)')
      expect(await by("/odata/Anlegg('A1')")).toContain('Prosjekt(P1)')
      for (const address of ["Prosjekt('P1')", "Anlegg('A1')", "Avdeling('2')", "Avdeling('1')"])
        await done('DELETE', `/odata/${address}`)
    })

    test('2.2.5 departments that refer to each other or to themselves can be deleted', async () => {
      await done('PUT', '/odata/Avdeling', [
        { Id: 'a', HovedavdelingId: 'b' },
        { Id: 'b', HovedavdelingId: 'a' },
        { Id: 'c', HovedavdelingId: 'c' },
      ])
      const expanded = await all('Avdeling', '?$expand=Hovedavdeling($expand=Hovedavdeling)')
      expect(expanded).toHaveLength(3)
      await done('DELETE', "/odata/Avdeling('c')")
      refused(await call('DELETE', "/odata/Avdeling('a')"), 409, 'InUse')
    })

    test('2.2.5 an employee who is referred to is anonymized instead of deleted', async () => {
      await done('POST', '/odata/Ansatt', { Id: 7, Fornavn: 'Kari', Fodt: '1990-01-01', Notat: 'x' })
      await done('POST', '/odata/Avdeling', { Id: '1', AnsvarligId: 7 })
      expect((await call('DELETE', '/ansatt/ansatt(7)')).status).toBe(204)
      const [left] = await all('Ansatt')
      const { Id, Aktiv, SistEndretDato, OpprettetDato, ...rest } = left
      expect([Id, Aktiv]).toEqual([7, false])
      expect(SistEndretDato > OpprettetDato).toBe(true)
      expect(Object.values(rest).every((value) => value === null)).toBe(true)
      // Deleting again is harmless.
      await done('DELETE', '/ansatt/ansatt(7)')
      expect(await all('Ansatt')).toEqual([left])
      await done('DELETE', "/odata/Avdeling('1')")
      await done('DELETE', '/ansatt/ansatt(7)')
      expect(await all('Ansatt')).toEqual([])
    })
  })

  test('ADR 0028 a deleted record leaves its key and a timestamp, until it is inserted again', async () => {
    const deleted = async () => {
      const rows = await server.store.all(deletions, { companyId: company.id })
      return rows.map(({ resource, key }) => `${resource} ${key}`)
    }
    await done('POST', '/odata/Ansatt', [{ Id: 1 }, { Id: 2 }])
    const { json } = await done('POST', '/odata/Avdeling', { Id: '1', AnsvarligId: 2 })
    await done('DELETE', '/odata/Ansatt(1)')
    // An anonymized employee still exists.
    await done('DELETE', '/odata/Ansatt(2)')
    await done('DELETE', "/odata/Avdeling('1')")
    expect(await deleted()).toEqual(['department 1', 'employee 1'])
    const stamps = (await server.store.all(deletions, { companyId: company.id })).map(({ at }) => at)
    expect(Math.min(...stamps)).toBeGreaterThan(Date.parse(json.SistEndretDato) * 1000)
    expect(new Set(stamps).size).toBe(2)
    await done('PUT', '/odata/Avdeling', [{ Id: '1' }, { Id: '3' }])
    await call('POST', '/odata/Ansatt?dryRun=true', { Id: 1 })
    expect(await deleted()).toEqual(['employee 1'])
    await done('POST', '/odata/Ansatt', { Id: 1 })
    expect(await deleted()).toEqual([])
  })

  test('2.2.5 a transaction counts as a reference to the records that it names', async () => {
    await done('POST', '/odata/Ansatt', { Id: 7, Fornavn: 'Kari' })
    await done('POST', '/odata/Anlegg', { Id: 'A1' })
    await done('POST', '/prosjekt/Transaksjon', {
      Dato: '2024-05-01',
      Antall: 1,
      VareId: 'V',
      AnsattId: 7,
      AnleggId: 'A1',
    })
    const reply = await call('DELETE', "/odata/Anlegg('A1')")
    refused(reply, 409, 'InUse')
    expect(reply.json.error.message).toContain('Transaksjon(1)')
    await done('DELETE', '/odata/Ansatt(7)')
    expect(await all('Ansatt')).toMatchObject([{ Id: 7, Fornavn: null }])
  })

  describe('concurrent writes', () => {
    test('2.2.1 two servers never assign one id twice, and insert no key twice', async () => {
      const secondInstance = await server.secondInstance()
      const post = (index: number, set: string, json: object) =>
        (index % 2 ? server : secondInstance).call('POST', `/odata/${set}`, { as: company, json })
      const numbered = await Promise.all(
        Array.from({ length: 20 }, (_, index) => post(index, 'Ansatt', { Fornavn: `${index}` })),
      )
      const ids = numbered.map((reply) => Number(reply.json.Id))
      expect(ids.toSorted((one, other) => one - other)).toEqual(ids.map((_, index) => index + 1))
      const same = await Promise.all(
        Array.from({ length: 10 }, (_, index) => post(index, 'Avdeling', { Id: 'a', Navn: `${index}` })),
      )
      const won = same.filter(({ status }) => status === 201)
      expect(won).toHaveLength(1)
      expect(same.filter(({ status }) => status === 409)).toHaveLength(9)
      expect(await all('Avdeling')).toMatchObject([{ Navn: won[0]?.json.Navn }])
    })

    test('2.2.5 of a delete and a concurrent new reference to the same record, one is rejected', async () => {
      const secondInstance = await server.secondInstance()
      for (let round = 0; round < 5; round++) {
        const Id = `${round}`
        await done('POST', '/odata/Anlegg', { Id })
        const [gone, named] = await Promise.all([
          server.call('DELETE', `/odata/Anlegg('${Id}')`, { as: company }),
          secondInstance.call('POST', '/odata/Prosjekt', { as: company, json: { Id, AnleggId: Id } }),
        ])
        const statuses = [gone.status, named.status]
        expect(
          [
            [204, 422],
            [409, 201],
          ],
          statuses.join(' '),
        ).toContainEqual(statuses)
      }
    })

    test('2.2.5 deletes and new references in one commit leave consistent references, and other rows are stored', async () => {
      const secondInstance = await server.secondInstance()
      for (let round = 0; round < 6; round++) {
        const Id = `${round}`
        await done('POST', '/odata/Avdeling', { Id })
        const post = (on: TestServer, json: object) => on.call('POST', '/odata/Ansatt', { as: company, json })
        const remove = () => server.call('DELETE', `/odata/Avdeling('${Id}')`, { as: company })
        const early = round % 2 === 0 ? [remove()] : []
        const naming = [server, secondInstance].map((on) => post(on, { AvdelingId: Id, Fornavn: 'x' }))
        const lists = [server, secondInstance].map((on) => post(on, [{ AvdelingId: Id }, { Fornavn: 'x' }]))
        const neighbours = [server, secondInstance].map((on) => post(on, { Fornavn: 'y' }))
        const [gone] = await Promise.all(early.length > 0 ? early : [remove()])
        const named = await Promise.all([...naming, ...lists])
        const statuses = named.map(({ status }) => status)
        if (gone?.status === 204) expect(statuses).toEqual([422, 422, 400, 400])
        else {
          expect(gone?.json.error.code).toBe('InUse')
          expect(new Set(statuses)).toEqual(new Set([201]))
        }
        for (const { status } of await Promise.all(neighbours)) expect(status).toBe(201)
      }
    })

    test('2.2.2 a change set of a batch is applied whole or not at all', async () => {
      const batch = (requests: object[]) => done('POST', '/odata/$batch', { requests })
      const insert = (id: string, url: string, body: object) => ({
        id,
        atomicityGroup: 'g',
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body,
      })
      const good = insert('1', 'Avdeling', { Id: 'a' })
      const bad = await batch([good, insert('2', 'Ansatt', { AvdelingId: 'b' })])
      expect(bad.json.responses).toMatchObject([{ status: 424 }, { status: 422 }])
      expect(await all('Avdeling')).toEqual([])
      const both = await batch([
        good,
        insert('2', 'Ansatt', { AvdelingId: 'a' }),
        {
          id: '3',
          method: 'PATCH',
          url: '$1',
          headers: { 'content-type': 'application/json' },
          body: { Navn: 'A' },
          dependsOn: ['g'],
        },
      ])
      expect(both.json.responses).toMatchObject([
        { status: 201 },
        { status: 201, body: { Id: 1, AvdelingId: 'a' } },
        { status: 200, body: { Navn: 'A' } },
      ])
    })

    test('2.2.3 after concurrent writes in any order, every record equals the last acknowledged one', async () => {
      const secondInstance = await server.secondInstance()
      await assert(
        asyncProperty(array(writing, { minLength: 1, maxLength: 12 }), async (writings) => {
          await newCompany()
          const replies = await Promise.all(
            writings.map(async ({ isFirst, key, name }) => {
              const on = isFirst ? server : secondInstance
              const json = [{ Id: key, Navn: name }]
              return (await on.call('PUT', '/odata/Avdeling', { as: company, json })).json[0]
            }),
          )
          for (const record of await all('Avdeling')) {
            const candidates = replies.filter(({ Id }) => Id === record.Id)
            const last = candidates.toSorted((one, other) => (one.SistEndretDato < other.SistEndretDato ? 1 : -1))[0]
            expect(record).toEqual(last)
          }
          const stamps = (await all('Avdeling')).map((one: { SistEndretDato: string }) => one.SistEndretDato)
          expect(new Set(stamps).size).toBe(stamps.length)
        }),
        { seed, numRuns: 15 },
      )
    })
  })

  describe('scopes', () => {
    test('2.2.6 a personal field can be written by callers who may read it, and is hidden from all others', async () => {
      const all = company
      await newCompany({ scopes: ['directory:read', 'directory:write'] })
      const reply = await done('POST', '/odata/Ansatt', { Fornavn: 'Kari' })
      expect(Object.keys(reply.json)).not.toContain('Fodt')
      for (const [method, address, json, target] of [
        ['POST', '/odata/Ansatt', { Fodt: '1990-01-01' }, 'Fodt'],
        ['PUT', '/odata/Ansatt', [{ Id: 1 }, { Id: 1, Notat: null }], '[1].Notat'],
        ['PATCH', '/odata/Ansatt(1)', { Adresse: 'x' }, 'Adresse'],
      ] as const) {
        const refusal = await call(method, address, json)
        refused(refusal, 403, 'ScopeMissing', target)
        expect(refusal.json.error.message).toContain('directory:personal')
      }
      company = all
    })

    test('2.2.6 a reference to a record of another company is rejected like one to an unknown record', async () => {
      const headers = { 'x-request-id': 'samme' }
      const project = { Id: 'P1', AvdelingId: 'deres', AnleggId: 'A1', AnsvarligId: 1 }
      const before = await call('POST', '/odata/Prosjekt', [project], headers)
      refused(before, 400, 'InvalidRows')
      const mine = company
      await newCompany()
      await done('POST', '/odata/Avdeling', { Id: 'deres' })
      await done('POST', '/odata/Anlegg', { Id: 'A1' })
      await done('POST', '/odata/Ansatt', { Id: 1 })
      company = mine
      const after = await call('POST', '/odata/Prosjekt', [project], headers)
      expect(after.text).toBe(before.text)
      expect(await all('Prosjekt')).toEqual([])
    })

    test("2.2.6 a company's password cannot write the directory", async () => {
      const headers = { 'x-firma': company.name, 'x-passord': company.password }
      const reply = await server.call('POST', '/odata/Avdeling', { as: null, headers, json: { Id: '1' } })
      refused(reply, 403, 'ScopeMissing')
    })
  })

  test('2.2.1 a read-only resource replies 405 with the allowed methods', async () => {
    const reply = await call('POST', '/odata/OmsetningLogg', {})
    refused(reply, 405, 'MethodNotAllowed')
    expect(reply.headers['allow']).toBe('GET, HEAD')
    expect((await call('PATCH', '/prosjekt/Ansatt', {})).headers['allow']).toBe('GET, HEAD, POST, PUT')
    expect((await call('POST', '/prosjekt/Ansatt(1)', {})).headers['allow']).toBe('GET, HEAD, PATCH, PUT, DELETE')
  })
})
