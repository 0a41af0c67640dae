// The linter rejects import cycles, those of types too.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './support/repository.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dagsverk-cycles-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function lint(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const config = join(root, '.oxlintrc.json')
  const linted = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-c', config, folder])
  return linted.stdout.toString()
}

test('two files that import each other are rejected', () => {
  const linted = lint({
    'one.ts': "import { two } from './two.ts'\n\nexport const one = (): number => two() + 1\n",
    'two.ts': "import { one } from './one.ts'\n\nexport const two = (): number => one() + 1\n",
  })
  expect(linted).toContain('import(no-cycle)')
})

test('two files that import a type of each other are rejected', () => {
  const linted = lint({
    'one.ts': "import type { Two } from './two.ts'\n\nexport interface One {\n  two: Two\n}\n",
    'two.ts': "import type { One } from './one.ts'\n\nexport interface Two {\n  one: One\n}\n",
  })
  expect(linted).toContain('import(no-cycle)')
})

test('a file that imports another is accepted', () => {
  const linted = lint({
    'one.ts': "import { two } from './two.ts'\n\nexport const one = (): number => two() + 1\n",
    'two.ts': 'export const two = (): number => 2\n',
  })
  expect(linted).not.toContain('no-cycle')
})
