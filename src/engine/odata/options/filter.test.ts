import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../../errors/api-error.ts'
import { odata2Dialect } from '../dialect.ts'
import { parseFilter } from './filter.ts'
import type { Expression, NameNode } from '../expressions/syntax.ts'

/** An expression as text, with brackets around every operation. */
function written(node: Expression): string {
  if (node.kind === 'operation') return writtenOperation(node)
  if (node.kind === 'literal') return writtenLiteral(node)
  if (node.kind === 'name') return writtenPath([node])
  if (node.kind === 'path') return writtenPath(node.names)
  if (node.kind === 'lambda') return writtenLambda(node)
  if (node.kind === 'count') return `${writtenPath(node.path)}/$count${writtenCounted(node)}`
  if (node.kind === 'aggregate') return writtenAggregated(node)
  if (node.kind === 'list') return `(${node.items.map(written).join(',')})`
  if (node.kind === 'array') return `[${node.items.map(written).join(',')}]`
  if (node.kind === 'object') return `{${node.members.map(writtenMember).join(',')}}`
  if (node.kind === 'call') return `${node.name}(${node.args.map(written).join(',')})`
  return `case(${node.branches.map(writtenBranch).join(',')})`
}

type Kind<K extends Expression['kind']> = Extract<Expression, { kind: K }>

function writtenPath(names: readonly NameNode[]): string {
  return names
    .map(({ name, keys }) => (keys === undefined ? name : `${name}(${keys.map(writtenKey).join(',')})`))
    .join('/')
}

function writtenKey({ name, value }: NonNullable<NameNode['keys']>[number]): string {
  return name === null ? written(value) : `${name}=${written(value)}`
}

function writtenAggregated({ path, item: { expression, method } }: Kind<'aggregate'>): string {
  const what = expression === null ? '$count' : written(expression)
  return `${writtenPath(path)}/aggregate(${what}${method === null ? '' : ` with ${method.name}`})`
}

function writtenOperation({ operator, operands }: Kind<'operation'>): string {
  const parts = operands.map(written)
  return parts.length === 1 ? `(${operator} ${parts.join('')})` : `(${parts.join(` ${operator} `)})`
}

function writtenLiteral({ type, value, enumeration }: Kind<'literal'>): string {
  if (type === 'duration' || type === 'binary') return `${type}'${value}'`
  if (type === 'enum') return `${enumeration}'${value}'`
  return type === 'text' ? `'${value.replaceAll("'", "''")}'` : value
}

function writtenLambda({ path, quantifier, variable, condition }: Kind<'lambda'>): string {
  const inside = condition === null ? '' : `${variable?.name} : ${written(condition)}`
  return `${writtenPath(path)}/${quantifier}(${inside})`
}

function writtenCounted({ filter, search }: Kind<'count'>): string {
  const options = [
    ...(filter === null ? [] : [`$filter=${written(filter)}`]),
    ...(search?.kind === 'term' ? [`$search="${search.text}"`] : []),
  ]
  return options.length === 0 ? '' : `(${options.join(';')})`
}

function writtenMember({ name, value }: Kind<'object'>['members'][number]): string {
  return `${JSON.stringify(name)}:${written(value)}`
}

function writtenBranch({ condition, value }: Kind<'case'>['branches'][number]): string {
  return `${written(condition)} : ${written(value)}`
}

function withoutColumns(node: Expression): unknown {
  return JSON.parse(JSON.stringify(node, (key, value: unknown) => (key === 'column' ? undefined : value)))
}

function parsed(text: string): string {
  return written(parseFilter(text, odata2Dialect))
}

