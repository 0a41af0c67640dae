// A full and a failing disk: a rejected write says whether it may be stored, and every stored one is found.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import { useTerminal } from '../cli/terminal.ts'
import { openSimClient, type SimClient, type SimReply } from '../sim/client.ts'
import {
  startCommand,
  startServer,
  waitUntilServing,
  type CommandProcess,
  type ServerProcess,
} from '../sim/server-process.ts'
import { expectError } from '../support/replies.ts'

const namespace = ['unshare', '--user', '--map-root-user', '--mount']
const canMount = spawnSync(namespace[0] ?? '', [...namespace.slice(1), 'true']).status === 0

const terminal = useTerminal()
let dataDir: string
let key: string
let environment: Record<string, string>
beforeEach(async () => {
  dataDir = join(terminal.folder, 'data')
  environment = {
    DAGSVERK_DATA_DIR: dataDir,
    DAGSVERK_PORT: '0',
    DAGSVERK_LOG_LEVEL: 'silent',
    PATH: process.env['PATH'] ?? '',
  }
  terminal.environment = environment
  await terminal.run('migrate')
  await terminal.run('company', 'add', 'KASSE')
  key = (await terminal.json('key', 'add', 'KASSE', '--expires', 'never')).key
})

function serveBy(script: string): Promise<ServerProcess> {
  const starter = ['sh', '-c', `${script}; exec "$@"`, 'sh']
  return waitUntilServing(startCommand(['serve'], environment, undefined, starter))
}

/** In a file system of 6 MiB in memory. */
function serveOnSmallDisk(): Promise<ServerProcess> {
  return serveBy(
    `exec ${namespace.join(' ')} sh -c 'set -e
      cp -a "${dataDir}" "${dataDir}.copy"
      mount -t tmpfs -o size=6m,mode=0700 none "${dataDir}"
      cp -a "${dataDir}.copy/." "${dataDir}"
      exec "$@"' sh "$@"`,
  )
}

/** Stores lists until one is rejected. */
async function storeUntilRejected(
  client: SimClient,
): Promise<{ readonly storedRows: number; readonly rejected: SimReply }> {
  for (let storedRows = 0; ; storedRows += listRows) {
    const json = Array.from({ length: listRows }, (_, index) => ({
      Omsetning: storedRows + index,
      Merknad: 'x'.repeat(4000),
    }))
    const reply = await client.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', { json })
    if (reply.effect !== 'ok') return { storedRows, rejected: reply }
  }
}
const listRows = 20

test.runIf(canMount)(
  'a commit that fails because the disk is full is 503 StorageFull with outcome not_applied, and is not stored',
  async () => {
    const server = await serveOnSmallDisk()
    const client = openSimClient(key, () => server.address)
    const { storedRows, rejected } = await storeUntilRejected(client)
    expectError(rejected, 503, 'StorageFull', { outcome: 'not_applied' })
    expect(rejected.headers['retry-after']).toBe('30')
    expect(await client.read('/dev/Omsetning/Finn')).toHaveLength(storedRows)
    // What a server would find that is started after a kill.
    for (const name of ['dagsverk.db', 'dagsverk.db-wal'])
      copyFileSync(join(`/proc/${server.pid}/root`, dataDir, name), join(terminal.folder, name))
    const database = new Database(join(terminal.folder, 'dagsverk.db'))
    expect(database.prepare('select count(*) from revenue').pluck().get()).toBe(storedRows)
    database.close()
    await server.stop()
  },
)

test.runIf(canMount)(
  'a list that fills the disk before its commit is 503 StorageFull with outcome not_applied, and its pages are freed',
  async () => {
    const server = await serveOnSmallDisk()
    const client = openSimClient(key, () => server.address)
    const save = (rows: number) =>
      client.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', {
        json: Array.from({ length: rows }, (_, index) => ({
          Dato: '2024-01-01',
          AvdelingID: `${index}`,
          Omsetning: 1,
        })),
      })
    expectError(await save(60_000), 503, 'StorageFull', { outcome: 'not_applied' })
    expect(await client.read('/dev/Omsetning/Finn')).toHaveLength(0)
    expect((await save(10)).status).toBe(200)
    expect(await client.read('/dev/Omsetning/Finn')).toHaveLength(10)
    await server.stop()
  },
)

