import { expect, test } from 'vitest'
import { decodeFileText } from './file-text.ts'

const text = 'Fødselsdato;Åse\n'

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
  ['UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16 of the other order', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['UTF-16 without a mark', Buffer.from(text, 'utf16le')],
  ['UTF-16 of the other order without a mark', Buffer.from(text, 'utf16le').swap16()],
  ['Windows-1252', Buffer.from(text, 'latin1')],
])('%s', (_, bytes) => {
  expect(decodeFileText(bytes)).toBe(text)
})

test('the signs that Windows-1252 has where Latin-1 has none', () => {
  expect(decodeFileText(Buffer.from([0x80, 0x93, 0x94, 0xe5]))).toBe('€“”å')
})

test('nothing is nothing', () => {
  expect(decodeFileText(Buffer.alloc(0))).toBe('')
})