test.each([
  // literals
  ["datetime('2013-01-01')", '2013-01-01'],
  ["DateTime( '2013-01-01T00:00:00' )", '2013-01-01T00:00:00'],
  ["datetime'2013-01-01'", '2013-01-01'],
  ['2013-01-01', '2013-01-01'],
  ['2013-01-01T10:00', '2013-01-01T10:00'],
  ['2013-01-01T10:00:00.1234567Z', '2013-01-01T10:00:00.1234567Z'],
  ['2013-01-01t10:00:00+02:00', '2013-01-01t10:00:00+02:00'],
  ["datetime('2013-01-01 10:00:00')", '2013-01-01 10:00:00'],
  ["'O''Neil'", "'O''Neil'"],
  ["''", "''"],
  ['-1.50', '-1.50'],
  ['+1e-3', '+1e-3'],
  ['TRUE', 'true'],
  ['False', 'false'],
  ['NULL', 'null'],
  // operators and their precedence
  ['a eq 1', '(a eq 1)'],
  ["a EQ 'x' AND b Lt 2", "((a eq 'x') and (b lt 2))"],
  ['a eq 1 and b eq 2 or c eq 3', '(((a eq 1) and (b eq 2)) or (c eq 3))'],
  ['a eq 1 or b eq 2 and c eq 3', '((a eq 1) or ((b eq 2) and (c eq 3)))'],
  ['a or b or c', '(a or b or c)'],
  ['(a or b) or (c or d)', '(a or b or c or d)'],
  ['a or ((b or c))', '(a or b or c)'],
  ['a and b or c and d or e', '((a and b) or (c and d) or e)'],
  ['not a', '(not a)'],
  ['not a and b', '((not a) and b)'],
  ['not(a eq 1)', '(not (a eq 1))'],
  ['not a eq b', '((not a) eq b)'],
  ['not a in (1)', '(not (a in (1)))'],
  ['not not a', '(not (not a))'],
  ['a add b mul c eq -d', '((a add (b mul c)) eq (- d))'],
  ['a sub b add c', '((a sub b) add c)'],
  ['a gt b eq c', '((a gt b) eq c)'],
  ['((a))', 'a'],
  ["(a eq'x')and(b eq 2)", "((a eq 'x') and (b eq 2))"],
  // lists
  ['a in (1,2)', '(a in (1,2))'],
  ["a IN ( 'x' , null )", "(a in ('x',null))"],
  ['a in ()', '(a in ())'],
  ['a in (b)', '(a in b)'],
  ["a in (datetime('2013-01-01'))", '(a in (2013-01-01))'],
  // functions
  ["startswith(a,'x')", "startswith(a,'x')"],
  ["StartsWith( a , 'x' ) eq true", "(startswith(a,'x') eq true)"],
  ["substringof('x',a)", "substringof('x',a)"],
  ["contains(tolower(a),'x')", "contains(tolower(a),'x')"],
  ['now()', 'now()'],
  ['substring(a,1)', 'substring(a,1)'],
  ['isdefined(a)', 'isdefined(a)'],
  // other literals
  ['01234567-89ab-cdef-0123-456789abcdef', '01234567-89ab-cdef-0123-456789abcdef'],
  ['a eq abcdef01-89AB-cdef-0123-456789abcdef', '(a eq abcdef01-89AB-cdef-0123-456789abcdef)'],
  ['abcdefab eq 1', '(abcdefab eq 1)'],
  ['23:59', '23:59'],
  ['23:59:59.123', '23:59:59.123'],
  ['-10000-04-01', '-10000-04-01'],
  ["duration'P6DT23H59M59.9999S'", "duration'P6DT23H59M59.9999S'"],
  ["Duration'-PT8H'", "duration'-PT8H'"],
  ["binary'Zm9v'", "binary'Zm9v'"],
  ["binary''", "binary''"],
  ["Sales.Pattern'Solid,Yellow,+42'", "Sales.Pattern'Solid,Yellow,+42'"],
  ["a has Sales.Pattern'Yellow'", "(a has Sales.Pattern'Yellow')"],
  ['a eq INF or a eq NaN', '((a eq INF) or (a eq NaN))'],
  ['a eq -INF', '(a eq (- INF))'],
  // paths
  ['a/b eq 1', '(a/b eq 1)'],
  ['a / b / c', 'a/b/c'],
  ['$it/a eq $this', '($it/a eq $this)'],
  ['a eq @p', '(a eq null)'],
  ['a/any/all', 'a/any/all'],
  ['a in b/c', '(a in b/c)'],
  ['null/true', 'null/true'],
  // lambdas and counts
  ['a/any()', 'a/any()'],
  ['a/Any( )', 'a/any()'],
  ['a/any(x:x/b eq 1)', 'a/any(x : (x/b eq 1))'],
  ['a/b/all( x : x gt 1 or c ) and d', '(a/b/all(x : ((x gt 1) or c)) and d)'],
  ['a/any(x:x/b/all(y:y eq x/c))', 'a/any(x : x/b/all(y : (y eq x/c)))'],
  ['not a/any(x:x)', '(not a/any(x : x))'],
  ['a/$count gt 2', '(a/$count gt 2)'],
  ['a/$count($filter=b eq 1) gt 2', '(a/$count($filter=(b eq 1)) gt 2)'],
  ['a/$COUNT(search=x;filter=(b)) gt 2', '(a/$count($filter=b;$search="x") gt 2)'],
  // JSON
  ['a in ["x", \'y\', 1]', "(a in ['x','y',1])"],
  ['[]', '[]'],
  ['[[],{}]', '[[],{}]'],
  ['[a/b, 2 add 3, now()]', '[a/b,(2 add 3),now()]'],
  ['a eq {"b" : "c\\n\\u0041\\"", "d":[1]}', `(a eq {"b":'c\nA"',"d":[1]})`],
  ['length(["x"]) eq 1', "(length(['x']) eq 1)"],
  // case
  ['case(a gt 0:1,a lt 0:-1,true:0)', 'case((a gt 0) : 1,(a lt 0) : -1,true : 0)'],
  ['case( a : 10:20 )', 'case(a : 10:20)'],
  // keywords are not reserved
  ['case eq 1', '(case eq 1)'],
  ['duration eq binary', '(duration eq binary)'],
  ['eq eq and', '(eq eq and)'],
  ['contains eq datetime', '(contains eq datetime)'],
  ['constructor eq 1', '(constructor eq 1)'],
])('%s', (text, expected) => {
  expect(parsed(text)).toBe(expected)
})

