import { expect, test } from 'vitest'
import { writeJsonBody } from './rows-body.ts'
import { jsonArraySerializer } from '../../engine/formats/write/row-serializer.ts'

test('a long page is sent as it was read, and not copied', () => {
  const whole = Buffer.alloc(20_000, ' ')
  const body = writeJsonBody({ whole }, jsonArraySerializer)
  expect(body).toEqual(['[', whole, ']'])
  expect(Array.isArray(body) && body[1]).toBe(whole)
})

test('a short page is one string', () => {
  expect(writeJsonBody({ whole: Buffer.from('{"a":1}') }, jsonArraySerializer)).toBe('[{"a":1}]')
})
