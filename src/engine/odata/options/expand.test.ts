import { expect, test } from 'vitest'
import { odata2Dialect } from '../dialect.ts'
import { parseExpand } from './select-expand.ts'
import type { ExpandItem, NestedOptions, SearchExpression } from '../expressions/syntax.ts'

/** The items as text, with those options that are plain values. */
function written(items: readonly ExpandItem[]): string {
  return items.map(writtenItem).join(', ')
}

function writtenItem({ path, resultKind, options }: ExpandItem): string {
  const name = path.map(({ name, column }) => `${column}:${name}`).join('/')
  return `${name}${resultKind === 'records' ? '' : ` ${resultKind}`}${writtenOptions(options)}`
}

function writtenOptions({ select, expand, orderBy, compute, ...rest }: NestedOptions): string {
  const { filter, search, aliases, apply, ...plain } = rest
  const all = [
    ...(select?.map(({ path }) => `.${path.map(({ name }) => name).join('/')}`) ?? []),
    ...(expand === undefined ? [] : [written(expand)]),
    ...(orderBy?.map(({ expression }) => `by ${expression.column}`) ?? []),
    ...(compute?.map(({ expression, as }) => `${as.name} at ${expression.column}`) ?? []),
    ...(filter === undefined ? [] : [`where ${filter.column}`]),
    ...(search === undefined ? [] : [`find ${writtenSearch(search)}`]),
    ...(apply?.map(({ kind, column }) => `${kind} at ${column}`) ?? []),
    ...(aliases === undefined ? [] : [...aliases.keys()]),
    ...Object.entries(plain).map(([name, value]) => `${name}=${value}`),
  ]
  return all.length === 0 ? '' : `(${all.join('; ')})`
}

function writtenSearch(search: SearchExpression): string {
  return search.kind === 'term' ? `"${search.text}"` : `${search.kind}(${search.operands.map(writtenSearch).join(' ')})`
}

function parsed(text: string): string {
  return written(parseExpand(text, odata2Dialect))
}

test.each([
  ['avdeling', '1:avdeling'],
  ['avdeling , anlegg', '1:avdeling, 12:anlegg'],
  ['avdeling($select=id,navn),anlegg(select=id)', '1:avdeling(.id; .navn), 27:anlegg(.id)'],
  ['*', '1:*'],
  ['*($levels=2),*/$ref', '1:*(levels=2), 14:* references'],
  ['avdeling/$ref', '1:avdeling references'],
  ['avdeling/$count', '1:avdeling count'],
  ["avdeling/$COUNT($filter=navn eq 'x';$search=y)", '1:avdeling count(where 30; find "y")'],
  ['Address/Country', '1:Address/9:Country'],
  ['Address/*/$ref', '1:Address/9:* references'],
  ['a($levels=max)', '1:a(levels=max)'],
  ['a($LEVELS=Max;$Count=TRUE)', '1:a(levels=max; count=true)'],
  ['a( $top = 2 ; skip = 1 )', '1:a(top=2; skip=1)'],
  ['a($orderby=x desc,y;$top=1)', '1:a(by 12; by 19; top=1)'],
  ['a($filter=(x eq 1);$expand=b($filter=x in (1,2)))', '1:a(28:b(where 40); where 14)'],
  ['a($expand=b($select=x;$expand=c),d;$select=y)', '1:a(.y; 11:b(.x; 31:c), 34:d)'],
  ['a($compute=x mul y as z,w as v;$select=z)', '1:a(.z; z at 14; v at 25)'],
  ['a(@c=15;$filter=x eq 1)', '1:a(where 19; @c)'],
  ['a($apply=identity/top(1);$top=2)', '1:a(identity at 10; top at 19; top=2)'],
  ['a($search=x;$top=1)', '1:a(find "x"; top=1)'],
  ['a($search="b c" (d OR e) NOT f)', '1:a(find and("b c" or("d" "e") not("f")))'],
  ['a($search=NOT NOT)', '1:a(find not("NOT"))'],
  ['a($search=AND OR NOT)', '1:a(find or("AND" "NOT"))'],
  ['a($search=OR AND)', '1:a(find and("OR" "AND"))'],
  ["a($search='x (y')", '1:a(find "x (y")'],
  ["a($search=Daniel's 08/15 $x)", `1:a(find and("Daniel's" "08/15" "$x"))`],
])('%s', (text, expected) => {
  expect(parsed(text)).toBe(expected)
})