test.each([
  ['', 1, 'expected a value at the end'],
  ['a eq', 5, 'expected a value at the end'],
  ['a b', 3, 'expected an operator or the end'],
  ['a = 1', 3, 'expected an operator or the end'],
  ['a eq 1 b eq 2', 8, 'expected an operator or the end'],
  ['a eq 1,', 7, 'expected an operator or the end'],
  ['(a eq 1', 1, 'the parenthesis is never closed'],
  ['b and (a eq (1', 13, 'the parenthesis is never closed'],
  ['(a eq 1 b)', 9, 'expected an operator or the end'],
  ['a eq 1)', 7, 'unexpected )'],
  ['()', 2, 'expected a value'],
  ['(a,b)', 3, 'expected )'],
  ['a in (b,c)', 8, 'expected )'],
  ['a in (1,b)', 9, 'expected a literal'],
  ['a in (1,2', 6, 'the parenthesis is never closed'],
  ['a in (1,)', 9, 'expected a value'],
  ["a eq ('x','y')", 10, 'expected )'],
  ["a eq 'x", 6, 'the quote is never closed'],
  ["a eq 'x'y'", 9, 'expected an operator or the end'],
  ['a eq "x"', 6, "strings are written in straight single quotes, like 'this'"],
  ['a eq ‘x’', 6, "strings are written in straight single quotes, like 'this'"],
  ['a eq 1.', 6, 'not a valid number or date'],
  ['a eq .5', 6, 'expected a value'],
  ['a eq 0x10', 6, 'not a valid number or date'],
  ['a eq 1_000', 6, 'not a valid number or date'],
  ['a eq 1,5', 7, 'expected an operator or the end'],
  ['a eq 2013-1-1', 6, 'not a valid number or date'],
  ["a eq datetime('x')", 15, "expected a date, like datetime('2013-01-31')"],
  ["a eq datetime('1')", 15, "expected a date, like datetime('2013-01-31')"],
  ['a eq datetime(1)', 15, "expected a date, like datetime('2013-01-31')"],
  ["a eq datetime('2013-01-01'", 27, 'expected )'],
  ["startswith(a,'x'", 1, 'the parenthesis is never closed'],
  ['startswith(a)', 1, 'startswith takes 2 arguments'],
  ['startswith(a,b,c)', 1, 'startswith takes 2 arguments'],
  ['startswith()', 1, 'startswith takes 2 arguments'],
  ['b and tolower(a,b)', 7, 'tolower takes 1 argument'],
  ['substring(a)', 1, 'substring takes 2 to 3 arguments'],
  ['now(a)', 1, 'now takes 0 arguments'],
  ['startswiht(a,b)', 1, 'there is no function "startswiht"'],
  ['a/', 3, 'expected a property name'],
  ['a//b', 3, 'expected a property name'],
  ['a/1', 3, 'expected a property name'],
  ['a/$x', 3, 'expected a property name'],
  ['a/$count/b', 9, 'expected an operator or the end'],
  ['a/$count()', 10, 'expected one of the options $filter, $search'],
  ['a/$count($top=1)', 10, 'expected one of the options $filter, $search'],
  ['a/$count($filter=b;filter=c)', 20, 'filter is given twice'],
  ['a/$count($filter b)', 18, 'expected ='],
  ['a/$count($filter=b', 19, 'expected )'],
  ['a/all()', 7, 'expected a lambda variable, like x in any(x:x/…)'],
  ['a/any(x)', 8, 'expected a colon'],
  ['a/any(1:x)', 7, 'expected a lambda variable, like x in any(x:x/…)'],
  ['a/any(x:)', 9, 'expected a value'],
  ['a/any(x:x', 10, 'expected )'],
  ['any()', 1, 'there is no function "any"'],
  ['replace(a,b) eq 1', 1, 'there is no function "replace"'],
  ['foo(a/b) eq 1', 1, 'there is no function "foo"'],
  ['$foo eq 1', 1, 'expected a value'],
  ['Model.Type', 11, 'expected / and a property name'],
  ['Model.Type eq 1', 12, 'expected / and a property name'],
  ["duration'8 hours'", 9, 'not a valid literal of type duration'],
  ["duration'P'", 9, 'not a valid literal of type duration'],
  ["duration'PT'", 9, 'not a valid literal of type duration'],
  ["binary'Z'", 7, 'not a valid literal of type binary'],
  ["Sales.Pattern'a b'", 14, 'not a valid literal of type Sales.Pattern'],
  ["X'1a2B'", 2, 'expected an operator or the end'],
  ["duration 'PT8H'", 10, 'expected an operator or the end'],
  ['[1', 1, 'the parenthesis is never closed'],
  ['[1;2]', 3, 'expected ]'],
  ['[1,]', 4, 'expected a value'],
  ['{1:2}', 2, 'a name in double quotes is missing'],
  ['{"a" 2}', 6, 'expected a colon'],
  ['{"a":2]', 7, 'expected }'],
  ['["a]', 2, 'the quote is never closed'],
  ['["\\x"]', 2, 'a string contains an unknown escape sequence'],
  ['["a\nb"]', 2, 'a string contains an unescaped line break or tab'],
  ['[1 eq "a"] eq "b"', 15, "strings are written in straight single quotes, like 'this'"],
  ['case()', 6, 'expected a value'],
  ['case(a)', 7, 'expected a colon'],
  ['case(a:1', 9, 'expected )'],
  ['a -- comment', 3, 'expected an operator or the end'],
  ['a eq 1;drop', 7, 'expected an operator or the end'],
])('%j is refused at column %i', (text, column, problem) => {
  expect(() => parsed(text)).toThrow(
    expect.objectContaining({
      code: 'InvalidFilter',
      target: `$filter:${column}`,
      message: expect.stringContaining(`at column ${column}: ${problem}.`),
    }),
  )
})

