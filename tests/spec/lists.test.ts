// ADR 0007: a list is stored whole or not at all, unless the caller sends atomic=false.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { useRevenueClient, newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'
import { revenueRecord } from '../support/revenue-record.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }
const bad = { ...row, Dato: '2024-02-30' }
const unknown = { InntekstplanId: 4711, Omsetning: 1 }

interface Result {
  readonly index: number
  readonly code: string
  readonly target?: string | null
  readonly record?: { InntektsPlanId: number | null; Omsetning: number }
}

describe.each(databases)('lists on $name', (database) => {
  const server = useTestServer(database, 'lists')
  const revenueClient = useRevenueClient(server)
  const clock = useClock(server)

  const writers = (revenueClient: RevenueClient) => [
    revenueClient.saveList,
    revenueClient.setPerDate,
    revenueClient.accumulate,
  ]

  describe('atomic lists', () => {
    test.each([
      [bad, 'InvalidDate', '[2].Dato'],
      [{ ...row, Omsetning: true }, 'InvalidType', '[2].Omsetning'],
      ['rad', 'InvalidType', '[2]'],
    ])('ADR 0007 the invalid row %j rejects the whole list, in every list endpoint', async (invalid, code, target) => {
      for (const write of writers(revenueClient)) {
        const reply = await expectStatus(write([row, { ...row, AvdelingID: '21' }, invalid, row]), 400)
        expect(reply.json.error).toMatchObject({
          code: 'InvalidRows',
          problems: 1,
          details: [{ code, target }],
          outcome: 'not_applied',
        })
      }
      expect(await revenueClient.records()).toEqual([])
      expect((await revenueClient.revenueLog()).json.value).toEqual([])
    })

    test('ADR 0007 an unknown key late in a long list rolls back the rows before it', async () => {
      const kept = (await revenueClient.insert(row)).json
      const reply = await revenueClient.saveList([
        { InntekstplanId: kept.InntektsPlanId, Omsetning: 1 },
        ...Array.from({ length: 1500 }, () => row),
        unknown,
      ])
      expect(reply.status).toBe(404)
      expect(reply.json.error.details).toMatchObject([{ code: 'NotFound', target: '[1501].InntekstplanId' }])
      expect(await revenueClient.records()).toEqual([kept])
      expect((await revenueClient.revenueLog()).json.value).toHaveLength(1)
      // No key was consumed in an observable way.
      expect((await revenueClient.insert(row)).json.InntektsPlanId).toBeGreaterThan(kept.InntektsPlanId)
    })

    test('ADR 0007 malformed rows are reported before unknown keys, and these before conflicts', async () => {
      const revenueClient = await newRevenueClient(server, { settings: { forbidsSecondRecord: true } })
      await revenueClient.insert(row)
      expectError(await revenueClient.saveList([row]), 409, 'Conflict')
      expectError(await revenueClient.saveList([row, unknown]), 404, 'NotFound')
      expectError(await revenueClient.saveList([row, unknown, bad]), 400, 'InvalidRows')
    })

    test('ADR 0007 every invalid row is reported with its own code and position', async () => {
      const reply = await revenueClient.saveList([
        row,
        bad,
        { ...row, Omsetning: '12,5' },
        { InntekstplanId: 7 },
        { InntekstplanId: 7, InntektsPlanId: 8, Omsetning: 1 },
        5,
        { ...row, AvdelingID: true, Merknad: 'x'.repeat(4001) },
      ])
      expect(
        reply.json.error.details.map(({ code, target }: { code: string; target: string }) => [code, target]),
      ).toEqual([
        ['InvalidDate', '[1].Dato'],
        ['InvalidNumber', '[2].Omsetning'],
        ['NothingToChange', '[3]'],
        ['DuplicateField', '[4].InntekstplanId'],
        ['InvalidType', '[5]'],
        ['InvalidType', '[6].AvdelingID'],
        ['ValueTooLong', '[6].Merknad'],
      ])
    })

    test('ADR 0007 an empty list is 200 and an empty array', async () => {
      for (const write of writers(revenueClient)) {
        const reply = await write([])
        expect([reply.status, reply.text]).toEqual([200, '[]'])
      }
    })

    test('an empty list, and one whose rows are all invalid, uses no timestamp', async () => {
      const stampOf = async () => {
        const { InntektsPlanId } = (await revenueClient.insert(row)).json
        const [{ SistEndretDato }] = await revenueClient.records({
          $filter: `InntektsPlanId eq ${InntektsPlanId}`,
          $select: 'SistEndretDato',
        })
        return Number(/\d+(?=Z)/.exec(SistEndretDato)?.[0])
      }
      clock.now = Date.UTC(2024, 4, 1) * 1000
      const before = await stampOf()
      for (const write of writers(revenueClient)) {
        await write([])
        await write([bad], { atomic: 'false' })
      }
      expect(await stampOf()).toBe(before + 1)
    })
  })

  describe('atomic=false', () => {
    test('ADR 0007 stores the valid rows and returns a result for each row, in order', async () => {
      const kept = (await revenueClient.insert(row)).json
      const reply = await revenueClient.saveList(
        [bad, { ...row, AvdelingID: '21' }, unknown, { InntekstplanId: kept.InntektsPlanId, Omsetning: 7 }],
        { atomic: 'false' },
      )
      expect(reply.status).toBe(200)
      expect(reply.json.resultater).toEqual([
        { index: 0, code: 'InvalidDate', target: '[0].Dato', message: expect.any(String) },
        { index: 1, code: 'inserted', record: expect.objectContaining({ AvdelingID: '21', Omsetning: 100 }) },
        { index: 2, code: 'NotFound', target: '[2].InntekstplanId', message: expect.any(String) },
        { index: 3, code: 'updated', record: { ...kept, Omsetning: 7 } },
      ])
      expect(reply.json.antall).toEqual({ InvalidDate: 1, inserted: 1, NotFound: 1, updated: 1 })
      expect(await revenueClient.records()).toEqual([{ ...kept, Omsetning: 7 }, reply.json.resultater[1].record])
    })

    test('ADR 0007 works in every list endpoint', async () => {
      for (const write of writers(revenueClient)) {
        const reply = await expectStatus(write([row, bad], { atomic: 'false' }))
        expect(reply.json.resultater.map(({ index }: Result) => index)).toEqual([0, 1])
        expect(reply.json.resultater[1].code).toBe('InvalidDate')
      }
      // Inserted, overwritten, and added to.
      expect((await revenueClient.records()).map(({ Omsetning }) => Omsetning)).toEqual([200])
    })

    test('ADR 0007 has no effect on a single object', async () => {
      const apart = { atomic: 'false' }
      const stored = (await revenueClient.insert(row, apart)).json
      const Dato = `${row.Dato}T00:00:00`
      expect(stored).toEqual(revenueRecord({ InntektsPlanId: 1, ...row, Dato, ipType: 'I' }))
      const { status, json } = await revenueClient.update({ InntekstplanId: 1, Omsetning: 5 }, apart)
      expect([status, json]).toEqual([200, { ...stored, Omsetning: 5 }])
      expect((await revenueClient.accumulate(row, apart)).json).toEqual({ ...stored, Omsetning: 105 })
      expect((await revenueClient.insert(bad, apart)).json.error.code).toBe('InvalidDate')
      expect((await revenueClient.update(unknown, apart)).json.error.code).toBe('NotFound')
    })

    test('ADR 0007 is 422 when no row is valid', async () => {
      for (const rows of [[bad], [unknown], [bad, unknown]]) {
        const reply = await revenueClient.saveList(rows, { atomic: 'false' })
        expectError(reply, 422, 'NoItemsProcessed')
        expect(reply.json.error.details).toHaveLength(rows.length)
      }
      const empty = await revenueClient.saveList([], { atomic: 'false' })
      expect(empty.json).toEqual({ resultater: [], antall: {} })
    })

    test('ADR 0007 messages of rows are in the language of the caller', async () => {
      const ask = (language: string) =>
        revenueClient.saveList([row, bad], { atomic: 'false' }, { 'accept-language': language })
      const [english, norwegian] = [await ask('en'), await ask('nb')]
      expect(english.json.resultater[1].message).toContain('is not a valid date')
      expect(norwegian.json.resultater[1].message).toContain('er ikke en gyldig dato')
    })

    test.each(['ja', '1', '', 'null'])('ADR 0007 atomic=%s is rejected', async (atomic) => {
      expectError(await revenueClient.saveList([row], { atomic }), 400, 'InvalidQueryOption', { target: 'atomic' })
      expect(await revenueClient.records()).toEqual([])
    })
  })

  test('ADR 0007 concurrent lists are each stored whole or not at all, also when others fail', async () => {
    await revenueClient.accumulate({ ...row, AvdelingID: 'brukt', Referanse: 'bong 1' })
    const calls = Array.from({ length: 120 }, (_, index) => {
      const own = { ...row, AvdelingID: `egen ${index}` }
      const kinds = [
        () => revenueClient.saveList([own, own]),
        () => revenueClient.saveList([own, unknown]),
        () => revenueClient.accumulate([row, row]),
        () => revenueClient.accumulate([row, { ...row, AvdelingID: 'brukt', Omsetning: 1, Referanse: 'bong 1' }]),
        () => revenueClient.setPerDate([own, { ...row, AvdelingID: 'felles', Omsetning: index }]),
        () => revenueClient.setPerDate([own, row], { dryRun: 'true' }),
        () => revenueClient.delete(4711),
        () => revenueClient.insert(own, {}, { 'idempotency-key': `nøkkel ${index}`.replace(/\W/g, '-') }),
      ]
      return (kinds[index % kinds.length] ?? revenueClient.find)()
    })
    const replies = await Promise.all(calls)
    const expected = [200, 404, 200, 409, 200, 200, 404, 200]
    expect(replies.map(({ status }) => status)).toEqual(replies.map((_, index) => expected[index % expected.length]))
    const records = await revenueClient.records()
    const ofKind = (kind: number) => replies.flatMap((_, index) => (index % 8 === kind ? [`egen ${index}`] : []))
    const owned = [...ofKind(0), ...ofKind(0), ...ofKind(4), ...ofKind(7)]
    const shared = ['20', 'brukt', 'felles']
    const departments: string[] = records.map(({ AvdelingID }) => AvdelingID)
    expect(departments.sort()).toEqual([...owned, ...shared].sort())
    const amountOf = (department: string) => records.find(({ AvdelingID }) => AvdelingID === department)?.Omsetning
    expect(amountOf('20')).toBe(15 * 200)
    expect(amountOf('brukt')).toBe(100)
    expect(ofKind(4).map((name) => Number(name.slice(5)))).toContain(amountOf('felles'))
    // One log entry for every stored row, numbered without a gap.
    const journal = (await revenueClient.revenueLog()).json.value
    expect(journal).toHaveLength(1 + 15 * (2 + 2 + 2 + 1))
    expect(journal.map(({ Id }: { Id: number }) => Id)).toEqual(journal.map((_: unknown, index: number) => index + 1))
  })

  describe('dryRun=true', () => {
    test('ADR 0006 returns what the call would do, with null for new keys, and stores nothing', async () => {
      const kept = (await revenueClient.insert(row)).json
      const stamps = await revenueClient.records({ $select: 'SistEndretDato' })
      const replies = [
        await revenueClient.insert({ ...row, Omsetning: 1 }, { dryRun: 'true' }),
        await revenueClient.update({ InntekstplanId: kept.InntektsPlanId, Omsetning: 2 }, { dryrun: 'TRUE' }),
        await revenueClient.saveList(
          [
            { ...row, AvdelingID: '21' },
            { InntekstplanId: kept.InntektsPlanId, Omsetning: 3 },
          ],
          { DryRun: 'true' },
        ),
        await revenueClient.setPerDate(
          [
            { ...row, Omsetning: 4 },
            { ...row, AvdelingID: '22' },
          ],
          { dryRun: 'true' },
        ),
        await revenueClient.accumulate({ ...row, Omsetning: 5 }, { dryRun: 'true' }),
      ]
      for (const { status, headers } of replies) {
        expect(status).toBe(200)
        expect(headers['x-dry-run']).toBe('true')
      }
      expect(
        replies.map(({ json }) => [json].flat().map(({ InntektsPlanId, Omsetning }) => [InntektsPlanId, Omsetning])),
      ).toEqual([
        [[null, 1]],
        [[1, 2]],
        [
          [null, 100],
          [1, 3],
        ],
        [
          [1, 4],
          [null, 100],
        ],
        [[1, 105]],
      ])
      expect(await revenueClient.records()).toEqual([kept])
      expect(await revenueClient.records({ $select: 'SistEndretDato' })).toEqual(stamps)
      expect((await revenueClient.revenueLog()).json.value).toHaveLength(1)
    })

    test('ADR 0006 rejects what the call would reject', async () => {
      expect((await revenueClient.saveList([row, bad], { dryRun: 'true' })).status).toBe(400)
      expect((await revenueClient.update(unknown, { dryRun: 'true' })).status).toBe(404)
      expect((await revenueClient.insert(row, { dryRun: 'kanskje' })).json.error.code).toBe('InvalidQueryOption')
    })

    test('ADR 0006 can be combined with atomic=false; dryRun=false has no effect', async () => {
      const reply = await revenueClient.saveList([row, bad], { dryRun: 'true', atomic: 'false' })
      expect(reply.json.resultater[0]).toMatchObject({ code: 'inserted', record: { InntektsPlanId: null } })
      expect(await revenueClient.records()).toEqual([])
      const real = await revenueClient.saveList([row], { dryRun: 'false' })
      expect(real.headers['x-dry-run']).toBeUndefined()
      expect(await revenueClient.records()).toHaveLength(1)
    })

    test('ADR 0006 stores no reply for its Idempotency-Key', async () => {
      const key = { 'idempotency-key': 'prøve'.replace('ø', 'o') }
      await revenueClient.accumulate(row, { dryRun: 'true' }, key)
      const real = await expectStatus(revenueClient.accumulate(row, {}, key))
      expect(real.headers['idempotency-replayed']).toBeUndefined()
      expect(await revenueClient.records()).toHaveLength(1)
    })
  })
})
