import { expect, test } from 'vitest'
import { ApiError } from '../../errors/api-error.ts'
import { parseCredentials } from './credentials.ts'

function asking(search: string, headers: Record<string, string> = {}) {
  return { search, header: (name: string) => headers[name] }
}

function found(search: string, headers: Record<string, string> = {}) {
  return parseCredentials(asking(search, headers)).map(
    ({ company, secret, viaQuery }) => `${company ?? 'key'} ${secret}${viaQuery ? ' ?' : ''}`,
  )
}

function basic(pair: string, encoding: BufferEncoding = 'utf8') {
  return { authorization: `Basic ${Buffer.from(pair, encoding).toString('base64')}` }
}

test.each([
  ['firma=TEST&passord=test', 'TEST test ?'],
  ['$filter=Dato%20eq%201&passord=test&top=3&firma=TEST', 'TEST test ?'],
  ['FIRMA=TEST&PassOrd=test', 'TEST test ?'],
  ['%66irma=TEST&+passord+=test', 'TEST test ?'],
  ['firma=+TEST%20&passord=%20te+st%2B', 'TEST te st+ ?'],
  ['firma=Bl%C3%A5b%C3%A6r&passord=%26%3D', 'Blåbær &= ?'],
  ['passord=a=b&firma=TEST', 'TEST a=b ?'],
  ['&firma&=&x&firma=TEST&key&&passord=test&&y', 'TEST test ?'],
  ['key=test-key', 'key test-key ?'],
  ['Key=test-key', 'key test-key ?'],
])('5.1 firma and passord, or a key, in the query: %s', (search, credential) => {
  expect(found(search)).toEqual([credential])
})

test.each([
  [basic('TEST:test'), 'TEST test'],
  [basic('TEST:with:colon'), 'TEST with:colon'],
  [basic('Blåbær:sølv'), 'Blåbær sølv'],
  [basic('Blåbær:sølv', 'latin1'), 'Blåbær sølv'],
  [{ authorization: basic('TEST:test').authorization.replace('Basic', 'bAsIc') }, 'TEST test'],
  [{ 'x-firma': 'TEST', 'x-passord': 'test' }, 'TEST test'],
  [{ 'x-firma': Buffer.from('Blåbær').toString('latin1'), 'x-passord': 'x' }, 'Blåbær x'],
  [{ 'tb-key': 'test-key' }, 'key test-key'],
  [{ key: ' test-key ' }, 'key test-key'],
  [{ authorization: 'bearer test-key' }, 'key test-key'],
])('the same in headers: %j', (headers, credential) => {
  expect(found('', headers)).toEqual([credential])
})

test.each([
  ['', {}],
  ['firma=TEST', {}],
  ['passord=test', {}],
  ['firma=&passord=test', {}],
  ['firma=TEST&passord=', {}],
  ['firma&passord', {}],
  ['', { authorization: 'Negotiate abc' }],
  ['', { authorization: 'Basic !' }],
  ['', { 'ocp-apim-subscription-key': 'test-key', 'x-api-version': '3.0' }],
])('incomplete pairs and unrelated headers are no credentials: %s %j', (search, headers) => {
  expect(found(search, headers)).toEqual([])
})

test('a duplicate query parameter is rejected by name, without its value', () => {
  try {
    found('firma=TEST&passord=hemmelig&Passord=hemmelig')
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'DuplicateParameter', target: 'passord' })
    expect(JSON.stringify(error)).not.toContain('hemmelig')
  }
})

test('invalid percent-encoding is rejected without repeating it', () => {
  try {
    found('firma=TEST&passord=hemmelig%E6')
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({ code: 'InvalidEncoding' })
    expect(String(error) + JSON.stringify(error)).not.toContain('hemmelig')
  }
})
