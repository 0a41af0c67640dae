import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Encryptor } from './encryptor.ts'

const pepper = randomBytes(32)
const encryptor = new Encryptor({ pepper, random: randomBytes }, 'links')

test.each(['', 'a', 'Ås "€😀"', 'x'.repeat(5000)])('%j is decrypted to the same text', (text) => {
  const sealed = encryptor.encrypt(text, 'here')
  expect(sealed).toMatch(/^[\w-]+$/)
  expect(new Encryptor({ pepper, random: randomBytes }, 'links').decrypt(sealed, 'here')).toBe(text)
})

test('decryption requires the same key, purpose and context, and the text is not readable', () => {
  const sealed = encryptor.encrypt('1980-01-02', 'here')
  expect(encryptor.encrypt('1980-01-02', 'here')).not.toBe(sealed)
  expect(Buffer.from(sealed, 'base64url').includes('1980')).toBe(false)
  expect(encryptor.decrypt(sealed, 'there')).toBe(null)
  expect(new Encryptor({ pepper: randomBytes(32), random: randomBytes }, 'links').decrypt(sealed, 'here')).toBe(null)
  expect(new Encryptor({ pepper, random: randomBytes }, 'seeds').decrypt(sealed, 'here')).toBe(null)
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    expect(encryptor.decrypt(sealed.slice(0, at) + other + sealed.slice(at + 1), 'here')).toBe(null)
  }
  for (const broken of ['', 'A', sealed.slice(0, -1), `${sealed}A`, `${sealed}=`, '%', 'å'])
    expect(encryptor.decrypt(broken, 'here')).toBe(null)
})