test.each([
  ['Model.Type/a', 'a type cast'],
  ['a/Model.Type', 'a type cast'],
  ['isof(Model.Type)', 'a type cast'],
  ['Model.Function(a=1)', 'a parenthesis after Model.Function'],
  ['a/Function()', 'a parenthesis after Function'],
  ['a/@Core.Term', 'an annotation'],
  ['@Core.Term', 'an annotation'],
  ["geography'SRID=0;Point(1 2)'", 'a literal of type geography'],
])('%j is valid OData, but not supported', (text, feature) => {
  expect(() => parsed(text)).toThrow(
    expect.objectContaining({ code: 'NotSupported', message: `${feature} is not supported.` }),
  )
})

test.each([
  ['startswiht(a,b)', 'startswith'],
  ['conTains2(a,b)', 'contains'],
  ['a = 1', 'eq'],
  ['a > 1', 'gt'],
  ['a eqq 1', 'eq'],
  ['a eq 1 adn b eq 2', 'and'],
])('%j gets a suggestion: %s', (text, nearest) => {
  expect(() => parsed(text)).toThrow(expect.objectContaining({ params: expect.objectContaining({ nearest }) }))
})

function tooComplex(limit: string, max: number) {
  return expect.objectContaining({
    code: 'FilterTooComplex',
    message: expect.stringContaining(`$filter is too complex. The maximum ${limit} is ${max}. `),
  })
}

