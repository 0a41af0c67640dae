// The examples of the documentation run unmodified, in order, and reply as the page shows.
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTerminal, type RunningCommand, type Terminal } from './cli/terminal.ts'
import { textOf } from './support/repository.ts'

interface Example {
  readonly title: string
  readonly script: string
  /** The block that the page shows after it: a JSON value per paragraph, or XML or plain text. */
  readonly reply: { readonly language: string; readonly text: string } | undefined
}

const pages = [
  'README.md',
  'docs/api.md',
  'docs/clients.md',
  'docs/odata.md',
  'docs/tutorial-till.md',
  'docs/tutorial-accounting.md',
]
const writtenFor = 'http://127.0.0.1:8080'
const hasCurl = spawnSync('curl', ['--version']).status === 0

describe.skipIf(!hasCurl).each(pages)('%s', (page) => {
  let terminal: Terminal
  let sandbox: RunningCommand
  let address = ''

  beforeAll(async () => {
    terminal = openTerminal({ DAGSVERK_LOG_LEVEL: 'silent' })
    // An error fails an example, unless an error is what it shows. Each reply is on a line of its own.
    for (const [name, options] of Object.entries(curlOptions)) {
      mkdirSync(join(terminal.folder, name))
      writeFileSync(join(terminal.folder, name, '.curlrc'), options.join('\n'))
    }
    sandbox = terminal.start(['serve', '--sandbox', '--port', '0'])
    address = (await sandbox.stderr(/serves on (http\S+)/))[1] ?? ''
  })
  afterAll(async () => {
    sandbox.stop()
    await sandbox.ended
    terminal.close()
  })

  test.each(examplesOf(page))('$title', async ({ script, reply }) => {
    if (reply === undefined) throw new Error('the page does not show the reply')
    const here = (text: string) => text.replaceAll(writtenFor, address)
    const rules = /^\{\s*"error"/.test(reply.text) ? 'refused' : 'answered'
    const env = { ...process.env, CURL_HOME: join(terminal.folder, rules) }
    const { stdout } = await promisify(execFile)('sh', ['-euc', here(script)], { env })
    const shown = here(reply.text)
    if (reply.language === 'json') expect(valuesOf(stdout, '\n')).toEqual(valuesOf(shown, '\n\n'))
    else expect(withoutKeys(stdout)).toBe(withoutKeys(shown))
  })
})

const curlOptions = {
  answered: ['fail-with-body', String.raw`write-out = "\n"`],
  refused: [String.raw`write-out = "\n"`],
}

function valuesOf(text: string, separator: string): unknown[] {
  const values = text.split(separator).filter((one) => one.trim() !== '')
  return values.map((one) => steady(JSON.parse(one)))
}

/** A `sh` block, identified by its URL, and the block that follows it, unless that is another `sh` block. */
function examplesOf(page: string): Example[] {
  const blocks = [...textOf(page).matchAll(/^```(?<language>\w*)\n(?<text>.*?)^```$/gms)]
  return blocks.flatMap(({ groups }, index): Example[] => {
    if (groups?.language !== 'sh') return []
    const next = blocks[index + 1]?.groups
    const script = groups.text ?? ''
    const { language = '', text = '' } = next ?? {}
    const title = `${index} ${/\/\/[^/]+(\/[^'"?]+)/.exec(script)?.[1] ?? ''}`
    const isReply = ['json', 'xml', ''].includes(language) && next !== undefined
    return [{ title, script, reply: isReply ? { language, text } : undefined }]
  })
}

function withoutKeys(text: string): string {
  return text
    .replaceAll(/\n+/g, '\n')
    .trim()
    .replaceAll(/(?<=<InntektsPlanId>)\d+/g, '*')
}

const changing = new Set(
  `InntektsPlanId SistEndretDato requestId @odata.etag @etag etag @odata.nextLink BatchId Sperrenummer
   HoldesTil id Id EksportertDato`.split(/\s+/),
)

/** Without what differs from run to run. */
function steady(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name: string, inner: unknown) =>
    changing.has(name) && inner !== null ? '*' : inner,
  )
}
