import { expect, test } from 'vitest'
import { Fault } from '#faults.ts'
import { csvLine, readCsv, withoutGuard } from './csv.ts'

const read = async (text: string): Promise<string[]> => {
  const lines: string[] = []
  for await (const { line, cells } of readCsv(text)) lines.push(`${line} ${cells.join('|')}`)
  return lines
}

test.each<[string, string, string[]]>([
  ['nothing', '', []],
  ['semicolons, with commas in the cells', 'a;b\n1,5;2', ['1 a|b', '2 1,5|2']],
  ['commas', 'a,b\r\n1;5,2\r\n', ['1 a|b', '2 1;5|2']],
  ['tabulators', 'a\tb,c\td\n', ['1 a|b,c|d']],
  ['one column', 'a\nb c\n', ['1 a', '2 b c']],
  ['delimiters in a quoted header', '"a,b,c";d\n1;2', ['1 a,b,c|d', '2 1|2']],
  ['a delimiter that the file tells', 'sep=|\na|b\n', ['2 a|b']],
  ['quotes and breaks in quotes', 'a;b\n"x ""y""\nz";1\n2;3', ['1 a|b', '3 x "y"\nz|1', '4 2|3']],
  ['a quote within a bare cell', 'a\n5" rør\n', ['1 a', '2 5" rør']],
  ['blank lines', '\n\n;;\na;b\n \n1;\n', ['4 a|b', '6 1|']],
  ['rows shorter and longer than the header', 'a;b\n1\n1;2;3', ['1 a|b', '2 1', '3 1|2|3']],
])('%s', async (_, text, lines) => {
  expect(await read(text)).toEqual(lines)
})

test('a quote that is never closed is told with its line', async () => {
  const refusal = await read('a;b\n1;2\n"x;3\n4;5\n').catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Fault)
  expect(String(refusal)).toMatch(/line \d+ is never closed/)
})

test.each([
  ['plain', '"plain"\r\n'],
  ['a;"b"', '"a;""b"""\r\n'],
  ['=1+1', '"\'=1+1"\r\n'],
  ['@x', '"\'@x"\r\n'],
  ['＝1', '"\'＝1"\r\n'],
  ['-3,5', '"-3,5"\r\n'],
  ['+47 22', '"\'+47 22"\r\n'],
  ['\tx', '"\'\tx"\r\n'],
])('%j is written as %j', (cell, line) => {
  expect(csvLine([cell])).toBe(line)
})

test.each([
  ["'=1", '=1'],
  ["'x", "'x"],
  ["''=1", "''=1"],
  ["'", "'"],
])('%j is read as %j', (cell, read) => {
  expect(withoutGuard(cell)).toBe(read)
})
