import { expect, test } from 'vitest'
import { ApiError } from '../../../errors/api-error.ts'
import { csvLine, parseCsv, removeFormulaGuard } from './csv.ts'

async function read(text: string): Promise<string[]> {
  const lines: string[] = []
  for await (const { line, cells } of parseCsv(text)) lines.push(`${line} ${cells.join('|')}`)
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
  ['CRLF in quotes', 'a;b\r\n"x\r\ny";1\r\n2;3\r\n', ['1 a|b', '3 x\r\ny|1', '4 2|3']],
  ['several kinds of line breaks', 'a;b\r\n1;2\n3;4\r5;6\r\n\n7;8', ['1 a|b', '2 1|2', '3 3|4', '4 5|6', '6 7|8']],
  ['a quote within a bare cell', 'a\n5" rør\n', ['1 a', '2 5" rør']],
  ['blank lines', '\n\n;;\na;b\n \n1;\n', ['4 a|b', '6 1|']],
  ['rows shorter and longer than the header', 'a;b\n1\n1;2;3', ['1 a|b', '2 1', '3 1|2|3']],
])('%s', async (_, text, lines) => {
  expect(await read(text)).toEqual(lines)
})

test.each([
  ['in the last line', 'a;b\n1;2\n"x;3\n', 3],
  ['above other lines', 'a;b\n1;2\n\n"x;3\n4;5\n6;7\n', 4],
  ['after a cell of two lines, in a file with a separator line', 'sep=;\na;b\r\n"x\r\ny";"z\r\n4;5\r\n', 4],
])('a quote %s that is never closed is an error with its line number', async (_, text, line) => {
  const error = await read(text).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ApiError)
  expect(String(error)).toContain(`a quote opened in line ${line} is never closed`)
})

test('nothing is parsed far ahead of what is read', async () => {
  const text = `a\n${'1\n'.repeat(10_000_000)}`
  const before = process.memoryUsage().rss
  const lines = parseCsv(text)
  expect((await lines.next()).value).toEqual({ line: 1, cells: ['a'] })
  expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000)
  await lines.return(undefined)
})

test.each([
  ['of cells', ';'.repeat(10_000_000)],
  ['of one cell', 'x'.repeat(10_000_000)],
  ['of quotes', `"${'x;\n'.repeat(5_000_000)}`],
])('a line without an end, %s, is an error with its number', async (_, line) => {
  const error = await read(`a;b\n1;2\n${line}`).catch((error: unknown) => error)
  expect(error).toMatchObject({ code: 'UnreadableFile' })
  expect(String(error)).toContain('line 3 is longer than 4194304 bytes')
})

test('pieces join wherever they were cut', async () => {
  const rows = Array.from({ length: 30_000 }, (_, row) => `${row};"å;""ø""\n€${'𝄞'.repeat(row % 7)}"`)
  const lines = await read(`a;b\n${rows.join('\n')}`)
  expect(lines).toHaveLength(30_001)
  expect(lines.at(-1)?.split('|')).toEqual(['60001 29999', `å;"ø"\n€${'𝄞'.repeat(29_999 % 7)}`])
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
  expect(removeFormulaGuard(cell)).toBe(read)
})

test('others have their turns while a long file is read', async () => {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  let lines = 0
  for await (const { cells } of parseCsv('abcdefg;1\n'.repeat(100_000))) lines += cells.length / 2
  isOver = true
  expect(lines).toBe(100_000)
  // A megabyte, in pieces of 64 KiB.
  expect(turns).toBeGreaterThan(10)
})
