// The published package: packed by plain `npm pack`, installed into an empty folder, and run from there.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import lock from '../package-lock.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }
import { examplesOf, hasCurl, runExample } from './support/examples.ts'
import { root, textOf } from './support/repository.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'dagsverk-package-'))
const installed = join(folder, 'node_modules/dagsverk')
const command = join(folder, 'node_modules/.bin/dagsverk')

beforeAll(async () => {
  await run('npm', ['pack', '--pack-destination', folder], { cwd: root })
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
      'dist/main.js.map',
      'dist/licenses.json',
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
  const unwanted = held.filter((path) => /\.test\.|^tests\b|^src\/.*\.ts$|^web\/(?!dist)/.test(path))
  expect(unwanted).toEqual([])
})

test('without its scripts, npm packs the same files, once they were built', async () => {
  const dryRun = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await run('npm', dryRun, { cwd: root, maxBuffer: 10_000_000 })
  const [{ files }] = JSON.parse(stdout)
  const packed: string[] = files.map(({ path }: { path: string }) => path)
  const held = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(installed, join(parentPath, name)))
  expect(packed.toSorted()).toEqual(held.toSorted())
})

test('with everything that it installs, it takes at most 50 MB: the drivers are its only packages', () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const bytes = files
    .filter((entry) => entry.isFile() && entry.parentPath.includes('node_modules'))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  expect(bytes).toBeLessThan(50_000_000)
  expect(Object.keys(manifest.dependencies)).toEqual(['@node-rs/argon2', 'better-sqlite3'])
})

test('the licenses of all bundled packages are in it, and the packages in the list of components', async () => {
  const { stdout } = await run('npm', ['run', '--silent', 'sbom'], { cwd: root, maxBuffer: 100_000_000 })
  const { components, dependencies } = JSON.parse(stdout)
  const listed = new Set(components.map((one: { 'bom-ref': string }) => one['bom-ref']))
  for (const path of ['dist/licenses.json', 'web/dist/licenses.json']) {
    const licenses = JSON.parse(readFileSync(join(installed, path), 'utf8'))
    expect(licenses.length).toBeGreaterThan(10)
    for (const { name, version, identifier } of licenses) {
      expect(identifier, name).toMatch(/\w/)
      expect([...listed]).toContain(`${name}@${version}`)
    }
  }
  for (const name of ['fastify', 'kysely', 'pg', 'better-sqlite3', '@node-rs/argon2', 'react'])
    expect(
      [...listed].some((one) => String(one).startsWith(`${name}@`)),
      name,
    ).toBe(true)
  expect([...listed].filter((one) => /^(vitest|typescript|oxlint)@/.test(String(one)))).toEqual([])
  const referred = dependencies.flatMap(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [
    ref,
    ...dependsOn,
  ])
  const own = `dagsverk@${manifest.version}`
  expect(referred.filter((one: string) => one !== own && !listed.has(one))).toEqual([])
})

test('no package of the lock file has an install script, which npm would run', () => {
  const scripts = Object.entries(lock.packages).filter(([, one]) => 'hasInstallScript' in one)
  expect(scripts).toEqual([])
})

test('its command prints its version', async () => {
  const { stdout } = await run(command, ['--version'])
  expect(stdout.trim()).toBe(manifest.version)
})

async function serve(flags: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
  const server = spawnServer(flags, environment)
  onTestFinished(() => void server.kill('SIGKILL'))
  return { server, ...(await readStart(server)) }
}

function spawnServer(flags: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  return spawn(command, ['serve', '--port=0', ...flags], { cwd: folder, env: { ...process.env, ...environment } })
}

async function readStart(server: ReturnType<typeof spawnServer>) {
  let address: string | undefined
  const lines: string[] = []
  for await (const line of createInterface(server.stderr)) {
    lines.push(line)
    address = / serves on (http:\S+)/.exec(line)?.[1]
    if (address) break
  }
  return { address, lines }
}

/** Prints the address of every module that is loaded. */
const moduleRecorder = `
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({
  load: (url, context, next) => {
    writeSync(2, 'loaded ' + url + '\\n')
    return next(url, context)
  },
})`

test('a server that listens has loaded few files, and of packages only the driver of its database', async () => {
  const hooks = `--import=data:text/javascript,${encodeURIComponent(moduleRecorder)}`
  const { lines } = await serve([], { NODE_OPTIONS: hooks })
  const loaded = lines.filter((line) => line.startsWith('loaded file:'))
  const own = loaded.filter((line) => line.includes('/node_modules/dagsverk/'))
  const packages = loaded
    .filter((line) => !own.includes(line))
    .map((line) => /.*\/node_modules\/([^/]+)/.exec(line)?.[1])
  expect(new Set(packages)).toEqual(new Set(['better-sqlite3']))
  expect(own.length).toBeLessThanOrEqual(filesMax)
})

/** The command itself; of dist/ the program, the command `serve`, what both need, what query processes need too, and the bundler's own. */
const filesMax = 6

test.each([
  ['a command', 'throw new TypeError("injected")', /at createDataFolder \(src\/server\/config-options\.ts:\d+:\d+\)/],
  ['a timer', 'setImmediate(() => { throw new TypeError("injected") })', /at process.processImmediate/],
])(
  'an error of %s is printed with a stack trace that names the sources, and without the bundle',
  async (_, body, trace) => {
    const failing = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
fs.mkdirSync = () => { ${body} }
syncBuiltinESMExports()`
    const hooks = `--import=data:text/javascript,${encodeURIComponent(failing)}`
    const { lines } = await serve(['--data-dir', join(folder, 'data')], { NODE_OPTIONS: hooks })
    expect(lines[0]).toBe('dagsverk: TypeError: injected')
    expect(lines.join('\n')).toMatch(trace)
  },
)

test.runIf(process.platform === 'linux')(
  'a server without requests has no process and no thread besides those of Node',
  async () => {
    // A server that was killed before would have its file checked by a process.
    const { server, address } = await serve(['--data-dir', join(folder, 'new')])
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    const tasks = `/proc/${server.pid}/task`
    expect(readFileSync(`${tasks}/${server.pid}/children`, 'utf8')).toBe('')
    // The main thread, a watcher of signals, V8's and libuv's pools of four and of one that waits.
    expect(readdirSync(tasks).length).toBeLessThanOrEqual(threadsMax)
  },
)

const threadsMax = 11

test('it contains the built browser app', async () => {
  const { address } = await serve(['--sandbox'])
  const page = await (await fetch(`${address}/`)).text()
  const script = /src="(?<path>[^"]+\.js)"/.exec(page)?.groups?.path
  expect((await fetch(`${address}${script}`)).headers.get('content-type')).toMatch(/javascript/)
})

describe.skipIf(!hasCurl)('README.md', () => {
  let sandbox: ReturnType<typeof spawnServer>
  let address: string | undefined
  beforeAll(async () => {
    sandbox = spawnServer(['--sandbox', '--log-level=silent'])
    address = (await readStart(sandbox)).address
  })
  afterAll(() => void sandbox.kill('SIGKILL'))

  test.each(examplesOf(textOf('README.md')))('$title', (example) => runExample(example, address ?? '', folder))
})

test('it serves, with its version and commit, and stops on SIGTERM', async () => {
  const { server, address } = await serve()
  const reply = await fetch(`${address}/version`)
  const { stdout } = await run('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root })
  const commit = stdout.trim()
  expect(await reply.json()).toEqual({ name: 'dagsverk', version: manifest.version, commit })
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
