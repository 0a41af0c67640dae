import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Seal } from './encryptor.ts'

const pepper = randomBytes(32)
const seal = new Seal({ pepper, random: randomBytes }, 'links')

test.each(['', 'a', 'Ås "€😀"', 'x'.repeat(5000)])('%j is decrypted to the same text', (text) => {
  const sealed = seal.close(text, 'here')
  expect(sealed).toMatch(/^[\w-]+$/)
  expect(new Seal({ pepper, random: randomBytes }, 'links').open(sealed, 'here')).toBe(text)
})

test('decryption requires the same key, purpose and context, and the text is not readable', () => {
  const sealed = seal.close('1980-01-02', 'here')
  expect(seal.close('1980-01-02', 'here')).not.toBe(sealed)
  expect(Buffer.from(sealed, 'base64url').includes('1980')).toBe(false)
  expect(seal.open(sealed, 'there')).toBe(null)
  expect(
    new Seal({ pepper: randomBytes(32), random: randomBytes }, 'links').open(sealed, 'here'),
  ).toBe(null)
  expect(new Seal({ pepper, random: randomBytes }, 'seeds').open(sealed, 'here')).toBe(null)
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    expect(seal.open(sealed.slice(0, at) + other + sealed.slice(at + 1), 'here')).toBe(null)
  }
  for (const broken of ['', 'A', sealed.slice(0, -1), `${sealed}A`, `${sealed}=`, '%', 'å'])
    expect(seal.open(broken, 'here')).toBe(null)
})
