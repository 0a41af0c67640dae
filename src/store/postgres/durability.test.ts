import { expect, test } from 'vitest'
import { evaluateDurability } from './durability.ts'

test.each([
  ['on', '', 0, 'ok', 'durable'],
  ['off', '', 0, 'wrong', 'can be lost'],
  ['on', '', 1, 'advice', 'no standby is synchronous'],
  ['local', 'ANY 1 (a, b)', 2, 'wrong', 'no commit waits'],
  ['on', 'ANY 1 (a, b)', 0, 'wrong', 'commits wait for 1 standbys, and 0 are connected'],
  ['on', 'FIRST 2 (a, b, c)', 1, 'wrong', 'commits wait for 2'],
  ['on', 'a', 1, 'advice', 'list more than 1'],
  ['on', '2 (a, b)', 2, 'advice', 'list more than 2'],
  ['on', 'ANY 1 (a, b)', 2, 'ok', '1 of a, b'],
  ['remote_apply', 'a,b', 1, 'ok', '1 of a, b'],
  ['on', '*', 1, 'ok', '1 of *'],
])(
  'synchronous_commit %s with synchronous_standby_names "%s" and %i standbys is %s: %s',
  (synchronousCommit, synchronousStandbyNames, standbys, verdict, message) => {
    const found = evaluateDurability({ synchronousCommit, synchronousStandbyNames, standbys })
    expect(found).toEqual({ verdict, message: expect.stringContaining(message) })
  },
)
