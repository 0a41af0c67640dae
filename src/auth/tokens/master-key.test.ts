import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { generateMasterKey, parseMasterKey } from './master-key.ts'

test('a generated key always gives the same pepper and check value', () => {
  const text = generateMasterKey(randomBytes)
  expect(text).toMatch(/^[A-Za-z\d+/]{43}=$/)
  const key = parseMasterKey(`${text}\n`)
  expect(key).toEqual(parseMasterKey(text))
  expect(key?.pepper.length).toBe(32)
})

test('pepper and check value are independent and differ for each key', () => {
  const one = parseMasterKey(generateMasterKey(randomBytes))
  const other = parseMasterKey(generateMasterKey(randomBytes))
  expect(one?.checkValue).not.toBe(other?.checkValue)
  expect(one?.pepper.toString('base64url')).not.toBe(one?.checkValue)
})

test('base64url is accepted as well', () => {
  const bytes = Buffer.alloc(32, 0xfb)
  expect(parseMasterKey(bytes.toString('base64url'))).toEqual(parseMasterKey(bytes.toString('base64')))
})

test.each(['', 'short', 'x'.repeat(42), 'x'.repeat(60), `${'x'.repeat(42)}!`])(
  'a key that is not 32 bytes is rejected: %j',
  (text) => {
    expect(parseMasterKey(text)).toBeNull()
  },
)
