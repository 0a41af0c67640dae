// Files of the service: what systemd gets to read, and what the operator runs beside it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root, textOf } from '../support/repository.ts'
import { isAvailable } from '../support/requirements.ts'
import { useTerminal } from './terminal.ts'

const terminal = useTerminal()

const chosen = ['--user', userInfo().username, '--data-dir', '/srv/data', '--backup-dir', '/mnt/b']

interface File {
  readonly path: string
  readonly mode: number
  readonly content: string
}

function filesOf(...args: string[]): Promise<File[]> {
  return terminal.json('service', 'install', '--dry-run', ...args)
}

async function unitOf(name: string): Promise<string> {
  const files = await filesOf(...chosen)
  return files.find(({ path }) => basename(path) === name)?.content ?? ''
}

test('--dry-run prints the files that an installation writes, and writes none', async () => {
  const target = join(terminal.folder, 'image')
  const printed = await terminal.run('service', 'install', '--dry-run', '--root', target)
  expect(readdirSync(terminal.folder)).toEqual([])
  const files = await filesOf()
  expect(printed.stdout).toBe(files.map(({ path, content }) => `# ${path}\n${content}\n`).join(''))
  const written = await filesOf(...chosen)
  const { exitCode, stderr } = await terminal.run('service', 'install', ...chosen, '--root', target)
  expect(exitCode).toBe(0)
  expect(stderr).toContain('/srv/data/dagsverk.json')
  for (const { path, mode, content } of written) {
    expect(readFileSync(join(target, path), 'utf8')).toBe(content)
    expect(statSync(join(target, path)).mode & 0o777).toBe(mode)
  }
  for (const folder of ['srv/data', 'mnt/b']) {
    const { mode, uid } = statSync(join(target, folder))
    expect([mode & 0o777, uid]).toEqual([0o700, userInfo().uid])
  }
})

test('a second installation replaces the files and keeps the folders', async () => {
  const args = ['service', 'install', ...chosen, '--root', terminal.folder]
  await terminal.run(...args)
  writeFileSync(join(terminal.folder, 'srv/data/dagsverk.json'), '{}')
  const unit = join(terminal.folder, 'etc/systemd/system/dagsverk.service')
  writeFileSync(unit, 'old')
  expect((await terminal.run(...args)).exitCode).toBe(0)
  expect(readFileSync(unit, 'utf8')).toContain('[Service]')
  expect(readdirSync(join(terminal.folder, 'srv/data'))).toEqual(['dagsverk.json'])
})

test('a folder of another user is rejected with the command to hand it over', async () => {
  const other = ['--user', 'nobody', '--data-dir', '/data', '--root', terminal.folder]
  mkdirSync(join(terminal.folder, 'data'))
  const { exitCode, stderr } = await terminal.run('service', 'install', ...other)
  expect(exitCode).toBe(78)
  expect(stderr).toContain('chown --recursive nobody:')
  expect(readdirSync(terminal.folder)).toEqual(['data'])
})

test.each([
  [['--user', 'a b'], 2, 'not the name of a user'],
  [['--user', 'no-such-user', '--root', 'x'], 1, 'no-such-user'],
  [['--data-dir', 'data'], 2, 'absolute path'],
  [['--backup-dir', '/srv/%h'], 2, 'absolute path'],
  [['--data-dir', join('/home', 'kari/data')], 78, 'home folders are hidden'],
])('%j is rejected', async (args, code, says) => {
  const { exitCode, stderr } = await terminal.run('service', 'install', ...args)
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(says)])
  expect(readdirSync(terminal.folder)).toEqual([])
})

test.runIf(isAvailable('systemd'))('systemd accepts every unit', async () => {
  const paths = []
  for (const { path, content } of await filesOf(...chosen)) {
    if (!path.includes('/systemd/')) continue
    paths.push(join(terminal.folder, basename(path)))
    writeFileSync(join(terminal.folder, basename(path)), content)
  }
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' })
  const ours = stderr.split('\n').filter((line) => line.includes('dagsverk'))
  expect([status, ours]).toEqual([0, []])
})

test('a unit has sections, assignments and comments only', async () => {
  for (const { path, content } of await filesOf(...chosen))
    if (path.includes('/systemd/'))
      for (const line of content.split('\n'))
        expect(line).toMatch(/^$|^# |^\[(Unit|Service|Timer|Install)\]$|^[A-Z]\w+=\S?.*$/)
})

test('server and backup run this program as the user, on the data folder, and can write no other', async () => {
  const program = `${process.execPath} --disable-proto=delete --max-semi-space-size=4 --v8-pool-size=2 ${join(root, 'src/dagsverk.js')}`
  const shared = [`User=${userInfo().username}`, 'Environment=DAGSVERK_DATA_DIR=/srv/data']
  const server = (await unitOf('dagsverk.service')).split('\n')
  expect(server).toEqual(
    expect.arrayContaining([
      ...shared,
      'Type=notify',
      'ProtectSystem=strict',
      'ReadWritePaths=/srv/data',
      `ExecStart=${program} serve`,
    ]),
  )
  const backup = (await unitOf('dagsverk-backup.service')).split('\n')
  expect(backup).toEqual(
    expect.arrayContaining([
      ...shared,
      'ProtectSystem=strict',
      'ReadWritePaths=/srv/data /mnt/b',
      `ExecStart=${program} backup --keep 14 --verify /mnt/b`,
    ]),
  )
  expect(backup.filter((line) => line.startsWith('ExecStart'))).toHaveLength(1)
})

test('systemd learns that the server is ready when it listens and the set-up link is written', async () => {
  const notify = '#!/bin/sh\necho "$@" >notified.new\nls data >>notified.new\nmv notified.new notified\n'
  writeFileSync(join(terminal.folder, 'systemd-notify'), notify, { mode: 0o755 })
  const server = spawn(process.execPath, [join(root, 'src/dagsverk.js'), 'serve', '--port=0'], {
    cwd: terminal.folder,
    env: { ...process.env, NOTIFY_SOCKET: '/run/systemd/notify', PATH: `${terminal.folder}:${process.env['PATH']}` },
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const file = join(terminal.folder, 'notified')
  await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : '')).toMatch(/^--ready\n[^]*\nsetup-link\n/)
})

test('a server that ends with a configuration error is not restarted', async () => {
  await terminal.run('migrate')
  const { exitCode } = await terminal.run('serve', '--port', 'x')
  expect(await unitOf('dagsverk.service')).toContain(`\nRestartPreventExitStatus=${exitCode}\n`)
})

test.runIf(isAvailable('root'))('the script runs a command with the data folder of the service', async () => {
  const data = join(terminal.folder, 'data')
  const [, , , script] = await filesOf('--user', 'root', '--data-dir', data)
  const path = join(terminal.folder, 'dagsverk-service')
  writeFileSync(path, script?.content ?? '', { mode: 0o755 })
  const run = (...args: string[]) => spawnSync(path, args, { encoding: 'utf8' })
  expect(JSON.parse(run('migrate', '--json').stdout).done).not.toEqual([])
  expect(run('company', 'add', 'Fjord AS').stdout).toMatch(/password/)
  expect(readdirSync(data)).toContain('dagsverk.db')
})

test('docs/operating.md names every file of the service', async () => {
  const page = textOf('docs/operating.md')
  for (const { path } of await filesOf()) expect(page).toContain(basename(path))
})
