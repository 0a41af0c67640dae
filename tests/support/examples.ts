// Examples of a page: a `sh` block, and after it the reply that the page shows.
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'

export interface Example {
  readonly title: string
  readonly script: string
  /** The block that the page shows after it: a JSON value per paragraph, or XML or plain text. */
  readonly reply: { readonly language: string; readonly text: string } | undefined
}

const writtenFor = 'http://127.0.0.1:8080'
export const hasCurl = spawnSync('curl', ['--version']).status === 0

/** The examples of a page's text, each identified by its URL. */
export function examplesOf(page: string): Example[] {
  const blocks = [...page.matchAll(/^```(?<language>\w*)\n(?<text>.*?)^```$/gms)]
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

/** Runs an example against the server at `address`, and compares its reply. curl's options are written into `folder`. */
export async function runExample({ script, reply }: Example, address: string, folder: string): Promise<void> {
  if (reply === undefined) throw new Error('the page does not show the reply')
  const here = (text: string) => text.replaceAll(writtenFor, address)
  const options = /^\{\s*"error"/.test(reply.text) ? 'error' : 'success'
  const env = { ...process.env, CURL_HOME: curlHome(folder, options) }
  const { stdout } = await promisify(execFile)('sh', ['-euc', here(script)], { env })
  const shown = here(reply.text)
  if (reply.language === 'json') expect(valuesOf(stdout, '\n')).toEqual(valuesOf(shown, '\n\n'))
  else expect(withoutKeys(stdout)).toBe(withoutKeys(shown))
}

/** An error fails an example, unless an error is what it shows. Each reply is on a line of its own. */
const curlOptions = { success: ['fail-with-body', String.raw`write-out = "\n"`], error: [String.raw`write-out = "\n"`] }

function curlHome(folder: string, options: keyof typeof curlOptions): string {
  const home = join(folder, options)
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, '.curlrc'), curlOptions[options].join('\n'))
  return home
}

function valuesOf(text: string, separator: string): unknown[] {
  const values = text.split(separator).filter((one) => one.trim() !== '')
  return values.map((one) => steady(JSON.parse(one)))
}

function withoutKeys(text: string): string {
  return text
    .replaceAll(/\n+/g, '\n')
    .trim()
    .replaceAll(/(?<=<InntektsPlanId>)\d+/g, '*')
    .replaceAll(/<\w+ xsi:nil="true"\/>/g, '')
}

const changing = new Set(
  `InntektsPlanId SistEndretDato requestId @odata.etag @etag etag @odata.nextLink BatchId Sperrenummer
   HoldesTil id Id EksportertDato`.split(/\s+/),
)

/** Without what differs from run to run, and without null members: a page need not show every field that has no value. */
function steady(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name: string, inner: unknown) => {
    if (inner === null) return /^\d*$/.test(name) ? null : undefined
    return changing.has(name) ? '*' : inner
  })
}
