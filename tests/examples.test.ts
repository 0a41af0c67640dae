// The examples of the documentation run unmodified, in order, and reply as the page shows.
import { afterAll, beforeAll, describe, test } from 'vitest'
import { openTerminal, type RunningCommand, type Terminal } from './cli/terminal.ts'
import { examplesOf, hasCurl, runExample } from './support/examples.ts'
import { textOf } from './support/repository.ts'

const pages = [
  'README.md',
  'docs/api.md',
  'docs/clients.md',
  'docs/odata.md',
  'docs/tutorial-till.md',
  'docs/tutorial-accounting.md',
]

describe.skipIf(!hasCurl).each(pages)('%s', (page) => {
  let terminal: Terminal
  let sandbox: RunningCommand
  let address = ''

  beforeAll(async () => {
    terminal = openTerminal({ DAGSVERK_LOG_LEVEL: 'silent' })
    sandbox = terminal.start(['serve', '--sandbox', '--port', '0'])
    address = (await sandbox.stderr(/serves on (http\S+)/))[1] ?? ''
  })
  afterAll(async () => {
    sandbox.stop()
    await sandbox.ended
    terminal.close()
  })

  test.each(examplesOf(textOf(page)))('$title', (example) => runExample(example, address, terminal.folder))
})
