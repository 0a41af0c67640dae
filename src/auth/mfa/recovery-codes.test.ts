// Recovery codes: format, normalization and hashing.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { generateRecoveryCodes, hashRecoveryCode, isRecoveryCode } from './recovery-codes.ts'

const pepper = Buffer.alloc(32, 7)

test('ten different codes in four groups are generated', () => {
  const codes = generateRecoveryCodes(randomBytes)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^([\da-hjkmnp-tv-z]{4}-){3}[\da-hjkmnp-tv-z]{4}$/)
    expect(isRecoveryCode(code)).toBe(true)
  }
})

test.each(['4k7m-q2xd-9nbt-ra01', '4K7MQ2XD9NBTRA01', ' 4k7m q2xd 9nbt raoL '])(
  'however it is typed, it is one code: %j',
  (typed) => {
    expect(hashRecoveryCode(1, typed, pepper)).toBe(hashRecoveryCode(1, '4k7m-q2xd-9nbt-ra01', pepper))
  },
)

test('the hash depends on the person and the pepper', () => {
  const [code = ''] = generateRecoveryCodes(randomBytes)
  const hash = hashRecoveryCode(1, code, pepper)
  expect(hashRecoveryCode(2, code, pepper)).not.toBe(hash)
  expect(hashRecoveryCode(1, code, Buffer.alloc(32, 8))).not.toBe(hash)
})

test('six digits are not a recovery code', () => {
  expect(isRecoveryCode('123456')).toBe(false)
})