/** Starts programs by the script, with a disk of 16 pages at the folder, of which the file `fill` uses so many. */
function onSmallDisk(folder: string, usedPages: number, script: string): string[] {
  mkdirSync(folder)
  const prepare = `set -e
    mount -t tmpfs -o size=64k none "${folder}"
    cd "${folder}"
    : >log
    dd if=/dev/zero of=fill bs=4096 count=${usedPages} 2>/dev/null`
  return [...namespace, 'sh', '-c', `${prepare}\n${script}`, 'sh']
}

test.runIf(canMount)(
  'a server whose log is on a full disk replies, and logs again when the disk has free space',
  async () => {
    const folder = join(terminal.folder, 'log')
    const settings = { ...environment, DAGSVERK_LOG_LEVEL: 'info' }
    const server = await waitUntilServing(
      startCommand(['serve'], settings, undefined, onSmallDisk(folder, 16, logsThere)),
    )
    const seen = join(`/proc/${server.pid}/root`, folder)
    const call = async (id: string) => {
      const { status } = await fetch(`${server.address}/version`, { headers: { 'x-request-id': id } })
      expect(status).toBe(200)
    }
    await call('lost')
    await call('lost')
    rmSync(join(seen, 'fill'))
    await call('logged')
    const log = () => readFileSync(join(seen, 'log'), 'utf8')
    await expect.poll(log).toContain('"id":"logged"')
    expect(log()).not.toContain('"id":"lost"')
    expect((await server.stop()).exitCode).toBe(0)
  },
)

const logsThere = 'exec "$@" >log'

const fullOutput = {
  exitCode: 70,
  stderr: 'dagsverk: Standard output cannot be written: ENOSPC: no space left on device, write\n',
}

test.runIf(canMount)('a command whose output is on a full disk fails with a message', async () => {
  const starter = onSmallDisk(join(terminal.folder, 'log'), 16, logsThere)
  expect(await startCommand(['company', 'list'], environment, undefined, starter).ended).toEqual(fullOutput)
})

test.runIf(existsSync('/dev/full'))('a command whose output is a full device fails with a message', async () => {
  const starter = ['sh', '-c', 'exec "$@" >/dev/full', 'sh']
  for (const args of [['company', 'list'], ['routes'], ['--help']])
    expect(await startCommand(args, environment, undefined, starter).ended, args.join(' ')).toEqual(fullOutput)
})

test.runIf(canMount)('files that do not fit on the disk are reported, and nothing is left of them', async () => {
  const scopes = 'material:write,material:approve,material:export'
  const { key: materialKey } = await terminal.json('key', 'add', 'KASSE', '--scopes', scopes)
  const server = await startServer(environment)
  const client = openSimClient(materialKey, () => server.address)
  const json = Array.from({ length: 200 }, () => ({ Dato: '2024-01-01', VareId: 'A', Antall: 1, Salgspris: 1 }))
  const registered = await client.call('POST', '/prosjekt/Transaksjon/Batch', { json })
  const ids = registered.json.resultater.map(({ id }: { id: number }) => id)
  expect((await client.call('POST', '/prosjekt/Transaksjon/Godkjenn', { json: { ids } })).status).toBe(200)
  await server.stop()
  for (const [args, usedPages] of [
    [['export', 'fetch', 'lines.csv'], 16],
    [['export', 'fetch', 'lines.csv'], 15],
    [['backup', 'today.backup'], 16],
    [['backup', 'today.backup'], 15],
  ] as const) {
    const folder = join(terminal.folder, `${args[0]}-${usedPages}`)
    const file = args.at(-1) ?? ''
    const path = join(folder, file)
    const starter = onSmallDisk(folder, usedPages, listsFiles)
    const command = [...args.slice(0, -1), path]
    expect(await startCommand(command, environment, undefined, starter).ended, command.join(' ')).toEqual({
      exitCode: 70,
      stderr: `dagsverk: ${path} cannot be written: ENOSPC: no space left on device, write\nfill\nlog\n`,
    })
  }
})

