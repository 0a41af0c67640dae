import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commandLine, withSubcommands } from '../../src/cli/main.ts'
import { commandPath } from '../../src/server/config-options.ts'
import { exitCodes } from '../../src/lib/operator-error.ts'
import type { Runtime } from '../../src/server/environment.ts'
import { root, textOf } from '../support/repository.ts'
import { useTerminal } from './terminal.ts'

const terminal = useTerminal()

async function commands() {
  const runtime: Runtime = {
    environment: {},
    cwd: '/',
    program: '/',
    appFolder: '/',
    input: (async function* () {})(),
    print: () => {},
    printLog: () => {},
    printMessage: () => {},
    clock: () => 0,
    monotonicMs: () => 0,
    random: (bytes: number) => Buffer.alloc(bytes),
    hashCost: { memoryKiB: 64, passes: 1 },
    onStop: () => {},
    onReload: () => {},
  }
  return withSubcommands(await commandLine(runtime))
    .filter((command) => command.commands.length === 0)
    .map((command) => ({ name: commandPath(command), command }))
}

test('every command has help with examples and is listed in docs/cli.md', async () => {
  const page = textOf('docs/cli.md')
  for (const { name } of await commands()) {
    const { exitCode, stdout } = await terminal.run(...name.split(' '), '--help')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Examples:')
    expect(page).toContain(`\`${name}`)
  }
})

test('every exit code is listed in docs/cli.md', () => {
  const page = textOf('docs/cli.md')
  for (const code of Object.values(exitCodes)) expect(page).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'))
})

test('no command accepts a secret as an argument', async () => {
  const flags = (await commands()).flatMap(({ command }) => command.options.map((option) => option.long))
  expect(flags.filter((flag) => /secret(?!-file)|^--password$|^--master-key$|token/.test(flag ?? ''))).toEqual([])
})

test.each([
  ['company', 'add', 'Fjord'],
  ['company', 'list'],
  ['key', 'list', 'Fjord'],
  ['user', 'list', '--company', 'Fjord'],
  ['migrate', 'status'],
])('%s %s creates no database: it fails and prints the missing path', async (...args) => {
  const { exitCode, stdout, stderr } = await terminal.run(...args)
  expect(exitCode).toBe(78)
  expect(stdout).toBe('')
  expect(stderr).toContain(join(terminal.folder, 'data', 'dagsverk.db'))
  expect(existsSync(join(terminal.folder, 'data'))).toBe(false)
})

test('migrate creates the database, and a second run applies nothing', async () => {
  expect((await terminal.json('migrate')).done).not.toEqual([])
  expect(await terminal.json('migrate')).toEqual({ done: [] })
  expect(await terminal.json('migrate', 'status')).toMatchObject({ waiting: [], unknown: [] })
  expect(await terminal.json('migrate', '--dry-run')).toMatchObject({ waiting: [] })
})

test('config show prints each value and its source, and masks secrets', async () => {
  terminal.environment = {
    DAGSVERK_PORT: '9000',
    DAGSVERK_DATABASE_URL: 'postgres://u:hemmelig@h/db',
    DAGSVERK_LOG_LEVLE: 'x',
  }
  const { stdout, stderr } = await terminal.run('config', 'show', '--host', 'localhost')
  expect(stdout).toMatch(/DAGSVERK_PORT\s+9000\s+DAGSVERK_PORT/)
  expect(stdout).toMatch(/DAGSVERK_HOST\s+localhost\s+--host/)
  expect(stdout).not.toContain('hemmelig')
  expect(stderr).toContain('Did you mean DAGSVERK_LOG_LEVEL?')
})

test.each([
  [['compny', 'list'], 'Did you mean company?'],
  [['company', 'add'], "missing required argument 'name'"],
  [['company', 'list', '--jsno'], 'Did you mean --json?'],
  [['company', 'set', 'Fjord', '--refuses-zones', 'maybe'], 'on, off'],
])('%j is a usage error with a message', async (args, says) => {
  const { exitCode, stderr } = await terminal.run(...args)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(says)
})

test('an unreachable database server is reported without its password', async () => {
  terminal.environment = { DAGSVERK_DATABASE_URL: 'postgres://u:hemmelig@127.0.0.1:1/db' }
  const { exitCode, stderr } = await terminal.run('company', 'list')
  expect(exitCode).toBe(70)
  expect(stderr).not.toMatch(/hemmelig|at .*\.ts/)
})

