// What JSON and XML bodies are told as: the same rows from either.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../errors/api-error.ts'
import { readJsonRows } from '../json/json-rows.ts'
import {
  NestedValue,
  NumberText,
  type RowSink,
  type BodyShape,
  type BodyValue,
} from './row-sink.ts'
import { readXmlRows } from '../xml/xml-rows.ts'

type Told = [string, BodyValue][] | { stray: BodyValue }

class Listener implements RowSink {
  readonly rows: Told[] = []
  readonly listed: boolean[] = []
  #row: [string, BodyValue][] = []
  begin(isListed: boolean): void {
    this.#row = []
    this.listed.push(isListed)
  }
  member(name: string, value: BodyValue): void {
    this.#row.push([name, value])
  }
  end(): void {
    this.rows.push(this.#row)
  }
  invalidElement(value: BodyValue): void {
    this.rows.push({ stray: value })
  }
}

const readers = { json: readJsonRows, xml: readXmlRows }

function tell(kind: 'json' | 'xml', body: string | Buffer, shape: BodyShape) {
  const listener = new Listener()
  const reading = readers[kind](Buffer.from(body), shape, listener)
  let stops = 0
  let step = reading.next()
  for (; !step.done; step = reading.next()) stops += 1
  if (!step.value) expect(listener.listed).toEqual([false])
  return { rows: listener.rows, isList: step.value, stops }
}

function error(kind: 'json' | 'xml', body: string | Buffer, shape: BodyShape): ApiError {
  try {
    tell(kind, body, shape)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('the body was taken')
}

function number(digits: string) {
  return new NumberText(digits)
}

describe('a JSON body', () => {
  it.each<[string, BodyShape, Told[], boolean]>([
    ['{"a":1}', 'one', [[['a', number('1')]]], false],
    ['{"a":1}', 'either', [[['a', number('1')]]], false],
    ['[{"a":1},{}]', 'many', [[['a', number('1')]], []], true],
    ['[{"a":1}]', 'either', [[['a', number('1')]]], true],
    ['[]', 'many', [], true],
    ['{}', 'one', [[]], false],
    ['\ufeff [ {"a":null} ] ', 'many', [[['a', null]]], true],
    [
      '[1,"x",null,[{}],{"a":[]}]',
      'many',
      [
        { stray: number('1') },
        { stray: 'x' },
        { stray: null },
        { stray: new NestedValue('array') },
        [['a', new NestedValue('array')]],
      ],
      true,
    ],
  ])('%s as %s', (body, shape, rows, isList) => {
    expect(tell('json', body, shape)).toMatchObject({ rows, isList })
  })

  it.each<[string, BodyShape, string, string]>([
    ['{"a":1}', 'many', 'an array', 'an object'],
    ['[{"a":1}]', 'one', 'an object', 'an array'],
    ['5', 'one', 'an object', 'a number'],
    ['"x"', 'many', 'an array', 'a string'],
    ['null', 'either', 'an object or an array', 'null'],
    ['true', 'many', 'an array', 'true'],
  ])('%s is not the shape that %s wants', (body, shape, expected, found) => {
    expect(error('json', body, shape)).toMatchObject({
      code: 'InvalidBodyType',
      message: `The body must be ${expected}, not ${found}.`,
    })
  })

  it.each<[string, BodyShape, string]>([
    ['', 'many', 'EmptyBody'],
    ['\ufeff \n', 'one', 'EmptyBody'],
    ['[{"a":1}', 'many', 'MalformedJson'],
    ['[{"a":1}] x', 'many', 'MalformedJson'],
    ['{"a":1', 'many', 'MalformedJson'],
    ['[1', 'one', 'MalformedJson'],
    ['<a/>', 'many', 'MalformedJson'],
  ])('%j as %s: %s', (body, shape, code) => {
    expect(error('json', body, shape).code).toBe(code)
  })
})

describe('an XML body', () => {
  it.each<[string, string, BodyShape, Told[], boolean]>([
    [
      'one row',
      '<Omsetning><Dato>2024-05-01</Dato><b>5</b></Omsetning>',
      'one',
      [
        [
          ['Dato', '2024-05-01'],
          ['b', '5'],
        ],
      ],
      false,
    ],
    ['one row of either', '<x><a>1</a></x>', 'either', [[['a', '1']]], false],
    [
      'a list',
      '<ArrayOfOmsetning><Omsetning><a>1</a></Omsetning><y><b>007</b></y></ArrayOfOmsetning>',
      'many',
      [[['a', '1']], [['b', '007']]],
      true,
    ],
    [
      'a list of one',
      '<ArrayOfOmsetning><Omsetning><a>1</a></Omsetning></ArrayOfOmsetning>',
      'either',
      [[['a', '1']]],
      true,
    ],
    ['an empty list', '<ArrayOfOmsetning/>', 'many', [], true],
    ['an empty list of either', '<ArrayOfOmsetning> </ArrayOfOmsetning>', 'either', [], true],
    ['an empty row', '<Omsetning/>', 'one', [[]], false],
    ['an empty row in a list', '<l><o><a>1</a></o><o/></l>', 'many', [[['a', '1']], []], true],
    [
      'something else in a list',
      '<l><o><a>1</a></o><o>5</o></l>',
      'many',
      [[['a', '1']], { stray: '5' }],
      true,
    ],
    [
      'namespaces',
      '<n:l xmlns:n="urn:x" xmlns="urn:y"><n:o q="1"><n:a>1</n:a></n:o></n:l>',
      'many',
      [[['a', '1']]],
      true,
    ],
    [
      'null',
      '<o xmlns:xsi="u"><a xsi:nil="true"/><b i:nil="1"></b><c nil="false"/></o>',
      'one',
      [
        [
          ['a', null],
          ['b', null],
          ['c', ''],
        ],
      ],
      false,
    ],
    [
      'text in pieces',
      '<o><a>1&#65;<![CDATA[<!DOCTYPE x>&]]><!-- no -->&amp;2</a></o>',
      'one',
      [[['a', '1A<!DOCTYPE x>&&2']]],
      false,
    ],
    ['blanks kept', '<o>\n  <a> x </a>\n</o>', 'one', [[['a', ' x ']]], false],
    [
      'parts where a value belongs',
      '<o><a><b>1</b></a><c>2</c></o>',
      'one',
      [
        [
          ['a', new NestedValue('object')],
          ['c', '2'],
        ],
      ],
      false,
    ],
    [
      'parts where a value belongs, in a list',
      '<l><o><a><b>1</b></a></o></l>',
      'many',
      [[['a', new NestedValue('object')]]],
      true,
    ],
    [
      'a declaration',
      '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<o><a>æ</a></o>\n',
      'one',
      [[['a', 'æ']]],
      false,
    ],
    [
      "StringWriter's declaration",
      '<?xml version="1.0" encoding="utf-16"?><o><a>æ</a></o>',
      'one',
      [[['a', 'æ']]],
      false,
    ],
    [
      'names of JavaScript',
      '<o><__proto__ __proto__="1">1</__proto__><constructor/></o>',
      'one',
      [
        [
          ['__proto__', '1'],
          ['constructor', ''],
        ],
      ],
      false,
    ],
  ])('%s', (_, body, shape, rows, isList) => {
    expect(tell('xml', body, shape)).toMatchObject({ rows, isList })
  })

  it.each<[string, BodyShape, string, string]>([
    ['<o><a>1</a></o>', 'many', 'an array', 'an object'],
    ['<l><o><a>1</a></o></l>', 'one', 'an object', 'an array'],
    ['<o>5</o>', 'one', 'an object', 'a string'],
    ['<o>5</o>', 'many', 'an array', 'a string'],
  ])('%s is not the shape that %s wants', (body, shape, expected, found) => {
    expect(error('xml', body, shape)).toMatchObject({
      code: 'InvalidBodyType',
      message: `The body must be ${expected}, not ${found}.`,
    })
  })

  const laughs = `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(100)}">]><l>&b;</l>`

  it.each([
    ['a document type', '<!DOCTYPE l><l/>', 'XmlNotAllowed'],
    ['a billion laughs', laughs, 'XmlNotAllowed'],
    ['a file', '<!DOCTYPE l SYSTEM "file:///etc/passwd"><l/>', 'XmlNotAllowed'],
    ['an entity of nobody', '<l>&xxe;</l>', 'MalformedXml'],
    ['an entity of JavaScript', '<l>&constructor;&__proto__;</l>', 'MalformedXml'],
    ['a stylesheet', '<?xml-stylesheet href="x"?><l/>', 'XmlNotAllowed'],
    ['an instruction', '<l><?php echo 1 ?></l>', 'XmlNotAllowed'],
    ['nine levels', '<a>'.repeat(9) + '</a>'.repeat(9), 'XmlNotAllowed'],
    ['levels without end', '<a>'.repeat(100_000), 'XmlNotAllowed'],
    ['a wrong end', '<l><a></l>', 'MalformedXml'],
    ['no end', '<l><a>', 'MalformedXml'],
    ['two roots', '<a/><b/>', 'MalformedXml'],
    ['an attribute twice', '<a b="1" b="2"/>', 'MalformedXml'],
    ['a control character', '<a>\u0001</a>', 'MalformedXml'],
    ['a control character by number', '<a>&#1;</a>', 'MalformedXml'],
    ['version 1.1', '<?xml version="1.1"?><a>&#1;</a>', 'MalformedXml'],
    ['another encoding', '<?xml version="1.0" encoding="iso-8859-1"?><a/>', 'MalformedXml'],
    ['UTF-7', '<?xml version="1.0" encoding="utf-7"?><a/>', 'MalformedXml'],
    ['UTF-16', Buffer.from('\ufeff<a/>', 'utf16le'), 'InvalidUtf8'],
    ['JSON', '[{"a":1}]', 'MalformedXml'],
    ['nothing', ' \n', 'EmptyBody'],
  ])('with %s is refused: %s', (_, body, code) => {
    expect(error('xml', body, 'many').code).toBe(code)
  })

  it('is refused with line and column', () => {
    expect(error('xml', '<l>\n<a></l>', 'many').message).toBe(
      'The body is not valid XML: 2:7: unexpected close tag.',
    )
  })
})

describe('bytes that are no UTF-8', () => {
  it.each([
    ['a stray byte', [0xff]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a character', [0xc3]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
    ['æ of Windows', [0xe6]],
  ])('are refused: %s', (_, bytes) => {
    const json = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')])
    const xml = Buffer.concat([Buffer.from('<o><a>'), Buffer.from(bytes), Buffer.from('</a></o>')])
    expect(error('json', json, 'one').code).toBe('InvalidUtf8')
    expect(error('xml', xml, 'one').code).toBe('InvalidUtf8')
  })
})

describe('a long list', () => {
  it('is read with stops, so that others get their turn', () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => ({ a: `value ${index}` }))
    const json = JSON.stringify(rows)
    const xml = `<l>${rows.map(({ a }) => `<o><a>${a}</a></o>`).join('')}</l>`
    const expected = rows.map(({ a }) => [['a', a]])
    for (const [kind, body, stops] of [
      ['json', json, 20],
      ['xml', xml, Math.floor((xml.length - 1) / 8_192)],
    ] as const) {
      const told = tell(kind, body, 'many')
      expect(told.rows).toEqual(expected)
      expect(told.stops).toBe(stops)
    }
    const long = JSON.stringify(Array.from({ length: 10 }, () => ({ a: 'x'.repeat(70_000) })))
    expect(tell('json', long, 'many').stops).toBe(10)
  })

  it('is read the same wherever a stop falls', () => {
    const text = fc.string({
      unit: fc.constantFrom('æ', '😀', '\r\n', '&amp;', 'x', ' '),
      maxLength: 30,
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 8_100, max: 8_200 }), (text, padding) => {
        const body = `<l><o><p>${'.'.repeat(padding)}</p><a>${text}</a></o></l>`
        const expected = text.replaceAll('\r\n', '\n').replaceAll('&amp;', '&')
        expect(tell('xml', body, 'many').rows).toEqual([
          [
            ['p', '.'.repeat(padding)],
            ['a', expected],
          ],
        ])
      }),
    )
  })
})

describe('garbage', () => {
  const objectPrototype = Object.getOwnPropertyNames(Object.prototype)

  it('is refused by a Fault or read, and leaves nothing behind', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '</',
        '/>',
        '<a',
        '<a>',
        '</a>',
        '&',
        ';',
        '<![CDATA[',
        ']]>',
        '<!--',
      ),
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
          tell(kind, body, shape)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      }),
      { numRuns: 5_000 },
    )
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(objectPrototype)
  })
})
