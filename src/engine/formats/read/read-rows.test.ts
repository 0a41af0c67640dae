// Rows of JSON and XML bodies: both formats give the same rows to the sink.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../errors/api-error.ts'
import { readJsonRows } from '../json/json-rows.ts'
import { InvalidText, NestedValue, NumberText, type RowSink, type BodyShape, type BodyValue } from './row-sink.ts'
import { readXmlRows } from '../xml/xml-rows.ts'

/** Writes a row as `a="text" b=5 c=null`, and an element that is no row as `!5`. */
class RowRecorder implements RowSink {
  readonly rows: string[] = []
  readonly listed: boolean[] = []
  #members: string[] = []
  begin(isListed: boolean): void {
    this.#members = []
    this.listed.push(isListed)
  }
  member(name: string, value: BodyValue): void {
    this.#members.push(`${name}=${written(value)}`)
  }
  end(): void {
    this.rows.push(this.#members.join(' '))
  }
  invalidElement(value: BodyValue): void {
    this.rows.push(`!${written(value)}`)
  }
  ignoredMember(): void {}
}

function written(value: BodyValue): string {
  if (value instanceof NumberText) return value.text
  if (value instanceof NestedValue) return value.kind
  return value instanceof InvalidText ? value.character : JSON.stringify(value)
}

const readers = { json: readJsonRows, xml: readXmlRows }

function read(kind: 'json' | 'xml', body: string | Buffer, shape: BodyShape) {
  const recorder = new RowRecorder()
  const parsing = readers[kind](Buffer.from(body), shape, recorder)
  let yields = 0
  let step = parsing.next()
  for (; !step.done; step = parsing.next()) yields += 1
  if (!step.value) expect(recorder.listed).toEqual([false])
  return { rows: recorder.rows, isList: step.value, yields }
}

function error(kind: 'json' | 'xml', body: string | Buffer, shape: BodyShape): ApiError {
  try {
    read(kind, body, shape)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('the body was accepted')
}

describe('a JSON body', () => {
  it.each<[string, BodyShape, string[], boolean]>([
    ['{"a":1}', 'one', ['a=1'], false],
    ['{"a":1}', 'either', ['a=1'], false],
    ['[{"a":1},{}]', 'many', ['a=1', ''], true],
    ['[{"a":1}]', 'either', ['a=1'], true],
    ['[]', 'many', [], true],
    ['{}', 'one', [''], false],
    ['\ufeff [ {"a":null} ] ', 'many', ['a=null'], true],
    ['[1,"x",null,[{}],{"a":[]}]', 'many', ['!1', '!"x"', '!null', '!array', 'a=array'], true],
  ])('%s as %s', (body, shape, rows, isList) => {
    expect(read('json', body, shape)).toMatchObject({ rows, isList })
  })

  it.each<[string, BodyShape, string]>([
    ['', 'many', 'EmptyBody'],
    ['\ufeff \n', 'one', 'EmptyBody'],
    ['[{"a":1}', 'many', 'MalformedJson'],
    ['[{"a":1}] x', 'many', 'MalformedJson'],
    ['{"a":1', 'many', 'MalformedJson'],
    ['[1', 'one', 'MalformedJson'],
    ['<a/>', 'many', 'MalformedJson'],
  ])('%j as %s is rejected: %s', (body, shape, code) => {
    expect(error('json', body, shape).code).toBe(code)
  })
})

it.each<['json' | 'xml', string, BodyShape, string, string]>([
  ['json', '{"a":1}', 'many', 'an array', 'an object'],
  ['json', '[{"a":1}]', 'one', 'an object', 'an array'],
  ['json', '5', 'one', 'an object', 'a number'],
  ['json', '"x"', 'many', 'an array', 'a string'],
  ['json', 'null', 'either', 'an object or an array', 'null'],
  ['json', 'true', 'many', 'an array', 'true'],
  ['xml', '<o><a>1</a></o>', 'many', 'an array', 'an object'],
  ['xml', '<l><o><a>1</a></o></l>', 'one', 'an object', 'an array'],
  ['xml', '<o>5</o>', 'one', 'an object', 'a string'],
  ['xml', '<o>5</o>', 'many', 'an array', 'a string'],
])('the %s body %s does not have the shape %s', (kind, body, shape, expected, found) => {
  expect(error(kind, body, shape)).toMatchObject({
    code: 'InvalidBodyType',
    message: `The body must be ${expected}, not ${found}.`,
  })
})

describe('an XML body', () => {
  it.each<[string, string, BodyShape, string[], boolean]>([
    ['one row', '<O><Dato>2024-05-01</Dato><b>5</b></O>', 'one', ['Dato="2024-05-01" b="5"'], false],
    ['one row of either', '<x><a>1</a></x>', 'either', ['a="1"'], false],
    ['a list', '<L><o><a>1</a></o><y><b>007</b></y></L>', 'many', ['a="1"', 'b="007"'], true],
    ['a list of one', '<L><o><a>1</a></o></L>', 'either', ['a="1"'], true],
    ['an empty list', '<L/>', 'many', [], true],
    ['an empty list of either', '<L> </L>', 'either', [], true],
    ['an empty row', '<Omsetning/>', 'one', [''], false],
    ['an empty row in a list', '<l><o><a>1</a></o><o/></l>', 'many', ['a="1"', ''], true],
    ['text as a list element', '<l><o><a>1</a></o><o>5</o></l>', 'many', ['a="1"', '!"5"'], true],
    ['namespaces', '<n:l xmlns:n="urn:x" xmlns="urn:y"><n:o q="1"><n:a>1</n:a></n:o></n:l>', 'many', ['a="1"'], true],
    [
      'null',
      '<o xmlns:xsi="u"><a xsi:nil="true"/><b i:nil="1"></b><c nil="false"/></o>',
      'one',
      ['a=null b=null c=""'],
      false,
    ],
    [
      'text, entities and CDATA',
      '<o><a>1&#65;<![CDATA[<!DOCTYPE x>&]]><!-- no -->&amp;2</a></o>',
      'one',
      ['a="1A<!DOCTYPE x>&&2"'],
      false,
    ],
    ['preserved whitespace', '<o>\n  <a> x </a>\n</o>', 'one', ['a=" x "'], false],
    ['a nested value', '<o><a><b>1</b></a><c>2</c></o>', 'one', ['a=object c="2"'], false],
    ['a nested value in a list', '<l><o><a><b>1</b></a></o></l>', 'many', ['a=object'], true],
    ['a declaration', '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<o><a>æ</a></o>\n', 'one', ['a="æ"'], false],
    [
      'the declaration of StringWriter',
      '<?xml version="1.0" encoding="utf-16"?><o><a>æ</a></o>',
      'one',
      ['a="æ"'],
      false,
    ],
    [
      'names of JavaScript',
      '<o><__proto__ __proto__="1">1</__proto__><constructor/></o>',
      'one',
      ['__proto__="1" constructor=""'],
      false,
    ],
  ])('%s', (_, body, shape, rows, isList) => {
    expect(read('xml', body, shape)).toMatchObject({ rows, isList })
  })

  const entityExpansion = `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(100)}">]><l>&b;</l>`

  it.each([
    ['a document type', '<!DOCTYPE l><l/>', 'XmlNotAllowed'],
    ['an entity expansion', entityExpansion, 'XmlNotAllowed'],
    ['an external entity', '<!DOCTYPE l SYSTEM "file:///etc/passwd"><l/>', 'XmlNotAllowed'],
    ['an undefined entity', '<l>&xxe;</l>', 'MalformedXml'],
    ['an entity named like a JavaScript property', '<l>&constructor;&__proto__;</l>', 'MalformedXml'],
    ['a stylesheet', '<?xml-stylesheet href="x"?><l/>', 'XmlNotAllowed'],
    ['an instruction', '<l><?php echo 1 ?></l>', 'XmlNotAllowed'],
    ['nine levels', '<a>'.repeat(9) + '</a>'.repeat(9), 'XmlNotAllowed'],
    ['100,000 levels', '<a>'.repeat(100_000), 'XmlNotAllowed'],
    ['a mismatched end tag', '<l><a></l>', 'MalformedXml'],
    ['no end tag', '<l><a>', 'MalformedXml'],
    ['two roots', '<a/><b/>', 'MalformedXml'],
    ['an attribute twice', '<a b="1" b="2"/>', 'MalformedXml'],
    ['a control character', '<a>\u0001</a>', 'MalformedXml'],
    ['a numeric reference to a control character', '<a>&#1;</a>', 'MalformedXml'],
    ['version 1.1', '<?xml version="1.1"?><a>&#1;</a>', 'MalformedXml'],
    ['another encoding', '<?xml version="1.0" encoding="iso-8859-1"?><a/>', 'MalformedXml'],
    ['UTF-7', '<?xml version="1.0" encoding="utf-7"?><a/>', 'MalformedXml'],
    ['UTF-16', Buffer.from('\ufeff<a/>', 'utf16le'), 'InvalidUtf8'],
    ['JSON', '[{"a":1}]', 'MalformedXml'],
    ['whitespace only', ' \n', 'EmptyBody'],
  ])('with %s is rejected: %s', (_, body, code) => {
    expect(error('xml', body, 'many').code).toBe(code)
  })

  it('is rejected with line and column', () => {
    expect(error('xml', '<l>\n<a></l>', 'many').message).toBe('The body is not valid XML: 2:7: unexpected close tag.')
  })
})

describe('a body that is not UTF-8', () => {
  it.each([
    ['an invalid byte', [0xff]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a truncated character', [0xc3]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
    ['æ in Windows-1252', [0xe6]],
  ])('is rejected: %s', (_, bytes) => {
    const json = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')])
    const xml = Buffer.concat([Buffer.from('<o><a>'), Buffer.from(bytes), Buffer.from('</a></o>')])
    expect(error('json', json, 'one').code).toBe('InvalidUtf8')
    expect(error('xml', xml, 'one').code).toBe('InvalidUtf8')
  })
})

describe('a long list', () => {
  it('is read in chunks, so that the event loop is not blocked', () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => ({ a: `value ${index}` }))
    const json = JSON.stringify(rows)
    const xml = `<l>${rows.map(({ a }) => `<o><a>${a}</a></o>`).join('')}</l>`
    const expected = rows.map(({ a }) => `a="${a}"`)
    for (const [kind, body, yields] of [
      ['json', json, 20],
      ['xml', xml, Math.floor((xml.length - 1) / 8_192)],
    ] as const) {
      expect(read(kind, body, 'many')).toMatchObject({ rows: expected, yields })
    }
    const long = JSON.stringify(Array.from({ length: 10 }, () => ({ a: 'x'.repeat(70_000) })))
    expect(read('json', long, 'many').yields).toBe(10)
  })

  it('is read the same wherever a chunk ends', () => {
    const text = fc.string({ unit: fc.constantFrom('æ', '😀', '\r\n', '&amp;', 'x', ' '), maxLength: 30 })
    fc.assert(
      fc.property(text, fc.integer({ min: 8_100, max: 8_200 }), (text, padding) => {
        const body = `<l><o><p>${'.'.repeat(padding)}</p><a>${text}</a></o></l>`
        const expected = text.replaceAll('\r\n', '\n').replaceAll('&amp;', '&')
        expect(read('xml', body, 'many').rows).toEqual([`p="${'.'.repeat(padding)}" a=${JSON.stringify(expected)}`])
      }),
    )
  })
})

describe('random bytes', () => {
  const objectPrototype = Object.getOwnPropertyNames(Object.prototype)

  it('are read or rejected with an ApiError, and do not pollute Object.prototype', () => {
    const piece = fc.oneof(
      fc.constantFrom(...'< > </ /> <a <a> </a> & ; <![CDATA[ ]]> <!--'.split(' ')),
      fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '__proto__', '\\u', '\u0000', '\ud800'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    )
    const body = fc.oneof(
      fc.array(piece, { maxLength: 20 }).map((pieces) => Buffer.from(pieces.join(''))),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    )
    const kind = fc.constantFrom('json' as const, 'xml' as const)
    const shape = fc.constantFrom<BodyShape>('one', 'many', 'either')
    fc.assert(
      fc.property(body, kind, shape, (body, kind, shape) => {
        try {
          read(kind, body, shape)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      }),
      { numRuns: 5_000 },
    )
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(objectPrototype)
  })
})
