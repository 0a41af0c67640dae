import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { negotiateErrorFormat, negotiateFormat, negotiateLanguage } from './negotiate.ts'

describe('the format of an answer', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['application/xml', 'xml'],
    ['text/xml', 'xml'],
    ['TEXT/XML; charset=utf-8', 'xml'],
    ['application/xml, */*;q=0.1', 'xml'],
    ['application/xml, application/json', 'json'],
    ['application/xml;q=0.9, application/json;q=0.9', 'json'],
    ['application/xml, application/json;q=0.9', 'xml'],
    ['application/xml;q=0.9, application/json', 'json'],
    ['application/xml;q=0.5, */*;q=0.8', 'json'],
    ['application/xml, application/*', 'json'],
    ['application/xml, application/*;q=0.5, application/json;q=0', 'xml'],
    ['application/xml;q=0', 'json'],
    ['application/xml;q=2', 'json'],
    ['application/xml;q=0,5', 'json'],
    ['text/*', 'json'],
    ['text/csv', 'json'],
    ['text/html, application/xml', 'json'],
    // What browsers send.
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
    ['application/json;x="a,application/xml"', 'json'],
    ['constructor', 'json'],
    ['text/json', 'json'],
    ['text/json, application/xml;q=0.9', 'json'],
    ['text/json;q=0.5, application/xml;q=0.9', 'xml'],
  ])('%s is answered in %s', (accept, format) => {
    expect(negotiateFormat(accept)).toBe(format)
  })
})

describe('the format of a refusal', () => {
  it.each([
    [undefined, undefined, 'json'],
    ['application/xml', undefined, 'xml'],
    ['application/problem+json', undefined, 'problem'],
    ['application/json, application/problem+json', undefined, 'problem'],
    ['application/json, application/problem+json;q=0.5', undefined, 'json'],
    ['application/problem+json, */*', undefined, 'problem'],
    ['application/problem+json;q=0', undefined, 'json'],
    ['application/xml, application/problem+json;q=0.5', undefined, 'xml'],
    ['text/html', undefined, 'json'],
    [undefined, 'application/xml; charset=utf-8', 'xml'],
    ['*/*', 'text/xml', 'xml'],
    ['application/json', 'text/xml', 'json'],
    ['*/*', 'application/json', 'json'],
  ])('Accept %s, Content-Type %s: %s', (accept, contentType, format) => {
    expect(negotiateErrorFormat(accept, contentType)).toBe(format)
  })
})

describe('the language of a refusal', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['en', 'en'],
    ['nb', 'nb'],
    ['nn-NO', 'nb'],
    ['NO', 'nb'],
    ['nb-NO,nb;q=0.9,en;q=0.8', 'nb'],
    ['en-US,en;q=0.9,nb;q=0.8', 'en'],
    ['en;q=0.5, nb;q=0.6', 'nb'],
    ['sv, da;q=0.9, no;q=0.1', 'nb'],
    ['de', 'en'],
    ['nb;q=0', 'en'],
    ['nbx', 'en'],
    ['constructor', 'en'],
  ])('%s: %s', (acceptLanguage, language) => {
    expect(negotiateLanguage(acceptLanguage)).toBe(language)
  })
})

describe('any header', () => {
  it('has an answer', () => {
    const piece = fc.oneof(
      fc.constantFrom('application/xml', 'application/json', 'nb', ',', ';', 'q=', '0.5', '"', '\\', '*'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
        const header = pieces.join('')
        expect(['json', 'xml']).toContain(negotiateFormat(header))
        expect(['json', 'xml', 'problem']).toContain(negotiateErrorFormat(header, header))
        expect(['en', 'nb']).toContain(negotiateLanguage(header))
      }),
    )
  })
})