test('a path has at most 33 names', () => {
  expect(() => parsed(`${'a/'.repeat(32)}b eq 1`)).not.toThrow()
  expect(() => parsed(`${'a/'.repeat(33)}b eq 1`)).toThrow(tooComplex('nesting depth', 32))
})

function joined(count: number, term: string, operator: string): string {
  return Array.from({ length: count }, () => term).join(` ${operator} `)
}

test('at most 1,000 comparisons can be joined, with or without brackets', () => {
  expect(() => parsed(joined(1000, 'a eq 1', 'or'))).not.toThrow()
  expect(() => parsed(joined(1000, '(a eq 1)', 'and'))).not.toThrow()
  expect(() => parsed(joined(1001, 'a eq 1', 'or'))).toThrow(tooComplex('number of operators and operands', 2000))
  expect(() => parsed(joined(10_000, 'a', 'and'))).toThrow(tooComplex('number of operators and operands', 2000))
})

test('brackets and operators nest at most 32 deep; a chain of one operator counts once, however it is bracketed', () => {
  const nested = (open: string, depth: number, close = ')'): string =>
    `${open.repeat(depth)}a eq 1${close.repeat(depth)}`
  expect(() => parsed(nested('(', 32))).not.toThrow()
  expect(() => parsed(nested('(', 33))).toThrow(tooComplex('nesting depth', 32))
  expect(() => parsed(nested('not (', 16))).not.toThrow()
  expect(() => parsed(nested('not (', 17))).toThrow(tooComplex('nesting depth', 32))
  expect(() => parsed(nested('(b and (c or ', 8, '))'))).not.toThrow()
  expect(() => parsed(nested('(b and (c or ', 9, '))'))).toThrow(tooComplex('nesting depth', 32))
  const chained = `${'('.repeat(900)}a eq 1${' or a eq 1)'.repeat(900)}`
  expect(parseFilter(chained, odata2Dialect)).toMatchObject({ operands: { length: 901 } })
  expect(() => parsed(nested('a eq 1 or (', 900))).not.toThrow()
})

test('a list has at most 1,000 values, and counts as one node', () => {
  const list = (count: number): string => `a in (${joined(count, '1', ',')})`
  expect(() => parsed(joined(2, list(1000), 'or'))).not.toThrow()
  expect(() => parsed(list(1001))).toThrow(tooComplex('number of values in an in list', 1000))
  const items = (count: number): string => `a in [${joined(count, '1', ',')}]`
  expect(() => parsed(items(1000))).not.toThrow()
  expect(() => parsed(items(1001))).toThrow(tooComplex('number of values in an in list', 1000))
})

test('nested expressions count toward the limits of the outer one', () => {
  const lambdas = (depth: number): string => `${'a/any(x:'.repeat(depth)}x${')'.repeat(depth)}`
  expect(() => parsed(lambdas(33))).not.toThrow()
  expect(() => parsed(lambdas(34))).toThrow(tooComplex('nesting depth', 32))
  expect(() => parsed(`${'not '.repeat(20)}(${lambdas(20)})`)).toThrow(tooComplex('nesting depth', 32))
  for (const piece of ['[', '{"a":', 'case(', 'a/any(x:', 'a/$count($filter='])
    expect(() => parsed(piece.repeat(100_000))).toThrow(tooComplex('nesting depth', 32))
  const many = joined(1000, 'a/any(x:x)', 'or')
  expect(() => parsed(many)).not.toThrow()
  expect(() => parsed(`${many} or a/any(x:x eq 1)`)).toThrow(tooComplex('number of operators and operands', 2000))
})

test.each([
  ['brackets', '('],
  ['not', 'not '],
  ['calls', 'tolower('],
  ['minus', '-'],
])('100,000 %s exceed a limit', (_, piece) => {
  expect(() => parsed(piece.repeat(100_000))).toThrow(tooComplex('number of operators and operands', 2000))
})

