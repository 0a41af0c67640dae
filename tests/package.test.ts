// The published package: packed, installed into an empty folder, and run from there.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { root } from './support/repository.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'dagsverk-package-'))
const installed = join(folder, 'node_modules/dagsverk')
const command = join(folder, 'node_modules/.bin/dagsverk')

beforeAll(async () => {
  await run('npm', ['run', 'pack', '--', '--pack-destination', folder], { cwd: root })
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['install', `--prefix=${folder}`, ...quietly, join(folder, archive ?? '')])
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true }))

test('it contains program, app, client, docs and license, and neither sources nor tests', () => {
  const held = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  expect(held).toEqual(
    expect.arrayContaining([
      'src/dagsverk.js',
      'dist/main.js',
      'dist/client/client.js',
      'dist/client/client.d.ts',
      'web/dist/index.html',
      'web/dist/reference.html',
      'web/dist/sw.js',
      'docs/operating.md',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
      'package.json',
    ]),
  )
  const unwanted = held.filter((path) =>
    /\.test\.|^tests\b|^src\/.*\.ts$|^web\/(?!dist)/.test(path),
  )
  expect(unwanted).toEqual([])
})

test('plain `npm pack`, which would omit the program, fails and makes no package', async () => {
  const archives = () => readdirSync(root).filter((name) => name.endsWith('.tgz'))
  const before = archives()
  await expect(run('npm', ['pack'], { cwd: root })).rejects.toMatchObject({
    stderr: expect.stringMatching(/ENOENT.*use-npm-run-pack/),
  })
  expect(archives()).toEqual(before)
})

test('`npm publish` builds before it publishes, although scripts are disabled elsewhere', async () => {
  const clone = join(folder, 'clone')
  mkdirSync(clone)
  const scripts = { prepack: 'mkdir dist && touch dist/built' }
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ ...manifest, scripts }))
  copyFileSync(join(root, '.npmrc'), join(clone, '.npmrc'))
  // No registry listens there: a dry run needs none.
  const nowhere = ['--registry=http://127.0.0.1:9', '--fetch-retries=0']
  await run('npm', ['publish', '--dry-run', ...nowhere], { cwd: clone })
  expect(existsSync(join(clone, 'dist/built'))).toBe(true)
})

test('its command prints its version', async () => {
  const { stdout } = await run(command, ['--version'])
  expect(stdout.trim()).toBe(manifest.version)
})

async function serve(...flags: readonly string[]) {
  const server = spawn(command, ['serve', '--port=0', ...flags], { cwd: folder })
  onTestFinished(() => void server.kill('SIGKILL'))
  let address: string | undefined
  for await (const line of createInterface(server.stderr)) {
    address = / serves on (http:\S+)/.exec(line)?.[1]
    if (address) break
  }
  return { server, address }
}

test('it contains the built browser app', async () => {
  const { address } = await serve('--sandbox')
  const page = await (await fetch(`${address}/`)).text()
  const script = /src="(?<path>[^"]+\.js)"/.exec(page)?.groups?.path
  expect((await fetch(`${address}${script}`)).headers.get('content-type')).toMatch(/javascript/)
})

test('it serves, and stops on SIGTERM', async () => {
  const { server, address } = await serve()
  const reply = await fetch(`${address}/version`)
  expect(await reply.json()).toEqual({ name: 'dagsverk', version: manifest.version })
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})

test('a program can use its client, with types', async () => {
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
