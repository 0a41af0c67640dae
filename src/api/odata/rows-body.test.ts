import { expect, test } from 'vitest'
import { writeJsonBody } from './rows-body.ts'
import { jsonArraySerializer } from '../../engine/formats/write/row-serializer.ts'

test('a page is sent as it was read, and not copied', () => {
  const whole = Buffer.from('{"a":1}')
  const body = writeJsonBody({ whole }, jsonArraySerializer)
  expect(body).toEqual(['[', whole, ']'])
  expect(Array.isArray(body) && body[1]).toBe(whole)
})
