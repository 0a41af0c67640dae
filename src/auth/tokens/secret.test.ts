import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { generateKey, generatePassword, keyIdOf, foreignKeyId } from './secret.ts'

const pepper = randomBytes(32)

test('a generated password has 32 random letters and digits', () => {
  const passwords = Array.from({ length: 200 }, () => generatePassword(randomBytes))
  for (const password of passwords) expect(password).toMatch(/^[\dA-Za-z]{32}$/)
  expect(new Set(passwords).size).toBe(200)
})

test('all letters and digits are equally likely', () => {
  const counts = new Map<string, number>()
  for (let i = 0; i < 2_000; i++)
    for (const letter of generatePassword(randomBytes)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(62)
  const expected = (2_000 * 32) / 62
  for (const count of counts.values()) {
    expect(count).toBeGreaterThan(expected * 0.75)
    expect(count).toBeLessThan(expected * 1.25)
  }
})

test('bytes that would cause bias are discarded', () => {
  const biased = generatePassword((bytes) =>
    Buffer.from(Array.from({ length: bytes }, (_, at) => (at % 2 === 0 ? 255 : 0))),
  )
  expect(biased).toBe('0'.repeat(32))
})

test('a key contains its id and a checksum', () => {
  const { id, key } = generateKey('live', randomBytes)
  expect(key).toMatch(/^dv_live_[\dA-Za-z]{8}_[\dA-Za-z]{43}_[\dA-Za-z]{6}$/)
  expect(keyIdOf(key, pepper)).toBe(id)
  const test = generateKey('test', randomBytes)
  expect(keyIdOf(test.key, pepper)).toBe(test.id)
})

test('the checksum detects any single wrong character', () => {
  const { key } = generateKey('live', randomBytes)
  for (let at = 8; at < key.length; at++) {
    const other = key[at] === 'x' ? 'y' : 'x'
    expect(keyIdOf(key.slice(0, at) + other + key.slice(at + 1), pepper)).toBeNull()
  }
  expect(keyIdOf(key.slice(0, -1), pepper)).toBeNull()
  expect(keyIdOf(`${key}0`, pepper)).toBeNull()
})

test('a key in a foreign format has a stable derived id', () => {
  for (const key of ['test-key', '6f9619ff-8b86-d011-b42d-00cf4fc964ff', ''])
    expect(keyIdOf(key, pepper)).toBe(foreignKeyId(key, pepper))
  expect(foreignKeyId('test-key', pepper)).toMatch(/^[\dA-Za-z]{8}$/)
  expect(foreignKeyId('test-key', pepper)).toBe(foreignKeyId('test-key', pepper))
  expect(foreignKeyId('test-key', pepper)).not.toBe(foreignKeyId('test2-key', pepper))
})
