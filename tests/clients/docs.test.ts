// The samples of docs/clients.md, run unmodified against the sandbox that the page starts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { useSandbox } from '../support/sandbox.ts'
import { execute, runCsharp } from './programs.ts'
import { isInstalled, listSamples, type SampleRunner } from './samples.ts'

const sandbox = useSandbox()
const folder = mkdtempSync(join(tmpdir(), 'dagsverk-docs-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** By the language of the code fence. */
const runners: Readonly<Record<string, SampleRunner>> = {
  sh: { isThere: () => isAvailable('curl'), name: 'a.sh', run: (file) => execute('sh', ['-e', file]) },
  js: { isThere: () => true, name: 'a.mjs', run: (file) => execute(process.execPath, [file]) },
  php: { isThere: () => isAvailable('php'), name: 'a.php', run: (file) => execute('php', [file]) },
  csharp: { isThere: () => isAvailable('mono'), name: 'a.cs', run: (file) => runCsharp(file) },
  python: { isThere: () => isInstalled('python3'), name: 'a.py', run: (file) => execute('python3', [file]) },
}

/** Debian has no package of PowerShell: its sample is read, not run. */
const notRun = 'powershell'

const address = 'http://127.0.0.1:8080'

/** The samples that call the server, by their position on the page. */
const samples = listSamples('docs/clients.md').filter(({ text }) => text.includes(address))

test('every language of the page has a sample that calls the server', () => {
  expect(new Set(samples.map(({ language }) => language))).toEqual(new Set([...Object.keys(runners), notRun]))
})

for (const [index, { language, text }] of samples.entries()) {
  const runner = runners[language]
  if (runner === undefined) continue
  test.runIf(runner.isThere())(`sample ${index + 1}, ${language}, runs and can be repeated`, async () => {
    const file = join(folder, `${index}-${runner.name}`)
    writeFileSync(file, text.replaceAll(address, sandbox.address))
    for (const _ of ['first', 'again']) {
      const printed = await runner.run(file)
      expect(printed).toMatch(/AvdelingID|^20 /)
      expect(printed).not.toContain('"error"')
    }
  })
}
