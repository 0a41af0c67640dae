// Interface 2.3 and 4.4: registering, reading, changing and deleting material transactions.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useMaterialClient, newMaterialClient, usage } from '../support/material-client.ts'
import { fillDirectory } from '../support/directory.ts'
import { useTestServer } from '../support/server.ts'

function one(id: number) {
  return `/prosjekt/Transaksjon(${id})`
}

describe.each(databases)('2.3 a material transaction on $name', (database) => {
  const server = useTestServer(database, 'transaction')
  const materialClient = useMaterialClient(server)

  describe('Transaksjon/Batch', () => {
    test('registers every row in the order of the request, each with an integer id', async () => {
      const reply = await materialClient.registerBatch([usage, { ...usage, VareId: null, Varenavn: 'Kabel' }])
      expect(reply.status).toBe(200)
      expect(reply.json).toEqual({
        resultater: [
          { index: 0, id: 1, code: 'registered' },
          { index: 1, id: 2, code: 'registered' },
        ],
        antall: { registered: 2 },
      })
      expect(await materialClient.transactions()).toMatchObject([
        { Id: 1, VareId: 'A1', Antall: 2, Salgspris: 10.5, Belop: 21, Status: 'Registrert' },
        { Id: 2, VareId: null, Varenavn: 'Kabel', Kilde: 'key', GodkjentAv: null },
      ])
    })

    test('accepts an object that contains the array, and XML', async () => {
      const wrapped = await materialClient.registerBatch({ avsender: [1, {}], Transaksjoner: [usage], kopi: [usage] })
      expect(wrapped.json.antall, wrapped.text).toEqual({ registered: 1 })
      expect(wrapped.headers['x-ignored-fields']).toBe('avsender, kopi')
      const xml = await materialClient.call('POST', '/prosjekt/Transaksjon/Batch', {
        body: '<A><T><Dato>2024-05-02</Dato><VareId>B</VareId><Antall>-1.5</Antall></T></A>',
        headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      })
      expect(xml.text).toContain('<resultat><index>0</index><id>2</id><code>registered</code>')
      expect((await materialClient.transactions())[1]).toMatchObject({ Dato: '2024-05-02', Antall: -1.5 })
      expect((await materialClient.registerBatch([])).json).toEqual({ resultater: [], antall: {} })
      expect((await materialClient.registerBatch({ rader: [usage] })).json.error.code).toBe('InvalidBodyType')
      const twice = await materialClient.registerBatch({ transaksjoner: [usage], Transaksjoner: [usage] })
      expect([twice.status, twice.json.error.code]).toEqual([400, 'DuplicateField'])
      expect(await materialClient.transactions()).toHaveLength(2)
    })

    test('Prefer: handling=strict rejects members beside the array', async () => {
      const strict = { headers: { prefer: 'handling=strict' } }
      const batch = (json: object) => materialClient.call('POST', '/prosjekt/Transaksjon/Batch', { ...strict, json })
      const refused = await batch({ transaksjoner: [usage], dryRun: true })
      expect([refused.status, refused.json.error.code, refused.json.error.target]).toEqual([
        400,
        'UnknownField',
        'dryRun',
      ])
      expect(await materialClient.transactions()).toEqual([])
      expect((await batch({ transaksjoner: [usage], '@note': 1 })).status).toBe(200)
    })

    test('Kilde is the name of the key where it is null or empty, as where it is not sent', async () => {
      const row = { ...usage, EksternId: 'L-1' }
      const repeated = [row, { ...row, Kilde: null }, { ...row, Kilde: '' }]
      const reply = await materialClient.registerBatch(repeated)
      expect(reply.json.antall, reply.text).toEqual({ registered: 1, unchanged: 2 })
      const single = await materialClient.post('/prosjekt/Transaksjon', { ...row, Kilde: null })
      expect([single.status, single.json.Id, single.json.Kilde]).toEqual([200, 1, 'key'])
      await materialClient.call('PATCH', one(1), { json: { Kilde: 'lager' } })
      const cleared = await materialClient.call('PATCH', one(1), { json: { Kilde: null } })
      expect([cleared.status, cleared.json.Kilde]).toEqual([200, 'key'])
    })

    test('a repeated Kilde and EksternId is unchanged or updated, and a conflict once it is approved', async () => {
      const row = { ...usage, Kilde: 'lager', EksternId: 'L-1' }
      const codes = async (...rows: object[]) =>
        (await materialClient.registerBatch(rows)).json.resultater.map((r: { id: number; code: string }) => [
          r.id,
          r.code,
        ])
      expect(await codes(row, row, { ...row, Antall: 3 })).toEqual([
        [1, 'registered'],
        [1, 'unchanged'],
        [1, 'updated'],
      ])
      expect(await codes({ ...row, Antall: 3 })).toEqual([[1, 'unchanged']])
      expect(await codes({ ...row, Kilde: 'kasse' }, usage, usage)).toEqual([
        [2, 'registered'],
        [3, 'registered'],
        [4, 'registered'],
      ])
      expect((await materialClient.transactions())[0]).toMatchObject({ Antall: 3, Belop: 31.5, Kilde: 'lager' })
      await materialClient.approve(1)
      expect(await codes({ ...row, Antall: 3 })).toEqual([[1, 'unchanged']])
      const refused = await expectStatus(materialClient.registerBatch([{ ...row, Antall: 4 }, usage]), 400)
      expect(refused.json.error).toMatchObject({
        code: 'InvalidRows',
        resultater: [{ index: 0, code: 'StateConflict', existing: 1, target: '[0].EksternId' }],
      })
      expect(await materialClient.transactions()).toHaveLength(4)
    })

    test('a rejected batch names every invalid row, and stores nothing', async () => {
      const rows = [
        usage,
        { ...usage, Dato: '2024-02-30' },
        { ...usage, Antall: 0 },
        { VareId: 'A' },
        { ...usage, VareId: null },
        { ...usage, Status: 'Godkjent' },
        { ...usage, Belop: 7 },
        { ...usage, Id: 7 },
        { ...usage, Mengde: 7 },
        { ...usage, Antall: 99_999_999, Salgspris: 99_999_999 },
        'x',
      ]
      const reply = await expectStatus(materialClient.registerBatch(rows), 400)
      const codes = reply.json.error.resultater.map((r: { index: number; code: string; target: string }) => [
        r.index,
        r.code,
        r.target,
      ])
      expect(codes).toEqual([
        [1, 'InvalidDate', '[1].Dato'],
        [2, 'InvalidValue', '[2].Antall'],
        [3, 'MissingField', '[3].Dato'],
        [4, 'MissingField', '[4].VareId'],
        [5, 'ReadOnlyField', '[5].Status'],
        [6, 'ReadOnlyField', '[6].Belop'],
        [7, 'ReadOnlyField', '[7].Id'],
        [8, 'UnknownField', '[8].Mengde'],
        [9, 'NumberOutOfRange', '[9].Belop'],
        [10, 'InvalidType', '[10]'],
      ])
      expect(reply.json.error.problems).toBe(11)
      expect(await materialClient.transactions()).toEqual([])
      const partly = await expectStatus(materialClient.registerBatch(rows, { atomic: 'false' }))
      expect(partly.json.antall).toMatchObject({ registered: 1, ReadOnlyField: 3 })
      expect(partly.json.resultater).toHaveLength(rows.length)
      expect(await materialClient.transactions()).toHaveLength(1)
      expectError(await materialClient.registerBatch(rows.slice(1), { atomic: 'false' }), 422, 'NoItemsProcessed')
    })

    test('rejects references that the directory does not contain, if the company requires it', async () => {
      const strict = await newMaterialClient(server, { settings: { requiresKnownSubjects: true } })
      await fillDirectory(server, strict.company, {
        departments: [{ id: '10', name: 'Byggevarer' }],
        projects: [{ id: 'P1', name: 'Nybygg' }],
      })
      const known = { ...usage, AvdelingId: '10', ProsjektId: 'P1' }
      const reply = await strict.registerBatch([
        known,
        { ...known, AvdelingId: '11' },
        { ...known, ProsjektId: 'P2', AnsattId: 7, AnleggId: 'A1' },
      ])
      expect(reply.status).toBe(400)
      expect(reply.json.error.details.map((d: { code: string; target: string }) => [d.code, d.target])).toEqual([
        ['ReferenceNotFound', '[1].AvdelingId'],
        ['ReferenceNotFound', '[2].AnsattId'],
        ['ReferenceNotFound', '[2].ProsjektId'],
        ['ReferenceNotFound', '[2].AnleggId'],
      ])
      expect(await strict.transactions()).toEqual([])
      await strict.registerBatch([known, usage])
      expectError(await strict.call('PATCH', one(2), { json: { ProsjektId: 'P9' } }), 422, 'ReferenceNotFound')
      expect(await materialClient.register(1)).toEqual([1])
    })

    test('a dry run assigns no ids and stores nothing; an Idempotency-Key makes a repeat harmless', async () => {
      const dry = await materialClient.registerBatch([usage], { dryRun: 'true' })
      expect(dry.json.resultater).toEqual([{ index: 0, id: null, code: 'registered' }])
      expect(dry.headers['x-dry-run']).toBe('true')
      expect(await materialClient.transactions()).toEqual([])
      const key = { 'idempotency-key': 'natt-1' }
      const rows = Array.from({ length: 2500 }, (_, index) => ({ ...usage, VareId: `V${index}` }))
      const first = await materialClient.registerBatch(rows, {}, key)
      const again = await materialClient.registerBatch(rows, {}, key)
      expect(again.text).toBe(first.text)
      expect(again.headers['idempotency-replayed']).toBe('true')
      expect(await materialClient.transactions({ $filter: "VareId eq 'V2499'" })).toHaveLength(1)
      expect((await materialClient.registerBatch([usage], {}, key)).status).toBe(422)
    })

    test('more than 100,000 rows are rejected', async () => {
      const reply = await materialClient.call('POST', '/prosjekt/Transaksjon/Batch', {
        body: `[${'{},'.repeat(100_000)}{}]`,
        headers: { 'content-type': 'application/json' },
      })
      expect([reply.status, reply.json.error.code]).toEqual([400, 'TooManyItems'])
    })
  })

  describe('one transaction', () => {
    test('POST returns the stored transaction and its Location', async () => {
      const reply = await expectStatus(materialClient.post('/prosjekt/Transaksjon', usage), 201)
      expect(reply.headers['location']).toMatch(/\/prosjekt\/Transaksjon\(1\)$/)
      expect(reply.json['@odata.context']).toMatch(/\$metadata#Transaksjon\/\$entity$/)
      const read = await materialClient.call('GET', one(1))
      expect(reply.json).toEqual(read.json)
      expect(read.json).toMatchObject({ Id: 1, Belop: 21, Status: 'Registrert' })
    })

    test('PATCH changes the fields that were sent, null clears one, all others keep their values', async () => {
      await materialClient.post('/prosjekt/Transaksjon', { ...usage, Merknad: 'x', Faktureres: true })
      const changed = await expectStatus(materialClient.call('PATCH', one(1), { json: { Antall: 3, Merknad: null } }))
      expect(changed.json).toMatchObject({ Antall: 3, Belop: 31.5, Merknad: null, VareId: 'A1' })
      expect((await materialClient.transactions())[0]).toMatchObject({ Antall: 3, Merknad: null, Faktureres: true })
      for (const [json, code] of [
        [{ Antall: 0 }, 'InvalidValue'],
        [{ Dato: null }, 'InvalidValue'],
        [{ VareId: null }, 'MissingField'],
        [{ Status: 'Godkjent' }, 'ReadOnlyField'],
        [{}, 'NothingToChange'],
      ] as const) {
        const refused = await materialClient.call('PATCH', one(1), { json })
        expect([refused.status, refused.json.error.code], JSON.stringify(json)).toEqual([400, code])
      }
      expect((await materialClient.transactions())[0]).toMatchObject({ Antall: 3 })
    })

    test('PATCH cannot take the EksternId of another transaction', async () => {
      await materialClient.registerBatch([
        { ...usage, Kilde: 'a', EksternId: '1' },
        { ...usage, Kilde: 'a', EksternId: '2' },
      ])
      const refused = await materialClient.call('PATCH', one(2), { json: { EksternId: '1' } })
      expectError(refused, 409, 'SourceKeyTaken', { existing: 1 })
    })

    test('DELETE is permanent: the id is not used again', async () => {
      await materialClient.post('/prosjekt/Transaksjon', usage)
      expect((await materialClient.call('DELETE', one(1))).status).toBe(204)
      expect((await materialClient.call('DELETE', one(1))).status).toBe(404)
      expect((await materialClient.call('PATCH', one(1), { json: { Antall: 1 } })).status).toBe(404)
      expect((await materialClient.post('/prosjekt/Transaksjon', usage)).json.Id).toBe(2)
    })
  })

  test('GET works under every root, with the related records expanded', async () => {
    await fillDirectory(server, materialClient.company, {
      departments: [{ id: '10', name: 'Byggevarer' }],
      projects: [{ id: 'P1', name: 'Nybygg', departmentId: '10' }],
    })
    await materialClient.registerBatch([{ ...usage, AvdelingId: '10', ProsjektId: 'P1' }, usage])
    for (const root of ['ansatt', 'prosjekt', 'omsetning', 'odata']) {
      const reply = await materialClient.call(
        'GET',
        `/${root}/Transaksjon?$expand=Avdeling,Prosjekt($select=Id),Ansatt&$filter=Antall gt 0&$orderby=Id desc`,
      )
      expect(reply.json.value, reply.text).toMatchObject([
        { Id: 2, Prosjekt: null },
        { Id: 1, Prosjekt: { Id: 'P1' }, Ansatt: null },
      ])
    }
    const projects = await materialClient.call('GET', '/odata/Prosjekt?$expand=Transaksjoner($select=Id)')
    expect(projects.json.value).toMatchObject([{ Transaksjoner: [{ Id: 1 }] }])
  })

  test('each company has its own ids, and cannot reach the transactions of another', async () => {
    await materialClient.register(2)
    const other = await newMaterialClient(server)
    expect(await other.register(1)).toEqual([1])
    const unknown = await other.call('PATCH', one(7), { json: { Antall: 1 } })
    const foreign = await other.call('PATCH', one(2), { json: { Antall: 1 } })
    const bare = (text: string) => text.replaceAll(/"requestId":"[^"]*"/g, '').replaceAll('(2)', '(7)')
    expect(bare(foreign.text)).toBe(bare(unknown.text))
    expect(await materialClient.transactions({ $filter: 'Antall eq 2' })).toHaveLength(2)
  })
})
