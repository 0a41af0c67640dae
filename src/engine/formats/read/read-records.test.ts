import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../errors/api-error.ts'
import type { ErrorCode } from '../../../errors/catalog.ts'
import type { Resource } from '../../model/resource.ts'
import { revenue, revenueAddition } from '../../../model/revenue.ts'
import { message, type LocalizedMessage, type MessageParams } from '../../../errors/messages.ts'
import { parseRecords, type ParseRecordsOptions } from './read-records.ts'

const defaults = {
  contentType: 'application/json',
  resource: revenue,
  shape: 'either',
  zone: 'Europe/Oslo',
  refuseZones: false,
  isStrict: false,
} as const

async function readText(text: string, options: Partial<ParseRecordsOptions<Resource>> = {}) {
  const body = await parseRecords<Resource>(Buffer.from(text), { ...defaults, ...options })
  return { ...body, rows: body.rows.slice() }
}

function read(body: unknown, options: Partial<ParseRecordsOptions<Resource>> = {}) {
  return readText(JSON.stringify(body), options)
}

/** The one row of a body that is an object. */
async function row(text: string, options: Partial<ParseRecordsOptions<Resource>> = {}) {
  const { rows } = await readText(text, { shape: 'one', ...options })
  expect(rows).toHaveLength(1)
  return rows[0] ?? { values: {}, details: [] }
}

const xml = { contentType: 'text/xml' }

describe('a row of a plain client', () => {
  it.each<[string, string, Record<string, unknown>]>([
    [
      'the names of the interface document',
      '{"Dato":"2024-05-01","AvdelingID":"7","Omsetning":1.5,"Merknad":"x","ipType":"I"}',
      { date: '2024-05-01', departmentId: '7', amount: 15_000, remark: 'x', kind: 'I' },
    ],
    [
      'any letter case',
      '{"dato":"2024-05-01","AVDELINGID":"7","omsetning":1}',
      { date: '2024-05-01', departmentId: '7', amount: 10_000 },
    ],
    ['the last of repeated names counts', '{"Omsetning":"x","omsetning":2,"Omsetning":3}', { amount: 30_000 }],
    [
      'a repeated name without a value replaces none',
      '{"Omsetning":3,"omsetning":null,"Dato":null,"dato":"2024-05-01"}',
      { date: '2024-05-01', amount: 30_000 },
    ],
    ['null counts as not sent', '{"Dato":null,"Omsetning":null,"Merknad":null,"ipType":null,"AvdelingID":null}', {}],
    ['an empty remark clears it', '{"Merknad":""}', { remark: null }],
    ['a department as a number', '{"AvdelingID":7}', { departmentId: '7' }],
    [
      'a department code keeps its digits',
      '{"AvdelingID":12345678901234567890}',
      { departmentId: '12345678901234567890' },
    ],
    ['a department code is not normalized', '{"AvdelingID":"007 "}', { departmentId: '007 ' }],
    ['fifty characters', `{"AvdelingID":"${'😀'.repeat(50)}"}`, { departmentId: '😀'.repeat(50) }],
    ['an amount as text', '{"Omsetning":"1234.50"}', { amount: 12_345_000 }],
    ['an amount by its digits', '{"Omsetning":99999999999.9999}', { amount: 999_999_999_999_999 }],
    ['further decimal places are rounded', '{"Omsetning":0.12345}', { amount: 1_235 }],
    ['.NET: DateTime.Today', '{"Dato":"2024-05-01T00:00:00+02:00"}', { date: '2024-05-01' }],
    ['JavaScript: toISOString()', '{"Dato":"2024-04-30T22:00:00.000Z"}', { date: '2024-05-01' }],
    ['a byte order mark', '\ufeff{"Omsetning":1}', { amount: 10_000 }],
  ])('%s', async (_, text, values) => {
    expect(await row(text)).toMatchObject({ details: [], location: '' })
    expect((await row(text)).values).toEqual(values)
  })

  it.each(['null', '0', '""', '"0"', '0.0', '-0', '" "'])('the key %s counts as none', async (key) => {
    const parsed = await row(`{"InntekstplanId":${key},"Omsetning":1}`)
    expect(parsed.details).toEqual([])
    expect(parsed.values).toEqual({ amount: 10_000 })
  })

  it.each(['7', '"7"', '7.0', '"007"'])('%s is the key 7, in both spellings', async (key) => {
    for (const name of ['InntekstplanId', 'InntektsPlanId', 'inntektsplanid'])
      expect((await row(`{"${name}":${key}}`)).values).toEqual({ id: 7 })
  })

  it('may have both spellings of the key if they agree, or if one of them is empty', async () => {
    for (const text of [
      '{"InntekstplanId":7,"InntektsPlanId":"7"}',
      '{"InntekstplanId":7,"InntektsPlanId":0}',
      '{"InntekstplanId":null,"InntektsPlanId":7}',
    ])
      expect(await row(text)).toMatchObject({ values: { id: 7 }, details: [] })
  })
})

