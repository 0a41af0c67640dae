// The samples of docs/integration.md, run unmodified: each imports the waiting lines once, and reports them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { newMaterialClient } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'
import { isAvailable } from '../support/requirements.ts'
import { root, textOf } from '../support/repository.ts'
import { useSandbox } from '../support/sandbox.ts'
import { execute } from './programs.ts'
import { isInstalled, listSamples, type SampleRunner } from './samples.ts'

/** By the language of the code fence. */
const runners: Readonly<Record<string, SampleRunner>> = {
  sh: { isThere: () => isAvailable('curl'), name: 'a.sh', run: (file) => execute('sh', [file]) },
  ts: { isThere: () => true, name: 'a.mts', run: (file) => execute(process.execPath, [file]) },
  python: { isThere: () => isInstalled('python3'), name: 'a.py', run: (file) => execute('python3', [file]) },
}

/** Mono sometimes hangs at the second call: this sample is read, not run. */
const notRun = 'csharp'

const address = 'http://127.0.0.1:8080'
const client = pathToFileURL(join(root, 'src/client/client.ts')).href

const samples = listSamples('docs/integration.md')

const sandbox = useSandbox()

test('both flows have a sample in every language', () => {
  const languages = samples.map(({ language }) => language).toSorted()
  expect(languages).toEqual([notRun, 'python', 'python', 'sh', 'sh', 'ts', 'ts'])
})

describe.each(databases)('on $name', (database) => {
  const server = useTestServer(database, 'integration')
  let url: string
  let folder: string
  beforeAll(async () => {
    url = await server.http.listen(0, '127.0.0.1')
    folder = mkdtempSync(join(tmpdir(), 'dagsverk-docs-'))
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  for (const [index, { language, text }] of samples.entries()) {
    const runner = runners[language]
    if (runner === undefined) continue
    test.runIf(runner.isThere())(
      `sample ${index + 1}, ${language}, imports every line once and reports it; a repeat finds nothing`,
      async () => {
        const materialClient = await newMaterialClient(server)
        const ids = await materialClient.register(3)
        await materialClient.approve(...ids)
        const file = join(folder, `${index}-${runner.name}`)
        writeFileSync(
          file,
          text
            .replaceAll(address, url)
            .replaceAll('test-key', materialClient.company.key)
            .replaceAll("'dagsverk/client'", `'${client}'`),
        )
        const printed = await runner.run(file)
        expect(printed.match(/^T.*(?=\r?$)/gm)).toEqual(ids.map((id) => `T${id}.r1`))
        expect(await materialClient.listedIds()).toEqual([])
        const states = (await materialClient.transactions()).map(({ Status }) => Status)
        expect(new Set(states)).toEqual(new Set(['Eksportert']))
        expect(await runner.run(file)).toBe('')
      },
      30_000,
    )
  }
})

test.runIf(isAvailable('curl') && isInstalled('python3'))(
  'no sample takes the lines of the next: in their order on the page each finds some, and the first prints what the page says',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dagsverk-docs-'))
    for (const [index, { language, text }] of samples.entries()) {
      const runner = runners[language]
      if (runner === undefined) continue
      const file = join(folder, `${index}-${runner.name}`)
      const here = text.replaceAll(address, sandbox.address)
      writeFileSync(file, here.replaceAll("'dagsverk/client'", `'${client}'`))
      const printed = await runner.run(file)
      expect(printed, `sample ${index + 1}, ${language}`).toMatch(/^T\d/m)
      if (index === 0) expect(textOf('docs/integration.md')).toContain(`\`\`\`\n${printed}\`\`\``)
    }
    rmSync(folder, { recursive: true })
  },
  60_000,
)
