import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineResource, type Field, type Row } from '../../model/resource.ts'
import { revenue as revenueResource } from '../../../model/revenue.ts'
import { parseRecords } from '../read/read-records.ts'
import { serializeList } from './long-list.ts'
import {
  listWriter,
  serializeListResults,
  serializeRecord,
  type OutputRecord,
  type SerializeOptions,
} from './record-serializer.ts'

const { id, date, kind, departmentId, amount, remark } = revenueResource.fields
const revenue = defineResource({ ...revenueResource, fields: { id, date, kind, departmentId, amount, remark } })

const record: Row<typeof revenue> = {
  id: 7,
  date: '2013-01-01',
  kind: 'I',
  departmentId: '007',
  amount: 12_345_000,
  remark: null,
}

const dev = { resource: revenue, dates: 'midnight' } as const

function serializeRecords(records: readonly OutputRecord[], options: SerializeOptions) {
  return serializeList(records, listWriter(records.length, options))
}
const nil = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
const declaration = '<?xml version="1.0" encoding="utf-8"?>'
const members =
  '<InntektsPlanId>7</InntektsPlanId><Dato>2013-01-01T00:00:00</Dato><ipType>I</ipType><AvdelingID>007</AvdelingID><Omsetning>1234.5</Omsetning><Merknad xsi:nil="true"/>'

describe('records', () => {
  it('are JSON with the fields of the document, in its order', async () => {
    const json =
      '{"InntektsPlanId":7,"Dato":"2013-01-01T00:00:00","ipType":"I","AvdelingID":"007","Omsetning":1234.5,"Merknad":null}'
    expect(serializeRecord(record, { ...dev, format: 'json' })).toBe(json)
    expect(await serializeRecords([record, record], { ...dev, format: 'json' })).toBe(`[${json},${json}]`)
    expect(await serializeRecords([], { ...dev, format: 'json' })).toBe('[]')
  })

  it('are XML as the serializers of .NET write it', async () => {
    expect(serializeRecord(record, { ...dev, format: 'xml' })).toBe(
      `${declaration}<Omsetning${nil}>${members}</Omsetning>`,
    )
    expect(await serializeRecords([record, record], { ...dev, format: 'xml' })).toBe(
      `${declaration}<ArrayOfOmsetning${nil}><Omsetning>${members}</Omsetning><Omsetning>${members}</Omsetning></ArrayOfOmsetning>`,
    )
    expect(await serializeRecords([], { ...dev, format: 'xml' })).toBe(
      `${declaration}<ArrayOfOmsetning${nil}></ArrayOfOmsetning>`,
    )
  })

  it('are the same bytes when a long list is written slice by slice', async () => {
    const records = Array.from({ length: 1201 }, (_, id) => ({ ...record, id, remark: 'blåbær' }))
    for (const format of ['json', 'xml'] as const) {
      const one = (await Promise.all(records.map((each) => serializeRecords([each], { ...dev, format })))).map(String)
      const [start, end] = format === 'json' ? [1, -1] : [one[0]!.indexOf('<Omsetning>'), -'</ArrayOfOmsetning>'.length]
      const joined = one.map((text) => text.slice(start, end)).join(format === 'json' ? ',' : '')
      const written = await serializeRecords(records, { ...dev, format })
      expect(String(written)).toBe(one[0]!.slice(0, start) + joined + one[0]!.slice(end))
    }
  })

  it('have dates without time if requested, and no key in a dry run', async () => {
    const withoutKey = { ...record, id: null }
    expect(JSON.parse(serializeRecord(withoutKey, { ...dev, dates: 'date', format: 'json' }))).toMatchObject({
      InntektsPlanId: null,
      Dato: '2013-01-01',
    })
  })

  it('print amounts without an exponent', async () => {
    for (const [amount, text] of [
      [1, '0.0001'],
      [-1, '-0.0001'],
      [999_999_999_999_999, '99999999999.9999'],
      [0, '0'],
    ] as const)
      expect(serializeRecord({ ...record, amount }, { ...dev, format: 'json' })).toContain(`"Omsetning":${text},`)
  })

  it('contain no character that XML does not allow', async () => {
    const remark = '<a> & "b"\t\n\r\u0000\u0008\ud800\uffff\u0085😀]]>'
    expect(serializeRecord({ ...record, remark }, { ...dev, format: 'xml' })).toContain(
      '<Merknad>&lt;a&gt; &amp; "b"\t\n&#13;\ufffd\ufffd\ufffd\ufffd\u0085😀]]&gt;</Merknad>',
    )
  })

  it('are parsed from JSON and XML unchanged', async () => {
    const text = (lengthMax: number) =>
      fc
        .string({
          unit: fc.oneof(
            fc.constantFrom('&', '<', '\r', '\n', '"', '\\', ' '),
            fc.string({ unit: 'grapheme', maxLength: 1 }),
          ),
          minLength: 1,
          maxLength: 20,
        })
        .filter(
          (text) =>
            !/\p{Cc}|\uffff|\ufffe/u.test(text.replaceAll(/[\t\n\r]/g, '')) &&
            text !== '' &&
            Array.from(text).length <= lengthMax,
        )
    const arbitraryOf = ({ type, lengthMax = 50 }: Field): fc.Arbitrary<unknown> => {
      if (type === 'text') return text(lengthMax)
      if (type === 'date') return fc.constantFrom('1900-01-01', '2024-02-29', '2199-12-31')
      if (type === 'integer') return fc.integer({ min: 1 })
      return fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })
    }
    const fields = Object.entries<Field>(revenue.fields).filter(([, { readOnly }]) => !readOnly)
    const arbitraries = fields.map(([name, field]) => [
      name,
      field.optional ? fc.option(arbitraryOf(field)) : arbitraryOf(field),
    ])
    const records = fc.array(fc.record(Object.fromEntries(arbitraries)), { maxLength: 5 })
    const format = fc.constantFrom('json' as const, 'xml' as const)
    await fc.assert(
      fc.asyncProperty(records, format, async (records, format) => {
        const body = await serializeRecords(records, { ...dev, format })
        const { rows } = await parseRecords(Buffer.from(body), {
          contentType: `application/${format}`,
          resource: revenue,
          shape: 'many',
          zone: 'Europe/Oslo',
          refuseZones: false,
          isStrict: true,
        })
        const expected = records.map((one) =>
          Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null)),
        )
        const read = rows.slice()
        expect(read.flatMap(({ details }) => details)).toEqual([])
        expect(read.map(({ values }) => values)).toEqual(expected)
      }),
    )
  })
})

