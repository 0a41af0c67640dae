import { expect, test } from 'vitest'
import { odata2Dialect } from '../dialect.ts'
import { parseResourcePath, type PathSegment } from './resource-path.ts'
import type { KeyPredicateValue } from '../expressions/syntax.ts'

function writtenKey({ name, value }: KeyPredicateValue): string {
  const text = `${value.type} ${value.value}`
  return name === null ? text : `${name}=${text}`
}

function written(segment: PathSegment): string {
  if (segment.kind === '$filter') {
    const { condition, column } = segment
    return `${column}:$filter(${condition.kind === 'alias' ? condition.name : condition.kind})`
  }
  if (segment.kind !== 'name') return `${segment.column}:${segment.kind}`
  const keys = segment.keys.map(writtenKey).join(', ')
  return `${segment.column}:${segment.name}${keys === '' ? '' : `(${keys})`}`
}

function parsed(path: string): string[] {
  return parseResourcePath(path, odata2Dialect).map(written)
}

test.each([
  ['', []],
  ['Avdeling', ['1:Avdeling']],
  ["Avdeling('20')", ['1:Avdeling(text 20)']],
  ["Avdeling('Ab ')", ['1:Avdeling(text Ab )']],
  ["Avdeling(Id='20')/Navn", ['1:Avdeling(Id=text 20)', '19:Navn']],
  ['Ansatt(1)/Avdeling/$ref', ['1:Ansatt(number 1)', '11:Avdeling', '20:$ref']],
  ['Ansatt/1/Fornavn/$value', ['1:Ansatt', '8:1', '10:Fornavn', '18:$value']],
  ['Ansatt/$count', ['1:Ansatt', '8:$count']],
  ['Ansatt(@id)', ['1:Ansatt(null null)']],
  ['Ansatt(1)/Model.Type', ['1:Ansatt(number 1)', '11:Model.Type']],
  ['Ansatt/Model.Type(1)/Navn', ['1:Ansatt', '8:Model.Type(number 1)', '22:Navn']],
  ['Ansatt/$filter(@a)/$count', ['1:Ansatt', '8:$filter(@a)', '20:$count']],
  ["Ansatt/$filter(Navn%20eq%20'a')", ['1:Ansatt', '8:$filter(operation)']],
  ['$entity/Model.Type', ['1:$entity', '9:Model.Type']],
  ['$metadata', ['1:$metadata']],
  ['$BATCH', ['1:$batch']],
  ['Ansatt//1/', ['1:Ansatt', '9:1']],
  ["OrderItems(OrderID=1,ItemID='a')", ['1:OrderItems(OrderID=number 1, ItemID=text a)']],
  ["Avdeling('O''Neil')", ["1:Avdeling(text O'Neil)"]],
  ["Avdeling('a%2Fb%20(c)')", ['1:Avdeling(text a/b (c))']],
  ['Avdeling%28%27x%27%29', ['1:Avdeling(text x)']],
  ['Avdeling/a%2Fb', ['1:Avdeling', '10:a/b']],
  ['Avdeling/a+b', ['1:Avdeling', '10:a+b']],
  ["Avdeling/O'Neil", ['1:Avdeling', "10:O'Neil"]],
  ['Avdeling/kari.nordmann', ['1:Avdeling', '10:kari.nordmann']],
  ['Avdeling/%20x%20', ['1:Avdeling', '10: x ']],
  ['Dag(2013-01-01)', ['1:Dag(date 2013-01-01)']],
  ['Dag(23%3A59%3A59)', ['1:Dag(timeOfDay 23:59:59)']],
])('%j', (path, expected) => {
  expect(parsed(path)).toEqual(expected)
})

test.each([
  ['Avdeling(20', 12],
  ['Avdeling(20)x', 13],
  ['Avdeling(20,21)', 12],
  ['Avdeling(Id=Navn)', 13],
  ['Avdeling(Navn)', 10],
  ['Avdeling(1 add 1)', 12],
  ["Avdeling('a/b')", 10],
  ["Avdeling('O%27Neil')", 13],
  ['OrderItems(OrderID=1;ItemID=2)', 21],
  ['x/Avdeling(', 12],
  [".Avdeling('a')", 1],
  ['(1)', 1],
  ['$foo', 1],
  ['$value', 1],
  ['Avdeling/$metadata', 10],
  ['Avdeling/$count/Navn', 17],
  ['Avdeling(1)/$ref/$count', 18],
  ['$metadata/Avdeling', 11],
  ['Avdeling/$entity', 10],
  ['$filter(@a)', 1],
  ['Avdeling/$filter(Navn eq)', 25],
  ['Avdeling/$filter(Navn eq 1', 27],
  ['Avdeling/$filter(Navn eq 1)x', 28],
])('%j is refused at column %i', (path, column) => {
  expect(() => parsed(path)).toThrow(expect.objectContaining({ code: 'InvalidPath', target: `path:${column}` }))
})

test.each([
  ['Avdeling/%', 'InvalidEncoding'],
  ['Avdeling/%ff', 'InvalidUtf8'],
  ['Avdeling/%00', 'InvalidCharacter'],
])('%j is refused as %s', (path, code) => {
  expect(() => parsed(path)).toThrow(expect.objectContaining({ code }))
})

test.each([
  ['$crossjoin(A,B)', 'the path segment $crossjoin'],
  ['Avdeling/$each', 'the path segment $each'],
  ['Model.Type', 'a type cast'],
  ['Ansatt/Model.Function()', 'a parenthesis after Model.Function'],
  ['Beste()', 'a parenthesis after Beste'],
  ['Beste(a=1)(2)', 'a parenthesis after Beste'],
])('%j is valid OData, but not supported', (path, feature) => {
  expect(() => parsed(path)).toThrow(
    expect.objectContaining({ code: 'NotSupported', message: `${feature} is not supported.` }),
  )
})
