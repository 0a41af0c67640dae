import { describe, expect, it } from 'vitest'
import { revenue } from '#model/revenue.ts'
import { arrayWriter } from './write-rows.ts'

const columns = [
  { as: 'Dato', field: revenue.fields.date },
  { as: 'omsetning', field: revenue.fields.amount },
]
const batches = [
  [
    ['2013-01-01', 12_345_000],
    [null, 1000],
  ],
  [['2013-01-02', 0]],
]

const written = (format: 'json' | 'xml', dates: 'date' | 'midnight', list = batches) => {
  const writer = arrayWriter('Omsetning', columns, { format, dates })
  return (
    writer.start + list.map((rows, index) => writer.rows(rows, index === 0)).join('') + writer.end
  )
}

describe('rows', () => {
  it('are one JSON array, whatever batches they come in', () => {
    expect(written('json', 'midnight')).toBe(
      '[{"Dato":"2013-01-01T00:00:00","omsetning":1234.5},{"Dato":null,"omsetning":0.1},{"Dato":"2013-01-02T00:00:00","omsetning":0}]',
    )
    expect(written('json', 'date', [])).toBe('[]')
  })

  it('are elements of one array in XML, null as xsi:nil', () => {
    expect(written('xml', 'date')).toBe(
      '<?xml version="1.0" encoding="utf-8"?><ArrayOfOmsetning xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
        '<Omsetning><Dato>2013-01-01</Dato><omsetning>1234.5</omsetning></Omsetning>' +
        '<Omsetning><Dato xsi:nil="true"/><omsetning>0.1</omsetning></Omsetning>' +
        '<Omsetning><Dato>2013-01-02</Dato><omsetning>0</omsetning></Omsetning></ArrayOfOmsetning>',
    )
  })
})
