// Runs the examples of docs/import.md in order and compares their output.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { textOf } from '../support/repository.ts'
import { openTerminal, type CommandResult, type Terminal } from './terminal.ts'

const fences = /^```(?<kind>\w+)(?: (?<name>\S+))?\n(?<text>.*?)^```$/gms
const blocks = [...textOf('docs/import.md').matchAll(fences)].map(({ groups }) => ({
  kind: groups?.['kind'] ?? '',
  name: groups?.['name'] ?? '',
  text: groups?.['text'] ?? '',
}))

let terminal: Terminal
beforeAll(async () => {
  terminal = openTerminal()
  await terminal.run('migrate')
  await terminal.run('company', 'add', 'Fjord')
})
afterAll(() => {
  terminal.close()
})

/** Splits at blanks outside quotes; `> file` redirects standard output. */
async function type(line: string): Promise<CommandResult> {
  const [command = '', file] = line.split(' > ')
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare)
  expect(words.shift()).toBe('dagsverk')
  const ended = await terminal.run(...words.map(String))
  if (file !== undefined) writeFileSync(join(terminal.folder, file), ended.stdout)
  return ended
}

test('the examples in docs/import.md have the documented output', async () => {
  expect(blocks.map(({ kind }) => kind)).toEqual(['sh', 'csv', 'csv', 'sh', 'text', 'sh', 'csv', 'sh'])
  let said = ''
  for (const { kind, name, text } of blocks) {
    if (kind === 'csv') writeFileSync(join(terminal.folder, name), text)
    if (kind === 'text') expect(said).toBe(text)
    if (kind !== 'sh') continue
    for (const line of text.trim().split('\n')) {
      const { stderr, stdout, exitCode } = await type(line)
      expect(exitCode, stderr).toBe(0)
      said = stderr + stdout
    }
  }
})
