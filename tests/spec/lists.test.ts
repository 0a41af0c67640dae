// ADR 0007: a list is stored whole or not at all, unless the caller sends atomic=false.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { buildHouse, type House } from '../support/server.ts'
import { newTill, type Till } from '../support/revenue-client.ts'

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
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'lists')
  })
  afterAll(() => house.close())

  const writers = (till: Till) => [till.saveList, till.setPerDate, till.accumulate]

  describe('atomic lists', () => {
    test('ADR 0007 one invalid row rejects the whole list, in every list endpoint', async () => {
      const till = await newTill(house)
      for (const write of writers(till)) {
        const answer = await write([row, { ...row, AvdelingID: '21' }, bad])
        expect(answer.status).toBe(400)
        expect(answer.json.error).toMatchObject({
          code: 'InvalidRows',
          problems: 1,
          details: [{ code: 'InvalidDate', target: '[2].Dato' }],
          outcome: 'not_applied',
        })
      }
      expect(await till.records()).toEqual([])
      expect((await till.journal()).json.value).toEqual([])
    })

    test('ADR 0007 an unknown key late in a long list rolls back the rows before it', async () => {
      const till = await newTill(house)
      const kept = (await till.insert(row)).json
      const answer = await till.saveList([
        { InntekstplanId: kept.InntektsPlanId, Omsetning: 1 },
        ...Array.from({ length: 1500 }, () => row),
        unknown,
      ])
      expect(answer.status).toBe(404)
      expect(answer.json.error.details).toMatchObject([
        { code: 'NotFound', target: '[1501].InntekstplanId' },
      ])
      expect(await till.records()).toEqual([kept])
      expect((await till.journal()).json.value).toHaveLength(1)
      // No key was consumed in an observable way.
      expect((await till.insert(row)).json.InntektsPlanId).toBeGreaterThan(kept.InntektsPlanId)
    })

    test('ADR 0007 malformed rows are reported before unknown keys, and these before conflicts', async () => {
      const till = await newTill(house, { settings: { forbidsSecondRecord: true } })
      await till.insert(row)
      const conflicting = await till.saveList([row])
      expect([conflicting.status, conflicting.json.error.code]).toEqual([409, 'Conflict'])
      const missing = await till.saveList([row, unknown])
      expect([missing.status, missing.json.error.code]).toEqual([404, 'NotFound'])
      const malformed = await till.saveList([row, unknown, bad])
      expect([malformed.status, malformed.json.error.code]).toEqual([400, 'InvalidRows'])
    })

    test('ADR 0007 every invalid row is reported with its own code and position', async () => {
      const till = await newTill(house)
      const answer = await till.saveList([
        row,
        bad,
        { ...row, Omsetning: '12,5' },
        { InntekstplanId: 7 },
        { InntekstplanId: 7, InntektsPlanId: 8, Omsetning: 1 },
        5,
        { ...row, AvdelingID: true, Merknad: 'x'.repeat(4001) },
      ])
      expect(
        answer.json.error.details.map(({ code, target }: { code: string; target: string }) => [
          code,
          target,
        ]),
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
      const till = await newTill(house)
      for (const write of writers(till)) {
        const answer = await write([])
        expect([answer.status, answer.text]).toEqual([200, '[]'])
      }
    })
  })

  describe('atomic=false', () => {
    test('ADR 0007 stores the valid rows and returns a result for each row, in order', async () => {
      const till = await newTill(house)
      const kept = (await till.insert(row)).json
      const answer = await till.saveList(
        [
          bad,
          { ...row, AvdelingID: '21' },
          unknown,
          { InntekstplanId: kept.InntektsPlanId, Omsetning: 7 },
        ],
        { atomic: 'false' },
      )
      expect(answer.status).toBe(200)
      expect(answer.json.resultater).toEqual([
        { index: 0, code: 'InvalidDate', target: '[0].Dato', message: expect.any(String) },
        {
          index: 1,
          code: 'inserted',
          record: expect.objectContaining({ AvdelingID: '21', Omsetning: 100 }),
        },
        { index: 2, code: 'NotFound', target: '[2].InntekstplanId', message: expect.any(String) },
        { index: 3, code: 'updated', record: { ...kept, Omsetning: 7 } },
      ])
      expect(answer.json.antall).toEqual({ InvalidDate: 1, inserted: 1, NotFound: 1, updated: 1 })
      expect(await till.records()).toEqual([
        { ...kept, Omsetning: 7 },
        answer.json.resultater[1].record,
      ])
    })

    test('ADR 0007 works in every list endpoint', async () => {
      const till = await newTill(house)
      for (const write of writers(till)) {
        const answer = await write([row, bad], { atomic: 'false' })
        expect(answer.status).toBe(200)
        expect(answer.json.resultater.map(({ index }: Result) => index)).toEqual([0, 1])
        expect(answer.json.resultater[1].code).toBe('InvalidDate')
      }
      // Inserted, overwritten, and added to.
      expect((await till.records()).map(({ Omsetning }) => Omsetning)).toEqual([200])
    })

    test('ADR 0007 has no effect on a single object', async () => {
      const till = await newTill(house)
      const apart = { atomic: 'false' }
      const stored = (await till.insert(row, apart)).json
      expect(stored).toEqual({
        InntektsPlanId: 1,
        ...row,
        Dato: `${row.Dato}T00:00:00`,
        ipType: 'I',
        Merknad: null,
      })
      const { status, json } = await till.update({ InntekstplanId: 1, Omsetning: 5 }, apart)
      expect([status, json]).toEqual([200, { ...stored, Omsetning: 5 }])
      expect((await till.accumulate(row, apart)).json).toEqual({ ...stored, Omsetning: 105 })
      expect((await till.insert(bad, apart)).json.error.code).toBe('InvalidDate')
      expect((await till.update(unknown, apart)).json.error.code).toBe('NotFound')
    })

    test('ADR 0007 is 422 when no row is valid', async () => {
      const till = await newTill(house)
      for (const rows of [[bad], [unknown], [bad, unknown]]) {
        const answer = await till.saveList(rows, { atomic: 'false' })
        expect(answer.status).toBe(422)
        expect(answer.json.error.code).toBe('NothingApplied')
        expect(answer.json.error.details).toHaveLength(rows.length)
      }
      const empty = await till.saveList([], { atomic: 'false' })
      expect(empty.json).toEqual({ resultater: [], antall: {} })
    })

    test('ADR 0007 messages of rows are in the language of the caller', async () => {
      const till = await newTill(house)
      const ask = (language: string) =>
        till.saveList([row, bad], { atomic: 'false' }, { 'accept-language': language })
      const [english, norwegian] = [await ask('en'), await ask('nb')]
      expect(english.json.resultater[1].message).toContain('is not a valid date')
      expect(norwegian.json.resultater[1].message).toContain('er ikke en gyldig dato')
    })

    test.each(['ja', '1', '', 'null'])('ADR 0007 atomic=%s is rejected', async (atomic) => {
      const till = await newTill(house)
      const answer = await till.saveList([row], { atomic })
      expect(answer.status).toBe(400)
      expect(answer.json.error).toMatchObject({ code: 'InvalidQueryOption', target: 'atomic' })
      expect(await till.records()).toEqual([])
    })
  })

  test('ADR 0007 concurrent lists are each stored whole or not at all, also when others fail', async () => {
    const till = await newTill(house)
    await till.accumulate({ ...row, AvdelingID: 'brukt', Referanse: 'bong 1' })
    const calls = Array.from({ length: 120 }, (_, index) => {
      const own = { ...row, AvdelingID: `egen ${index}` }
      const kinds = [
        () => till.saveList([own, own]),
        () => till.saveList([own, unknown]),
        () => till.accumulate([row, row]),
        () =>
          till.accumulate([
            row,
            { ...row, AvdelingID: 'brukt', Omsetning: 1, Referanse: 'bong 1' },
          ]),
        () => till.setPerDate([own, { ...row, AvdelingID: 'felles', Omsetning: index }]),
        () => till.setPerDate([own, row], { dryRun: 'true' }),
        () => till.remove(4711),
        () => till.insert(own, {}, { 'idempotency-key': `nøkkel ${index}`.replace(/\W/g, '-') }),
      ]
      return (kinds[index % kinds.length] ?? till.find)()
    })
    const answers = await Promise.all(calls)
    const expected = [200, 404, 200, 409, 200, 200, 404, 200]
    expect(answers.map(({ status }) => status)).toEqual(
      answers.map((_, index) => expected[index % expected.length]),
    )
    const records = await till.records()
    const ofKind = (kind: number) =>
      answers.flatMap((_, index) => (index % 8 === kind ? [`egen ${index}`] : []))
    const owned = [...ofKind(0), ...ofKind(0), ...ofKind(4), ...ofKind(7)]
    const shared = ['20', 'brukt', 'felles']
    const departments: string[] = records.map(({ AvdelingID }) => AvdelingID)
    expect(departments.sort()).toEqual([...owned, ...shared].sort())
    const amountOf = (department: string) =>
      records.find(({ AvdelingID }) => AvdelingID === department)?.Omsetning
    expect(amountOf('20')).toBe(15 * 200)
    expect(amountOf('brukt')).toBe(100)
    expect(ofKind(4).map((name) => Number(name.slice(5)))).toContain(amountOf('felles'))
    // One log entry for every stored row, numbered without a gap.
    const journal = (await till.journal()).json.value
    expect(journal).toHaveLength(1 + 15 * (2 + 2 + 2 + 1))
    expect(journal.map(({ Id }: { Id: number }) => Id)).toEqual(
      journal.map((_: unknown, index: number) => index + 1),
    )
  })

  describe('dryRun=true', () => {
    test('ADR 0006 returns what the call would do, with null for new keys, and stores nothing', async () => {
      const till = await newTill(house)
      const kept = (await till.insert(row)).json
      const stamps = await till.records({ $select: 'SistEndretDato' })
      const answers = [
        await till.insert({ ...row, Omsetning: 1 }, { dryRun: 'true' }),
        await till.update(
          { InntekstplanId: kept.InntektsPlanId, Omsetning: 2 },
          { dryrun: 'TRUE' },
        ),
        await till.saveList(
          [
            { ...row, AvdelingID: '21' },
            { InntekstplanId: kept.InntektsPlanId, Omsetning: 3 },
          ],
          { DryRun: 'true' },
        ),
        await till.setPerDate(
          [
            { ...row, Omsetning: 4 },
            { ...row, AvdelingID: '22' },
          ],
          { dryRun: 'true' },
        ),
        await till.accumulate({ ...row, Omsetning: 5 }, { dryRun: 'true' }),
      ]
      for (const { status, headers } of answers) {
        expect(status).toBe(200)
        expect(headers['x-dry-run']).toBe('true')
      }
      expect(
        answers.map(({ json }) =>
          [json].flat().map(({ InntektsPlanId, Omsetning }) => [InntektsPlanId, Omsetning]),
        ),
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
      expect(await till.records()).toEqual([kept])
      expect(await till.records({ $select: 'SistEndretDato' })).toEqual(stamps)
      expect((await till.journal()).json.value).toHaveLength(1)
    })

    test('ADR 0006 rejects what the call would reject', async () => {
      const till = await newTill(house)
      expect((await till.saveList([row, bad], { dryRun: 'true' })).status).toBe(400)
      expect((await till.update(unknown, { dryRun: 'true' })).status).toBe(404)
      expect((await till.insert(row, { dryRun: 'kanskje' })).json.error.code).toBe(
        'InvalidQueryOption',
      )
    })

    test('ADR 0006 can be combined with atomic=false; dryRun=false has no effect', async () => {
      const till = await newTill(house)
      const answer = await till.saveList([row, bad], { dryRun: 'true', atomic: 'false' })
      expect(answer.json.resultater[0]).toMatchObject({
        code: 'inserted',
        record: { InntektsPlanId: null },
      })
      expect(await till.records()).toEqual([])
      const real = await till.saveList([row], { dryRun: 'false' })
      expect(real.headers['x-dry-run']).toBeUndefined()
      expect(await till.records()).toHaveLength(1)
    })

    test('ADR 0006 stores no reply for its Idempotency-Key', async () => {
      const till = await newTill(house)
      const key = { 'idempotency-key': 'prøve'.replace('ø', 'o') }
      await till.accumulate(row, { dryRun: 'true' }, key)
      const real = await till.accumulate(row, {}, key)
      expect(real.status).toBe(200)
      expect(real.headers['idempotency-replayed']).toBeUndefined()
      expect(await till.records()).toHaveLength(1)
    })
  })
})
