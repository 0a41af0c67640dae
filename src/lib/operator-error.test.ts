import { expect, test } from 'vitest'
import { toWriteError } from './operator-error.ts'

test.each([
  ['ENOSPC', true],
  ['EDQUOT', true],
  ['EFBIG', true],
  ['EIO', false],
])('a write that fails with %s is reported with its path, and as a full disk where it is one', (code, isDiskFull) => {
  const error = toWriteError(Object.assign(new Error(`${code}: write`), { code }), '/data/file')
  expect(error).toMatchObject({ message: `/data/file cannot be written: ${code}: write`, isDiskFull })
})

test('no other error is one of a write', () => {
  expect(toWriteError(new Error('x'), '/data/file')).toBeNull()
})
