import { expect, test } from 'vitest'
import { withAliases } from './aliases.ts'
import { odata2Dialect } from '../dialect.ts'
import { parseFilter } from './filter.ts'

function parsed(filter: string, aliases: Record<string, string>) {
  return parseFilter(filter, withAliases(odata2Dialect, new Map(Object.entries(aliases))))
}

test('an alias is replaced by its literal, at its own column', () => {
  expect(parsed('a eq @p', { '@p': "'x'" })).toEqual(parsed("a eq 'x'", {}))
  expect(parsed('a in @p', { '@p': '[1,2]' })).toMatchObject({
    operands: [{ name: 'a' }, { kind: 'array', items: [{ value: '1' }, { value: '2' }], column: 6 }],
  })
})

test('an undefined alias is null, and alias names are case-sensitive', () => {
  expect(parsed('a eq @P', { '@p': '1' })).toEqual(parsed('a eq null', {}))
})

test.each([
  ["'x", 'InvalidAlias', '@p:1'],
  ['1 2', 'InvalidAlias', '@p:3'],
  ['', 'InvalidAlias', '@p:1'],
  ['1 add 1', 'NotSupported', '@p:3'],
  ['[b]', 'NotSupported', '@p:1'],
  ['@q', 'NotSupported', '@p:1'],
  ['[1,@p]', 'NotSupported', '@p:1'],
])('%j is refused as %s', (text, code, target) => {
  expect(() => parsed('a eq @p', { '@p': text })).toThrow(expect.objectContaining({ code, target }))
  expect(() => parsed('a eq 1', { '@p': text })).not.toThrow()
})
