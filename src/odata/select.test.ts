import { expect, test } from 'vitest'
import { parseSelect } from './select.ts'

const parsed = (text: string): string[] =>
  parseSelect(text).map(({ name, column }) => `${column} ${name}`)

test.each([
  ['Dato', ['1 Dato']],
  ['Dato, Omsetning ,Dato', ['1 Dato', '7 Omsetning', '18 Dato']],
  ['*,SistEndretDato', ['1 *', '3 SistEndretDato']],
])('%j', (text, expected) => {
  expect(parsed(text)).toEqual(expected)
})

test.each([
  ['', 1],
  ['Dato,', 6],
  [',', 1],
  ['Dato Omsetning', 6],
  ['Dato/Ar', 5],
  ["'Dato'", 1],
  ['**', 2],
])('%j is refused at column %i', (text, column) => {
  expect(() => parsed(text)).toThrow(
    expect.objectContaining({ code: 'InvalidSelect', target: `$select:${column}` }),
  )
})
