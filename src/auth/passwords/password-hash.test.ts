import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword, hashSecret, verifyPassword, needsRehash, hashesEqual, defaultHashCost } from './password-hash.ts'

const cheap = { memoryKiB: 64, passes: 1 }

test('a chosen password is stored as argon2id with its parameters', async () => {
  const stored = await hashPassword('riktig hest batteri', cheap)
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  expect(await verifyPassword(stored, 'riktig hest batteri')).toBe(true)
  expect(await verifyPassword(stored, 'riktig hest batter')).toBe(false)
})

test('all of 200 characters are significant', async () => {
  const long = 'æ'.repeat(199)
  const stored = await hashPassword(`${long}x`, cheap)
  expect(await verifyPassword(stored, `${long}x`)).toBe(true)
  expect(await verifyPassword(stored, `${long}y`)).toBe(false)
})

test('composed and decomposed characters are equal', async () => {
  const stored = await hashPassword('pa\u030Alogging pa\u030A', cheap)
  expect(await verifyPassword(stored, 'p\u00E5logging p\u00E5')).toBe(true)
})

test('a hash with other parameters is outdated', async () => {
  const stored = await hashPassword('riktig hest batteri', cheap)
  expect(needsRehash(stored, cheap)).toBe(false)
  expect(needsRehash(stored, defaultHashCost)).toBe(true)
})

test('the hash of a generated secret depends on the pepper', () => {
  const pepper = randomBytes(32)
  expect(hashSecret('s', pepper)).toBe(hashSecret('s', pepper))
  expect(hashSecret('s', pepper)).not.toBe(hashSecret('s', randomBytes(32)))
  expect(hashesEqual(hashSecret('s', pepper), hashSecret('s', pepper))).toBe(true)
  expect(hashesEqual(hashSecret('s', pepper), hashSecret('t', pepper))).toBe(false)
  expect(hashesEqual('short', 'longer')).toBe(false)
})