test('health exits with 69 when the server does not respond', async () => {
  const { exitCode, stderr } = await terminal.run('health', '--port', '1')
  expect(exitCode).toBe(69)
  expect(stderr).toContain('does not respond')
})

test.each(['nonsense', 'ftp://tall.example.no', 'https://u:hemmelig@tall.example.no'])(
  'health rejects a URL that is none, or has a password, without repeating it: %s',
  async (url) => {
    const { exitCode, stderr } = await terminal.run('health', '--url', url)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--url: it must be a URL like https://')
    expect(stderr).not.toContain('hemmelig')
  },
)

test('routes and openapi work without a database', async () => {
  const routes = await terminal.json('routes')
  expect(routes).toContainEqual(expect.objectContaining({ path: '/dev/Omsetning/Finn', scope: 'revenue:read' }))
  const { stdout } = await terminal.run('openapi')
  expect(JSON.parse(stdout).openapi).toBe('3.1.0')
})

test('the bash completion script completes commands and flags', async () => {
  const { stdout } = await terminal.run('completion', 'bash')
  const words = (line: string) =>
    execFileSync('bash', [
      '-c',
      `${stdout}\nCOMP_WORDS=(dagsverk ${line} ""); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _dagsverk; echo "\${COMPREPLY[@]}"`,
    ])
      .toString()
      .trim()
      .split(' ')
  expect(words('')).toEqual(expect.arrayContaining(['serve', 'company', 'key']))
  expect(words('company')).toEqual(expect.arrayContaining(['add', 'list', 'set']))
  expect(words('company add')).toContain('--password-file')
  expect(words('key add "x" --json')).toContain('--scopes')
})

test('the bin script starts the command line', () => {
  const bin = join(root, 'src/dagsverk.js')
  const version = spawnSync(process.execPath, [bin, '--version'])
  expect(version.stdout.toString().trim()).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
})

test('with npm start relative paths are those of the caller, and the data folder is in the clone', () => {
  const caller = mkdtempSync(join(tmpdir(), 'dagsverk-caller-'))
  onTestFinished(() => rmSync(caller, { recursive: true }))
  writeFileSync(join(caller, 'own.json'), '{"exportJournal":"journal"}')
  writeFileSync(join(caller, 'data-dir.json'), '{"dataDir":"mine"}')
  const settings = (DAGSVERK_DATA_DIR: string, config = 'own.json') => {
    const shown = spawnSync('sh', [join(root, 'tools/start.sh'), 'config', 'show', '--json', '--config', config], {
      cwd: root,
      env: { ...process.env, INIT_CWD: caller, DAGSVERK_DATA_DIR },
    })
    const rows: { setting: string; value: string }[] = JSON.parse(shown.stdout.toString())
    return Object.fromEntries(rows.map(({ setting, value }) => [setting, value]))
  }
  expect(settings('')).toMatchObject({
    DAGSVERK_DATA_DIR: join(root, 'data'),
    DAGSVERK_EXPORT_JOURNAL: join(caller, 'journal'),
  })
  expect(settings('here')).toMatchObject({ DAGSVERK_DATA_DIR: join(caller, 'here') })
  expect(settings('', 'data-dir.json')).toMatchObject({ DAGSVERK_DATA_DIR: join(caller, 'mine') })
})

test('a package that was not built prints how to build it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dagsverk-unbuilt-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const path of ['package.json', 'src/dagsverk.js']) cpSync(join(root, path), join(folder, path))
  const started = spawnSync(process.execPath, [join(folder, 'src/dagsverk.js'), '--version'])
  expect([started.status, started.stdout.toString()]).toEqual([78, ''])
  expect(started.stderr.toString()).toBe(
    'dagsverk: the program is missing because this package was not built.\n' +
      'In a clone, "npm pack" builds the package and "npm start" runs without one.\n',
  )
})

test('an unsupported Node version is rejected with a message', () => {
  const old = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`
  const started = spawnSync(process.execPath, [
    `--import=data:text/javascript,${encodeURIComponent(old)}`,
    join(root, 'src/dagsverk.js'),
  ])
  expect(started.status).toBe(1)
  expect(started.stderr.toString()).toContain('dagsverk needs Node 22.18 or newer, this is v20.20.2')
})
