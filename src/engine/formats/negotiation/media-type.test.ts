import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../errors/api-error.ts'
import { bodyMediaKind } from './media-type.ts'

function kindOf(contentType: string | undefined, body = '[]') {
  return bodyMediaKind(contentType, Buffer.from(body))
}

describe('a Content-Type', () => {
  it.each([
    ['application/json', 'json'],
    ['Application/JSON', 'json'],
    ['application/json;charset=utf-8', 'json'],
    ['application/json; charset=UTF-8', 'json'],
    ['application/json; charset="utf-8"', 'json'],
    ['application/json; charset=utf8', 'json'],
    ['application/json;', 'json'],
    ['  application/json ; odata.metadata=minimal; odata.streaming=true', 'json'],
    ['application/json;metadata=full;IEEE754Compatible=true;ExponentialDecimals=true', 'json'],
    ['application/json; streaming=true; x="a;b\\"c=d"', 'json'],
    ['text/json', 'json'],
    ['Text/JSON; charset=utf-8', 'json'],
    ['application/xml', 'xml'],
    ['text/xml; charset=utf-8', 'xml'],
    ['TEXT/XML', 'xml'],
  ])('%s is %s', (contentType, kind) => {
    expect(kindOf(contentType)).toBe(kind)
  })

  it.each([
    '',
    'text/plain',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/jsonx',
    'application/json, application/json',
    'application/json application/xml',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'text/xml; charset=windows-1252',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json; Charset=utf-8; charset=utf-16',
    'application/json; odata.metadata=full; odata.metadata=none',
    'application/json\t; charset=utf-8',
    'application/json;\tcharset=utf-8',
    'application/json\u0000',
    'application/json; charset',
    'application/json; charset=',
    'application/json; =utf-8',
    'application/json; charset="utf-8',
    'application/json; charset=a b',
    'constructor',
    '__proto__',
  ])('%j is refused with 415', (contentType) => {
    expect(() => kindOf(contentType)).toThrow(
      expect.objectContaining({
        code: 'UnsupportedMediaType',
        status: 415,
        target: 'header:Content-Type',
        headers: { 'Accept-Post': 'application/json, application/xml, text/xml' },
      }),
    )
  })

  it('of any text is read or refused, and repeated in visible characters only', () => {
    const piece = fc.oneof(
      fc.constantFrom('application/json', 'text/xml', ';', '=', '"', '\\', 'charset', 'utf-8', ' '),
      fc.string({ unit: 'binary', maxLength: 5 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        try {
          kindOf(pieces.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
          if (error instanceof ApiError) expect(error.params.type).toMatch(/^[ -~]{0,100}$/)
        }
      }),
    )
  })
})

describe('without a Content-Type', () => {
  it.each([
    ['[1]', 'json'],
    [' \r\n\t{"a":1}', 'json'],
    ['\ufeff[]', 'json'],
    ['\ufeff <a/>', 'xml'],
    ['', 'json'],
    ['  ', 'json'],
  ])('%j is taken for %s', (body, kind) => {
    expect(kindOf(undefined, body)).toBe(kind)
  })

  it.each(['a=1', '"x"', '12', 'Dato;Omsetning'])('%j is refused', (body) => {
    expect(() => kindOf(undefined, body)).toThrow(ApiError)
  })
})
