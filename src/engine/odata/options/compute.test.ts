import { expect, test } from 'vitest'
import { parseCompute } from './compute.ts'
import { odata2Dialect } from '../dialect.ts'

function parsed(text: string): string[] {
  return parseCompute(text, odata2Dialect).map(({ expression, as }) => `${expression.kind} ${as.column}:${as.name}`)
}

test.each([
  ['Amount mul 2 as Double', ['operation 17:Double']],
  ['a as b , c/d AS e', ['name 6:b', 'path 17:e']],
  ['case(X gt 0:1,X lt 0:-1,true:0) as SignumX', ['case 36:SignumX']],
])('%j', (text, expected) => {
  expect(parsed(text)).toEqual(expected)
})

test.each([
  ['', 1],
  ['a', 2],
  ['a as', 5],
  ['a as 1', 6],
  ['a as b.c', 6],
  ['a as b,', 8],
  ['a as b c', 8],
  ['a b', 3],
])('%j is refused at column %i', (text, column) => {
  expect(() => parsed(text)).toThrow(expect.objectContaining({ code: 'InvalidCompute', target: `$compute:${column}` }))
})