describe('XML', () => {
  it('gives the same values as JSON', async () => {
    const parsed = await row(
      '<Omsetning><InntekstplanId>0</InntekstplanId><Dato> 2024-05-01T00:00:00 </Dato><avdelingid>007</avdelingid><Omsetning>\n1.50\n</Omsetning><Merknad/></Omsetning>',
      xml,
    )
    expect(parsed.details).toEqual([])
    expect(parsed.values).toEqual({ date: '2024-05-01', departmentId: '007', amount: 15_000, remark: null })
  })

  it.each([
    ['xsi:type="xsd:double"', '10.0', '10'],
    ["type='number'", ' 1e1 ', '10'],
    ['i:type="x:int"', '007', '7'],
    ['xsi:type="xsd:string"', '10.0', '10.0'],
    ['xsi:type="xsd:decimal"', 'INF', 'INF'],
    ['Type="xsd:int"', '10.0', '10.0'],
  ])('has a number where its type is declared: %s, %s', async (type, text, departmentId) => {
    const body = `<o><AvdelingID ${type}>${text}</AvdelingID></o>`
    expect((await row(body, xml)).values).toEqual({ departmentId })
  })

  it('has null as xsi:nil, and the same error locations as JSON', async () => {
    const { rows, isList } = await readText(
      '<l><o><Dato xsi:nil="true"/><Omsetning>1</Omsetning></o><o><Omsetning>1,5</Omsetning></o><o><Dato><x/></Dato></o></l>',
      { ...xml, shape: 'many' },
    )
    expect(isList).toBe(true)
    expect(rows[0]?.values).toEqual({ amount: 10_000 })
    expect(rows.slice(1).map(({ details }) => details[0])).toMatchObject([
      { code: 'InvalidNumber', target: '[1].Omsetning' },
      { code: 'InvalidType', target: '[2].Dato' },
    ])
  })
})

