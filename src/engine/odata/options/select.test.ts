import { expect, test } from 'vitest'
import { odata2Dialect } from '../dialect.ts'
import { parseSelect } from './select-expand.ts'

function parsed(text: string): string[] {
  return parseSelect(text, odata2Dialect).map(
    ({ path }) => `${path[0]?.column} ${path.map(({ name }) => name).join('/')}`,
  )
}

test.each([
  ['Dato', ['1 Dato']],
  ['Dato, Omsetning ,Dato', ['1 Dato', '7 Omsetning', '18 Dato']],
  ['*,SistEndretDato', ['1 *', '3 SistEndretDato']],
  ['Address/Street, Address / *', ['1 Address/Street', '17 Address/*']],
])('%j', (text, expected) => {
  expect(parsed(text)).toEqual(expected)
})

test('a name may have nested options', () => {
  const text = "Addresses($filter=startswith(City,'H');top=5;$skip=0;$count=true;$orderby=City;$select=City)"
  expect(parseSelect(text, odata2Dialect)).toMatchObject([
    {
      path: [{ name: 'Addresses' }],
      options: {
        filter: { kind: 'call', name: 'startswith', column: 19 },
        top: 5,
        skip: 0,
        count: true,
        orderBy: [{ expression: { name: 'City' }, descending: false }],
        select: [{ path: [{ name: 'City' }], options: {} }],
      },
    },
  ])
})

test.each([
  ['', 1],
  ['Dato,', 6],
  [',', 1],
  ['Dato Omsetning', 6],
  ['Dato/', 6],
  ["'Dato'", 1],
  ['**', 2],
  ['*/Dato', 3],
  ['$it', 1],
  ['Dato()', 6],
  ['Dato($expand=Dato)', 6],
  ['Dato($levels=2)', 6],
])('%j is refused at column %i', (text, column) => {
  expect(() => parsed(text)).toThrow(expect.objectContaining({ code: 'InvalidSelect', target: `$select:${column}` }))
})

test.each(['Model.Type/Dato', 'Dato/Model.Type', 'Model.*', '@Core.Messages', 'Funksjon(en,to)', 'Funksjon(en)'])(
  '%j is valid OData, but not supported',
  (text) => {
    expect(() => parsed(text)).toThrow(expect.objectContaining({ code: 'NotSupported' }))
  },
)
