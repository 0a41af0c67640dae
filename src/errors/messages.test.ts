import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCatalog, errorMessage, type ErrorCode } from './catalog.ts'
import { message, messages, type MessageCode } from './messages.ts'

const codes = Object.keys(messages) as MessageCode[]

test('a message and its nested fragments are in one language', () => {
  const takes = message('takesArguments', { name: 'substring', count: message('range', { min: 2, max: 3 }) })
  const params = { option: '$filter', column: 1, problem: takes }
  expect(errorMessage('InvalidFilter', params, 'en')).toBe(
    '$filter is invalid at column 1: substring takes 2 to 3 arguments.',
  )
  expect(errorMessage('InvalidFilter', params, 'nb')).toBe(
    '$filter er ugyldig i kolonne 1: substring tar 2 til 3 argumenter.',
  )
})

test('text of the caller is inserted unchanged', () => {
  const params = { field: 'constructor {nearest}', nearest: 'a number' }
  expect(errorMessage('UnknownField', params, 'nb')).toBe(
    'Feltet «constructor {nearest}» finnes ikke. Mente du «a number»?',
  )
})

test('every message has both languages, with the same placeholders', () => {
  const placeholders = (text: string) => text.match(/\{\w+\}/g)?.toSorted() ?? []
  for (const code of codes) {
    const [nb, en] = messages[code]
    expect(en, code).not.toBe('')
    expect(nb, code).not.toBe('')
    // The XML parser reports problems in English only, so the Norwegian message names the location alone.
    if (code !== 'xmlSyntax') expect(placeholders(nb), code).toEqual(placeholders(en))
  }
  for (const code of Object.keys(errorCatalog) as ErrorCode[])
    expect(placeholders(errorCatalog[code].nb), code).toEqual(placeholders(errorCatalog[code].en))
})

test('no Norwegian message contains an English one', () => {
  const english = codes.map((code) => messages[code][1]).filter((text) => !text.startsWith('{'))
  for (const code of codes)
    expect(
      english.filter((text) => messages[code][0].includes(text)),
      code,
    ).toEqual([])
})

test('every message fragment is used', () => {
  const folder = join(import.meta.dirname, '..')
  const used = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== 'errors/messages.ts')
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n')
  expect(codes.filter((code) => !used.includes(`'${code}'`))).toEqual([])
})