describe('an invalid value', () => {
  const invalidType = (
    field: string,
    expected: LocalizedMessage,
    found: string | LocalizedMessage,
  ): [ErrorCode, MessageParams] => ['InvalidType', { field, expected, found }]
  const range = { min: '-99999999999.9999', max: '99999999999.9999' }
  it.each<[string, ErrorCode, MessageParams]>([
    ['"Omsetning":"12,5"', 'InvalidNumber', { field: 'Omsetning' }],
    ['"Omsetning":"abc"', 'InvalidNumber', { field: 'Omsetning' }],
    ['"Omsetning":""', 'InvalidNumber', { field: 'Omsetning' }],
    ['"Omsetning":" 1"', 'InvalidNumber', { field: 'Omsetning' }],
    ['"Omsetning":true', ...invalidType('Omsetning', message('aNumber'), 'true')],
    ['"omsetning":[1]', ...invalidType('Omsetning', message('aNumber'), message('anArray'))],
    ['"Omsetning":{"a":1}', ...invalidType('Omsetning', message('aNumber'), message('anObject'))],
    ['"Omsetning":1e400', 'NumberOutOfRange', { field: 'Omsetning', ...range }],
    ['"Omsetning":100000000000', 'NumberOutOfRange', { field: 'Omsetning', ...range }],
    ['"Omsetning":"-1e11"', 'NumberOutOfRange', { field: 'Omsetning', ...range }],
    ['"Dato":"2024-02-30"', 'InvalidDate', { field: 'Dato' }],
    ['"Dato":"0001-01-01T00:00:00"', 'InvalidDate', { field: 'Dato' }],
    ['"Dato":""', 'InvalidDate', { field: 'Dato' }],
    ['"Dato":"2024-04-30T22:30:00Z"', 'AmbiguousDate', { field: 'Dato', zone: 'Europe/Oslo' }],
    ['"Dato":20240501', ...invalidType('Dato', message('aDateString'), '20240501')],
    ['"Dato":false', ...invalidType('Dato', message('aDateString'), 'false')],
    ['"AvdelingID":""', 'InvalidValue', { field: 'AvdelingID', problem: message('isEmpty') }],
    ['"AvdelingID":true', ...invalidType('AvdelingID', message('aString'), 'true')],
    [`"AvdelingID":"${'x'.repeat(51)}"`, 'ValueTooLong', { field: 'AvdelingID', max: 50 }],
    [`"AvdelingID":"${'😀'.repeat(51)}"`, 'ValueTooLong', { field: 'AvdelingID', max: 50 }],
    ['"ipType":""', 'InvalidValue', { field: 'ipType', problem: message('isEmpty') }],
    ['"ipType":"12345678901"', 'ValueTooLong', { field: 'ipType', max: 10 }],
    [`"Merknad":"${'x'.repeat(4001)}"`, 'ValueTooLong', { field: 'Merknad', max: 4000 }],
    [String.raw`"Merknad":"a\u0000b"`, 'InvalidCharacter', { field: 'Merknad', character: 'U+0000' }],
    [String.raw`"Dato":"\ud800"`, 'InvalidCharacter', { field: 'Dato', character: 'U+D800' }],
    ['"InntekstplanId":"abc"', ...invalidType('InntekstplanId', message('anInteger'), '"abc"')],
    ['"InntekstplanId":7.5', ...invalidType('InntekstplanId', message('anInteger'), '7.5')],
    ['"InntekstplanId":1e3', ...invalidType('InntekstplanId', message('anInteger'), '1e3')],
    ['"InntekstplanId":true', ...invalidType('InntekstplanId', message('anInteger'), 'true')],
    ['"InntekstplanId":9007199254740993', 'NumberOutOfRange', { field: 'InntekstplanId' }],
    ['"InntektsPlanId":7,"InntekstplanId":8', 'DuplicateField', { first: 'InntektsPlanId', second: 'InntekstplanId' }],
  ])('%s: %s', async (member, code, params) => {
    const parsed = await row(`{${member}}`)
    expect(parsed.details).toMatchObject([{ code, params }])
    const field = typeof params.field === 'string' ? params.field : 'InntekstplanId'
    expect(parsed.details[0]?.target).toBe(field)
    const listed = await readText(`[{},{},{},{${member}}]`)
    expect(listed.rows[3]?.details[0]?.target).toBe(`[3].${field}`)
    expect(listed.problems).toBe(1)
  })

  it('is a date with a time zone, for a company that rejects them', async () => {
    for (const text of ['2024-05-01T00:00:00+02:00', '2024-05-01T12:00:00Z'])
      expect(await row(`{"Dato":"${text}"}`, { refuseZones: true })).toMatchObject({
        details: [{ code: 'AmbiguousDate' }],
      })
    expect(await row('{"Dato":"2024-05-01T12:00:00"}', { refuseZones: true })).toMatchObject({
      values: { date: '2024-05-01' },
    })
  })

  it('does not affect the other values of its row, and every error of a row is reported', async () => {
    const parsed = await row('{"Dato":"x","Omsetning":"y","AvdelingID":"7"}')
    expect(parsed.values).toEqual({ departmentId: '7' })
    expect(parsed.details.map(({ code }) => code)).toEqual(['InvalidDate', 'InvalidNumber'])
  })

  it('is a list element that is not an object', async () => {
    const { rows } = await readText('[{"Omsetning":1},5,null,[],"x"]')
    expect(rows.map(({ details }) => details[0])).toMatchObject([
      undefined,
      {
        code: 'InvalidType',
        target: '[1]',
        params: { field: '[1]', expected: message('anObject'), found: message('aNumber') },
      },
      { code: 'InvalidType', target: '[2]', params: { found: 'null' } },
      { code: 'InvalidType', target: '[3]', params: { found: message('anArray') } },
      { code: 'InvalidType', target: '[4]', params: { found: message('aString') } },
    ])
  })
})

