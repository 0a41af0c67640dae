import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { CredentialCache } from './credential-cache.ts'

const minutes = 60_000
function pair(company: string | null, secret: string) {
  return { company, secret, viaQuery: false }
}

let cache: CredentialCache<string>
beforeEach(() => {
  cache = new CredentialCache(randomBytes)
})

test('a verified secret is cached for ten minutes after its last use', () => {
  const key = cache.key(pair('fjord', 'hemmelig'))
  cache.saveVerified(key, 'caller', 0)
  expect(cache.getVerified(key, 9 * minutes)).toBe('caller')
  expect(cache.getVerified(key, 18 * minutes)).toBe('caller')
  expect(cache.getVerified(key, 28 * minutes)).toBeUndefined()
})

test('and for at most an hour, however often it is used', () => {
  const key = cache.key(pair('fjord', 'hemmelig'))
  cache.saveVerified(key, 'caller', 0)
  for (let now = 0; now < 60; now++) expect(cache.getVerified(key, now * minutes)).toBe('caller')
  expect(cache.getVerified(key, 60 * minutes)).toBeUndefined()
})

test('a rejected pair is cached for an hour, while the credentials are unchanged', () => {
  const key = cache.key(pair('fjord', 'feil'))
  cache.saveRejected(key, 'a:1', 0)
  expect(cache.isRejected(key, 'a:1', 59 * minutes)).toBe(true)
  expect(cache.isRejected(key, 'a:2', 59 * minutes)).toBe(false)
  expect(cache.isRejected(key, 'a:1', 60 * minutes)).toBe(false)
})

test('a verified pair is no longer cached as rejected', () => {
  const key = cache.key(pair('fjord', 'ny'))
  cache.saveRejected(key, 'a:1', 0)
  cache.saveVerified(key, 'caller', 1)
  expect(cache.isRejected(key, 'a:1', 2)).toBe(false)
})

test('a pair counts as verified before for 30 days, or until it is rejected', () => {
  const key = cache.key(pair('fjord', 'hemmelig'))
  expect(cache.wasVerified(key, 0)).toBe(false)
  cache.saveVerified(key, 'caller', 0)
  const days = 24 * 60 * minutes
  expect(cache.getVerified(key, 29 * days)).toBeUndefined()
  expect(cache.wasVerified(key, 29 * days)).toBe(true)
  expect(cache.wasVerified(key, 30 * days)).toBe(false)
  cache.saveRejected(key, 'a:2', minutes)
  expect(cache.wasVerified(key, 2 * minutes)).toBe(false)
})

test('company and secret are separated in the cache key, and keys differ from pairs', () => {
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

test('company names are case-insensitive, secrets are not', () => {
  expect(cache.key(pair('Fjord', 'x'))).toBe(cache.key(pair('FJORD', 'x')))
  expect(cache.key(pair('fjord', 'x'))).not.toBe(cache.key(pair('fjord', 'X')))
})

test('cache keys do not reveal the secret and differ per process', () => {
  const other = new CredentialCache<string>(randomBytes)
  expect(cache.key(pair('fjord', 'hemmelig'))).toMatch(/^[\da-f]{64}$/)
  expect(cache.key(pair('fjord', 'hemmelig'))).not.toBe(other.key(pair('fjord', 'hemmelig')))
})

test('a full cache evicts the least recently used entry', () => {
  const cache = new CredentialCache<number>(randomBytes, {
    idleMs: minutes,
    maxAgeMs: minutes,
    recentMs: minutes,
    rejectedMs: minutes,
    entriesMin: 2,
  })
  for (const n of [1, 2]) cache.saveVerified(`${n}`, n, 0)
  cache.getVerified('1', 0)
  cache.saveVerified('3', 3, 0)
  expect(['1', '2', '3'].map((key) => cache.getVerified(key, 0))).toEqual([1, undefined, 3])
})