const leaf = fc.oneof(
  fc.stringMatching(/^[A-Za-zæøåÆØÅ_][\wæøå]{0,8}$/).map((name) => ({ kind: 'name', name })),
  fc.string({ unit: 'binary' }).map((value) => ({ kind: 'literal', type: 'text', value })),
  fc
    .stringMatching(/^-?\d{1,20}(\.\d{1,9})?(e[+-]?\d{1,3})?$/)
    .map((value) => ({ kind: 'literal', type: 'number', value })),
  fc.constantFrom(
    { kind: 'literal', type: 'null', value: 'null' },
    { kind: 'literal', type: 'boolean', value: 'true' },
    { kind: 'literal', type: 'date', value: '2024-02-29' },
    { kind: 'literal', type: 'dateTime', value: '2024-02-29T10:00:00.123+02:00' },
  ),
)
const words = new Set(['null', 'true', 'false', 'not'])
const plainLeaf = leaf.filter((one) => !('name' in one && words.has(one.name.toLowerCase())))

const { expression } = fc.letrec((tie) => ({
  expression: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    plainLeaf,
    fc
      .tuple(fc.constantFrom('eq', 'ne', 'gt', 'add', 'sub', 'mul', 'has'), tie('expression'), tie('expression'))
      .map(([operator, ...operands]) => ({ kind: 'operation', operator, operands })),
    fc
      .tuple(fc.constantFrom('not', '-'), tie('expression'))
      .map(([operator, operand]) => ({ kind: 'operation', operator, operands: [operand] })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('expression'), { minLength: 2, maxLength: 5 }))
      .map(([operator, operands]) => ({
        kind: 'operation',
        operator,
        operands: operands.flatMap((one) => unchained(operator, one)),
      })),
    fc
      .tuple(
        tie('expression'),
        fc.array(
          plainLeaf.filter((one) => one.kind === 'literal'),
          { maxLength: 4 },
        ),
      )
      .map(([left, items]) => ({ kind: 'operation', operator: 'in', operands: [left, { kind: 'list', items }] })),
    fc
      .tuple(fc.constantFrom('contains', 'substringof'), tie('expression'), tie('expression'))
      .map(([name, ...args]) => ({ kind: 'call', name, args })),
    tie('expression').map((argument) => ({ kind: 'call', name: 'trim', args: [argument] })),
  ),
}))

/** Excludes a chain inside a chain of the same operator, which the parser never produces. */
function unchained(operator: string, node: unknown): unknown[] {
  const inner = node as { kind: string; operator?: string; operands: unknown[] }
  return inner.kind === 'operation' && inner.operator === operator ? inner.operands : [node]
}

test('printing and parsing a syntax tree gives the same tree', () => {
  fc.assert(
    fc.property(expression, (tree) => {
      const text = written(tree as Expression)
      expect(withoutColumns(parseFilter(text, odata2Dialect))).toEqual(tree)
    }),
    { numRuns: 1000 },
  )
})

test('blanks and the letter case of operators and functions do not matter', () => {
  fc.assert(
    fc.property(expression, (tree) => {
      const text = written(tree as Expression)
      fc.pre(!/'|e[+-]?\d/i.test(text))
      const loud = text.replaceAll(/ (and|or|eq|ne|gt|in|has) /g, (word) => `\t${word.toUpperCase()}  `)
      const spaced = loud.replaceAll(/[(),]/g, ' $& ').replaceAll('trim', 'TRIM')
      expect(withoutColumns(parseFilter(spaced, odata2Dialect))).toEqual(tree)
    }),
  )
})

test('random text is refused with a column inside it, and only an ApiError is ever thrown', () => {
  const words = 'a not and or eq in contains datetime null true asc $it 2013-01-01 T10:00 1 any( $count case('
  const signs = `( ) , ' '' - . / : @ ; \0 😀 [ ] { } " = \\`
  const piece = fc.constantFrom(' ', ...words.split(' '), ...signs.split(' '))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const text = pieces.join('')
      try {
        parseFilter(text, odata2Dialect)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        expect(['InvalidFilter', 'FilterTooComplex', 'NotSupported']).toContain(error.code)
        const column = Number(error.target?.replace('$filter:', ''))
        expect(column).toBeGreaterThanOrEqual(1)
        expect(column).toBeLessThanOrEqual(text.length + 1)
      }
    }),
    { numRuns: 3000 },
  )
})