describe('unknown fields', () => {
  it('are ignored and reported, together with read-only ones', async () => {
    const body = await read([
      { Omsetning: 1, Foo: 1, SistEndretDato: 'x' },
      { Omsetning: 1, Foo: { a: [1] }, __proto__x: '\u0000', 'Blåbær 😀': 1 },
    ])
    expect(body.ignoredFields).toEqual(['Foo', 'SistEndretDato', '__proto__x', 'Blåbær 😀'])
    expect(body.rows.map(({ values, details }) => [values, details])).toEqual([
      [{ amount: 10_000 }, []],
      [{ amount: 10_000 }, []],
    ])
  })

  it('are reported at most twenty times, truncated, and well-formed', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${'😀'.repeat(60)}${index}`)
    const body = await read({ Omsetning: 1, ...Object.fromEntries(names.map((name, index) => [`${index}${name}`, 1])) })
    expect(body.ignoredFields).toHaveLength(20)
    for (const name of body.ignoredFields) expect(encodeURIComponent(name).length).toBeLessThan(400)
  })

  it.each([
    ['{"InntekstplanId":7,"Omsetn":5}', 'Omsetn', 'Omsetning'],
    ['{"Omsetn":5}', 'Omsetn', 'Omsetning'],
    ['{"Omsetning":null,"Datoo":5}', 'Datoo', 'Dato'],
    ['{"InntekstPlanIdd":7}', 'InntekstPlanIdd', 'InntekstplanId'],
  ])('are rejected in a row without any known field: %s', async (text, field, nearest) => {
    const [detail] = (await row(text)).details
    expect(detail).toMatchObject({ code: 'UnknownField', target: field, params: { field, nearest } })
  })

  it('unlike any known name are rejected without a suggestion, and a long one is truncated', async () => {
    const [detail] = (await row(`{"${'x'.repeat(1_000_000)}":1}`)).details
    expect(detail?.code).toBe('UnknownField')
    expect(JSON.stringify(detail).length).toBeLessThan(250)
    expect(detail?.params['nearest']).toBeUndefined()
  })

  it('are rejected once, however often they are repeated', async () => {
    expect((await row('{"x":1,"x":2,"x":3}')).details).toHaveLength(1)
  })

  it('are rejected at their locations in strict mode', async () => {
    const { rows } = await read([{ Omsetning: 1 }, { Omsetning: 1, Merknat: 'x', y: 2 }], { isStrict: true })
    expect(rows.map(({ details }) => details)).toMatchObject([
      [],
      [
        { code: 'UnknownField', target: '[1].Merknat', params: { nearest: 'Merknad' } },
        { code: 'UnknownField', target: '[1].y' },
      ],
    ])
  })

  it('cannot set internal fields or pollute Object.prototype', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    const parsed = await row(
      String.raw`{"Omsetning":1,"__proto__":{"x":1},"\u005f\u005fproto__":2,"constructor":{"prototype":{"y":1}},"company_id":2,"companyId":2,"changedAt":1}`,
    )
    expect(parsed.values).toEqual({ amount: 10_000 })
    expect(Object.getPrototypeOf(parsed.values)).toBe(Object.prototype)
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  })

  it('depend on the resource: an addition has a reference and no key', async () => {
    const body = await read(
      [
        { InntekstplanId: 7, Omsetning: 1, Referanse: 'a' },
        { Omsetning: 1, Referanse: '' },
      ],
      { resource: revenueAddition },
    )
    expect(body.rows.map(({ values }) => values)).toEqual([
      { amount: 10_000, reference: 'a' },
      { amount: 10_000, reference: null },
    ])
    expect(body.ignoredFields).toEqual(['InntekstplanId'])
  })
})

describe('a list', () => {
  it('has at most 100,000 rows', async () => {
    const body = (rows: number) => `[${'{},'.repeat(rows - 1)}{}]`
    expect((await readText(body(100_000))).rows).toHaveLength(100_000)
    await expect(readText(body(100_001))).rejects.toMatchObject({
      code: 'TooManyItems',
      params: { max: 100_000, limitName: 'listRowsMax' },
    })
    const elements = `<l>${'<o/>'.repeat(4)}</l>`
    await expect(readText(elements, { ...xml, shape: 'many', rowsMax: 3 })).rejects.toMatchObject({
      code: 'TooManyItems',
    })
  })

  it('of invalid rows reports the first hundred errors, one per row after them, and counts all', async () => {
    const bad = { Dato: 'x', Omsetning: 'y' }
    const { rows, problems } = await read(Array.from({ length: 1_000 }, () => bad))
    expect(problems).toBe(2_000)
    expect(rows.every(({ details }) => details.length > 0)).toBe(true)
    expect(rows.slice(0, 50).every(({ details }) => details.length === 2)).toBe(true)
    expect(rows.slice(50).every(({ details }) => details.length === 1)).toBe(true)
  })

  it('does not block the event loop while it is read', async () => {
    const text = JSON.stringify(Array.from({ length: 10_000 }, () => ({ Omsetning: 1 })))
    let turns = 0
    let isReading = true
    const turn = () => {
      turns += 1
      if (isReading) setImmediate(turn)
    }
    setImmediate(turn)
    await readText(text)
    isReading = false
    expect(turns).toBeGreaterThan(1)
  })
})

describe('any body', () => {
  it('gives back the values that were serialized', async () => {
    const amount = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    const record = fc.record({ amount, departmentId: text, remark: text }, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 20 }), async (records) => {
        const rows = records.map(({ amount, departmentId, remark }) => {
          const members = [
            amount === undefined ? '' : `"Omsetning":${amount}e-4`,
            departmentId === undefined ? '' : `"AvdelingID":${JSON.stringify(departmentId)}`,
            remark === undefined ? '' : `"Merknad":${JSON.stringify(remark)}`,
          ]
          return `{${members.filter((member) => member !== '').join(',')}}`
        })
        const body = await readText(`[${rows.join(',')}]`)
        expect(body.rows.map(({ values }) => values)).toEqual(records)
      }),
    )
  })

  it('has the same rows in a long list as in a short one', async () => {
    const name = fc.constantFrom('Dato', 'omsetning', 'InntekstplanId', 'AvdelingID', 'Merknad', 'Avdelng')
    const value = fc.constantFrom('1', '-0.50', '1e2', 'null', '""', '"7"', '"2024-05-01"', '"a\\n"', '{}', '"\\u0001"')
    const member = fc.tuple(name, value).map(([name, value]) => `"${name}":${value}`)
    const row = fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(',')}}`)
    const rows = fc.array(fc.oneof(row, fc.constant('"no row"')), { minLength: 250, maxLength: 400 })
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), fc.nat(400), async (texts, hasODataSemantics, start) => {
        const options = { shape: 'many', hasODataSemantics } as const
        const long = await parseRecords<Resource>(Buffer.from(`[${texts.join(',')}]`), { ...defaults, ...options })
        const alone = await Promise.all(texts.map(async (text) => (await readText(`[${text}]`, options)).rows[0]))
        // Of a body with many errors, the first one of each row.
        const read = long.rows.slice(start).map((each) => ({ ...each, details: each.details[0]?.target }))
        const expected = alone.map((each, index) => ({
          ...each,
          location: `[${index}]`,
          details: each?.details[0]?.target?.replace('[0]', `[${index}]`),
        }))
        expect(long.rows.length).toBe(texts.length)
        expect(read).toEqual(expected.slice(start))
      }),
      { numRuns: 20 },
    )
  })

  it('is read, or rejected with an ApiError', async () => {
    const names = 'Dato omsetning InntekstplanId InntektsPlanId Merknad x'
    const name = fc.constantFrom(...names.split(' '))
    const value = fc.oneof(fc.json({ maxDepth: 2 }), fc.constantFrom('1e400', '-0', '""', '"2024-05-01Z"'))
    const member = fc.tuple(name, value).map(([name, value]) => `"${name}":${value}`)
    const object = fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(',')}}`)
    const body = fc.oneof(
      object,
      fc.array(fc.oneof(object, value), { maxLength: 5 }).map((rows) => `[${rows.join(',')}]`),
      fc.string({ unit: 'binary' }),
    )
    const contentType = fc.constantFrom(undefined, 'application/json', 'text/xml', 'text/plain')
    await fc.assert(
      fc.asyncProperty(body, contentType, fc.boolean(), async (text, contentType, isStrict) => {
        try {
          const { rows } = await readText(text, { contentType, isStrict })
          for (const { values, details } of rows)
            expect(Object.values(values).length + details.length).toBeGreaterThanOrEqual(0)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
