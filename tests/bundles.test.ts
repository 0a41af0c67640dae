// Builds by the scripts of tools/: one at a time, and complete when they take the place of the former one.
import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './support/repository.ts'

/** Empties its output like the bundler, takes a while, and notes what the build before it has meanwhile. */
const bundler = `#!/bin/sh
output=dist
[ "$4" != --outDir ] || output=$5
rm -rf "$output" && mkdir "$output"
cat dist/main.js >>seen 2>&1
sleep 0.5
cat src/main.ts >"$output/main.js"
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dagsverk-bundles-'))
  write('package-lock.json', '{}')
  write('src/main.ts', 'one')
  write('tools/vite.server.ts', '')
  write('node_modules/.bin/vite', bundler)
  chmodSync(join(folder, 'node_modules/.bin/vite'), 0o755)
  cpSync(join(root, 'tools/bundles.sh'), join(folder, 'tools/bundles.sh'))
})

afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function read(path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

/** The number of builds by commands that start at once. */
async function build(commands: number): Promise<number> {
  const script = 'say() { echo "$*"; }; . tools/bundles.sh; build_server'
  const run = () => promisify(execFile)('sh', ['-euc', script], { cwd: folder })
  const outputs = await Promise.all(Array.from({ length: commands }, run))
  return outputs.filter(({ stdout }) => stdout.includes('building')).length
}

test('of commands that start at once one builds, and the others use its build', async () => {
  expect(await build(3)).toBe(1)
  expect(read('dist/main.js')).toBe('one')
  expect(await build(1)).toBe(0)
})

test('the former build is complete until the next one is', async () => {
  await build(1)
  write('src/main.ts', 'two')
  utimesSync(join(folder, 'dist/.built'), 0, 0)
  write('seen', '')
  expect(await build(1)).toBe(1)
  expect([read('seen'), read('dist/main.js')]).toEqual(['one', 'two'])
})

test('the lock of a build that was killed is removed', async () => {
  const { pid } = spawnSync('true')
  mkdirSync(join(folder, '.tools'))
  symlinkSync(String(pid), join(folder, '.tools/build.lock'))
  expect(await build(2)).toBe(1)
})
