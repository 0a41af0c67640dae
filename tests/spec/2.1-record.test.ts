// Interface 2.1: the fields of a revenue record, how each can be written, and how it is returned.
import { beforeAll, describe, expect, test } from 'vitest'
import { revenue } from '../../src/model/revenue.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useTestServer } from '../support/server.ts'
import { useRevenueClient, newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'

const row = { Dato: '2013-01-01', AvdelingID: '20', Omsetning: 1 }
const textNames = Object.values(revenue.fields).flatMap(({ wire, type }) => (type === 'text' ? wire : []))

describe.each(databases)('a revenue record on $name', (database) => {
  const server = useTestServer(database, '2.1-record')
  const fresh = useRevenueClient(server)
  let revenueClient: RevenueClient
  beforeAll(async () => {
    revenueClient = await newRevenueClient(server)
  })

  /** The value of one field, checked to be the same in the reply to the insert and in Finn. */
  const roundTrip = async (field: string, written: string, one: RevenueClient = revenueClient) => {
    const stored = await expectStatus(one.insert(`{${JSON.stringify(field)}: ${written}}`))
    const key = stored.json.InntektsPlanId
    const found = await one.records({ $filter: `InntektsPlanId eq ${key}` })
    expect(found).toEqual([stored.json])
    return { value: stored.json[field], text: stored.text }
  }

  const refusal = async (field: string, written: string, one: RevenueClient = revenueClient) => {
    const reply = await expectStatus(one.insert(`{${JSON.stringify(field)}: ${written}}`), 400)
    expect(reply.json.error.target).toBe(field)
    return reply.json.error.code
  }

  describe('the key', () => {
    test('2.1.1 Lagre accepts no key value, in neither spelling', async () => {
      for (const spelling of ['InntekstplanId', 'InntektsPlanId']) {
        const reply = await revenueClient.insert({ ...row, [spelling]: 7 })
        expectError(reply, 400, 'KeyNotAllowed', { target: 'InntekstplanId' })
      }
    })

    test('2.1.1 Lagre treats null, 0 and "" as no key', async () => {
      for (const nothing of [null, 0, '', '0', ' '])
        expect((await revenueClient.insert({ ...row, InntekstplanId: nothing })).status).toBe(200)
    })

    test('2.1.2 Oppdater needs a key value', async () => {
      for (const keyless of [{}, { InntekstplanId: null }, { InntekstplanId: 0 }, { InntektsPlanId: '' }]) {
        const reply = await revenueClient.update({ ...row, ...keyless })
        expectError(reply, 400, 'KeyRequired', { target: 'InntekstplanId' })
      }
    })

    test('2.1.2 Oppdater with a key that no record has is 404', async () => {
      for (const unknown of [999_999, 9_007_199_254_740_991, -1]) {
        const reply = await revenueClient.update({ InntekstplanId: unknown, Omsetning: 1 })
        expectError(reply, 404, 'NotFound', { target: 'InntekstplanId' })
      }
    })

    test('2.1 keys are assigned by the service in ascending order', async () => {
      for (const expected of [1, 2, 3]) expect((await fresh.insert(row)).json.InntektsPlanId).toBe(expected)
    })

    test('2.1 the key is written as InntektsPlanId and read in both spellings and any letter case', async () => {
      const { InntektsPlanId: key } = (await revenueClient.insert(row)).json
      const spellings = ['InntekstplanId', 'InntektsPlanId', 'inntekstplanid', 'INNTEKTSPLANID']
      for (const [index, spelling] of spellings.entries()) {
        const reply = await revenueClient.update({ [spelling]: key, Omsetning: index })
        expect(reply.json).toMatchObject({ InntektsPlanId: key, Omsetning: index })
      }
    })

    test('2.1 the key may be sent in both spellings if the values are equal', async () => {
      const { InntektsPlanId: key } = (await revenueClient.insert(row)).json
      const both = { InntekstplanId: key, InntektsPlanId: String(key), Omsetning: 5 }
      expect((await revenueClient.update(both)).json.Omsetning).toBe(5)
      const oneEmpty = { InntekstplanId: key, InntektsPlanId: 0, Omsetning: 6 }
      expect((await revenueClient.update(oneEmpty)).json.Omsetning).toBe(6)
    })

    test('2.1 the key may be a string of digits, or a whole number with zero decimals', async () => {
      const { InntektsPlanId: key } = (await revenueClient.insert(row)).json
      for (const written of [`"${key}"`, `${key}.0`, `${key}`])
        expect((await revenueClient.update(`{"InntekstplanId":${written},"Omsetning":1}`)).status).toBe(200)
      for (const written of ['"x"', 'true', '1.5', '[1]', '{}']) {
        const reply = await revenueClient.update(`{"InntekstplanId":${written},"Omsetning":1}`)
        expect(reply.status, written).toBe(400)
        expect(reply.json.error).toMatchObject({ code: 'InvalidType', target: 'InntekstplanId' })
      }
    })
  })

  describe('partial updates', () => {
    test('2.1.3 key and Omsetning alone are enough; fields that were not sent keep their values', async () => {
      const stored = (await revenueClient.insert({ ...row, ipType: 'B', Merknad: 'bli' })).json
      const reply = await revenueClient.update({ InntekstplanId: stored.InntektsPlanId, Omsetning: 2 })
      expect(reply.json).toEqual({ ...stored, Omsetning: 2 })
    })

    test('2.1.3 null is the same as not sent', async () => {
      const stored = (await revenueClient.insert({ ...row, ipType: 'B', Merknad: 'bli' })).json
      const nulls = { Dato: null, ipType: null, AvdelingID: null, Merknad: null, Omsetning: 3 }
      const reply = await revenueClient.update({ InntekstplanId: stored.InntektsPlanId, ...nulls })
      expect(reply.json).toEqual({ ...stored, Omsetning: 3 })
    })

    test('2.1.3 "" clears Merknad', async () => {
      const stored = (await revenueClient.insert({ ...row, Merknad: 'gå' })).json
      const reply = await revenueClient.update({ InntekstplanId: stored.InntektsPlanId, Merknad: '' })
      expect(reply.json).toEqual({ ...stored, Merknad: null })
    })

    test('2.1.3 a body with the key alone is rejected: nothing to change', async () => {
      const { InntektsPlanId: key } = (await revenueClient.insert(row)).json
      for (const nothing of [{}, { Omsetning: null }, { SistEndretDato: '2024-01-01T00:00:00Z' }])
        expectError(await revenueClient.update({ InntekstplanId: key, ...nothing }), 400, 'NothingToChange')
    })
  })

  describe('ipType', () => {
    test('2.1.4 ipType defaults to I when it is missing or null', async () => {
      expect((await revenueClient.insert(row)).json.ipType).toBe('I')
      expect((await revenueClient.insert({ ...row, ipType: null })).json.ipType).toBe('I')
    })

    test('2.1.4 ipType is any text of 1 to 10 characters, stored unchanged', async () => {
      for (const kind of ['I', 'i', 'B', 'Budsjett24', 'å😀', ' I'])
        expect((await roundTrip('ipType', JSON.stringify(kind))).value).toBe(kind)
      expect(await refusal('ipType', '"Budsjett 24"')).toBe('ValueTooLong')
      expect(await refusal('ipType', '""')).toBe('InvalidValue')
      expect(await refusal('ipType', 'true')).toBe('InvalidType')
    })
  })

  describe('AvdelingID', () => {
    test('2.1 AvdelingID is text stored byte for byte', async () => {
      for (const department of ['007', ' 20 ', 'Å/æ?&=', "o'hara", '\u0061\u030a', '😀', '0', 'null'])
        expect((await roundTrip('AvdelingID', JSON.stringify(department))).value).toBe(department)
    })

    test('2.1 a JSON number in AvdelingID becomes its digits', async () => {
      expect((await roundTrip('AvdelingID', '20')).value).toBe('20')
      expect((await roundTrip('AvdelingID', '12345678901234567890')).value).toBe('12345678901234567890')
    })

    test.each([
      ['10.0', '10'],
      ['1e1', '10'],
      ['1.5E+1', '15'],
      ['-0', '0'],
      ['10.50', '10.50'],
      ['1e-2', '0.01'],
      ['"10.0"', '10.0'],
    ])('2.1 the number %s in AvdelingID is department %s', async (written, department) => {
      const { value } = await roundTrip('AvdelingID', written)
      expect(value).toBe(department)
    })

    test('2.1 a number that takes more than 50 digits when written out is too long', async () => {
      for (const written of ['1e50', '1e999999999', '1e-60'])
        expect(await refusal('AvdelingID', written), written).toBe('ValueTooLong')
    })

    test('2.1 AvdelingID has 1 to 50 characters', async () => {
      const fifty = 'å'.repeat(50)
      expect((await roundTrip('AvdelingID', JSON.stringify(fifty))).value).toBe(fifty)
      expect(await refusal('AvdelingID', JSON.stringify(`${fifty}x`))).toBe('ValueTooLong')
      expect(await refusal('AvdelingID', '""')).toBe('InvalidValue')
      for (const wrong of ['true', '[]', '{"Id":"20"}']) expect(await refusal('AvdelingID', wrong)).toBe('InvalidType')
    })

    test('2.1 departments that differ in letter case, spaces or Unicode normalization are different', async () => {
      const departments = ['ab', 'AB', 'ab ', ' ab', 'å', '\u0061\u030a', '7', '07']
      await fresh.setPerDate(departments.map((AvdelingID) => ({ ...row, AvdelingID })))
      expect(await fresh.records()).toHaveLength(departments.length)
    })
  })

  describe('Merknad', () => {
    test('2.1 Merknad holds up to 4,000 characters, including line breaks and tabs', async () => {
      const long = '😀'.repeat(4000)
      expect((await roundTrip('Merknad', JSON.stringify(long))).value).toBe(long)
      expect(await refusal('Merknad', JSON.stringify(`${long}.`))).toBe('ValueTooLong')
      for (const remark of ['a\nb\r\nc\td', '  rand  ', '"<&>\'\\', '\u202eomvendt', '\u00a0'])
        expect((await roundTrip('Merknad', JSON.stringify(remark))).value).toBe(remark)
    })

    test('2.1 Merknad rejects control characters and never stores half of a surrogate pair', async () => {
      for (const written of ['"\\u0000"', '"a\\u0001b"', '"\\u001f"', '"\\ud83d"', '"\\ude00x"'])
        expect(await refusal('Merknad', written), written).toBe('InvalidCharacter')
    })

    test('2.1 every text rejects C1 control characters too, escaped or literal', async () => {
      for (const written of ['"\\u007f"', '"\u007f"', '"it\u0092s"', '"a\\u0085b"', '"\u009f"'])
        for (const field of textNames) expect(await refusal(field, written), written).toBe('InvalidCharacter')
      expect((await roundTrip('Merknad', '"~\u00a0"')).value).toBe('~\u00a0')
    })
  })

  describe('Omsetning', () => {
    test.each([
      ['0', 0],
      ['-0', 0],
      ['-0.00', 0],
      ['1234.5', 1234.5],
      ['1234.5000', 1234.5],
      ['"1234.50"', 1234.5],
      ['-99999999999.9999', -99999999999.9999],
      ['99999999999.9999', 99999999999.9999],
      ['0.0001', 0.0001],
      ['1e3', 1000],
      ['1.5E-2', 0.015],
      ['0.12345', 0.1235],
      ['-0.12345', -0.1235],
      ['0.12344999999999999999', 0.1234],
      ['0.00005', 0.0001],
      ['0.00004999', 0],
      ['1e-400', 0],
      ['0e999', 0],
      ['123456789.12345678901234567890', 123456789.1235],
    ])('ADR 0004 %s is stored as %d', async (written, value) => {
      expect((await roundTrip('Omsetning', written)).value).toBe(value)
    })

    test('ADR 0004 is written as a JSON number without an exponent', async () => {
      const texts = {
        '0.0001': '0.0001',
        '99999999999.9999': '99999999999.9999',
        '1e10': '10000000000',
        '-0.5': '-0.5',
      }
      for (const [written, text] of Object.entries(texts)) {
        const stored = await revenueClient.insert(`{"Omsetning":${written}}`)
        expect(stored.text).toContain(`"Omsetning":${text},`)
        const key = stored.json.InntektsPlanId
        expect((await revenueClient.find({ $filter: `InntektsPlanId eq ${key}` })).text).toContain(
          `"Omsetning":${text},`,
        )
      }
    })

    test.each([
      ['"12,5"', 'InvalidNumber'],
      ['"abc"', 'InvalidNumber'],
      ['"NaN"', 'InvalidNumber'],
      ['"0x10"', 'InvalidNumber'],
      ['"1 000"', 'InvalidNumber'],
      ['"1_000"', 'InvalidNumber'],
      ['true', 'InvalidType'],
      ['[]', 'InvalidType'],
      ['{}', 'InvalidType'],
      ['1e400', 'NumberOutOfRange'],
      ['100000000000', 'NumberOutOfRange'],
      ['-100000000000', 'NumberOutOfRange'],
      ['99999999999.99995', 'NumberOutOfRange'],
      ['"1e11"', 'NumberOutOfRange'],
    ])('ADR 0004 %s is rejected with %s', async (written, code) => {
      expect(await refusal('Omsetning', written)).toBe(code)
    })
  })

  describe('Dato', () => {
    test.each([
      ['2013-01-01', '2013-01-01'],
      ['2013-01-01T00:00:00', '2013-01-01'],
      ['2013-01-01T23:59:59.9999999', '2013-01-01'],
      ['2013-01-01 10:30', '2013-01-01'],
      ['2024-02-29', '2024-02-29'],
      ['1900-01-01', '1900-01-01'],
      ['2199-12-31', '2199-12-31'],
      // What .NET and PHP write for a local date: the written date counts.
      ['2024-05-01T00:00:00+02:00', '2024-05-01'],
      ['2024-05-01T00:00:00.0000000+02:00', '2024-05-01'],
      ['2024-05-01T23:30:00-11:00', '2024-05-01'],
      ['2024-05-01T00:00:00+14:00', '2024-05-01'],
      // The company's date equals the written date.
      ['2024-05-01T12:00:00Z', '2024-05-01'],
      ['2024-05-01T12:00:00+00:00', '2024-05-01'],
      // What JavaScript writes for a local date: midnight in the company's time zone, in summer and
      // in winter.
      ['2024-04-30T22:00:00.000Z', '2024-05-01'],
      ['2024-01-31T23:00:00.000Z', '2024-02-01'],
      // The days on which daylight saving time begins and ends.
      ['2024-03-30T23:00:00Z', '2024-03-31'],
      ['2024-03-31T22:00:00Z', '2024-04-01'],
      ['2024-10-26T22:00:00Z', '2024-10-27'],
      ['2024-10-27T23:00:00Z', '2024-10-28'],
    ])('ADR 0005 %s is the date %s for a company in Oslo', async (written, day) => {
      expect((await roundTrip('Dato', JSON.stringify(written))).value).toBe(`${day}T00:00:00`)
    })

    test.each([
      ['"2023-02-29"', 'InvalidDate'],
      ['"2024-02-30"', 'InvalidDate'],
      ['"2024-13-01"', 'InvalidDate'],
      ['"2024-00-10"', 'InvalidDate'],
      ['"2024-01-01T24:00:00"', 'InvalidDate'],
      ['"2024-01-01T10:60"', 'InvalidDate'],
      ['"0001-01-01T00:00:00"', 'InvalidDate'],
      ['"1899-12-31"', 'InvalidDate'],
      ['"2200-01-01"', 'InvalidDate'],
      ['"01.05.2024"', 'InvalidDate'],
      ['"20240501"', 'InvalidDate'],
      ['"2024-5-1"', 'InvalidDate'],
      ['"/Date(1714514400000)/"', 'InvalidDate'],
      ['""', 'InvalidDate'],
      ['1714514400000', 'InvalidType'],
      ['true', 'InvalidType'],
      ['{}', 'InvalidType'],
      ['"2024-04-30T22:30:00Z"', 'AmbiguousDate'],
      ['"2024-04-30T23:59:59.999Z"', 'AmbiguousDate'],
      ['"2024-04-30T22:30:00+00:00"', 'AmbiguousDate'],
      ['"2024-04-30T22:00:00.000001Z"', 'AmbiguousDate'],
    ])('ADR 0005 %s is rejected with %s', async (written, code) => {
      expect(await refusal('Dato', written)).toBe(code)
    })

    test.each([
      ['UTC', '2024-05-01T00:00:00Z', '2024-05-01'],
      ['UTC', '2024-05-01T23:59:59Z', '2024-05-01'],
      ['America/New_York', '2024-05-01T04:00:00Z', '2024-05-01'],
      ['America/New_York', '2024-05-01T23:00:00Z', '2024-05-01'],
      ['Pacific/Auckland', '2024-04-30T12:00:00Z', '2024-05-01'],
      ['Asia/Kathmandu', '2024-04-30T18:15:00Z', '2024-05-01'],
      // In these zones the clock skips midnight in spring; the day begins at 01:00.
      ['America/Santiago', '2024-09-08T04:00:00Z', '2024-09-08'],
    ])('ADR 0005 for a company in %s, %s is the date %s', async (timezone, written, day) => {
      const there = await newRevenueClient(server, { timezone })
      expect((await roundTrip('Dato', JSON.stringify(written), there)).value).toBe(`${day}T00:00:00`)
    })

    test.each([
      ['America/New_York', '2024-05-01T02:00:00Z'],
      ['Pacific/Auckland', '2024-04-30T12:30:00Z'],
    ])('ADR 0005 for a company in %s, %s is ambiguous between two dates', async (timezone, written) => {
      const there = await newRevenueClient(server, { timezone })
      expect(await refusal('Dato', JSON.stringify(written), there)).toBe('AmbiguousDate')
    })

    test('ADR 0005 with dates set to reject time zones, every value with a zone is rejected', async () => {
      const strict = await newRevenueClient(server, { settings: { refusesZones: true } })
      for (const zoned of ['2024-05-01T00:00:00+02:00', '2024-05-01T12:00:00Z'])
        expect(await refusal('Dato', JSON.stringify(zoned), strict)).toBe('AmbiguousDate')
      expect((await roundTrip('Dato', '"2024-05-01T00:00:00"', strict)).value).toBe('2024-05-01T00:00:00')
    })

    test('ADR 0005 every spelling of one date addresses the same cell', async () => {
      for (const Dato of ['2024-05-01', '2024-05-01T00:00:00+02:00', '2024-04-30T22:00:00Z', '2024-05-01T08:15:00'])
        expect((await fresh.setPerDate([{ ...row, Dato }])).json[0].InntektsPlanId).toBe(1)
    })
  })

  describe('timestamps', () => {
    const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

    test('ADR 0011 timestamps are returned only when selected, in UTC with microseconds', async () => {
      await fresh.insert(row)
      const [record] = await fresh.records({ $select: '*,SistEndretDato,OpprettetDato' })
      expect(Object.keys(record).slice(-2)).toEqual(['SistEndretDato', 'OpprettetDato'])
      expect(record.SistEndretDato).toMatch(stamp)
      expect(record.OpprettetDato).toBe(record.SistEndretDato)
    })

    test('ADR 0011 a change moves SistEndretDato and leaves OpprettetDato', async () => {
      await fresh.insert(row)
      const stamps = { $select: 'SistEndretDato,OpprettetDato' }
      const [before] = await fresh.records(stamps)
      await fresh.setPerDate([{ ...row, Omsetning: 2 }])
      const [after] = await fresh.records(stamps)
      expect(after.OpprettetDato).toBe(before.OpprettetDato)
      expect(after.SistEndretDato > before.SistEndretDato).toBe(true)
    })

    test('ADR 0011 timestamps cannot be written by a caller', async () => {
      const reply = await fresh.insert({ ...row, OpprettetDato: '2001-01-01T00:00:00Z' })
      expect(reply.headers['x-ignored-fields']).toBe('OpprettetDato')
      const [record] = await fresh.records({ $select: 'OpprettetDato' })
      expect(record.OpprettetDato.slice(0, 4)).not.toBe('2001')
    })
  })

  describe('field names', () => {
    test('2.1 field names are read in any letter case; the last of a repeated name counts', async () => {
      const written = '{"DATO":"2013-01-01","avdelingid":"1","Omsetning":1,"OMSETNING":2,"merknad":"a","Merknad":"b"}'
      expect((await revenueClient.insert(written)).json).toMatchObject({
        Dato: '2013-01-01T00:00:00',
        AvdelingID: '1',
        Omsetning: 2,
        Merknad: 'b',
      })
    })

    test('2.1 unknown fields are ignored and listed in X-Ignored-Fields', async () => {
      const reply = await expectStatus(revenueClient.insert({ ...row, Firma: 'x', 'Ær\r\nlig: 1': 2, company_id: 3 }))
      expect(reply.headers['x-ignored-fields']).toBe(
        ['Firma', 'Ær\r\nlig: 1', 'company_id'].map(encodeURIComponent).join(', '),
      )
    })

    test('2.1 X-Ignored-Fields lists at most twenty names', async () => {
      const unknownFields = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`, 1]))
      const reply = await revenueClient.insert({ ...row, ...unknownFields })
      expect(reply.headers['x-ignored-fields']?.split(', ')).toHaveLength(20)
    })
  })
})