const listsFiles = '"$@" || { code=$?; ls >&2; exit $code; }'

test.each([
  ['backup', 'today.backup'],
  ['export', 'fetch', 'lines.json'],
])('a signal during %s leaves no incomplete file', async (...args) => {
  const folder = join(terminal.folder, 'files')
  mkdirSync(folder)
  const command = [...args.slice(0, -1), join(folder, args.at(-1) ?? '')]
  const writing = startCommand(command, environment)
  const watcher = watch(folder).on('change', () => void writing.stop())
  expect((await writing.ended).exitCode).toBeNull()
  watcher.close()
  expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([])
})

test('an interrupted restore leaves no second database, and the next one deletes that of a killed one', async () => {
  const backup = join(terminal.folder, 'today.backup')
  await terminal.json('backup', backup)
  const incomplete = () => readdirSync(dataDir).filter((name) => name.includes('.db.restoring'))
  const interruptRestore = async (end: (restoring: CommandProcess) => void) => {
    const restoring = startCommand(['restore', backup], environment)
    const watcher = watch(dataDir).on('change', () => {
      if (incomplete().length > 0) end(restoring)
    })
    expect((await restoring.ended).exitCode).toBeNull()
    watcher.close()
  }
  await interruptRestore((restoring) => void restoring.stop())
  expect(incomplete()).toEqual([])
  await interruptRestore((restoring) => void restoring.kill())
  expect(incomplete()).toHaveLength(1)
  await terminal.json('restore', backup)
  expect(incomplete()).toEqual([])
  expect((await terminal.json('company', 'list'))[0]).toMatchObject({ name: 'KASSE' })
})

test.runIf(canMount)('a master key that does not fit on the disk is reported, and nothing is left of it', async () => {
  const settings = { ...environment, DAGSVERK_DATABASE_URL: `sqlite:${join(terminal.folder, 'new.db')}` }
  terminal.environment = { ...settings, DAGSVERK_DATA_DIR: join(terminal.folder, 'new') }
  await terminal.run('migrate')
  const folder = join(terminal.folder, 'keys')
  const starter = onSmallDisk(folder, 16, listsFiles)
  const adding = startCommand(['company', 'add', 'NY'], { ...settings, DAGSVERK_DATA_DIR: folder }, undefined, starter)
  expect(await adding.ended).toEqual({
    exitCode: 70,
    stderr: `dagsverk: ${join(folder, 'master.key')} cannot be written: ENOSPC: no space left on device, write\nfill\nlog\n`,
  })
})

test('two commands that generate the master key at once use the same one', async () => {
  const settings = { ...environment, DAGSVERK_DATA_DIR: join(terminal.folder, 'new') }
  terminal.environment = settings
  await terminal.run('migrate')
  const adding = ['A', 'B'].map((name) => startCommand(['company', 'add', name], settings).ended)
  for (const { exitCode, stderr } of await Promise.all(adding)) expect(exitCode, stderr).toBe(0)
  expect(readdirSync(join(terminal.folder, 'new')).filter((name) => name.startsWith('master'))).toEqual(['master.key'])
})

test('an I/O error of a commit is 503 StorageError with outcome unknown, and ends the server with code 70', async () => {
  // In blocks of 512 bytes: less than the write-ahead log has before a checkpoint.
  const server = await serveBy('ulimit -f 6144')
  const client = openSimClient(key, () => server.address)
  const { storedRows, rejected } = await storeUntilRejected(client)
  expectError(rejected, 503, 'StorageError', { outcome: 'unknown' })
  expect((await server.ended).exitCode).toBe(70)
  const again = await startServer(environment)
  const reader = openSimClient(key, () => again.address)
  const found = await reader.read('/dev/Omsetning/Finn')
  expect([storedRows, storedRows + listRows]).toContain(found.length)
  await again.stop()
})
