import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../../errors/api-error.ts'
import { parseFlag, routeParameters, parseQuery, parseQueryWithIgnored } from './query.ts'

const names = ['firma', 'passord', 'key', 'dryRun', '$filter', '$select', '$orderby', '$top']
const reads = routeParameters(names, 'ignored')
const writes = routeParameters(names, 'rejected')

function read(search: string) {
  return Object.fromEntries(parseQuery(search, reads))
}

function refusalOf(act: () => unknown): ApiError {
  try {
    act()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test.each([
  ['', {}],
  ['&&', {}],
  ['firma=TEST&passord=test', { firma: 'TEST', passord: 'test' }],
  ['FIRMA=TEST&PassOrd=test', { firma: 'TEST', passord: 'test' }],
  ['$top=5', { $top: '5' }],
  ['top=5', { $top: '5' }],
  ['%24top=5', { $top: '5' }],
  ['%24%54%4fp=5', { $top: '5' }],
  ['TOP=5', { $top: '5' }],
  ['dryrun=true', { dryRun: 'true' }],
  ['firma', { firma: '' }],
  ['firma=', { firma: '' }],
  ['firma=a=b', { firma: 'a=b' }],
  ['firma=a;passord=b', { firma: 'a;passord=b' }],
  ['firma=a%26b', { firma: 'a&b' }],
  ['firma=a+b%2Bc', { firma: 'a b+c' }],
  ['firma=+TEST+', { firma: 'TEST' }],
  ['firma=TEST%20&%20passord%20=test', { firma: 'TEST', passord: 'test' }],
  ['firma=Bl%C3%A5b%C3%A6r', { firma: 'Blåbær' }],
  ['firma=%25C3', { firma: '%C3' }],
  ['firma=a%0Ab%09c', { firma: 'a\nb\tc' }],
])('%j is parsed', (search, expected) => {
  expect(read(search)).toEqual(expected)
})

test('parameter aliases keep their spelling, and are allowed once each', () => {
  expect(read("@p='x'&@P=[1]&@filter=1")).toEqual({ '@p': "'x'", '@P': '[1]', '@filter': '1' })
  expect(refusalOf(() => read('@p=1&%40p=2'))).toMatchObject({ code: 'DuplicateParameter' })
  expect(refusalOf(() => parseQuery('@p=1', writes))).toMatchObject({ code: 'UnknownQueryOption' })
})

test('bytes that are not percent-encoded are decoded as UTF-8', () => {
  expect(read(Buffer.from('firma=Blåbær').toString('latin1'))).toEqual({ firma: 'Blåbær' })
})

test.each([
  ['firma=%', 'InvalidEncoding', 'firma'],
  ['firma=%4', 'InvalidEncoding', 'firma'],
  ['firma=%zz', 'InvalidEncoding', 'firma'],
  ['firma=%ff%00%zz', 'InvalidEncoding', 'firma'],
  ['firma=\u0142', 'InvalidEncoding', 'firma'],
  ['%zz=1', 'InvalidEncoding', null],
  ['firma=%ff', 'InvalidUtf8', 'firma'],
  ['firma=%c0%af', 'InvalidUtf8', 'firma'],
  ['firma=%ed%a0%80', 'InvalidUtf8', 'firma'],
  ['firma=\u00ff', 'InvalidUtf8', 'firma'],
  ['firma=%00', 'InvalidCharacter', 'firma'],
  ['firma=a%1Bb', 'InvalidCharacter', 'firma'],
  ['firma=a%7f', 'InvalidCharacter', 'firma'],
  ['other=%00', 'InvalidCharacter', 'other'],
])('%j is refused as %s', (search, code, target) => {
  expect(refusalOf(() => read(search))).toMatchObject({ code, target, status: 400 })
})

test.each([
  '_=1',
  't=1',
  'v=2',
  'ts=17',
  'utm_source=x',
  'fbclid=a',
  'sort=Dato',
  'type=json',
  'find=x',
  '=x',
  'constructor=1',
])('unknown parameters are ignored on a read: %j', (search) => {
  expect(read(`firma=TEST&${search}`)).toEqual({ firma: 'TEST' })
})

test.each([
  ['$foo=1', undefined],
  ['$=1', undefined],
  ['$firma=1', 'firma'],
  ['fliter=1', '$filter'],
  ['filtr=1', '$filter'],
  ['$fltre=1', '$filter'],
  ['tpo=1', '$top'],
  ['selct=1', '$select'],
  ['password=1', 'passord'],
  ['firma[]=1', 'firma'],
  ['dry_run=1', 'dryRun'],
])('names that look mistyped are refused on a read: %j', (search, nearest) => {
  const { code, params } = refusalOf(() => read(search))
  expect({ code, nearest: params['nearest'] }).toEqual({ code: 'UnknownQueryOption', nearest })
})

test.each([
  ['utm_source=x', undefined],
  ['dry_run=true', 'dryRun'],
  ['pasord=x', 'passord'],
])('unknown parameters are refused on a write: %j', (search, nearest) => {
  const { code, params } = refusalOf(() => parseQuery(search, writes))
  expect({ code, nearest: params['nearest'] }).toEqual({ code: 'UnknownQueryOption', nearest })
})

test('ignored names are returned as sent, without the part that may be a value', () => {
  expect(parseQueryWithIgnored('firma=TEST&_=1&Ekstra=2&=3&x%3Dhemmelig', reads).ignored).toEqual(['_', 'Ekstra', 'x…'])
  expect(parseQueryWithIgnored('firma=TEST', reads).ignored).toEqual([])
  expect(refusalOf(() => read('passord%3Dhemmelig'))).toMatchObject({ target: 'passord…' })
})

test('a hundred unknown parameters are ignored, and the next is refused', () => {
  const names = Array.from({ length: 101 }, (_, index) => `x${index}`)
  expect(parseQueryWithIgnored(names.slice(0, 100).join('&'), reads).ignored).toHaveLength(100)
  expect(refusalOf(() => read(names.join('&')))).toMatchObject({ code: 'UnknownQueryOption', target: 'x100' })
})

test('reserved names and misspellings of them are refused', () => {
  const known = routeParameters(['firma'], 'ignored', { reserved: ['dryRun'] })
  for (const name of ['dryRun', 'DRYRUN', 'dry_run'])
    expect(refusalOf(() => parseQuery(`${name}=true`, known))).toMatchObject({ target: name })
  expect(parseQueryWithIgnored('_=1&@p=1', known).ignored).toEqual(['_', '@p'])
})

test('an error message truncates a long name', () => {
  const { message, target } = refusalOf(() => parseQuery('x'.repeat(9000), writes))
  expect(message.length).toBeLessThan(200)
  expect(target?.length).toBeLessThan(70)
})

test('any percent-encoded text is decoded to the original, except for blanks around it', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((one) => !/\p{Cc}/u.test(one))
  fc.assert(
    fc.property(text, (value) => {
      expect(read(`firma=${encodeURIComponent(value)}`)).toEqual({ firma: value.trim() })
    }),
  )
})

test('only an ApiError is ever thrown', () => {
  const piece = fc.constantFrom('firma', '$top', '=', '&', '%', '%4', '%41', '%ff', '+', '\u00e5', '[]', ' ')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        read(pieces.join(''))
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
      }
    }),
  )
})

test('a flag is true or false in any letter case, or its default when missing', () => {
  const known = routeParameters(['atomic'], 'rejected')
  expect(parseFlag(parseQuery('', known), 'atomic', true)).toBe(true)
  expect(parseFlag(parseQuery('atomic=FALSE', known), 'atomic', true)).toBe(false)
  expect(parseFlag(parseQuery('atomic=True', known), 'atomic', false)).toBe(true)
  for (const value of ['', '1', 'yes'])
    expect(refusalOf(() => parseFlag(parseQuery(`atomic=${value}`, known), 'atomic', true))).toMatchObject({
      code: 'InvalidQueryOption',
      target: 'atomic',
    })
})
