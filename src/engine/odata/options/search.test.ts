import { expect, test } from 'vitest'
import { parseSearch } from './search.ts'
import type { SearchExpression } from '../expressions/syntax.ts'

function written(search: SearchExpression): string {
  return search.kind === 'term'
    ? `${search.column}:${search.text}`
    : `${search.kind}(${search.operands.map(written).join(' ')})`
}

test.each([
  ['blue', '1:blue'],
  ['  blue ', '3:blue'],
  ['"blue green"', '1:blue green'],
  ['blue green', 'and(1:blue 6:green)'],
  ['blue AND "dark green"', 'and(1:blue 10:dark green)'],
  ['a b OR c AND NOT d', 'or(and(1:a 3:b) and(8:c not(18:d)))'],
  ['(a OR b) (c)', 'and(or(2:a 7:b) 11:c)'],
  ['and or not', 'and(1:and 5:or 8:not)'],
  ['NOT NOT', 'not(5:NOT)'],
  ["'\"being typ'", '1:"being typ'],
  ["'it''s'", "1:it's"],
  ['1984 2x4 3.14 brand-new __FILE__ #1 Δ', 'and(1:1984 6:2x4 10:3.14 15:brand-new 25:__FILE__ 34:#1 37:Δ)'],
])('%j', (text, expected) => {
  expect(written(parseSearch(text))).toBe(expected)
})

test.each([
  ['', 1],
  ['"blue', 1],
  ["'blue", 1],
  ["'blue' green", 8],
  ["green 'blue'", 7],
  ['(blue', 1],
  ['blue)', 5],
  ['()', 2],
  ['"blue"green', 7],
  ['blue"green"', 5],
  ['gr(een)', 3],
  ['a;b', 2],
])('%j is refused at column %i', (text, column) => {
  expect(() => parseSearch(text)).toThrow(
    expect.objectContaining({ code: 'InvalidSearch', target: `$search:${column}` }),
  )
})
