import { expect, test } from 'vitest'
import { parseApply } from './apply.ts'
import { odata2Dialect } from '../dialect.ts'
import type { AggregateItem, GroupingNode, Transformation } from '../expressions/syntax.ts'

type Kind<K extends Transformation['kind']> = Extract<Transformation, { kind: K }>

function written(sequence: readonly Transformation[]): string {
  return sequence.map(writtenOne).join(' / ')
}

function writtenOne(one: Transformation): string {
  return `${one.column}:${one.kind}${inside(one)}`
}

function inside(one: Transformation): string {
  if (one.kind === 'aggregate') return `(${one.items.map(writtenItem).join(', ')})`
  if (one.kind === 'groupby') return writtenGroups(one)
  if (one.kind === 'filter') return `(${one.condition.kind})`
  if (one.kind === 'search') return `(${one.search.kind})`
  if (one.kind === 'compute') return `(${one.items.map(({ as }) => as.name).join(', ')})`
  if (one.kind === 'orderby') return `(${one.items.map(({ descending }) => (descending ? '-' : '+')).join('')})`
  if ('count' in one) return `(${one.count})`
  if (one.kind === 'join' || one.kind === 'outerjoin')
    return `(${path(one.path)} is ${one.as.name}${one.apply.length === 0 ? '' : ` => ${written(one.apply)}`})`
  if (one.kind === 'concat') return `(${one.sequences.map(written).join(', ')})`
  return 'by' in one && 'amount' in one ? `(${one.amount.kind}, ${one.by.kind})` : ''
}

function writtenGroups({ by, apply }: Kind<'groupby'>): string {
  const groups = by.map(writtenGrouping).join(', ')
  return apply.length === 0 ? `(${groups})` : `(${groups} => ${written(apply)})`
}

function writtenGrouping(one: GroupingNode): string {
  return one.kind === 'path' ? path(one.names) : `rollup ${one.paths.map(path).join(' > ')}`
}

function path(names: readonly { readonly name: string }[]): string {
  return names.map(({ name }) => name).join('.')
}

function writtenItem({ expression, method, from, as }: AggregateItem): string {
  return [
    expression === null ? 'all' : expression.kind,
    ...(method === null ? [] : [`by ${method.name}`]),
    ...from.map(({ by, method }) => `of ${by.map(path).join('+')} ${method?.name ?? '?'}`),
    ...(as === null ? [] : [`is ${as.name}`]),
  ].join(' ')
}

function parsed(text: string): string {
  return written(parseApply(text, odata2Dialect))
}

test.each([
  ['identity', '1:identity'],
  ['aggregate(Amount with sum as Total)', '1:aggregate(name by sum is Total)'],
  ['AGGREGATE( Amount WITH Sum AS Total )', '1:aggregate(name by sum is Total)'],
  ['aggregate($count as N)', '1:aggregate(all is N)'],
  ['join(A as B)/outerjoin(C as D,identity)', '1:join(A is B) / 14:outerjoin(C is D => 31:identity)'],
  ['aggregate(Sales/$count as N)', '1:aggregate(count is N)'],
  ['aggregate(A mul B with average as C,D with max as E)', '1:aggregate(operation by average is C, name by max is E)'],
  [
    'aggregate(A with sum from B,C/D with max from E with min as F)',
    '1:aggregate(name by sum of B+C.D max of E min is F)',
  ],
  ['aggregate($count from A with max as B)', '1:aggregate(all of A max is B)'],
  ['aggregate(Custom,Sales/Custom as C,Custom from A)', '1:aggregate(name, path is C, name of A ?)'],
  ['groupby((A))', '1:groupby(A)'],
  ['groupby((A/B,C),aggregate($count as N))', '1:groupby(A.B, C => 17:aggregate(all is N))'],
  ['groupby((rollup(A/B,C),D),top(1)/identity)', '1:groupby(rollup A.B > C, D => 27:top(1) / 34:identity)'],
  ['groupby((rollup))', '1:groupby(rollup)'],
  ["filter(A eq 'x')/search(a b)/skip(1)/top(2)", '1:filter(operation) / 18:search(and) / 30:skip(1) / 38:top(2)'],
  ['compute(A add 1 as B,C as D)/orderby(B desc,D)', '1:compute(B, D) / 30:orderby(-+)'],
  ['topcount(2,A)/bottompercent(50,B mul 2)', '1:topcount(literal, name) / 15:bottompercent(literal, operation)'],
  ['concat(identity,top(1)/skip(1),identity)', '1:concat(8:identity, 17:top(1) / 24:skip(1), 32:identity)'],
])('%s', (text, expected) => {
  expect(parsed(text)).toBe(expected)
})

