import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../errors/api-error.ts'
import { findInvalidText, JsonReader } from './json-reader.ts'
import { partBytes } from '../read/body-parts.ts'
import { NestedValue, NumberText, InvalidText, type BodyValue } from '../read/row-sink.ts'

function read(text: string): BodyValue {
  const reader = new JsonReader(Buffer.from(text))
  const value = reader.value()
  reader.end()
  return value
}

function error(text: string): ApiError {
  try {
    read(text)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error(`${text.slice(0, 50)} was taken`)
}

describe('a JSON value', () => {
  it.each<[string, BodyValue]>([
    ['null', null],
    ['true', true],
    [' \t\r\n false \n', false],
    ['""', ''],
    ['"Lørdag 😀"', 'Lørdag 😀'],
    [String.raw`"\" \\ \/ \t\n\r \u00e6 \ud83d\ude00"`, '" \\ / \t\n\r æ 😀'],
    ['0', new NumberText('0')],
    ['-0', new NumberText('-0')],
    ['1234.5600', new NumberText('1234.5600')],
    ['1e400', new NumberText('1e400')],
    ['-1.5E+3', new NumberText('-1.5E+3')],
    ['9007199254740993', new NumberText('9007199254740993')],
    ['[]', new NestedValue('array')],
    ['[1,[2,{"a":[]}],"x"]', new NestedValue('array')],
    ['{}', new NestedValue('object')],
    ['{"a":{"b":null},"a":1}', new NestedValue('object')],
  ])('%s is read as it stands', (text, value) => {
    expect(read(text)).toEqual(value)
  })

  it.each([
    [String.raw`"\u0000"`, 'U+0000'],
    [String.raw`"a\bc"`, 'U+0008'],
    [String.raw`"\u001f"`, 'U+001F'],
    [String.raw`"\ud800"`, 'U+D800'],
    [String.raw`"\ude00\ud83d"`, 'U+DE00'],
    [String.raw`"\ud83dx"`, 'U+D83D'],
    ['"a\u0000"', 'U+0000'],
    ['"a\u0007\\n"', 'U+0007'],
  ])('%j is a text that no database keeps', (text, character) => {
    expect(read(text)).toEqual(new InvalidText(character))
  })

  it('keeps legal characters that look odd', () => {
    const text = '\t\n\r\u007f\u0085\u202e\ufeff\ufffd\uffff😀é'
    expect(read(JSON.stringify(text))).toBe(text)
  })
})

describe('text that is no JSON', () => {
  it.each([
    ['', 'unexpected end of the text', 0],
    ['  ', 'unexpected end of the text', 2],
    ['[1', 'a comma or a closing bracket is missing', 2],
    ['[1,', 'unexpected end of the text', 3],
    ['[1,]', 'a value is missing', 3],
    ['[,1]', 'a value is missing', 1],
    ['[1 2]', 'a comma or a closing bracket is missing', 3],
    ['[1}', 'a comma or a closing bracket is missing', 2],
    ['{"a":1', 'a comma or a closing bracket is missing', 6],
    ['{"a"', 'a colon is missing', 4],
    ['{"a" 1}', 'a colon is missing', 5],
    ['{"a":}', 'a value is missing', 5],
    ['{"a":1,}', 'a name in double quotes is missing', 7],
    ['{a:1}', 'a name in double quotes is missing', 1],
    ["{'a':1}", 'a name in double quotes is missing', 1],
    ['"abc', 'a string is not closed', 0],
    [String.raw`"abc\"`, 'a string is not closed', 0],
    ['"abc\\', 'a string is not closed', 0],
    ['"a\nb"', 'a string contains an unescaped line break or tab', 2],
    [String.raw`"\x41"`, 'a string contains an unknown escape sequence', 1],
    [String.raw`"\u12"`, 'a string contains an unknown escape sequence', 1],
    ['nul', 'a value is missing', 0],
    ['NaN', 'a value is missing', 0],
    ['Infinity', 'a value is missing', 0],
    ['undefined', 'a value is missing', 0],
    ['-', 'a number is not in JSON notation', 0],
    ['-Infinity', 'a number is not in JSON notation', 0],
    ['1.', 'a number is not in JSON notation', 0],
    ['.5', 'a value is missing', 0],
    ['+1', 'a value is missing', 0],
    ['01', 'a number is not in JSON notation', 0],
    ['1e', 'a number is not in JSON notation', 0],
    ['0x10', 'unexpected text after the end', 1],
    ['1_000', 'unexpected text after the end', 1],
    ['{} {}', 'unexpected text after the end', 3],
    ['// note\n1', 'a value is missing', 0],
  ])('%j is refused with its place', (text, problem, position) => {
    expect(error(text)).toMatchObject({
      code: 'MalformedJson',
      message: `The body is not valid JSON: ${problem} at position ${position}.`,
    })
  })

  it('is whatever the platform refuses, and nothing else', () => {
    const piece = fc.constantFrom(
      ...'{}[],:"\\ \n0159.-+eEu'.split(''),
      'true',
      'null',
      '"a"',
      '"a":1',
      String.raw`\n`,
      String.raw`\u00e6`,
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        expect([text, isTaken(() => read(text))]).toEqual([text, isTaken(() => JSON.parse(text))])
      }),
      { numRuns: 20_000 },
    )
  })
})

function isTaken(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof ApiError || error instanceof SyntaxError) return false
    throw error
  }
}

