import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { CredentialCache } from './credential-cache.ts'

const minutes = 60_000
function pair(company: string | null, secret: string) {
  return { company, secret, viaQuery: false }
}

test('a right secret is remembered ten minutes after it was last seen', () => {
  const cache = new CredentialCache<string>(randomBytes)
  const key = cache.key(pair('fjord', 'hemmelig'))
  cache.rememberRight(key, 'caller', 0)
  expect(cache.right(key, 9 * minutes)).toBe('caller')
  expect(cache.right(key, 18 * minutes)).toBe('caller')
  expect(cache.right(key, 28 * minutes)).toBeUndefined()
})

test('and never longer than an hour, however often it is seen', () => {
  const cache = new CredentialCache<string>(randomBytes)
  const key = cache.key(pair('fjord', 'hemmelig'))
  cache.rememberRight(key, 'caller', 0)
  for (let now = 0; now < 60; now++) expect(cache.right(key, now * minutes)).toBe('caller')
  expect(cache.right(key, 60 * minutes)).toBeUndefined()
})

test('a wrong pair is remembered an hour, as long as the credentials stay as they were', () => {
  const cache = new CredentialCache<string>(randomBytes)
  const key = cache.key(pair('fjord', 'feil'))
  cache.rememberWrong(key, 'a:1', 0)
  expect(cache.isWrong(key, 'a:1', 59 * minutes)).toBe(true)
  expect(cache.isWrong(key, 'a:2', 59 * minutes)).toBe(false)
  expect(cache.isWrong(key, 'a:1', 60 * minutes)).toBe(false)
})

test('what was wrong and is right now is no longer wrong', () => {
  const cache = new CredentialCache<string>(randomBytes)
  const key = cache.key(pair('fjord', 'ny'))
  cache.rememberWrong(key, 'a:1', 0)
  cache.rememberRight(key, 'caller', 1)
  expect(cache.isWrong(key, 'a:1', 2)).toBe(false)
})

test('what was right counts as that for 30 days, or until it is wrong', () => {
  const cache = new CredentialCache<string>(randomBytes)
  const key = cache.key(pair('fjord', 'hemmelig'))
  expect(cache.wasRight(key, 0)).toBe(false)
  cache.rememberRight(key, 'caller', 0)
  const days = 24 * 60 * minutes
  expect(cache.right(key, 29 * days)).toBeUndefined()
  expect(cache.wasRight(key, 29 * days)).toBe(true)
  expect(cache.wasRight(key, 30 * days)).toBe(false)
  cache.rememberWrong(key, 'a:2', minutes)
  expect(cache.wasRight(key, 2 * minutes)).toBe(false)
})

test('the border between company and secret cannot be moved, nor a key taken for a pair', () => {
  const cache = new CredentialCache<string>(randomBytes)
  const keys = [
    pair('ab', 'c'),
    pair('a', 'bc'),
    pair('a', ':bc'),
    pair('a:', 'bc'),
    pair(null, 'abc'),
    pair('-', 'abc'),
    pair('', 'abc'),
  ].map((presented) => cache.key(presented))
  expect(new Set(keys).size).toBe(keys.length)
})

test('a company is remembered under its name in any letter case, a secret only as it is', () => {
  const cache = new CredentialCache<string>(randomBytes)
  expect(cache.key(pair('Fjord', 'x'))).toBe(cache.key(pair('FJORD', 'x')))
  expect(cache.key(pair('fjord', 'x'))).not.toBe(cache.key(pair('fjord', 'X')))
})

test('nothing in it tells the secret, and another process cannot compute its keys', () => {
  const one = new CredentialCache<string>(randomBytes)
  const other = new CredentialCache<string>(randomBytes)
  expect(one.key(pair('fjord', 'hemmelig'))).toMatch(/^[\da-f]{64}$/)
  expect(one.key(pair('fjord', 'hemmelig'))).not.toBe(other.key(pair('fjord', 'hemmelig')))
})

test('the one seen longest ago is forgotten when there is no more room', () => {
  const cache = new CredentialCache<number>(randomBytes, {
    idleMs: minutes,
    maxAgeMs: minutes,
    recentMs: minutes,
    wrongMs: minutes,
    entriesMax: 2,
  })
  for (const n of [1, 2]) cache.rememberRight(`${n}`, n, 0)
  cache.right('1', 0)
  cache.rememberRight('3', 3, 0)
  expect(['1', '2', '3'].map((key) => cache.right(key, 0))).toEqual([1, undefined, 3])
})
