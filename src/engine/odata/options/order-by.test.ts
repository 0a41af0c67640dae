import { expect, test } from 'vitest'
import { odata2Dialect } from '../dialect.ts'
import { parseOrderBy } from './order-by.ts'

function parsed(text: string): string[] {
  return parseOrderBy(text, odata2Dialect).map(({ expression, descending }) => {
    const word = expression.kind === 'name' ? expression.name : expression.kind
    return `${expression.column} ${word} ${descending ? 'down' : 'up'}`
  })
}

test.each([
  ['Dato', ['1 Dato up']],
  ['Dato asc', ['1 Dato up']],
  ['Dato DESC', ['1 Dato down']],
  ['Dato\tdesc , ipType,AvdelingID Asc', ['1 Dato down', '13 ipType up', '20 AvdelingID up']],
  ['desc desc', ['1 desc down']],
  ['Omsetning add 1 desc', ['11 operation down']],
])('%j', (text, expected) => {
  expect(parsed(text)).toEqual(expected)
})

test.each([
  ['', 1],
  ['Dato,', 6],
  [',Dato', 1],
  ['Dato down', 6],
  ['Dato desc asc', 11],
  ['Dato)', 5],
  ["'x", 1],
])('%j is refused at column %i', (text, column) => {
  expect(() => parsed(text)).toThrow(expect.objectContaining({ code: 'InvalidOrderBy', target: `$orderby:${column}` }))
})

test('more than a thousand items are refused at the comma that follows', () => {
  const items = (count: number) => Array.from({ length: count }, () => 'Dato').join()
  expect(parsed(items(1000))).toHaveLength(1000)
  expect(() => parsed(items(1001))).toThrow(
    expect.objectContaining({ code: 'FilterTooComplex', target: '$orderby:5001' }),
  )
})
