// ADR 0011: every change has a timestamp and a log entry, so that an incremental reader misses nothing.
import { describe, expect, test } from 'vitest'
import { nextTurn } from '../../src/lib/yield-to-event-loop.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { withoutEtags } from '../support/etags.ts'
import { useTestServer } from '../support/server.ts'
import { useRevenueClient, newRevenueClient, revenueClientFor, type RevenueClient } from '../support/revenue-client.ts'
import { seededRandom } from '../support/random.ts'
import { revenueRecord } from '../support/revenue-record.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }

interface Stamped {
  readonly InntektsPlanId: number
  readonly SistEndretDato: string
}

describe.each(databases)('the revenue log on $name', (database) => {
  const server = useTestServer(database, 'journal')
  const revenueClient = useRevenueClient(server)

  const entries = async (revenueClient: RevenueClient, query = {}) =>
    (await expectStatus(revenueClient.revenueLog(query))).json.value

  /** The amounts of a log entry. */
  const amountsOf = ({ Handling, Belop, For, Etter }: Record<string, unknown>) => [Handling, Belop, For, Etter]

  describe('OmsetningLogg', () => {
    test('ADR 0011 records who did what to which record, when, and in which request', async () => {
      await revenueClient.insert({ ...row, Merknad: 'x' }, {}, { 'x-request-id': 'kall-1' })
      const [entry] = await entries(revenueClient)
      const [{ SistEndretDato }] = await revenueClient.records({ $select: 'SistEndretDato' })
      expect(entry).toEqual({
        Id: 1,
        Tid: SistEndretDato,
        InntektsPlanId: 1,
        Dato: '2024-05-01',
        AvdelingID: '20',
        ipType: 'I',
        Handling: 'sett',
        Belop: 100,
        For: null,
        Etter: 100,
        Referanse: null,
        Av: expect.stringMatching(/^key:[0-9A-Za-z]{8}$/),
        ForesporselId: 'kall-1',
      })
      expect(Object.keys(entry)).toEqual([
        'Id',
        'Tid',
        'InntektsPlanId',
        'Dato',
        'AvdelingID',
        'ipType',
        'Handling',
        'Belop',
        'For',
        'Etter',
        'Referanse',
        'Av',
        'ForesporselId',
      ])
    })

    test('ADR 0011 names the password when that was the credential', async () => {
      const { tenantA } = server
      await server.call('POST', `/dev/Omsetning/Lagre?firma=${tenantA.name}&passord=${tenantA.password}`, {
        as: null,
        json: row,
      })
      const [entry] = await entries(revenueClientFor(server, tenantA))
      expect(entry.Av).toBe('password')
    })

    test('ADR 0011 has an entry for every change of an amount, before and after', async () => {
      await revenueClient.insert(row)
      await revenueClient.update({ InntekstplanId: 1, Omsetning: 50 })
      await revenueClient.setPerDate([{ ...row, Omsetning: 70 }])
      await revenueClient.accumulate({ ...row, Omsetning: 5.5, Referanse: 'bong 1' })
      await revenueClient.accumulate({ ...row, Omsetning: -75.5 })
      await revenueClient.saveList([{ InntekstplanId: 1, Omsetning: 3 }])
      await revenueClient.delete(1)
      const all = await entries(revenueClient)
      expect(all.map(amountsOf)).toEqual([
        ['sett', 100, null, 100],
        ['sett', 50, 100, 50],
        ['sett', 70, 50, 70],
        ['legg til', 5.5, 70, 75.5],
        ['legg til', -75.5, 75.5, 0],
        ['sett', 3, 0, 3],
        ['slett', null, 3, null],
      ])
      expect(all.map(({ Id }: { Id: number }) => Id)).toEqual([1, 2, 3, 4, 5, 6, 7])
      expect(all.map(({ Referanse }: { Referanse: string }) => Referanse)).toEqual([
        null,
        null,
        null,
        'bong 1',
        null,
        null,
        null,
      ])
    })

    test('ADR 0011 has an entry for each row of a list, also when two rows change one record', async () => {
      await revenueClient.setPerDate([row, { ...row, Omsetning: 2 }])
      await revenueClient.accumulate([
        { ...row, Omsetning: 3 },
        { ...row, Omsetning: 4 },
      ])
      expect((await entries(revenueClient)).map(amountsOf)).toEqual([
        ['sett', 100, null, 100],
        ['sett', 2, 100, 2],
        ['legg til', 3, 2, 5],
        ['legg til', 4, 5, 9],
      ])
    })

    test('ADR 0011 records the cell of a deleted record', async () => {
      await revenueClient.insert({ ...row, ipType: 'B' })
      await revenueClient.delete(1)
      const [, deletion] = await entries(revenueClient)
      expect(deletion).toMatchObject({
        Handling: 'slett',
        InntektsPlanId: 1,
        Dato: '2024-05-01',
        AvdelingID: '20',
        ipType: 'B',
      })
    })

    test('ADR 0011 supports the query options of every set', async () => {
      await revenueClient.saveList([row, { ...row, AvdelingID: '21' }, { Merknad: 'uten celle' }])
      await revenueClient.delete(2)
      const read = async (query: Record<string, string>) =>
        (await entries(revenueClient, query)).map(({ Id }: { Id: number }) => Id)
      expect(await read({ $filter: "Handling eq 'slett'" })).toEqual([4])
      expect(await read({ $filter: 'InntektsPlanId eq 2', $orderby: 'Id desc' })).toEqual([4, 2])
      expect(await read({ $filter: 'Dato eq null' })).toEqual([3])
      expect(await read({ $filter: 'Id gt 2', $top: '1' })).toEqual([3])
      const counted = await revenueClient.revenueLog({ $count: 'true', $top: '1', $select: 'Id,Handling' })
      expect(counted.json).toMatchObject({ '@odata.count': 4, value: [{ Id: 1, Handling: 'sett' }] })
    })

    test('ADR 0011 has the envelope of the newer interface', async () => {
      const reply = await revenueClient.revenueLog()
      expect(reply.headers['content-type']).toBe('application/json;odata.metadata=minimal')
      expect(reply.json['@odata.context']).toBe('http://localhost/omsetning/$metadata#OmsetningLogg')
      expect(reply.headers['cache-control']).toBe('no-cache')
    })

    test('ADR 0011 is read-only', async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expect(
          (await revenueClient.call(method, '/omsetning/OmsetningLogg', method === 'DELETE' ? {} : { json: {} }))
            .status,
        ).toBe(405)
    })

    test('ADR 0010 a filter on cells finds every entry of them, also of records that moved or were deleted', async () => {
      const random = seededRandom()
      const cell = () => ({
        Dato: random.pick(['2024-05-01', '2024-05-02', '2024-05-03']),
        AvdelingID: random.pick(['20', '21']),
        ipType: random.pick(['I', 'K']),
      })
      const ids: number[] = []
      for (let step = 0; step < 120; step += 1) {
        const Omsetning = step
        const InntekstplanId = random.pick([1, ...ids])
        const writes = [
          () => revenueClient.setPerDate([cell(), cell()].map((one) => ({ ...one, Omsetning }))),
          () => revenueClient.accumulate({ ...cell(), Omsetning }),
          () => revenueClient.saveList([{ ...cell(), Omsetning, InntekstplanId }]),
          () => revenueClient.saveList([{ ...cell(), Omsetning }]),
          () => revenueClient.delete(InntekstplanId),
        ] as const
        await random.pick(writes)()
        ids.splice(0, ids.length, ...(await revenueClient.idsWhere('true')))
      }
      const all = await entries(revenueClient)
      type Entry = Readonly<Record<'Id' | 'Dato' | 'AvdelingID' | 'ipType', string>>
      const filters: [string, (entry: Entry) => boolean][] = [
        ['Dato eq 2024-05-02', ({ Dato }) => Dato === '2024-05-02'],
        ['Dato gt 2024-05-01', ({ Dato }) => Dato > '2024-05-01'],
        [
          "Dato ge 2024-05-01 and Dato lt 2024-05-03 and AvdelingID eq '20'",
          ({ Dato, AvdelingID }) => Dato < '2024-05-03' && AvdelingID === '20',
        ],
        [
          "Dato eq 2024-05-01 and AvdelingID ge '21' and Id gt 20",
          ({ Dato, AvdelingID, Id }) => Dato === '2024-05-01' && AvdelingID === '21' && Number(Id) > 20,
        ],
        ...['20', '21'].map((department): (typeof filters)[number] => [
          `Dato eq 2024-05-03 and AvdelingID eq '${department}' and ipType eq 'K'`,
          ({ Dato, AvdelingID, ipType }) => Dato === '2024-05-03' && AvdelingID === department && ipType === 'K',
        ]),
      ]
      for (const [$filter, isFound] of filters) {
        const expected = all.filter(isFound)
        expect(expected.length, $filter).toBeGreaterThan(0)
        expect(await entries(revenueClient, { $filter }), $filter).toEqual(expected)
        const latest = await entries(revenueClient, { $filter, $orderby: 'Id desc', $top: '3' })
        expect(latest, $filter).toEqual(expected.toReversed().slice(0, 3))
        const counted = await revenueClient.revenueLog({ $filter, $count: 'true', $top: '1' })
        expect(counted.json['@odata.count'], $filter).toBe(expected.length)
      }
    })

    test('ADR 0011 the amounts of the entries of a record add up to its amount', async () => {
      for (let step = 0; step < 30; step += 1) {
        if (step % 3 === 0) await revenueClient.setPerDate([{ ...row, Omsetning: step }])
        else await revenueClient.accumulate({ ...row, Omsetning: 0.01 * step })
      }
      let before = null
      for (const { Handling, Belop, For, Etter } of await entries(revenueClient)) {
        expect(For).toBe(before)
        expect(Etter).toBe(Handling === 'sett' ? Belop : Math.round(((before ?? 0) + Belop) * 1e4) / 1e4)
        before = Etter
      }
      expect((await revenueClient.records())[0].Omsetning).toBe(before)
    })
  })

  describe('DELETE', () => {
    test('ADR 0010 returns 204 without a body, and deletes the record', async () => {
      await revenueClient.saveList([row, row])
      const reply = await revenueClient.delete(1)
      expect([reply.status, reply.text]).toEqual([204, ''])
      expect(await revenueClient.idsWhere('true')).toEqual([2])
    })

    test('ADR 0010 a key is never used again', async () => {
      for (const expected of [1, 2, 3]) {
        const { InntektsPlanId } = (await revenueClient.insert(row)).json
        expect(InntektsPlanId).toBe(expected)
        expect((await revenueClient.delete(InntektsPlanId)).status).toBe(204)
      }
    })

    test("ADR 0010 an unknown key, a deleted one and another company's are the same 404", async () => {
      const [revenueClient, other] = [await newRevenueClient(server), await newRevenueClient(server)]
      await other.saveList([row, row, row])
      await revenueClient.insert(row)
      await revenueClient.delete(1)
      for (const id of [1, 2, 4711])
        expectError(await revenueClient.delete(id), 404, 'NotFound', { target: `Omsetning(${id})` })
      expect(await other.records()).toHaveLength(3)
    })

    test.each([
      'Omsetning(x)',
      'Omsetning()',
      'Omsetning(1.5)',
      'Omsetning(-1)',
      "Omsetning('1')",
      'Omsetning(99999999999999999999)',
      'Omsetning(1)(2)',
      'Omsetning',
    ])('ADR 0010 %s is not the URL of a record', async (address) => {
      await revenueClient.insert(row)
      const reply = await revenueClient.call('DELETE', `/omsetning/${address}`)
      expect([400, 404, 405, 501]).toContain(reply.status)
      expect(await revenueClient.records()).toHaveLength(1)
    })

    test('ADR 0010 requires the write scope', async () => {
      const revenueClient = await newRevenueClient(server, { scopes: ['revenue:read'] })
      expect((await revenueClient.delete(1)).status).toBe(403)
    })
  })

  describe('Omsetning in the newer interface', () => {
    test('ADR 0006 returns the same records, dates without a time', async () => {
      await revenueClient.insert({ ...row, Merknad: 'x' })
      const reply = await revenueClient.call('GET', '/omsetning/Omsetning')
      expect(JSON.parse(withoutEtags(reply.text))).toEqual({
        '@odata.context': 'http://localhost/omsetning/$metadata#Omsetning',
        value: [
          revenueRecord({
            InntektsPlanId: 1,
            Dato: '2024-05-01',
            ipType: 'I',
            AvdelingID: '20',
            Omsetning: 100,
            Merknad: 'x',
          }),
        ],
      })
    })
  })

  describe('SistEndretDato', () => {
    const stamps = async (revenueClient: RevenueClient, filter = 'true'): Promise<Stamped[]> =>
      revenueClient.records({ $filter: filter, $select: 'InntektsPlanId,SistEndretDato', $orderby: 'SistEndretDato' })

    test('ADR 0011 is distinct for every record of a list, ascending in its order', async () => {
      await revenueClient.saveList(Array.from({ length: 700 }, () => row))
      const all = await stamps(revenueClient)
      expect(all.map(({ InntektsPlanId }) => InntektsPlanId)).toEqual(
        Array.from({ length: 700 }, (_, index) => index + 1),
      )
      expect(new Set(all.map(({ SistEndretDato }) => SistEndretDato)).size).toBe(700)
    })

    test('ADR 0010 a filter on SistEndretDato finds each record by its last change alone, in every order', async () => {
      const random = seededRandom()
      const cell = () => ({ ...row, AvdelingID: String(random.below(12)), Omsetning: random.below(9) })
      for (let step = 0; step < 25; step += 1) {
        await revenueClient.setPerDate(Array.from({ length: 1 + random.below(9) }, cell))
        const [{ InntektsPlanId }] = await revenueClient.records({ $orderby: 'SistEndretDato', $top: '1' })
        if (step % 6 === 5) await revenueClient.delete(InntektsPlanId)
      }
      const select = { $select: 'InntektsPlanId,AvdelingID,SistEndretDato' }
      const all = (await revenueClient.records(select)) as (Stamped & typeof row)[]
      const inTime = all.toSorted((one, other) => (one.SistEndretDato < other.SistEndretDato ? -1 : 1))
      const [middle] = inTime.slice(inTime.length / 2)
      const stamp = middle?.SistEndretDato ?? ''
      const tests: [string, (found: string) => boolean][] = [
        ['gt', (found) => found > stamp],
        ['ge', (found) => found >= stamp],
        ['lt', (found) => found < stamp],
        ['le', (found) => found <= stamp],
        ['eq', (found) => found === stamp],
      ]
      for (const [operator, isFound] of tests) {
        const $filter = `SistEndretDato ${operator} ${stamp}`
        const read = (query: Record<string, string>) => revenueClient.records({ ...select, $filter, ...query })
        const expected = inTime.filter(({ SistEndretDato }) => isFound(SistEndretDato))
        expect(await read({ $orderby: 'SistEndretDato' }), $filter).toEqual(expected)
        expect(await read({ $orderby: 'SistEndretDato desc', $top: '2' }), $filter).toEqual(
          expected.toReversed().slice(0, 2),
        )
        expect(await read({}), $filter).toEqual(all.filter((one) => expected.includes(one)))
        const ofDepartment = expected.filter(({ AvdelingID }) => AvdelingID === middle?.AvdelingID)
        expect(
          await read({
            $filter: `${$filter} and AvdelingID eq '${middle?.AvdelingID ?? ''}'`,
            $orderby: 'SistEndretDato',
          }),
        ).toEqual(ofDepartment)
      }
      expect(await revenueClient.records({ ...select, $orderby: 'SistEndretDato desc' })).toEqual(inTime.toReversed())
      const later = `SistEndretDato gt ${inTime.at(-1)?.SistEndretDato ?? ''}`
      expect(await revenueClient.idsWhere(later)).toEqual([])
      expect(await revenueClient.idsWhere('SistEndretDato gt 2000-01-01T00:00:00Z')).toHaveLength(all.length)
    })

    test('ADR 0011 increases with every change, even if the clock does not', async () => {
      const now = server.clock.now()
      const seen = []
      for (const moment of [now, now - 3_600_000_000, now, now + 1, now - 1]) {
        server.clock.now = () => moment
        await revenueClient.setPerDate([row])
        seen.push((await stamps(revenueClient))[0]?.SistEndretDato ?? '')
      }
      server.clock.now = () => Date.now() * 1000
      expect(seen).toEqual([...new Set(seen)].sort())
      expect(seen).toHaveLength(5)
    })

    test('ADR 0011 ids and timestamps rise across processes and rolled-back writes', async () => {
      const otherProcess = await server.secondInstance()
      const writers = [revenueClient, revenueClientFor(otherProcess, revenueClient.company)]
      for (const writer of [...writers, ...writers])
        for (const query of [{}, { dryRun: 'true' }, {}]) expect((await writer.insert(row, query)).status).toBe(200)
      const found = await entries(revenueClient, { $orderby: 'Id' })
      expect(found.map(({ Id }: { Id: number }) => Id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect(found.map(({ InntektsPlanId }: Stamped) => InntektsPlanId)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      const times = found.map(({ Tid }: { Tid: string }) => Tid)
      expect(times).toEqual([...new Set(times.toSorted())])
    })

    test('ADR 0011 a reader that polls for newer records misses nothing during concurrent writes', async () => {
      // Only one server can serve an SQLite file.
      const secondInstance = database.name === 'PostgreSQL' ? await server.secondInstance() : null
      const writers = [
        revenueClient,
        secondInstance === null ? revenueClient : revenueClientFor(secondInstance, revenueClient.company),
      ]
      const seen = new Map<number, string>()
      const deleted = new Set<number>()
      let last = '2000-01-01T00:00:00Z'
      let lastEntry = 0
      let reads = 0

      const read = async () => {
        reads += 1
        for (const { InntektsPlanId, SistEndretDato } of await stamps(revenueClient, `SistEndretDato gt ${last}`)) {
          expect(SistEndretDato > last).toBe(true)
          seen.set(InntektsPlanId, SistEndretDato)
          last = SistEndretDato
        }
        for (const { Id, Handling, InntektsPlanId } of await entries(revenueClient, {
          $filter: `Id gt ${lastEntry}`,
        })) {
          // Without a gap: this reader would miss an entry that appears late.
          expect(Id).toBe(lastEntry + 1)
          lastEntry = Id
          if (Handling === 'slett') deleted.add(InntektsPlanId)
        }
      }

      const progress = { isWriting: true }
      const writing = Promise.all(
        Array.from({ length: 8 }, async (_, writer) => {
          const one = writers[writer % 2] ?? revenueClient
          for (let step = 0; step < 12; step += 1) {
            const AvdelingID = String((writer * step) % 5)
            const reply =
              step % 4 === 0
                ? await one.saveList([{ ...row, AvdelingID }, row])
                : step % 4 === 1
                  ? await one.accumulate({ ...row, AvdelingID })
                  : step % 4 === 2
                    ? await one.setPerDate([{ ...row, AvdelingID, Omsetning: step }])
                    : await one.delete(1 + ((writer * 12 + step) % 40))
            expect([200, 204, 404]).toContain(reply.status)
          }
        }),
      ).finally(() => (progress.isWriting = false))
      // Without sockets a reader would leave the writers no turn of the event loop.
      for (; progress.isWriting; await nextTurn()) await read()
      await writing
      await read()

      const current = await stamps(revenueClient)
      expect(reads).toBeGreaterThan(2)
      for (const { InntektsPlanId, SistEndretDato } of current) expect(seen.get(InntektsPlanId)).toBe(SistEndretDato)
      const alive = new Set(current.map(({ InntektsPlanId }) => InntektsPlanId))
      for (const id of seen.keys()) expect(alive.has(id) || deleted.has(id)).toBe(true)
      expect(new Set(current.map(({ SistEndretDato }) => SistEndretDato)).size).toBe(current.length)
    })
  })
})