test.each([
  ['', 1, 'expected a property name or *'],
  ['a,', 3, 'expected a property name or *'],
  ['a b', 3, 'expected a comma or the end'],
  ['a)', 2, 'expected a comma or the end'],
  ['a/', 3, 'expected a property name or *'],
  ['*/a', 3, 'expected a comma or the end'],
  ['a/$ref/b', 7, 'expected a comma or the end'],
  ['$it', 1, 'expected a property name or *'],
  ['a(', 3, 'expected one of the options '],
  ['a()', 3, 'expected one of the options '],
  ['a($select=x', 12, 'expected ; or )'],
  ['a($select=x y)', 13, 'expected ; or )'],
  ['a($select=x;)', 13, 'expected one of the options '],
  ['a($select=)', 11, 'expected a property name or *'],
  ['a($select x)', 11, 'expected ='],
  ['a($foo=1)', 3, 'expected one of the options '],
  ['a(firma=1)', 3, 'expected one of the options '],
  ['a($top=1;$top=2)', 10, '$top is given twice'],
  ['a($top=1;TOP=2)', 10, 'TOP is given twice'],
  ['a(@x=1;@x=2)', 8, '@x is given twice'],
  ['a($top=-1)', 8, 'expected an integer, 0 or more'],
  ['a($skip=1e3)', 9, 'expected an integer, 0 or more'],
  ['a($top=9007199254740993)', 8, 'expected an integer, 0 or more'],
  ['a($count=yes)', 10, 'must be true or false'],
  ['a($levels=04)', 11, 'expected max or an integer, 1 or more'],
  ['a($levels=0)', 11, 'expected max or an integer, 1 or more'],
  ['a($filter=x eq)', 15, 'expected a value'],
  ['a($filter=x eq 1', 17, 'expected ; or )'],
  ['a($compute=x)', 13, 'expected as and an alias'],
  ['a($compute=x as $y)', 17, 'expected as and an alias'],
  ['a/$ref($select=x)', 8, 'expected one of the options $filter, $orderby, $top, $skip, $count, $search'],
  ['a/$ref($levels=2)', 8, 'expected one of the options '],
  ['a/$count($count=true)', 10, 'expected one of the options $filter, $search'],
  ['a($search=)', 11, 'expected a word or a quoted phrase'],
  ['a($search=gr(een)', 13, 'expected a space'],
  ['a($search="b"c)', 14, 'expected a space'],
  ['a($search=(b', 11, 'the parenthesis is never closed'],
  ['a($search=())', 12, 'expected a word or a quoted phrase'],
  ['a($search="b)', 11, 'the quote is never closed'],
  ["a($search=b 'c')", 13, 'expected a word or a quoted phrase'],
])('%j is refused at column %i', (text, column, problem) => {
  expect(() => parsed(text)).toThrow(
    expect.objectContaining({
      code: 'InvalidExpand',
      target: `$expand:${column}`,
      message: expect.stringContaining(`at column ${column}: ${problem}`),
    }),
  )
})

test('a mistyped option gets a suggestion', () => {
  expect(() => parsed('a($selct=x)')).toThrow(
    expect.objectContaining({ params: expect.objectContaining({ nearest: '$select' }) }),
  )
})

test.each(['a/Model.Type', 'Model.Type/a', '@Core.Messages', '$value'])(
  '%j is valid OData, but not supported',
  (text) => {
    expect(() => parsed(text)).toThrow(expect.objectContaining({ code: 'NotSupported' }))
  },
)

function nested(levels: number): string {
  return `${'a($expand='.repeat(levels - 1)}a${')'.repeat(levels - 1)}`
}

test('relations nest at most 5 deep', () => {
  expect(() => parsed(nested(5))).not.toThrow()
  for (const levels of [6, 100_000])
    expect(() => parsed(nested(levels))).toThrow(
      expect.objectContaining({
        code: 'ExpandTooComplex',
        target: '$expand:51',
        message:
          '$expand is too complex. The maximum depth of nested $expand is 5. The limit is expandDepthMax in /limits.',
      }),
    )
})

test('search brackets nest at most 32 deep, and a search has at most 2,000 tokens', () => {
  const search = (text: string) => () => parsed(`a($search=${text})`)
  const bracketed = (depth: number): string => `${'('.repeat(depth)}x${')'.repeat(depth)}`
  expect(search(bracketed(32))).not.toThrow()
  expect(search(bracketed(33))).toThrow('$expand is too complex. The maximum nesting depth is 32.')
  expect(search('x '.repeat(2000))).not.toThrow()
  expect(search('x '.repeat(2001))).toThrow(
    '$expand is too complex. The maximum number of operators and operands is 2000.',
  )
})

test('a list has at most 1,000 names', () => {
  expect(() => parsed(Array.from({ length: 1000 }, () => 'a').join(','))).not.toThrow()
  expect(() => parsed('a,'.repeat(100_000))).toThrow(
    '$expand is too complex. The maximum number of names in a list is 1000.',
  )
})