test.each([
  ['', 1, 'expected a transformation'],
  ['identity/', 10, 'expected a transformation'],
  ['identity identity', 10, 'expected / or the end'],
  ['identity)', 9, 'expected / or the end'],
  ['agregate(A with sum as B)', 1, 'expected a transformation'],
  ['top', 4, 'expected ('],
  ['top(x)', 5, 'expected an integer, 0 or more'],
  ['top(1', 6, 'expected )'],
  ['aggregate()', 11, 'expected a value'],
  ['aggregate(A with sum)', 21, 'expected as and an alias'],
  ['aggregate(A add 1 as B)', 19, 'expected with'],
  ['aggregate(A with 1 as B)', 18, 'expected sum, min, max, average or countdistinct'],
  ['aggregate($count with sum as N)', 18, 'expected as and an alias'],
  ['aggregate(A with sum from B as C)', 29, 'expected with'],
  ['aggregate(A with sum from B with max)', 37, 'expected as and an alias'],
  ['aggregate(A from B with max)', 28, 'expected as and an alias'],
  ['aggregate(A(B with sum as C))', 11, 'there is no function "A"'],
  ['groupby(A)', 9, 'expected ('],
  ['groupby(())', 10, 'expected a property name'],
  ['groupby((A)', 12, 'expected )'],
  ['groupby((A),)', 13, 'expected a transformation'],
  ['groupby((A(B)))', 11, 'expected )'],
  ['groupby((rollup(A))', 20, 'expected )'],
  ['groupby(($it))', 10, 'expected a property name'],
  ['concat(identity)', 16, 'expected ,'],
  ['topcount(1)', 11, 'expected ,'],
  ['filter(A eq)', 12, 'expected a value'],
  ['search()', 8, 'expected a word or a quoted phrase'],
  ['search(a;b)', 9, 'expected )'],
])('%j is refused at column %i', (text, column, problem) => {
  expect(() => parsed(text)).toThrow(
    expect.objectContaining({
      code: 'InvalidApply',
      target: `$apply:${column}`,
      message: expect.stringContaining(`at column ${column}: ${problem}`),
    }),
  )
})

test.each([
  ['Custom.Function()', 'the transformation Custom.Function'],
  ['groupby((rolluprecursive($root/A,B,C)))', 'the transformation rolluprecursive'],
  ['groupby((A/Model.Type))', 'a type cast'],
  ['groupby((A/@Core.Term))', 'an annotation'],
  ['aggregate(A with Custom.method as B)', 'the aggregation method Custom.method'],
])('%j is valid OData, but not supported', (text, feature) => {
  expect(() => parsed(text)).toThrow(
    expect.objectContaining({ code: 'NotSupported', message: `${feature} is not supported.` }),
  )
})

test('transformations nest at most 32 deep', () => {
  const nested = (depth: number): string => `${'groupby((A),'.repeat(depth - 1)}identity${')'.repeat(depth - 1)}`
  expect(() => parsed(nested(32))).not.toThrow()
  for (const depth of [33, 100_000])
    expect(() => parsed(nested(depth))).toThrow('$apply is too complex. The maximum nesting depth is 32.')
})
