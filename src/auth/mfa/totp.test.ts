// TOTP codes against the test vectors of the RFCs.
import { describe, expect, test } from 'vitest'
import { base32, codeAt, otpauthUrl, findStep } from './totp.ts'

const seed = Buffer.from('12345678901234567890')
const second = 1_000_000

describe('RFC 6238, appendix B', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %i seconds the code is %s', (seconds, code) => {
    expect(codeAt(seed, seconds * second)).toBe(code)
    expect(findStep(seed, code, seconds * second)).toBe(Math.floor(seconds / 30))
  })
})

test.each([
  ['one step before', -30, true],
  ['one step after', 30, true],
  ['two steps before', -60, false],
  ['two steps after', 60, false],
])('a clock that is %s', (_, seconds, isTaken) => {
  const now = 1_111_111_110 * second
  expect(findStep(seed, codeAt(seed, now + seconds * second), now) !== null).toBe(isTaken)
})

test.each(['', '28708', '2870822', ' 287082', '28708a'])('%j is not a valid code', (code) => {
  expect(findStep(seed, code, 59 * second)).toBeNull()
})

test('RFC 4648: a seed is encoded in base32', () => {
  expect(base32(seed)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(base32(Buffer.alloc(20, 0xff))).toBe('7'.repeat(32))
})

test('the otpauth URL contains the person and the service', () => {
  expect(otpauthUrl('kari+a@fjord.example', 'ABC')).toBe(
    'otpauth://totp/Dagsverk:kari%2Ba%40fjord.example?secret=ABC&issuer=Dagsverk',
  )
})
