import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faults, sentence, type FaultCode } from './catalog.ts'
import { phrase, phrases, type PhraseCode } from './messages.ts'

const codes = Object.keys(phrases) as PhraseCode[]

test('a sentence is whole in either language, down to the phrases in its phrases', () => {
  const takes = phrase('takesArguments', {
    name: 'substring',
    count: phrase('range', { min: 2, max: 3 }),
  })
  const says = { option: '$filter', column: 1, problem: takes }
  expect(sentence('InvalidFilter', says, 'en')).toBe(
    '$filter cannot be read at column 1: substring takes 2 to 3 arguments.',
  )
  expect(sentence('InvalidFilter', says, 'nb')).toBe(
    '$filter kan ikke leses i kolonne 1: substring tar 2 til 3 argumenter.',
  )
})

test('the words of callers stay as they are', () => {
  const says = { field: 'constructor {nearest}', nearest: 'a number' }
  expect(sentence('UnknownField', says, 'nb')).toBe(
    'Feltet «constructor {nearest}» finnes ikke. Mente du «a number»?',
  )
})

test('every phrase has both languages, with the same things to fill in', () => {
  const placeholders = (text: string) => text.match(/\{\w+\}/g)?.toSorted() ?? []
  for (const code of codes) {
    const { en, nb } = phrases[code]
    expect(en, code).not.toBe('')
    expect(nb, code).not.toBe('')
    // A parser speaks English alone: Norwegians are told the place.
    if (code !== 'xmlBreaks') expect(placeholders(nb), code).toEqual(placeholders(en))
  }
  for (const code of Object.keys(faults) as FaultCode[])
    expect(placeholders(faults[code].nb), code).toEqual(placeholders(faults[code].en))
})

test('no Norwegian phrase has an English one in it', () => {
  const english = codes.map((code) => phrases[code].en).filter((text) => !text.startsWith('{'))
  for (const code of codes)
    expect(
      english.filter((text) => phrases[code].nb.includes(text)),
      code,
    ).toEqual([])
})

test('every phrase is said somewhere', () => {
  const folder = import.meta.dirname
  const spoken = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== 'errors/messages.ts',
    )
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n')
  expect(codes.filter((code) => !spoken.includes(`'${code}'`))).toEqual([])
})
