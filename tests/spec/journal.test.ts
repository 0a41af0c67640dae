// ADR 0013: every change has a timestamp and a log entry, so that an incremental reader misses nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nextTick } from '../../src/lib/yield-to-event-loop.ts'
import { databases } from '../support/databases.ts'
import { buildHouse, type House } from '../support/server.ts'
import { newTill, tillOf, type Till } from '../support/revenue-client.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }

interface Stamped {
  readonly InntektsPlanId: number
  readonly SistEndretDato: string
}

describe.each(databases)('the revenue log on $name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'journal')
  })
  afterAll(() => house.close())

  const entries = async (till: Till, query = {}) => {
    const answer = await till.journal(query)
    expect(answer.status, answer.text).toBe(200)
    return answer.json.value
  }

  /** The amounts of a log entry. */
  const told = ({ Handling, Belop, For, Etter }: Record<string, unknown>) => [
    Handling,
    Belop,
    For,
    Etter,
  ]

  describe('OmsetningLogg', () => {
    test('ADR 0013 records who did what to which record, when, and in which request', async () => {
      const till = await newTill(house)
      await till.insert({ ...row, Merknad: 'x' }, {}, { 'x-request-id': 'kall-1' })
      const [entry] = await entries(till)
      const [{ SistEndretDato }] = await till.records({ $select: 'SistEndretDato' })
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

    test('ADR 0013 names the password when that was the credential', async () => {
      const { mine } = house
      await house.call('POST', `/dev/Omsetning/Lagre?firma=${mine.name}&passord=${mine.password}`, {
        as: null,
        json: row,
      })
      const [entry] = await entries(tillOf(house, mine))
      expect(entry.Av).toBe('password')
    })

    test('ADR 0013 has an entry for every change of an amount, before and after', async () => {
      const till = await newTill(house)
      await till.insert(row)
      await till.update({ InntekstplanId: 1, Omsetning: 50 })
      await till.setPerDate([{ ...row, Omsetning: 70 }])
      await till.accumulate({ ...row, Omsetning: 5.5, Referanse: 'bong 1' })
      await till.accumulate({ ...row, Omsetning: -75.5 })
      await till.saveList([{ InntekstplanId: 1, Omsetning: 3 }])
      await till.remove(1)
      const all = await entries(till)
      expect(all.map(told)).toEqual([
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

    test('ADR 0013 has an entry for each row of a list, also when two rows change one record', async () => {
      const till = await newTill(house)
      await till.setPerDate([row, { ...row, Omsetning: 2 }])
      await till.accumulate([
        { ...row, Omsetning: 3 },
        { ...row, Omsetning: 4 },
      ])
      expect((await entries(till)).map(told)).toEqual([
        ['sett', 100, null, 100],
        ['sett', 2, 100, 2],
        ['legg til', 3, 2, 5],
        ['legg til', 4, 5, 9],
      ])
    })

    test('ADR 0013 records the cell of a deleted record', async () => {
      const till = await newTill(house)
      await till.insert({ ...row, ipType: 'B' })
      await till.remove(1)
      const [, deletion] = await entries(till)
      expect(deletion).toMatchObject({
        Handling: 'slett',
        InntektsPlanId: 1,
        Dato: '2024-05-01',
        AvdelingID: '20',
        ipType: 'B',
      })
    })

    test('ADR 0013 supports the query options of every set', async () => {
      const till = await newTill(house)
      await till.saveList([row, { ...row, AvdelingID: '21' }, { Merknad: 'uten celle' }])
      await till.remove(2)
      const read = async (query: Record<string, string>) =>
        (await entries(till, query)).map(({ Id }: { Id: number }) => Id)
      expect(await read({ $filter: "Handling eq 'slett'" })).toEqual([4])
      expect(await read({ $filter: 'InntektsPlanId eq 2', $orderby: 'Id desc' })).toEqual([4, 2])
      expect(await read({ $filter: 'Dato eq null' })).toEqual([3])
      expect(await read({ $filter: 'Id gt 2', $top: '1' })).toEqual([3])
      const counted = await till.journal({ $count: 'true', $top: '1', $select: 'Id,Handling' })
      expect(counted.json).toMatchObject({
        '@odata.count': 4,
        value: [{ Id: 1, Handling: 'sett' }],
      })
    })

    test('ADR 0013 has the envelope of the newer interface', async () => {
      const till = await newTill(house)
      const answer = await till.journal()
      expect(answer.headers['content-type']).toBe('application/json;odata.metadata=minimal')
      expect(answer.json['@odata.context']).toBe(
        'http://localhost/omsetning/$metadata#OmsetningLogg',
      )
      expect(answer.headers['cache-control']).toBe('no-cache')
    })

    test('ADR 0013 is read-only', async () => {
      const till = await newTill(house)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expect(
          (
            await till.call(
              method,
              '/omsetning/OmsetningLogg',
              method === 'DELETE' ? {} : { json: {} },
            )
          ).status,
        ).toBe(405)
    })

    test('ADR 0013 the amounts of the entries of a record add up to its amount', async () => {
      const till = await newTill(house)
      for (let step = 0; step < 30; step += 1) {
        if (step % 3 === 0) await till.setPerDate([{ ...row, Omsetning: step }])
        else await till.accumulate({ ...row, Omsetning: 0.01 * step })
      }
      let before = null
      for (const { Handling, Belop, For, Etter } of await entries(till)) {
        expect(For).toBe(before)
        expect(Etter).toBe(
          Handling === 'sett' ? Belop : Math.round(((before ?? 0) + Belop) * 1e4) / 1e4,
        )
        before = Etter
      }
      expect((await till.records())[0].Omsetning).toBe(before)
    })
  })

  describe('DELETE', () => {
    test('ADR 0012 returns 204 without a body, and deletes the record', async () => {
      const till = await newTill(house)
      await till.saveList([row, row])
      const answer = await till.remove(1)
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(await till.idsWhere('true')).toEqual([2])
    })

    test('ADR 0012 a key is never used again', async () => {
      const till = await newTill(house)
      for (const expected of [1, 2, 3]) {
        const { InntektsPlanId } = (await till.insert(row)).json
        expect(InntektsPlanId).toBe(expected)
        expect((await till.remove(InntektsPlanId)).status).toBe(204)
      }
    })

    test("ADR 0012 an unknown key, a deleted one and another company's are the same 404", async () => {
      const [till, other] = [await newTill(house), await newTill(house)]
      await other.saveList([row, row, row])
      await till.insert(row)
      await till.remove(1)
      for (const id of [1, 2, 4711]) {
        const answer = await till.remove(id)
        expect(answer.status).toBe(404)
        expect(answer.json.error).toMatchObject({ code: 'NotFound', target: `Omsetning(${id})` })
      }
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
    ])('ADR 0012 %s is not the URL of a record', async (address) => {
      const till = await newTill(house)
      await till.insert(row)
      const answer = await till.call('DELETE', `/omsetning/${address}`)
      expect([404, 405]).toContain(answer.status)
      expect(await till.records()).toHaveLength(1)
    })

    test('ADR 0012 requires the write scope', async () => {
      const till = await newTill(house, { scopes: ['revenue:read'] })
      expect((await till.remove(1)).status).toBe(403)
    })
  })

  describe('Omsetning in the newer interface', () => {
    test('ADR 0006 returns the same records, dates without a time', async () => {
      const till = await newTill(house)
      await till.insert({ ...row, Merknad: 'x' })
      const answer = await till.call('GET', '/omsetning/Omsetning')
      expect(answer.json).toEqual({
        '@odata.context': 'http://localhost/omsetning/$metadata#Omsetning',
        value: [
          {
            InntektsPlanId: 1,
            Dato: '2024-05-01',
            ipType: 'I',
            AvdelingID: '20',
            Omsetning: 100,
            Merknad: 'x',
          },
        ],
      })
    })
  })

  describe('SistEndretDato', () => {
    const stamps = async (till: Till, filter = 'true'): Promise<Stamped[]> =>
      till.records({
        $filter: filter,
        $select: 'InntektsPlanId,SistEndretDato',
        $orderby: 'SistEndretDato',
      })

    test('ADR 0013 is distinct for every record of a list, ascending in its order', async () => {
      const till = await newTill(house)
      await till.saveList(Array.from({ length: 700 }, () => row))
      const all = await stamps(till)
      expect(all.map(({ InntektsPlanId }) => InntektsPlanId)).toEqual(
        Array.from({ length: 700 }, (_, index) => index + 1),
      )
      expect(new Set(all.map(({ SistEndretDato }) => SistEndretDato)).size).toBe(700)
    })

    test('ADR 0013 increases with every change, even if the clock does not', async () => {
      const till = await newTill(house)
      const now = house.clock.now()
      const seen = []
      for (const moment of [now, now - 3_600_000_000, now, now + 1, now - 1]) {
        house.clock.now = () => moment
        await till.setPerDate([row])
        seen.push((await stamps(till))[0]?.SistEndretDato ?? '')
      }
      house.clock.now = () => Date.now() * 1000
      expect(seen).toEqual([...new Set(seen)].sort())
      expect(seen).toHaveLength(5)
    })

    test('ADR 0013 a reader that polls for newer records misses nothing during concurrent writes', async () => {
      const till = await newTill(house)
      // Only one server can serve an SQLite file.
      const twin = database.name === 'PostgreSQL' ? await house.twin() : null
      const writers = [till, twin === null ? till : tillOf(twin, till.company)]
      const seen = new Map<number, string>()
      const deleted = new Set<number>()
      let last = '2000-01-01T00:00:00Z'
      let lastEntry = 0
      let reads = 0

      const read = async () => {
        reads += 1
        for (const { InntektsPlanId, SistEndretDato } of await stamps(
          till,
          `SistEndretDato gt ${last}`,
        )) {
          expect(SistEndretDato > last).toBe(true)
          seen.set(InntektsPlanId, SistEndretDato)
          last = SistEndretDato
        }
        for (const { Id, Handling, InntektsPlanId } of await entries(till, {
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
          const one = writers[writer % 2] ?? till
          for (let step = 0; step < 12; step += 1) {
            const AvdelingID = String((writer * step) % 5)
            const answer =
              step % 4 === 0
                ? await one.saveList([{ ...row, AvdelingID }, row])
                : step % 4 === 1
                  ? await one.accumulate({ ...row, AvdelingID })
                  : step % 4 === 2
                    ? await one.setPerDate([{ ...row, AvdelingID, Omsetning: step }])
                    : await one.remove(1 + ((writer * 12 + step) % 40))
            expect([200, 204, 404]).toContain(answer.status)
          }
        }),
      ).finally(() => (progress.isWriting = false))
      // Without sockets a reader would leave the writers no turn of the event loop.
      for (; progress.isWriting; await nextTick()) await read()
      await writing
      await read()

      const current = await stamps(till)
      expect(reads).toBeGreaterThan(2)
      for (const { InntektsPlanId, SistEndretDato } of current)
        expect(seen.get(InntektsPlanId)).toBe(SistEndretDato)
      const alive = new Set(current.map(({ InntektsPlanId }) => InntektsPlanId))
      for (const id of seen.keys()) expect(alive.has(id) || deleted.has(id)).toBe(true)
      expect(new Set(current.map(({ SistEndretDato }) => SistEndretDato)).size).toBe(current.length)
      await twin?.close()
    })
  })
})