describe('a JSON document', () => {
  it('of any content is read whole', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.string({ unit: 'binary' }), (json, text) => {
        read(json)
        const parsed = read(JSON.stringify(text))
        if (!(parsed instanceof InvalidText)) expect(parsed).toBe(text)
      }),
    )
  })

  it('may be sixteen levels deep', () => {
    expect(read('['.repeat(16) + ']'.repeat(16))).toEqual(new NestedValue('array'))
    expect(error('['.repeat(17) + ']'.repeat(17))).toMatchObject({
      code: 'JsonTooDeep',
      params: { max: 16, limitName: 'jsonDepthMax' },
    })
  })

  it.each(['[', '{"a":', '[{"a":['])(
    'nested without end (%s) is refused before more than seventeen levels are read',
    (open) => {
      const reader = new JsonReader(Buffer.from(open.repeat(100_000)))
      expect(() => reader.value()).toThrow(ApiError)
      expect(reader.position).toBeLessThanOrEqual(17 * open.length)
    },
  )

  it('tells repeated names in their order, and names that mean something to JavaScript as any other', () => {
    const members: [string, BodyValue][] = []
    const reader = new JsonReader(
      Buffer.from(String.raw`{"a":"1","a":"2","__proto__":{"b":1},"\u005f\u005fproto__":"3","constructor":null}`),
    )
    reader.object((name, value) => members.push([name, value]))
    expect(members).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['__proto__', new NestedValue('object')],
      ['__proto__', '3'],
      ['constructor', null],
    ])
  })

  it('has no name with a character that no database keeps', () => {
    expect(error(String.raw`{"a\u0000":1}`)).toMatchObject({
      code: 'InvalidCharacter',
      params: { character: 'U+0000' },
    })
  })
})

describe('objects that are read one after another', () => {
  it('have the names of their own text, whatever names the one before had', () => {
    const name = fc.oneof(fc.constantFrom('Dato', 'Dat', 'Datoer', 'a"b', '\\n', '\n', 'a', 'æ', '😀', ''), fc.string())
    const names = fc.array(fc.array(name, { maxLength: 4 }), { maxLength: 6 })
    const escapeAll = (text: string) =>
      `"${Array.from({ length: text.length }, (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')}"`
    fc.assert(
      fc.property(names, fc.boolean(), (objects, isEscaped) => {
        const write = (one: string) => (isEscaped ? escapeAll(one) : JSON.stringify(one))
        const readable = objects.map((list) => list.filter((one) => findInvalidText(one) === null))
        const reader = new JsonReader(
          Buffer.from(readable.map((list) => `{${list.map((one) => `${write(one)}:1`).join()}}`).join(' ')),
        )
        const found = readable.map(() => {
          const read: string[] = []
          reader.peek()
          reader.object((one) => read.push(one))
          return read
        })
        expect(found).toEqual(readable)
      }),
    )
  })
})

describe('a body that is decoded in parts', () => {
  /** A list whose second element begins so many bytes before the end of the first part. */
  const listAround = (element: string, bytesBefore: number) => {
    const start = '["æ'
    const filler = 'a'.repeat(partBytes - bytesBefore - Buffer.byteLength(start) - 2)
    return `${start}${filler}",${element}, 5]`
  }
  const readList = (text: string) => {
    const reader = new JsonReader(Buffer.from(text))
    const values: BodyValue[] = []
    for (const _ of reader.elements()) values.push(reader.value())
    reader.end()
    return values.slice(1)
  }

  it.each<[string, BodyValue]>([
    ['"Lørdag 😀"', 'Lørdag 😀'],
    [String.raw`"a\"b\\\u00e5\n"`, 'a"b\\å\n'],
    ['-12.50e-3', new NumberText('-12.50e-3')],
    ['1234567', new NumberText('1234567')],
    ['false', false],
    ['null', null],
    ['\n \t true \r\n', true],
    ['{"Navn":"å","Antall":[1,{"x":2.5}]}', new NestedValue('object')],
  ])('has the value of %j wherever the part ends', (element, value) => {
    for (let bytesBefore = 0; bytesBefore <= Buffer.byteLength(element); bytesBefore += 1)
      expect(readList(listAround(element, bytesBefore)), `${bytesBefore}`).toEqual([value, new NumberText('5')])
  })

  it('has a text that is longer than several parts', () => {
    const text = 'lang 😀 '.repeat(20_000)
    for (const bytesBefore of [0, 1, 60])
      expect(readList(listAround(`"${text}"`, bytesBefore))).toEqual([text, new NumberText('5')])
  })

  it.each(['01', '1.', '-', 'tru', '"a\nb"', String.raw`"\x"`, '"a', ']'])(
    'has the error of %j at the character of the whole body, wherever the part ends',
    (element) => {
      const alone = error(`["",${element}, 5]`)
      for (let bytesBefore = 0; bytesBefore <= element.length; bytesBefore += 1) {
        const text = listAround(element, bytesBefore)
        const expected = Number(alone.params.position) + text.indexOf('",') - '["'.length
        expect(error(text), `${bytesBefore}`).toMatchObject({
          code: 'MalformedJson',
          params: { ...alone.params, position: expected },
        })
      }
    },
  )

  it('reads listed integers on both sides of the end of a part', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => index + 1)
    const reader = new JsonReader(Buffer.from(JSON.stringify(ids)))
    const found: (number | null)[] = []
    for (const _ of reader.elements()) found.push(reader.positiveInteger())
    expect(found).toEqual(ids)
  })

  it('takes the same values as JSON.parse from random lists', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    )
    fc.assert(
      fc.property(fc.array(value, { minLength: 800, maxLength: 1000 }), (list) => {
        const kept = list.filter((one) => typeof one !== 'string' || findInvalidText(one) === null)
        const values = kept.map((one) => (typeof one === 'number' ? new NumberText(String(one)) : one))
        expect(readList(JSON.stringify([0, ...kept]))).toEqual(values)
      }),
      { numRuns: 20 },
    )
  })
})
