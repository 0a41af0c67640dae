// The published package: it is packed, installed into an empty folder, and does its work from there.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { root } from './_support/repository.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'dagsverk-package-'))
const command = join(folder, 'node_modules/.bin/dagsverk')

beforeAll(async () => {
  await run('sh', ['tools/pack.sh', '--pack-destination', folder], { cwd: root })
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['install', `--prefix=${folder}`, ...quietly, join(folder, archive ?? '')])
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true }))

test('its command tells its version', async () => {
  const { stdout } = await run(command, ['--version'])
  expect(stdout.trim()).toBe(manifest.version)
})

const serve = async (...flags: readonly string[]) => {
  const server = spawn(command, ['serve', '--port=0', ...flags], { cwd: folder })
  onTestFinished(() => void server.kill('SIGKILL'))
  let address: string | undefined
  for await (const line of createInterface(server.stderr)) {
    address = / serves on (http:\S+)/.exec(line)?.[1]
    if (address) break
  }
  return { server, address }
}

test('it carries the browser app, built', async () => {
  const { address } = await serve('--sandbox')
  const page = await (await fetch(`${address}/`)).text()
  const script = /src="(?<path>[^"]+\.js)"/.exec(page)?.groups?.path
  expect((await fetch(`${address}${script}`)).headers.get('content-type')).toMatch(/javascript/)
})

test('it serves, and stops when it is told to', async () => {
  const { server, address } = await serve()
  const answer = await fetch(`${address}/version`)
  expect(await answer.json()).toEqual({ name: 'dagsverk', version: manifest.version })
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})

test('a program has the client of it, with its types', async () => {
  const program = `
import { connect, DagsverkError, type ExportLine } from 'dagsverk/client'
const client = connect({ url: 'http://127.0.0.1:1', key: 'none', attempts: 1 })
const keyOf = ({ Eksportnokkel }: ExportLine): string => Eksportnokkel
try {
  for await (const line of client.exportable()) process.stdout.write(keyOf(line))
} catch (error) {
  process.stdout.write(error instanceof DagsverkError ? error.code : String(error))
}
`
  writeFileSync(join(folder, 'program.mts'), program)
  const checked = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
  const nodeTypes = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
  const compiler = join(root, 'node_modules/.bin/tsc')
  await run(compiler, [...checked, ...nodeTypes, 'program.mts'], { cwd: folder })
  const { stdout } = await run(process.execPath, ['program.mts'], { cwd: folder })
  expect(stdout).toBe('Unreachable')
})
