// The examples of README and reference run unmodified, in order, without errors, and reply as shown.
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTerminal, type RunningCommand, type Terminal } from './cli/terminal.ts'
import { textOf } from './support/repository.ts'

interface Example {
  readonly title: string
  readonly script: string
  /** The reply that the page shows after it: JSON, or XML as text. */
  readonly reply: unknown
}

const pages = [
  'README.md',
  'docs/api.md',
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
    // An error fails an example that shows no reply too, unless an error is what it shows.
    writeFileSync(join(terminal.folder, '.curlrc'), 'fail-with-body\n')
    sandbox = terminal.start(['serve', '--sandbox', '--port', '0'])
    address = (await sandbox.stderr(/serves on (http\S+)/))[1] ?? ''
  })
  afterAll(async () => {
    sandbox.stop()
    await sandbox.ended
    terminal.close()
  })

  test.each(examplesOf(page))('$title', async ({ script, reply }) => {
    const here = (text: string) => text.replaceAll(writtenFor, address)
    const env = isRefusal(reply) ? process.env : { ...process.env, CURL_HOME: terminal.folder }
    const { stdout } = await promisify(execFile)('sh', ['-euc', here(script)], { env })
    if (reply === undefined) expect(stdout).not.toContain('"error"')
    else if (typeof reply === 'string') expect(withoutKeys(stdout)).toBe(withoutKeys(reply))
    else expect(steady(JSON.parse(stdout))).toEqual(steady(JSON.parse(here(JSON.stringify(reply)))))
  })
})

function isRefusal(reply: unknown): boolean {
  return typeof reply === 'object' && reply !== null && 'error' in reply
}

/** A `sh` block, identified by its URL, and the `json` or `xml` block that follows it. */
function examplesOf(page: string): Example[] {
  const blocks = [...textOf(page).matchAll(/^```(?<language>\w*)\n(?<text>.*?)^```$/gms)]
  return blocks.flatMap(({ groups }, index): Example[] => {
    if (groups?.language !== 'sh') return []
    const next = blocks[index + 1]?.groups
    const script = groups.text ?? ''
    const text = next?.text?.trim() ?? ''
    const title = `${index} ${/\/\/[^/]+(\/[^'"?]+)/.exec(script)?.[1] ?? ''}`
    if (next?.language === 'json') return [{ title, script, reply: JSON.parse(text) }]
    return [{ title, script, reply: next?.language === 'xml' ? text : undefined }]
  })
}

function withoutKeys(xml: string): string {
  return xml.trim().replaceAll(/(?<=<InntektsPlanId>)\d+/g, '*')
}

const changing = new Set('InntektsPlanId SistEndretDato requestId @odata.etag @etag'.split(' '))

/** Without what differs from run to run. */
function steady(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name: string, inner: unknown) =>
    changing.has(name) && inner !== null ? '*' : inner,
  )
}
