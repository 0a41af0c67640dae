import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../errors/api-error.ts'
import { errorCatalog, type ErrorCode } from '../../../errors/catalog.ts'
import { serializeError } from './error-body.ts'

const options = { language: 'en', requestId: 'r-1' } as const

const rows = new ApiError('InvalidRows', {
  params: { count: 120 },
  problems: 150,
  details: [
    new ApiError('InvalidDate', { target: 'Dato', params: { field: 'Dato' } }).toDetail('[3]'),
    new ApiError('AlreadyExists', { existing: 17 }).toDetail('[4]'),
  ],
})

describe('a refusal', () => {
  it('tells the problems of a list at their places, and how many there are in all', () => {
    const { body } = serializeError(rows, { ...options, format: 'json' })
    expect(JSON.parse(body)).toEqual({
      error: {
        code: 'InvalidRows',
        message: 'Invalid rows: 120. Nothing was stored. See details.',
        details: [
          { code: 'InvalidDate', message: expect.stringContaining('Dato'), target: '[3].Dato' },
          { code: 'AlreadyExists', message: expect.any(String), target: '[4]', existing: 17 },
        ],
        problems: 150,
        requestId: 'r-1',
        outcome: 'not_applied',
      },
    })
  })

  it('tells which record stands in the way, and that nobody knows what became of it', () => {
    const error = new ApiError('AlreadyExists', { existing: 17, outcome: 'unknown' })
    expect(JSON.parse(serializeError(error, { ...options, format: 'json' }).body)).toMatchObject({
      error: { existing: 17, outcome: 'unknown' },
    })
  })

  it('is RFC 9457 for those who ask for it', () => {
    const { contentType, body } = serializeError(rows, { ...options, format: 'problem' })
    expect(contentType).toBe('application/problem+json')
    expect(JSON.parse(body)).toEqual({
      type: '/docs/errors#InvalidRows',
      title: 'Invalid rows',
      status: 400,
      detail: 'Invalid rows: 120. Nothing was stored. See details.',
      instance: 'urn:request:r-1',
      code: 'InvalidRows',
      details: expect.arrayContaining([expect.objectContaining({ target: '[3].Dato' })]),
      problems: 150,
      outcome: 'not_applied',
    })
  })

  it('of every code can be written in every format and language', () => {
    for (const code of Object.keys(errorCatalog) as ErrorCode[])
      for (const language of ['en', 'nb'] as const) {
        const error = new ApiError(code, { params: { nearest: '<&>' } })
        const json = serializeError(error, { ...options, language, format: 'json' }).body
        const xml = serializeError(error, { ...options, language, format: 'xml' }).body
        expect(fromXml(xml)).toEqual(leaves(JSON.parse(json).error))
      }
  })
})

/** The path and text of every leaf below the root. */
function fromXml(xml: string): string[] {
  const found: string[] = []
  const path: string[] = []
  let text = ''
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    path.push(name)
    text = ''
  })
  parser.on('text', (piece) => (text += piece))
  parser.on('closetag', () => {
    if (text !== '') found.push(`${path.slice(1).join('.')}=${text}`)
    path.pop()
    text = ''
  })
  parser.write(xml).close()
  return found.sort()
}

function leaves(value: unknown, path: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [`${path.join('.')}=${String(value)}`]
  return Object.entries(value)
    .flatMap(([name, inner]) => leaves(inner, [...path, Array.isArray(value) ? 'detail' : name]))
    .sort()
}
