// Interface 4.4: the export loop of the specification: retrieve, import, report the ids.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { statement } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { recordsIn } from '../support/etags.ts'
import { materialClientFor, useMaterialClient, newMaterialClient, usage } from '../support/material-client.ts'
import { fillDirectory } from '../support/directory.ts'
import { useTestServer } from '../support/server.ts'

function one(id: number, act = '') {
  return `/prosjekt/Transaksjon(${id})${act}`
}

describe.each(databases)('4.4 the export on $name', (database) => {
  const server = useTestServer(database, 'export')
  const materialClient = useMaterialClient(server)

  const approved = async (count: number): Promise<number[]> => {
    const ids = await materialClient.register(count)
    expect((await materialClient.approve(...ids)).json.antall).toEqual({ approved: count })
    return ids
  }
  const codes = async (body: unknown, query = {}) => {
    const { json } = await materialClient.acknowledge(body, query)
    return (json.error ?? json).resultater.map(({ code }: { code: string }) => code)
  }

  describe('TransaksjonsEksport', () => {
    test('3.1 3.2 4.4.1 lists what is approved and not exported, immediately and nothing else, ordered by id', async () => {
      const [a = 0, b = 0, c = 0, d = 0] = await materialClient.register(4)
      expect(await materialClient.listedIds()).toEqual([])
      await materialClient.approve(c, a)
      expect(await materialClient.listedIds()).toEqual([a, c])
      await materialClient.call('POST', one(b, '/Avvis'), { json: { grunn: 'nei' } })
      await materialClient.approve(d)
      await materialClient.call('POST', one(d, '/TrekkGodkjenning'))
      expect(await materialClient.listedIds()).toEqual([a, c])
      await materialClient.acknowledge({ ids: [a] })
      expect(await materialClient.listedIds()).toEqual([c])
    })

    test('changes no state, however often it is retrieved', async () => {
      await approved(3)
      const before = await materialClient.transactions()
      const first = await materialClient.exportList()
      for (const query of [{}, { $top: '1' }, { $filter: 'Id eq 2' }]) await materialClient.exportList(query)
      await materialClient.call('GET', '/prosjekt/TransaksjonsEksport(1)')
      expect((await materialClient.exportList()).text).toBe(first.text)
      expect(await materialClient.transactions()).toEqual(before)
    })

    test('returns the whole list, not pages', async () => {
      const ids = await approved(3)
      const reply = await materialClient.call('GET', '/prosjekt/TransaksjonsEksport', {
        headers: { prefer: 'odata.maxpagesize=1' },
      })
      expect(reply.json.value.map(({ Id }: { Id: number }) => Id)).toEqual(ids)
      expect(reply.json).not.toHaveProperty(['@odata.nextLink'])
      expect(reply.headers['preference-applied']).toBe(undefined)
    })

    test('logs the retrieval with its query, and never with a secret', async () => {
      await approved(2)
      const { name, password } = materialClient.company
      const secret = `f%69rma=${name}&P%61ssord=${password}`
      const url = `/prosjekt/TransaksjonsEksport?${secret}&$top=1&_=hemmelig`
      expect((await materialClient.call('GET', url, { as: null })).status).toBe(200)
      const noted = await server.store.all(
        statement<{ query: string }>(
          ({ value }) =>
            sql`select query from retrieval where "companyId" = ${value('companyId')} and query is not null`,
        ),
        { companyId: materialClient.company.id },
      )
      expect(noted.map(({ query }) => query)).toEqual(['/prosjekt/TransaksjonsEksport?$top=1'])
    })

    test('a line contains the transaction as approved, its Eksportnokkel and its source', async () => {
      await fillDirectory(server, materialClient.company, { projects: [{ id: 'P1', name: 'Nybygg' }] })
      await materialClient.registerBatch([{ ...usage, ProsjektId: 'P1', EksternId: 'L-1', Faktureres: true }])
      await materialClient.approve(1)
      const reply = await materialClient.exportList({ $expand: 'Prosjekt($select=Navn)' })
      expect(reply.json['@odata.context']).toMatch(/#TransaksjonsEksport\(Prosjekt\(Navn\)\)$/)
      const [transaction] = recordsIn(await materialClient.call('GET', '/prosjekt/Transaksjon'))
      expect(recordsIn(reply)).toEqual([
        {
          ...transaction,
          SistEndretDato: transaction.GodkjentDato,
          TransaksjonId: 1,
          Revisjon: 1,
          Linjetype: 'Original',
          ReversererId: null,
          ErstatterId: null,
          Eksportnokkel: 'T1.r1',
          PosteringsDato: '2024-05-01',
          HoldesAv: null,
          HoldesTil: null,
          Prosjekt: { Navn: 'Nybygg' },
        },
      ])
    })

    test('supports all read options, under every root, single lines by key, and $count', async () => {
      await materialClient.registerBatch([5, 1, 4, 2].map((Antall) => ({ ...usage, Antall })))
      await materialClient.approve(1, 2, 3, 4)
      const query = '$filter=Antall gt 1&$orderby=Antall desc&$top=2&$skip=1&$select=Id&$count=true'
      for (const root of ['ansatt', 'prosjekt', 'omsetning', 'odata']) {
        const reply = await materialClient.call('GET', `/${root}/TransaksjonsEksport?${query}`)
        expect(reply.json.value, reply.text).toEqual([{ Id: 3 }, { Id: 4 }])
        expect(reply.json['@odata.count']).toBe(3)
        const line = await materialClient.call('GET', `/${root}/TransaksjonsEksport(3)?$select=Antall`)
        expect(line.json.Antall).toBe(4)
        const number = await materialClient.call('GET', `/${root}/TransaksjonsEksport/$count`)
        expect(number.text).toBe('4')
      }
      expect((await materialClient.call('GET', '/prosjekt/TransaksjonsEksport(9)')).status).toBe(404)
    })

    test('is never cached, and reports how long the oldest line has waited', async () => {
      const now = server.clock.now()
      server.clock.now = () => now
      await approved(1)
      server.clock.now = () => now + 90_000_000
      const reply = await materialClient.exportList()
      server.clock.now = () => Date.now() * 1000
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.headers['etag']).toBeUndefined()
      expect(reply.headers['x-oldest-waiting']).toBe('89')
      expect(reply.headers['x-retrieval']).toMatch(/^\d+; lines=1; sha256=[\w-]{43}$/)
    })

    test('a long list is one snapshot, whole', async () => {
      const ids = await approved(2500)
      expect(await materialClient.listedIds()).toEqual(ids)
      expect(await materialClient.listedIds({ $top: '1500' })).toEqual(ids.slice(0, 1500))
    })

    test('another company sees none of the lines, and acknowledging their ids returns not_found', async () => {
      await approved(2)
      const other = await newMaterialClient(server)
      expect(await other.listedIds()).toEqual([])
      const foreign = await other.acknowledge({ ids: [2] })
      const unknown = await other.acknowledge({ ids: [2000] })
      const bare = (text: string) => text.replaceAll(/"requestId":"[^"]*"/g, '').replaceAll('2000', '2')
      expect(bare(foreign.text)).toBe(bare(unknown.text))
      expect(foreign.json.error.resultater).toEqual([{ id: 2, code: 'not_found' }])
      expect(await materialClient.listedIds()).toEqual([1, 2])
    })
  })

  describe('Eksportert', () => {
    test('3.3 4.4.2 4.4.3 removes the acknowledged ids from the list, with a result per id', async () => {
      const ids = await approved(3)
      await materialClient.exportList()
      const reply = await expectStatus(materialClient.acknowledge({ ids: ids.slice(0, 2) }))
      expect(reply.json).toEqual({
        resultater: [
          { id: 1, code: 'exported' },
          { id: 2, code: 'exported' },
        ],
        antall: { exported: 2 },
      })
      expect(await materialClient.listedIds()).toEqual([3])
      expect(await materialClient.transactions()).toMatchObject([
        { Status: 'Eksportert', EksportertDato: expect.any(String) },
        { Status: 'Eksportert' },
        { Status: 'Godkjent', EksportertDato: null },
      ])
    })

    test('4.4.2 each of many lines is exported at a time of its own, under its own external id, in any order and with gaps', async () => {
      const ids = await approved(40)
      const [claimed = 0] = ids.splice(7, 1)
      const inOrder = [...ids.slice(20), ...ids.slice(0, 20)]
      const items = inOrder.map((id, at) => ({ id, ...(at > 35 ? { externalId: `V${id}` } : {}) }))
      expect(await codes({ items })).toEqual(inOrder.map(() => 'exported'))
      expect(await materialClient.listedIds()).toEqual([claimed])
      const transactions = await materialClient.transactions()
      const times = new Map(transactions.map(({ Id, EksportertDato }) => [Id, EksportertDato]))
      expect(times.get(claimed)).toBeNull()
      expect(transactions.filter(({ Status }) => Status === 'Eksportert')).toHaveLength(39)
      const sent = inOrder.map((id) => String(times.get(id)))
      expect(sent).toEqual([...new Set(sent)].toSorted())
      const repeated = (await materialClient.acknowledge({ ids: inOrder })).json.resultater
      expect(repeated.map(({ EksternId }: { EksternId: string | null }) => EksternId)).toEqual(
        items.map(({ externalId = null }) => externalId),
      )
    })

    test('4.4.2 consecutive ids have a result and a ledger entry each, whatever the states of their lines are', async () => {
      const ids = await approved(30)
      await materialClient.exportList()
      expect((await materialClient.call('POST', one(5, '/TrekkGodkjenning'))).status).toBe(200)
      const overlapping = [...[21, 22, 23, 24].map(() => 'exported'), 'duplicate_in_request', 'exported']
      expect(await codes({ ids: [21, 22, 23, 24, 24, 25] }, { dryRun: true })).toEqual(overlapping)
      expect(await codes({ ids: ids.slice(20) })).toEqual(Array<string>(10).fill('exported'))
      await materialClient.register(1)
      const expected = ids.map((id) => ({ id, code: id > 20 ? 'already_exported' : 'exported' }))
      const after = [
        { id: 31, code: 'not_approved' },
        { id: 32, code: 'not_found' },
      ]
      const sent = [...expected, ...after].map(({ id }) => id)
      const { resultater } = (await materialClient.acknowledge({ ids: sent })).json
      expect(resultater).toMatchObject([...expected, ...after])
      expect(await materialClient.listedIds()).toEqual([])
      const transactions = await materialClient.transactions()
      expect(transactions.map(({ Status }) => Status)).toEqual([...ids.map(() => 'Eksportert'), 'Registrert'])
      const times: string[] = []
      for (const id of ids) {
        const { value } = (await materialClient.call('GET', `/prosjekt/TransaksjonsEksport(${id})/Historikk`)).json
        const entries = value.filter(({ Hendelse }: { Hendelse: string }) => Hendelse === 'acknowledged')
        expect(entries).toMatchObject([{ Generasjon: 1, Revisjon: 1 }])
        times.push(entries[0].Tid)
      }
      const inOrder = [...times.slice(20), ...times.slice(0, 20)]
      expect(inOrder).toEqual([...new Set(times)].toSorted())
    })

    test('accepts every letter case, POST and PATCH', async () => {
      await approved(3)
      const addresses = [
        ['POST', '/prosjekt/Transaksjonseksport/Eksportert'],
        ['PATCH', '/prosjekt/TransaksjonsEksport/eksportert'],
        ['POST', '/PROSJEKT/transaksjonsEKSPORT/Eksportert/'],
      ] as const
      for (const [index, [method, path]] of addresses.entries())
        expect((await materialClient.call(method, path, { json: { IDS: [index + 1] } })).status).toBe(200)
      expect(await materialClient.listedIds()).toEqual([])
    })

    test('a repeated acknowledgement succeeds and changes nothing; it returns when, by whom and how', async () => {
      await approved(1)
      await materialClient.acknowledge({ items: [{ id: 1, externalId: 'JE-1', externalUrl: 'https://x' }] })
      const before = await materialClient.transactions()
      const again = await expectStatus(materialClient.acknowledge({ ids: [1] }))
      expect(again.json.resultater).toEqual([
        {
          id: 1,
          code: 'already_exported',
          EksportertDato: before[0].EksportertDato,
          Av: expect.stringMatching(/^key:/),
          EksternId: 'JE-1',
        },
      ])
      const other = await materialClient.acknowledge({ items: [{ id: 1, externalId: 'JE-2' }] })
      expect(other.json.resultater[0]).toMatchObject({
        code: 'already_exported',
        EksternId: 'JE-1',
        externalIdMismatch: true,
      })
      expect(await materialClient.transactions()).toEqual(before)
    })

    test('valid ids are acknowledged although others are rejected, in the order of the request', async () => {
      await materialClient.register(1)
      const [a = 0, b = 0] = await approved(2)
      const body = {
        failed: [{ id: b, code: 'unknown_project', message: 'closed' }, 'x'],
        ids: [String(a), a, 'abc', -1, 1.5, null, { id: a }, [a], 1, 99, true, '9'.repeat(60)],
      }
      const reply = await expectStatus(materialClient.acknowledge(body))
      expect(reply.json.resultater).toEqual([
        { id: a, code: 'exported' },
        { id: a, code: 'duplicate_in_request' },
        { id: 'abc', code: 'invalid' },
        { id: -1, code: 'invalid' },
        { id: 1.5, code: 'invalid' },
        { id: null, code: 'invalid' },
        { id: '{}', code: 'invalid' },
        { id: '[]', code: 'invalid' },
        { id: 1, code: 'not_approved' },
        { id: 99, code: 'not_found' },
        { id: true, code: 'invalid' },
        { id: '9'.repeat(50), code: 'invalid' },
        { id: b, code: 'failed_recorded' },
        { id: 'x', code: 'invalid' },
      ])
      expect(reply.json.antall).toMatchObject({ exported: 1, invalid: 9, failed_recorded: 1 })
      expect(await materialClient.listedIds()).toEqual([b])
    })

    test('rejects the whole request only if the list is missing, invalid or too long', async () => {
      await approved(1)
      for (const [json, status, code] of [
        [{}, 400, 'MissingField'],
        [{ id: [1] }, 400, 'MissingField'],
        [{ ids: 1 }, 400, 'InvalidType'],
        [{ ids: null }, 400, 'InvalidType'],
        [[1], 400, 'InvalidBodyType'],
        [{ ids: Array(100_001).fill(1) }, 400, 'TooManyItems'],
        [{ ids: ['x', 7] }, 422, 'NothingMarked'],
      ] as const) {
        expectError(await materialClient.acknowledge(json), status, code)
      }
      expect((await materialClient.acknowledge({ ids: [] })).json).toEqual({ resultater: [], antall: {} })
      const xml = await materialClient.call('POST', '/prosjekt/TransaksjonsEksport/Eksportert', {
        body: '<a/>',
        headers: { 'content-type': 'application/xml' },
      })
      expect(xml.status).toBe(415)
      expect(await materialClient.listedIds()).toEqual([1])
    })

    test('no acknowledged id is 422 with the same results; atomic=true is 409, and changes nothing', async () => {
      await approved(2)
      const none = await materialClient.acknowledge({ ids: [9] })
      expect([none.status, none.json.error.code]).toEqual([422, 'NothingMarked'])
      expect(none.json.error).toMatchObject({
        resultater: [{ id: 9, code: 'not_found' }],
        antall: { not_found: 1 },
        outcome: 'not_applied',
      })
      const atomic = await materialClient.acknowledge({ ids: [1, 9] }, { atomic: 'true' })
      expect([atomic.status, atomic.json.error.code]).toEqual([409, 'AtomicBatchFailed'])
      expect(atomic.json.error.resultater).toEqual([
        { id: 1, code: 'exported' },
        { id: 9, code: 'not_found' },
      ])
      expect(await materialClient.listedIds()).toEqual([1, 2])
      expect((await materialClient.acknowledge({ ids: [1, 1, 2] }, { atomic: 'true' })).status).toBe(200)
    })

    test('a dry run returns the results and changes nothing', async () => {
      await approved(1)
      const dry = await materialClient.acknowledge({ ids: [1, 2] }, { dryRun: 'true' })
      expect(dry.json.antall).toEqual({ exported: 1, not_found: 1 })
      expect(await materialClient.listedIds()).toEqual([1])
    })

    test('an Idempotency-Key replays the same list, however long; other content is rejected', async () => {
      const ids = await approved(4000)
      const key = { 'idempotency-key': 'natt' }
      const first = await materialClient.acknowledge({ ids }, {}, key)
      const again = await materialClient.acknowledge({ ids }, {}, key)
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
      expect(again.json.antall).toEqual({ exported: 4000 })
      expect((await materialClient.acknowledge({ ids: [1] }, {}, key)).status).toBe(422)
      const refusedOnce = await materialClient.acknowledge({ ids: [0] }, {}, { 'idempotency-key': 'b' })
      const refusedAgain = await materialClient.acknowledge({ ids: [0] }, {}, { 'idempotency-key': 'b' })
      expect([refusedAgain.status, refusedAgain.text]).toEqual([422, refusedOnce.text])
    })

    test('an approved id that was never retrieved is acknowledged', async () => {
      await approved(1)
      expect(await codes({ ids: [1] })).toEqual(['exported'])
    })

    test('If-Match allows a change only to the state that was read', async () => {
      await materialClient.register(1)
      const read = await materialClient.call('GET', one(1))
      const headers = { 'if-match': String(read.headers.etag) }
      await expectStatus(materialClient.call('PATCH', one(1), { json: { Antall: 3 }, headers }))
      for (const [method, options] of [
        ['PATCH', { json: { Antall: 4 }, headers }],
        ['DELETE', { headers }],
      ] as const) {
        const late = await materialClient.call(method, one(1), options)
        expect([late.status, late.json.error.target]).toEqual([412, 'header:If-Match'])
      }
      expect((await materialClient.transactions())[0]).toMatchObject({ Antall: 3 })
    })

    test('an exported transaction is locked', async () => {
      await materialClient.registerBatch([{ ...usage, EksternId: 'L-1' }])
      await materialClient.approve(1)
      await materialClient.acknowledge({ ids: [1] })
      for (const [method, act, json] of [
        ['PATCH', '', { Antall: 9 }],
        ['DELETE', '', undefined],
        ['POST', '/TrekkGodkjenning', undefined],
        ['POST', '/Avvis', { grunn: 'nei' }],
      ] as const) {
        const reply = await materialClient.call(method, one(1, act), { json })
        expect([reply.status, reply.json.error.code], act).toEqual([409, 'StateConflict'])
        // The caller who approved did not export: a decision names who exported it, a change names nobody.
        expect(/since .*, by key:/.test(reply.json.error.message), act).toBe(act !== '')
      }
      const sent = await materialClient.registerBatch([{ ...usage, Antall: 9, EksternId: 'L-1' }])
      expect(sent.json.error.resultater[0].code).toBe('StateConflict')
      expect((await materialClient.transactions())[0]).toMatchObject({ Antall: 2, Status: 'Eksportert' })
    })
  })

  describe('a change between retrieval and acknowledgement', () => {
    test('a withdrawn line that was retrieved counts as it was approved then', async () => {
      await approved(2)
      await materialClient.exportList()
      await materialClient.call('POST', one(1, '/TrekkGodkjenning'))
      expect(await materialClient.listedIds()).toEqual([2])
      expect(await codes({ ids: [1] })).toEqual(['exported'])
      expect((await materialClient.transactions())[0]).toMatchObject({ Status: 'Eksportert' })
    })

    test('a withdrawn line that was never retrieved does not count', async () => {
      await approved(1)
      await materialClient.call('POST', one(1, '/TrekkGodkjenning'))
      await materialClient.exportList()
      expect(await codes({ ids: [1] })).toEqual(['not_approved'])
      expect((await materialClient.transactions())[0]).toMatchObject({ Status: 'Registrert' })
    })

    test('an edit in between is discarded, approved again or not', async () => {
      for (const isApprovedAgain of [false, true]) {
        const [id = 0] = await approved(1)
        await materialClient.exportList({ $filter: `Id eq ${id}` })
        await materialClient.call('POST', one(id, '/TrekkGodkjenning'))
        await materialClient.call('PATCH', one(id), { json: { Antall: 7 } })
        if (isApprovedAgain) await materialClient.approve(id)
        expect(await codes({ ids: [id] })).toEqual(['exported'])
        const [found] = await materialClient.transactions({ $filter: `Id eq ${id}` })
        expect(found).toMatchObject({ Antall: 2, Belop: 21, Status: 'Eksportert' })
      }
    })

    test('a new revision counts once it was retrieved, and by its number', async () => {
      await approved(1)
      await materialClient.exportList()
      await materialClient.call('POST', one(1, '/TrekkGodkjenning'))
      await materialClient.call('PATCH', one(1), { json: { Antall: 7 } })
      await materialClient.approve(1)
      expect((await materialClient.exportList()).json.value[0]).toMatchObject({ Revisjon: 2, Eksportnokkel: 'T1.r2' })
      expect(await codes({ items: [{ id: 1, revision: 3 }] })).toEqual(['revision_mismatch'])
      expect(await codes({ items: [{ id: 1, revision: 2 }] })).toEqual(['exported'])
      expect((await materialClient.transactions())[0]).toMatchObject({ Antall: 7, Status: 'Eksportert' })
    })

    test('a deleted transaction is restored as it was retrieved', async () => {
      await materialClient.registerBatch([{ ...usage, EksternId: 'L-1' }])
      await materialClient.approve(1)
      await materialClient.exportList()
      await materialClient.call('POST', one(1, '/TrekkGodkjenning'))
      await materialClient.call('DELETE', one(1))
      await materialClient.registerBatch([{ ...usage, EksternId: 'L-1' }])
      expect(await codes({ ids: [1] })).toEqual(['exported'])
      expect(await materialClient.transactions()).toMatchObject([
        { Id: 1, Status: 'Eksportert', EksternId: null },
        { Id: 2, Status: 'Registrert', EksternId: 'L-1' },
      ])
    })
  })

  test('the state survives a restart of the server', async () => {
    const [a = 0, b = 0, c = 0] = await approved(3)
    await materialClient.exportList()
    await materialClient.acknowledge({ ids: [a] })
    await materialClient.call('POST', one(b, '/TrekkGodkjenning'))
    const restarted = materialClientFor(await server.secondInstance(), materialClient.company)
    expect(await restarted.listedIds()).toEqual([c])
    expect((await restarted.acknowledge({ ids: [a, b, c] })).json.antall).toEqual({ already_exported: 1, exported: 2 })
    expect(await materialClient.listedIds()).toEqual([])
  })

  test('of 50 concurrent callers with the same ids, each id is newly exported exactly once', async () => {
    const ids = await approved(100)
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, caller) =>
        materialClient.acknowledge({
          ids: ids.toSorted((a, b) => ((a * 7 + caller) % 101) - ((b * 7 + caller) % 101)),
        }),
      ),
    )
    const news = replies.flatMap(({ json }) =>
      json.resultater.filter(({ code }: { code: string }) => code === 'exported').map(({ id }: { id: number }) => id),
    )
    expect(news.toSorted((a, b) => a - b)).toEqual(ids)
    expect(await materialClient.listedIds()).toEqual([])
  })
})
