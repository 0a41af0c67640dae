// Interface 4.1: the five revenue endpoints, and what each of them stores.
import { describe, expect, test } from 'vitest'
import { otherValueNames, revenue } from '../../src/model/revenue.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useTestServer } from '../support/server.ts'
import { useRevenueClient, newRevenueClient } from '../support/revenue-client.ts'
import { revenueRecord, specifiedRevenueNames } from '../support/revenue-record.ts'

const day = '2013-01-01'
const row = { Dato: `${day}T00:00:00`, AvdelingID: '20', Omsetning: 1234.5 }

/** Two values of a field that is neither the amount nor one of the cell. */
const twoValues = { text: ['regn', 'sol'], integer: [1, 2], decimal: [1.5, 2.5], boolean: [true, false] } as const
const otherFields = otherValueNames.map((name) => revenue.fields[name])

/** An entry of the revenue log. */
type Entry = Readonly<Record<'Id' | 'Belop' | 'For' | 'Etter', number> & Record<'AvdelingID' | 'Tid', string>>

describe.each(databases)('revenue on $name', (database) => {
  const server = useTestServer(database, '4.1-revenue')
  const revenueClient = useRevenueClient(server)

  describe('LagreEllerOppdaterOmsetningPrDato', () => {
    test('4.1.1 inserts a record when the department has none on that date', async () => {
      const reply = await expectStatus(revenueClient.setPerDate([row]))
      expect(reply.json).toEqual([
        revenueRecord({
          InntektsPlanId: 1,
          Dato: '2013-01-01T00:00:00',
          ipType: 'I',
          AvdelingID: '20',
          Omsetning: 1234.5,
        }),
      ])
      expect(await revenueClient.records()).toEqual(reply.json)
    })

    test('4.1.1 overwrites the amount of the record of that department and date', async () => {
      const [first] = (await revenueClient.setPerDate([row])).json
      const again = await revenueClient.setPerDate([{ ...row, Omsetning: 7 }])
      expect(again.json).toEqual([{ ...first, Omsetning: 7 }])
      expect(await revenueClient.records()).toEqual(again.json)
    })

    test.each(otherFields)('4.1.1 overwrites $wire only when it is sent', async ({ wire, type }) => {
      const [first, second] = twoValues[type]
      const rowOf21 = { ...row, AvdelingID: '21' }
      const set = async (...rows: object[]) => (await revenueClient.setPerDate(rows)).json[0][wire]
      expect(await set({ ...row, [wire]: first })).toBe(first)
      expect(await set({ ...row, Omsetning: 1 })).toBe(first)
      expect(await set({ ...row, [wire]: null })).toBe(first)
      expect(await set({ ...row, [wire]: second })).toBe(second)
      expect(await set(row, rowOf21)).toBe(second)
      expect(await set(row, rowOf21)).toBe(second)
      expect(await set({ ...row, [wire]: first }, rowOf21)).toBe(first)
      expect((await revenueClient.records()).map((record) => record[wire])).toEqual([first, null])
    })

    test('4.1.1 an empty Merknad clears it', async () => {
      await revenueClient.setPerDate([{ ...row, Merknad: 'regn' }])
      expect((await revenueClient.setPerDate([{ ...row, Merknad: '' }])).json[0].Merknad).toBe(null)
    })

    test('4.1.1 another department, date or type is another record', async () => {
      const rows = [row, { ...row, AvdelingID: '21' }, { ...row, Dato: '2013-01-02' }, { ...row, ipType: 'B' }]
      const reply = await revenueClient.setPerDate(rows)
      expect(new Set(reply.json.map(keyOf)).size).toBe(4)
      expect((await revenueClient.setPerDate(rows)).json.map(keyOf)).toEqual(reply.json.map(keyOf))
      expect(await revenueClient.records()).toHaveLength(4)
    })

    test('4.1.1 two rows of one cell: the last wins, and both results show what is stored', async () => {
      const reply = await revenueClient.setPerDate([row, { ...row, Omsetning: 2 }, { ...row, Omsetning: 3 }])
      expect(reply.json).toHaveLength(3)
      for (const entry of reply.json) expect(entry).toMatchObject({ InntektsPlanId: 1, Omsetning: 3 })
      expect(await revenueClient.records()).toHaveLength(1)
    })

    test.each([
      ['of stored cells only', []],
      ['with a new cell between them', [{ ...row, AvdelingID: '25', Omsetning: 40 }]],
      ['with a cell that is there twice', [{ ...row, AvdelingID: '21', Omsetning: 40 }]],
      ['with a remark', [{ ...row, AvdelingID: '24', Omsetning: 40, Merknad: 'regn' }]],
    ])('4.1.1 a list %s keeps remarks, and logs each amount once, in its order', async (_, between) => {
      const departments = ['23', '21', '22', '24']
      const stored = (
        await revenueClient.setPerDate(departments.map((AvdelingID) => ({ ...row, AvdelingID, Merknad: AvdelingID })))
      ).json
      const [first, ...others] = departments
        .slice(0, 3)
        .map((AvdelingID, Omsetning) => ({ ...row, AvdelingID, Omsetning }))
      const list = [first, ...between, ...others]
      const reply = await revenueClient.setPerDate(list)
      expect([reply.status, reply.json.length]).toEqual([200, list.length])
      expect(reply.json[0]).toEqual({ ...stored[0], Omsetning: 0 })
      const records = await revenueClient.records()
      for (const record of reply.json) expect(records).toContainEqual(record)
      const entries: Entry[] = (await revenueClient.revenueLog({ $filter: 'Id gt 4', $orderby: 'Id' })).json.value
      expect(entries.map(({ Id, AvdelingID, Belop }) => [Id, AvdelingID, Belop])).toEqual(
        list.map((sent, index) => [5 + index, sent?.AvdelingID, sent?.Omsetning]),
      )
      const latest = new Map(departments.map((department) => [department, { Etter: 1234.5 } as Entry]))
      for (const entry of entries) {
        expect(entry.For).toBe(latest.get(entry.AvdelingID)?.Etter ?? null)
        expect(entry.Etter).toBe(entry.Belop)
        latest.set(entry.AvdelingID, entry)
      }
      for (const { AvdelingID, SistEndretDato } of await revenueClient.records({
        $select: 'AvdelingID,SistEndretDato',
      }))
        expect(latest.get(AvdelingID)?.Tid ?? SistEndretDato).toBe(SistEndretDato)
      // A filter on the date follows the entries of each record (ADR 0010).
      const ofDay = await revenueClient.revenueLog({ $filter: `Dato eq ${day}`, $select: 'Id' })
      expect(ofDay.json.value).toHaveLength(4 + list.length)
    })

    test('4.1.1 a key in the rows is ignored', async () => {
      const [stored] = (await revenueClient.setPerDate([row])).json
      const other = await revenueClient.insert({ ...row, Dato: '2013-02-02', Omsetning: 50 })
      const reply = await revenueClient.setPerDate([
        { ...row, InntekstplanId: keyOf(other.json), Omsetning: 9 },
        { ...row, InntekstplanId: 4711, Dato: '2013-03-03' },
      ])
      expect(reply.status).toBe(200)
      expect(reply.json[0]).toEqual({ ...stored, Omsetning: 9 })
      expect(keyOf(reply.json[1])).not.toBe(4711)
      expect((await revenueClient.records()).find((one) => keyOf(one) === keyOf(other.json))).toEqual(other.json)
    })

    test.each(['x', 1.5, -1, true, '99999999999999999999', {}])(
      '4.1.1 a key in the rows is ignored and named, whatever its value: %j',
      async (InntekstplanId) => {
        const strict = { prefer: 'handling=strict' }
        const reply = await revenueClient.setPerDate([{ ...row, InntekstplanId }], {}, strict)
        expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('PlanId":1,')])
        expect(reply.headers['x-ignored-fields']).toBe('InntekstplanId')
      },
    )

    test('4.1.1 updates the record with the lowest key when the cell has several', async () => {
      const first = (await revenueClient.insert(row)).json
      const second = (await revenueClient.insert({ ...row, Omsetning: 2 })).json
      expect((await revenueClient.setPerDate([{ ...row, Omsetning: 5 }])).json[0]).toEqual({ ...first, Omsetning: 5 })
      expect(await revenueClient.records()).toEqual([{ ...first, Omsetning: 5 }, second])
    })

    test('4.1.1 when the leading record moves away or is deleted, the next one of the cell leads', async () => {
      const keys = []
      for (const Omsetning of [1, 2, 3]) keys.push(keyOf((await revenueClient.insert({ ...row, Omsetning })).json))
      await revenueClient.update({ InntekstplanId: keys[0], AvdelingID: '99' })
      expect((await revenueClient.setPerDate([{ ...row, Omsetning: 20 }])).json[0].InntektsPlanId).toBe(keys[1])
      expect((await revenueClient.delete(keys[1] ?? 0)).status).toBe(204)
      expect((await revenueClient.setPerDate([{ ...row, Omsetning: 30 }])).json[0].InntektsPlanId).toBe(keys[2])
      // The record with the lowest key leads again as soon as it is back.
      await revenueClient.update({ InntekstplanId: keys[0], AvdelingID: '20' })
      expect((await revenueClient.setPerDate([{ ...row, Omsetning: 40 }])).json[0].InntektsPlanId).toBe(keys[0])
      expect((await revenueClient.records()).map(({ Omsetning }) => Omsetning)).toEqual([40, 30])
    })

    test('4.1.1 many concurrent callers on an empty cell create one record', async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => revenueClient.setPerDate([{ ...row, Omsetning: index }])),
      )
      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
      expect(new Set(replies.map(({ json }) => keyOf(json[0]))).size).toBe(1)
      expect(await revenueClient.records()).toHaveLength(1)
    })

    test('4.1 the URL that existing clients call is an alias of this endpoint', async () => {
      const path = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDatoPrAvdeling'
      expect((await revenueClient.call('POST', path, { json: [row] })).json).toEqual(await revenueClient.records())
    })
  })

  describe('LagreEllerOppdaterListe', () => {
    test('4.1.2 a row with a key updates and a row without inserts, both in one array', async () => {
      const stored = (await revenueClient.insert(row)).json
      const reply = await revenueClient.saveList([
        { ...row, AvdelingID: '21', Omsetning: 10 },
        { InntekstplanId: keyOf(stored), Omsetning: 11 },
      ])
      expect(reply.status).toBe(200)
      expect(reply.json).toEqual([
        { ...stored, InntektsPlanId: 2, AvdelingID: '21', Omsetning: 10 },
        { ...stored, Omsetning: 11 },
      ])
      expect(await revenueClient.records()).toEqual(reply.json.toReversed())
    })

    test('4.1.2 a row without a key inserts even if the cell has a record already', async () => {
      await revenueClient.setPerDate([row])
      await revenueClient.saveList([row, row])
      expect((await revenueClient.records()).map(keyOf)).toEqual([1, 2, 3])
    })

    test('4.1.2 two rows of one key are both applied, in the order of the list', async () => {
      const key = keyOf((await revenueClient.insert(row)).json)
      const reply = await revenueClient.saveList([
        { InntekstplanId: key, Omsetning: 5, Merknad: 'først' },
        { InntekstplanId: key, Omsetning: 6 },
      ])
      for (const entry of reply.json) expect(entry).toMatchObject({ Omsetning: 6, Merknad: 'først' })
    })

    test('4.1.2 a list may insert into cells and move records between them without losing any', async () => {
      await revenueClient.insert(row)
      const there = { ...row, Dato: '2013-02-02' }
      const reply = await revenueClient.saveList([row, there, { ...there, InntekstplanId: 1 }])
      expect(reply.json.map(keyOf)).toEqual([2, 3, 1])
      expect((await revenueClient.records()).map(({ InntektsPlanId, Dato }) => [InntektsPlanId, Dato])).toEqual([
        [1, '2013-02-02T00:00:00'],
        [2, '2013-01-01T00:00:00'],
        [3, '2013-02-02T00:00:00'],
      ])
      // The record with the lowest key leads each cell.
      const leaders = await revenueClient.setPerDate([row, there])
      expect(leaders.json.map(keyOf)).toEqual([2, 1])
    })

    test('4.1.2 null, 0 and "" count as no key', async () => {
      const reply = await revenueClient.saveList([
        { ...row, InntekstplanId: null },
        { ...row, InntekstplanId: 0 },
        { ...row, InntekstplanId: '' },
        { ...row, InntektsPlanId: '0' },
      ])
      expect(reply.json.map(keyOf)).toEqual([1, 2, 3, 4])
    })

    test('4.1.2 the URL without the segment Omsetning is the same endpoint', async () => {
      const reply = await expectStatus(revenueClient.call('POST', '/dev/LagreEllerOppdaterListe', { json: [row] }))
      expect(await revenueClient.records()).toEqual(reply.json)
    })

    test('4.1.2 stores a list of a thousand rows in its order', async () => {
      const rows = Array.from({ length: 1200 }, (_, index) => ({ ...row, Omsetning: index }))
      const reply = await revenueClient.saveList(rows)
      expect(reply.json.map(({ Omsetning }: { Omsetning: number }) => Omsetning)).toEqual(
        rows.map(({ Omsetning }) => Omsetning),
      )
      expect(await revenueClient.records()).toEqual(reply.json)
    })
  })

  describe('Oppdater', () => {
    test('4.1.3 changes the record with the key, and only the fields that were sent', async () => {
      const stored = (await revenueClient.insert({ ...row, Merknad: 'før' })).json
      const reply = await expectStatus(revenueClient.update({ InntekstplanId: keyOf(stored), Omsetning: 1 }))
      expect(reply.json).toEqual({ ...stored, Omsetning: 1 })
      expect(await revenueClient.records()).toEqual([reply.json])
    })

    test('4.1.3 can change every field except the key', async () => {
      const key = keyOf((await revenueClient.insert(row)).json)
      const others = Object.fromEntries(otherFields.map(({ wire, type }) => [wire, twoValues[type][1]]))
      const changed = { Dato: '2014-02-28T00:00:00', ipType: 'B', AvdelingID: 'B', Omsetning: -0.0001, ...others }
      const reply = await revenueClient.update({ InntekstplanId: key, ...changed })
      expect(reply.json).toEqual({ InntektsPlanId: key, ...changed })
      expect(await revenueClient.records()).toEqual([reply.json])
    })

    test('4.1.3 a key that no record has is 404, and nothing is stored', async () => {
      const reply = await revenueClient.update({ InntekstplanId: 1, Omsetning: 1 })
      expectError(reply, 404, 'NotFound', { target: 'InntekstplanId' })
      expect(await revenueClient.records()).toEqual([])
    })
  })

  describe('Lagre', () => {
    test('4.1 inserts the object and returns the stored record', async () => {
      const reply = await expectStatus(revenueClient.insert({ ...row, Merknad: 'første' }))
      const expected = {
        InntektsPlanId: 1,
        Dato: '2013-01-01T00:00:00',
        ipType: 'I',
        AvdelingID: '20',
        Omsetning: 1234.5,
        Merknad: 'første',
      }
      expect(reply.json).toEqual(revenueRecord(expected))
      expect(await revenueClient.records()).toEqual([reply.json])
    })

    test('4.1 a record may have no date, no department and no amount', async () => {
      const reply = await revenueClient.insert({ Merknad: 'bare en merknad' })
      const expected = { InntektsPlanId: 1, ipType: 'I', Merknad: 'bare en merknad' }
      expect(reply.json).toEqual(revenueRecord(expected))
      await revenueClient.insert({ Dato: day })
      await revenueClient.insert({ AvdelingID: '20' })
      expect(await revenueClient.records()).toHaveLength(3)
    })

    test.each([{}, { InntekstplanId: 0 }, { Omsetning: null, Merknad: '' }])(
      'ADR 0006 %j is not a record: nothing is stored, alone or in a list',
      async (empty) => {
        expectError(await revenueClient.insert(empty), 400, 'MissingField', { target: 'Omsetning' })
        const list = await expectStatus(revenueClient.saveList([{ Omsetning: 1 }, empty]), 400)
        expect(list.json.error.details).toMatchObject([{ code: 'MissingField', target: '[1].Omsetning' }])
        expect(await revenueClient.records()).toEqual([])
      },
    )

    test('ADR 0010 a company can forbid a second record in a cell: 409 names the existing record', async () => {
      const revenueClient = await newRevenueClient(server, { settings: { forbidsSecondRecord: true } })
      const key = keyOf((await revenueClient.insert(row)).json)
      expectError(await revenueClient.insert({ ...row, Omsetning: 2 }), 409, 'AlreadyExists', { existing: key })
      const list = await expectStatus(revenueClient.saveList([{ ...row, AvdelingID: '21' }, row]), 409)
      expect(list.json.error).toMatchObject({
        code: 'Conflict',
        details: [{ code: 'AlreadyExists', target: '[1]', existing: key }],
      })
      const twice = await revenueClient.saveList([
        { ...row, AvdelingID: '22' },
        { ...row, AvdelingID: '22' },
      ])
      expect(twice.status).toBe(409)
      expect(await revenueClient.records()).toHaveLength(1)
      expect((await revenueClient.setPerDate([{ ...row, Omsetning: 3 }])).status).toBe(200)
    })
  })

  describe('Finn', () => {
    test("4.1 the specification's example filter finds the one record it names", async () => {
      await revenueClient.setPerDate([row, { ...row, AvdelingID: '21' }, { ...row, Dato: '2013-01-02' }])
      await revenueClient.insert({ ...row, ipType: 'B' })
      const filter = "Dato eq datetime('2013-01-01') and ipType eq 'I' and AvdelingID eq '20'"
      expect(await revenueClient.records({ $filter: filter })).toEqual([
        expect.objectContaining({ AvdelingID: '20', Dato: '2013-01-01T00:00:00', ipType: 'I' }),
      ])
    })

    test('4.1 returns the fields of section 2.1 in their order, ordered by key', async () => {
      await revenueClient.saveList([{ ...row, Dato: '2015-01-01' }, { ...row, Dato: '2014-01-01' }, row])
      const reply = await revenueClient.find()
      expect(reply.json.map(keyOf)).toEqual([1, 2, 3])
      for (const record of reply.json) expect(Object.keys(record)).toEqual(specifiedRevenueNames())
    })

    test('4.1 a company without records gets an empty array', async () => {
      expect((await revenueClient.find()).text).toBe('[]')
      expect((await revenueClient.find({}, { accept: 'application/xml' })).text).toContain('<ArrayOfOmsetning')
    })

    test('4.1 a GET may carry a Content-Type, as existing clients do', async () => {
      expect((await revenueClient.find({}, { 'content-type': 'application/json' })).status).toBe(200)
    })
  })

  describe('every endpoint', () => {
    test.each([
      '/DEV/OMSETNING/FINN',
      '/dev/omsetning/finn',
      '/dev//Omsetning///Finn',
      '//dev/Omsetning/Finn',
      '/dev/Omsetning/Finn/',
      '/dev/Omsetning/%46inn',
    ])('4.1 %s is a URL of Finn', async (path) => {
      const reply = await expectStatus(server.call('GET', path))
      expect(reply.json).toEqual([])
    })

    test.each(['/dev/Omsetning/Finne', '/dev/Omsetning/Finn/1', '/dev', '/dev/Omsetning/Finn;x=1'])(
      '4.1 %s is not a URL',
      async (path) => {
        expectError(await server.call('GET', path), 404, 'NotFound')
      },
    )

    test('4.1 parameters are read in any letter case, with or without $, with + as a space, trimmed', async () => {
      await revenueClient.setPerDate([row, { ...row, AvdelingID: '21' }])
      for (const query of [
        '$filter=AvdelingID+eq+%2720%27',
        'filter=AvdelingID%20eq%20%2720%27',
        '%24FILTER=++AvdelingID eq %2720%27++'.replaceAll(' ', '%20'),
        'Filter=avdelingid+EQ+%2720%27'.replace('EQ', 'eq'),
        '$FiLtEr=AVDELINGID+eq+%2720%27&_=1699999999',
      ]) {
        const reply = await revenueClient.call('GET', `/dev/Omsetning/Finn?${query}`)
        expect(reply.json, query).toEqual([expect.objectContaining({ AvdelingID: '20' })])
      }
      const { json } = await revenueClient.call('GET', '/dev/Omsetning/Finn?TOP=1&SKIP=1&orderBy=AvdelingID')
      expect(json).toEqual([expect.objectContaining({ AvdelingID: '21' })])
    })

    test('4.1 %2B in a parameter is a plus', async () => {
      await revenueClient.insert({ ...row, AvdelingID: 'a+b' })
      await revenueClient.insert({ ...row, AvdelingID: 'a b' })
      const path = '/dev/Omsetning/Finn?$filter=AvdelingID+eq+'
      expect((await revenueClient.call('GET', `${path}'a%2Bb'`)).json).toEqual([
        expect.objectContaining({ AvdelingID: 'a+b' }),
      ])
      expect((await revenueClient.call('GET', `${path}'a+b'`)).json).toEqual([
        expect.objectContaining({ AvdelingID: 'a b' }),
      ])
    })

    test('4.1 replies contain the stored records in the order of the request', async () => {
      const departments = ['9', '1', '5', '3', '7']
      const reply = await revenueClient.setPerDate(departments.map((AvdelingID) => ({ ...row, AvdelingID })))
      expect(reply.json.map(({ AvdelingID }: { AvdelingID: string }) => AvdelingID)).toEqual(departments)
      const again = await revenueClient.setPerDate(
        departments.toReversed().map((AvdelingID) => ({ ...row, AvdelingID })),
      )
      expect(again.json.map(keyOf)).toEqual(reply.json.map(keyOf).toReversed())
    })
  })
})

function keyOf({ InntektsPlanId }: { InntektsPlanId: number }): number {
  return InntektsPlanId
}
