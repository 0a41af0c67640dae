import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  hashChosen,
  hashGenerated,
  isChosen,
  isOutdated,
  isSameHash,
  standardCost,
} from './password-hash.ts'

const cheap = { memoryKiB: 64, passes: 1 }

test('a chosen password is stored as argon2id with its parameters', async () => {
  const stored = await hashChosen('riktig hest batteri', cheap)
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  expect(await isChosen(stored, 'riktig hest batteri')).toBe(true)
  expect(await isChosen(stored, 'riktig hest batter')).toBe(false)
})

test('all of 200 characters are significant', async () => {
  const long = 'æ'.repeat(199)
  const stored = await hashChosen(`${long}x`, cheap)
  expect(await isChosen(stored, `${long}x`)).toBe(true)
  expect(await isChosen(stored, `${long}y`)).toBe(false)
})

test('composed and decomposed characters are equal', async () => {
  const stored = await hashChosen('pa\u030Alogging pa\u030A', cheap)
  expect(await isChosen(stored, 'p\u00E5logging p\u00E5')).toBe(true)
})

test('a hash with other parameters is outdated', async () => {
  const stored = await hashChosen('riktig hest batteri', cheap)
  expect(isOutdated(stored, cheap)).toBe(false)
  expect(isOutdated(stored, standardCost)).toBe(true)
})

test('the hash of a generated secret depends on the pepper', () => {
  const pepper = randomBytes(32)
  expect(hashGenerated('s', pepper)).toBe(hashGenerated('s', pepper))
  expect(hashGenerated('s', pepper)).not.toBe(hashGenerated('s', randomBytes(32)))
  expect(isSameHash(hashGenerated('s', pepper), hashGenerated('s', pepper))).toBe(true)
  expect(isSameHash(hashGenerated('s', pepper), hashGenerated('t', pepper))).toBe(false)
  expect(isSameHash('short', 'longer')).toBe(false)
})