describe('the results of a list whose valid rows were stored', () => {
  const entries = [
    { index: 0, code: 'inserted', record },
    { index: 1, code: 'InvalidDate', message: 'No such day & no other.', target: '[1].Dato' },
    { index: 2, code: 'inserted', record: { ...record, id: 8 } },
  ]

  it('are one JSON object per row, and a count per code', async () => {
    expect(JSON.parse(String(await serializeListResults(entries, { ...dev, format: 'json' })))).toEqual({
      resultater: [
        { index: 0, code: 'inserted', record: expect.objectContaining({ InntektsPlanId: 7 }) },
        entries[1],
        { index: 2, code: 'inserted', record: expect.objectContaining({ InntektsPlanId: 8 }) },
      ],
      antall: { inserted: 2, InvalidDate: 1 },
    })
  })

  it('are the same in XML', async () => {
    expect(await serializeListResults(entries.slice(0, 2), { ...dev, format: 'xml' })).toBe(
      `${declaration}<svar${nil}><resultater>` +
        `<resultat><index>0</index><code>inserted</code><record>${members}</record></resultat>` +
        '<resultat><index>1</index><code>InvalidDate</code><message>No such day &amp; no other.</message><target>[1].Dato</target></resultat>' +
        '</resultater><antall><inserted>1</inserted><InvalidDate>1</InvalidDate></antall></svar>',
    )
  })
})
