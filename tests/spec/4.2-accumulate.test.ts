// Interface 4.2: AggsertOmsetning adds an amount to a cell; a retry does not add it twice.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useTestServer } from '../support/server.ts'
import { useRevenueClient, newRevenueClient } from '../support/revenue-client.ts'
import { revenueRecord } from '../support/revenue-record.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }

describe.each(databases)('AggsertOmsetning on $name', (database) => {
  const server = useTestServer(database, '4.2-accumulate')
  const revenueClient = useRevenueClient(server)

  describe('the cell', () => {
    test('4.2.1 the cell is identified by date, department and type', async () => {
      await revenueClient.accumulate([
        row,
        { ...row, Dato: '2024-05-02' },
        { ...row, AvdelingID: '21' },
        { ...row, ipType: 'B' },
        { ...row, Omsetning: 1 },
      ])
      expect((await revenueClient.records()).map(({ Omsetning }) => Omsetning)).toEqual([101, 100, 100, 100])
    })

    test('4.2.2 adds the amount to the existing record of the cell', async () => {
      const stored = (await revenueClient.insert({ ...row, Merknad: 'kasse 1' })).json
      const reply = await expectStatus(revenueClient.accumulate({ ...row, Omsetning: 0.5 }))
      expect(reply.json).toEqual({ ...stored, Omsetning: 100.5 })
      expect(await revenueClient.records()).toEqual([reply.json])
    })

    test('4.2.2 counts a record without an amount as zero', async () => {
      await revenueClient.insert({ Dato: row.Dato, AvdelingID: row.AvdelingID })
      expect((await revenueClient.accumulate(row)).json).toMatchObject({ InntektsPlanId: 1, Omsetning: 100 })
    })

    test('4.2.2 adds to the record with the lowest key when the cell has several', async () => {
      await revenueClient.saveList([row, row])
      await revenueClient.accumulate(row)
      expect((await revenueClient.records()).map(({ Omsetning }) => Omsetning)).toEqual([200, 100])
    })

    test('4.2.3 creates a record with date, department and type when the cell has none', async () => {
      const reply = await revenueClient.accumulate({ ...row, ipType: 'B', Merknad: 'ny' })
      const expected = {
        InntektsPlanId: 1,
        Dato: '2024-05-01T00:00:00',
        ipType: 'B',
        AvdelingID: '20',
        Omsetning: 100,
        Merknad: 'ny',
      }
      expect(reply.json).toEqual(revenueRecord(expected))
      expect(await revenueClient.records()).toEqual([reply.json])
    })

    test('4.2.4 concurrent calls on an empty cell create one record with the sum of all', async () => {
      const replies = await Promise.all(
        Array.from({ length: 25 }, (_, index) => revenueClient.accumulate({ ...row, Omsetning: index + 0.01 })),
      )
      expect(replies.map(({ status }) => status)).toEqual(Array(25).fill(200))
      expect(await revenueClient.records()).toEqual([expect.objectContaining({ Omsetning: 300.25 })])
      // Each reply shows the total right after its call: no two are equal.
      expect(new Set(replies.map(({ json }) => json.Omsetning)).size).toBe(25)
    })
  })

  describe('amounts', () => {
    test('ADR 0004 0.1 added ten times is 1', async () => {
      for (let time = 0; time < 10; time += 1) await revenueClient.accumulate({ ...row, Omsetning: 0.1 })
      expect((await revenueClient.find()).text).toContain('"Omsetning":1,')
      await revenueClient.accumulate(Array.from({ length: 10 }, () => ({ ...row, AvdelingID: '21', Omsetning: 0.1 })))
      expect((await revenueClient.records())[1]).toMatchObject({ AvdelingID: '21', Omsetning: 1 })
    })

    test('ADR 0004 negative amounts and zero are added unchanged', async () => {
      const totals = []
      for (const Omsetning of [5, -7.25, 0, 2.25])
        totals.push((await revenueClient.accumulate({ ...row, Omsetning })).json.Omsetning)
      expect(totals).toEqual([5, -2.25, -2.25, 0])
    })

    test('ADR 0004 a total out of range is rejected, and nothing is added', async () => {
      await revenueClient.accumulate({ ...row, Omsetning: 99999999999 })
      const reply = await revenueClient.accumulate({ ...row, Omsetning: 1 })
      expectError(reply, 400, 'NumberOutOfRange', { target: 'Omsetning' })
      expect((await revenueClient.accumulate({ ...row, Omsetning: 0.9999 })).status).toBe(200)
      const list = await revenueClient.accumulate([
        { ...row, AvdelingID: '21' },
        { ...row, Omsetning: 0.0001 },
      ])
      expect(list.status).toBe(400)
      expect(list.json.error).toMatchObject({
        code: 'InvalidRows',
        details: [{ code: 'NumberOutOfRange', target: '[1].Omsetning' }],
      })
      expect(await revenueClient.records()).toEqual([expect.objectContaining({ Omsetning: 99999999999.9999 })])
    })
  })

  describe('the body', () => {
    test('4.2 one object returns the record, an array returns an array', async () => {
      expect((await revenueClient.accumulate(row)).json.Omsetning).toBe(100)
      const list = (await revenueClient.accumulate([row, row])).json
      expect(list.map(({ Omsetning }: { Omsetning: number }) => Omsetning)).toEqual([300, 300])
      expect((await revenueClient.accumulate([])).json).toEqual([])
    })

    test('4.2 date, department and amount are required', async () => {
      for (const field of ['Dato', 'AvdelingID', 'Omsetning']) {
        for (const absent of [undefined, null]) {
          const reply = await revenueClient.accumulate({ ...row, [field]: absent })
          expectError(reply, 400, 'MissingField', { target: field })
        }
      }
      expect(await revenueClient.records()).toEqual([])
    })

    test('4.2 a key in the body is ignored: the cell decides which record', async () => {
      const other = (await revenueClient.insert({ ...row, AvdelingID: '99' })).json
      const reply = await expectStatus(revenueClient.accumulate({ ...row, InntekstplanId: other.InntektsPlanId }))
      expect(reply.headers['x-ignored-fields']).toBe('InntekstplanId')
      expect(await revenueClient.records()).toEqual([other, reply.json])
    })

    test('4.2 Merknad is overwritten only when it is sent', async () => {
      await revenueClient.accumulate({ ...row, Merknad: 'a' })
      expect((await revenueClient.accumulate(row)).json.Merknad).toBe('a')
      expect((await revenueClient.accumulate({ ...row, Merknad: 'b' })).json.Merknad).toBe('b')
      expect((await revenueClient.accumulate({ ...row, Merknad: '' })).json.Merknad).toBe(null)
    })

    test.each([
      '/omsetning/AggsertOmsetning',
      '/omsetning/Omsetning/AggsertOmsetning',
      '/dev/Omsetning/AggsertOmsetning',
      '/dev/AggsertOmsetning',
      '/DEV/aggsertomsetning/',
    ])('ADR 0008 %s is a URL of the endpoint', async (path) => {
      const reply = await expectStatus(revenueClient.call('POST', path, { json: row }))
      expect(await revenueClient.records()).toEqual([reply.json])
    })
  })

  describe('Referanse', () => {
    test('ADR 0009 a repeat with the same Referanse and amount is not added again', async () => {
      const first = await revenueClient.accumulate({ ...row, Referanse: 'bong 1' })
      expect(first.headers['x-added']).toBe('1 of 1')
      const again = await expectStatus(revenueClient.accumulate({ ...row, Referanse: 'bong 1' }))
      expect(again.headers['x-added']).toBe('0 of 1')
      expect(again.json).toEqual(first.json)
      expect((await revenueClient.records())[0].Omsetning).toBe(100)
    })

    test('ADR 0009 a repeat returns the current total and is not logged', async () => {
      await revenueClient.accumulate({ ...row, Referanse: 'a' })
      await revenueClient.accumulate({ ...row, Referanse: 'b' })
      const stamp = await revenueClient.records({ $select: 'SistEndretDato' })
      const journal = (await revenueClient.revenueLog()).json.value
      const again = await revenueClient.accumulate({ ...row, Referanse: 'a', Merknad: 'igjen' })
      expect(again.json).toMatchObject({ Omsetning: 200, Merknad: null })
      expect(await revenueClient.records({ $select: 'SistEndretDato' })).toEqual(stamp)
      expect((await revenueClient.revenueLog()).json.value).toEqual(journal)
    })

    test('ADR 0009 a repeat with another amount is 409, and names the first amount', async () => {
      await revenueClient.accumulate({ ...row, Omsetning: 12.5, Referanse: 'bong 1' })
      const reply = await revenueClient.accumulate({ ...row, Omsetning: 13, Referanse: 'bong 1' })
      expectError(reply, 409, 'ReferenceReused', { target: 'Referanse' })
      expect(reply.json.error.message).toContain('12.5')
      expect((await revenueClient.records())[0].Omsetning).toBe(12.5)
    })

    test('ADR 0009 a reused Referanse in a list is an error of its row, and nothing of the list is added', async () => {
      await revenueClient.accumulate({ ...row, Referanse: 'bong 1' })
      const list = [
        { ...row, AvdelingID: '21' },
        { ...row, Omsetning: 7, Referanse: 'bong 1' },
      ]
      const refused = await expectStatus(revenueClient.accumulate(list), 409)
      expect(refused.json.error).toMatchObject({
        code: 'Conflict',
        details: [{ code: 'ReferenceReused', target: '[1].Referanse' }],
      })
      expect(await revenueClient.records()).toHaveLength(1)
      const apart = await expectStatus(revenueClient.accumulate(list, { atomic: 'false' }))
      expect(apart.json.resultater.map(({ code }: { code: string }) => code)).toEqual(['inserted', 'ReferenceReused'])
    })

    test('ADR 0009 a Referanse is unique per cell: another cell may use it too', async () => {
      const cells = [row, { ...row, AvdelingID: '21' }, { ...row, Dato: '2024-05-02' }, { ...row, ipType: 'B' }]
      const reply = await revenueClient.accumulate(cells.map((cell) => ({ ...cell, Referanse: 'bong 1' })))
      expect(reply.headers['x-added']).toBe('4 of 4')
      expect(await revenueClient.records()).toHaveLength(4)
    })

    test('ADR 0009 a Referanse twice in one list is added once', async () => {
      const reply = await revenueClient.accumulate([
        { ...row, Referanse: 'a' },
        { ...row, Referanse: 'b' },
        { ...row, Referanse: 'a' },
      ])
      expect(reply.headers['x-added']).toBe('2 of 3')
      expect(reply.json.map(({ Omsetning }: { Omsetning: number }) => Omsetning)).toEqual([200, 200, 200])
    })

    test('ADR 0009 a Referanse at both ends of a long list is added once', async () => {
      const rows = Array.from({ length: 1100 }, (_, index) => ({
        ...row,
        Omsetning: 1,
        Referanse: `bong ${index % 1000}`,
      }))
      const reply = await revenueClient.accumulate(rows)
      expect(reply.headers['x-added']).toBe('1000 of 1100')
      expect((await revenueClient.records())[0].Omsetning).toBe(1000)
      for (const entry of reply.json) expect(entry.Omsetning).toBe(1000)
    })

    test('ADR 0009 concurrent calls with one Referanse add it once', async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => revenueClient.accumulate({ ...row, Referanse: 'bong 1' })),
      )
      expect(replies.filter(({ headers }) => headers['x-added'] === '1 of 1')).toHaveLength(1)
      expect((await revenueClient.records())[0].Omsetning).toBe(100)
    })

    test('ADR 0009 "" and null count as no Referanse', async () => {
      for (const Referanse of ['', null, undefined]) {
        const reply = await revenueClient.accumulate({ ...row, Referanse })
        expect(reply.headers).toMatchObject({ 'x-added': '1 of 1', 'x-retry-safe': 'false' })
      }
      expect((await revenueClient.records())[0].Omsetning).toBe(300)
    })

    test('ADR 0009 a late repeat does not restore a deleted record', async () => {
      const { InntektsPlanId } = (await revenueClient.accumulate({ ...row, Referanse: 'a' })).json
      await revenueClient.delete(InntektsPlanId)
      await expectStatus(revenueClient.accumulate({ ...row, Referanse: 'a' }), 404)
      expect(await revenueClient.records()).toEqual([])
    })

    test('ADR 0009 the Referanse of one company is unknown to another', async () => {
      const [one, other] = [await newRevenueClient(server), await newRevenueClient(server)]
      await one.accumulate({ ...row, Referanse: 'bong 1' })
      const reply = await other.accumulate({ ...row, Omsetning: 1, Referanse: 'bong 1' })
      expect(reply.headers['x-added']).toBe('1 of 1')
    })
  })

  describe('X-Retry-Safe', () => {
    test('ADR 0009 X-Retry-Safe warns a caller that sent neither Referanse nor Idempotency-Key', async () => {
      expect((await revenueClient.accumulate(row)).headers['x-retry-safe']).toBe('false')
      expect((await revenueClient.accumulate([{ ...row, Referanse: 'a' }, row])).headers['x-retry-safe']).toBe('false')
      const referenced = await revenueClient.accumulate({ ...row, Referanse: 'b' })
      expect(referenced.headers['x-retry-safe']).toBeUndefined()
      const keyed = await revenueClient.accumulate(row, {}, { 'idempotency-key': 'k1' })
      expect(keyed.headers['x-retry-safe']).toBeUndefined()
    })

    test('ADR 0009 X-Added gives the number of rows that were added', async () => {
      expect((await revenueClient.accumulate([row, row])).headers['x-added']).toBe('2 of 2')
      expect((await revenueClient.accumulate([])).headers['x-added']).toBe('0 of 0')
    })
  })
})
