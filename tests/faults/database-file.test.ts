// The database file at start: a sound file is served; a missing, foreign or damaged one is never replaced.
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { formatTimestamp, parseTimestamp } from '../../src/lib/timestamp.ts'
import { saveSetting } from '../../src/store/accounts/settings.ts'
import { openStore } from '../../src/store/open-store.ts'
import { connect } from '../../src/store/sqlite/connection.ts'
import { useTerminal } from '../cli/terminal.ts'
import { openSimClient } from '../sim/client.ts'
import { expectError } from '../support/replies.ts'
import { seededRandom } from '../support/random.ts'
import { waitUntilServing, startCommand, startServer, type CommandProcess } from '../sim/server-process.ts'

const damages = Number(process.env['DAGSVERK_TEST_DAMAGES'] ?? 20)

const terminal = useTerminal()
let path: string
let environment: Record<string, string>
beforeEach(async () => {
  const dataDir = join(terminal.folder, 'data')
  path = join(dataDir, 'dagsverk.db')
  environment = { DAGSVERK_DATA_DIR: dataDir, DAGSVERK_PORT: '0', DAGSVERK_LOG_LEVEL: 'silent' }
  terminal.environment = environment
  await terminal.run('migrate')
  await terminal.run('company', 'add', 'KASSE')
})

function spoil(change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path)
  change(bytes)
  writeFileSync(path, bytes)
}

function inFile(sql: string): void {
  const database = new Database(path)
  database.exec(sql)
  database.close()
}

function replaceBy(content: string): void {
  rmSync(path)
  writeFileSync(path, content)
}

/** The files of the folder, by content. */
function fingerprint() {
  return readdirSync(join(terminal.folder, 'data'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(db|key)$/.test(entry.name))
    .map(({ name, parentPath }) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(parentPath, name)))
        .digest('hex'),
    ])
}

/** The timestamp that a running server has recorded beside the file. */
function recordedChange(): number {
  return Number(readFileSync(`${path}.last-change`, 'utf8'))
}

function auditedLosses(): unknown[] {
  const database = new Database(path, { readonly: true })
  const entries = database.prepare("select actor, data from audit where action = 'loss-accept'").all()
  database.close()
  return entries
}

describe('the command exits with code 78 and one line, and changes nothing, when the database', () => {
  const spoilings: readonly [name: string, spoil: () => void, says: RegExp][] = [
    ['is an empty file', () => replaceBy(''), /is empty.*backup/],
    ['holds no tables', () => (rmSync(path), inFile('pragma user_version = 1')), /is empty.*backup/],
    ['is a text file', () => replaceBy('Omsetning\n'.repeat(1000)), /no database.*backup/],
    ['has lost its header', () => spoil((bytes) => bytes.fill(0, 0, 100)), /no database.*backup/],
    ['has lost its second half', () => truncateSync(path, 20_480), /damaged.*backup/],
    ['belongs to another program', () => (rmSync(path), inFile('create table kunde (id integer)')), /another program/],
    [
      'was used by a newer version',
      () => inFile("insert into kysely_migration values ('9999-later', '2030-01-01')"),
      /newer dagsverk.*9999-later/,
    ],
    [
      'has the application_id of another program',
      () => inFile('pragma application_id = 1196444487'),
      /another program/,
    ],
    [
      'has no application_id and only some of our tables',
      () => inFile('pragma application_id = 0; drop table "revenueLog"'),
      /another program/,
    ],
    ['is a folder', () => (rmSync(path), mkdirSync(path)), /is no file/],
  ]
  test.each(spoilings)('%s', async (_, spoilIt, says) => {
    spoilIt()
    const before = fingerprint()
    for (const command of [['serve'], ['migrate'], ['company', 'list'], ['key', 'list', 'KASSE']]) {
      const { exitCode, stderr } = await terminal.run(...command)
      expect(stderr, command.join(' ')).toMatch(says)
      expect(stderr).toMatch(/^dagsverk: [^\n]*\n$/)
      expect(exitCode).toBe(78)
    }
    expect(fingerprint()).toEqual(before)
  })
})

test('the database has our application_id, and a database without it gets it at the next start', async () => {
  const readApplicationId = () => {
    const database = new Database(path, { readonly: true })
    const applicationId = database.pragma('application_id', { simple: true })
    database.close()
    return applicationId
  }
  expect(readApplicationId()).toBe(Buffer.from('Dags').readInt32BE())
  inFile('pragma application_id = 0')
  expect((await terminal.run('company', 'list')).exitCode).toBe(0)
  await (await startServer(environment)).stop()
  expect(readApplicationId()).toBe(Buffer.from('Dags').readInt32BE())
})

describe.runIf(process.platform === 'linux')('one line names what the user of the server may not write:', () => {
  /** Root obeys permissions without these capabilities. */
  const starter = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
  const run = (args: string[], settings = {}) =>
    startCommand(args, { ...environment, ...settings }, undefined, starter).ended
  const oneLine = (words: string) => expect.stringMatching(new RegExp(`^dagsverk: [^\n]*${words}[^\n]*\n$`))

  test('the database file', async () => {
    chmodSync(path, 0o400)
    for (const args of [['serve'], ['company', 'add', 'Fjord']])
      expect(await run(args)).toEqual({ exitCode: 78, stderr: oneLine('dagsverk.db cannot be opened for writing') })
  })

  test('a database file in a folder that may not be entered, which is not a missing file', async () => {
    const folder = join(terminal.folder, 'closed')
    mkdirSync(folder, { mode: 0 })
    expect(await run(['company', 'list'], { DAGSVERK_DATABASE_URL: `sqlite:${join(folder, 'a.db')}` })).toEqual({
      exitCode: 70,
      stderr: oneLine('permission denied, stat .*a.db'),
    })
  })

  test('the folder of a data folder that does not exist, or a file in its place', async () => {
    const locked = join(terminal.folder, 'locked')
    mkdirSync(locked, { mode: 0o500 })
    for (const folder of [join(locked, 'data'), path])
      for (const command of ['serve', 'migrate'])
        expect(await run([command], { DAGSVERK_DATA_DIR: folder })).toEqual({
          exitCode: 78,
          stderr: oneLine(`data folder cannot be created: .*${folder}`),
        })
  })

  test('the folder of a backup', async () => {
    const locked = join(terminal.folder, 'locked')
    mkdirSync(locked, { mode: 0o500 })
    for (const file of ['a.backup', 'inner/a.backup']) {
      const { exitCode, stderr } = await run(['backup', join(locked, file)])
      expect([exitCode, stderr]).toEqual([70, oneLine(`EACCES: permission denied, .*${locked}/`)])
    }
  })
})

test('a network file system is rejected, and nothing is created', async () => {
  for (const args of [['serve'], ['migrate'], ['company', 'list']]) {
    const { exitCode, stderr } = await startCommand(args, environment, 'network-folder').ended
    expect(exitCode).toBe(78)
    expect(stderr).toMatch(/^dagsverk: [^\n]* network file system \(NFS\)[^\n]*\n$/)
  }
  rmSync(join(terminal.folder, 'data'), { recursive: true })
  expect((await startCommand(['migrate'], environment, 'network-folder').ended).exitCode).toBe(78)
  expect(existsSync(path)).toBe(false)
})

test('a nearly full disk is reported by /readyz and by doctor', async () => {
  const server = await startServer(environment, 'full-disk')
  const ready = await fetch(`${server.address}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', degraded: ['disk-low'] }])
  await server.stop()
  const doctor = startCommand(['doctor'], environment, 'full-disk')
  expect((await doctor.ended).exitCode).toBe(1)
})

test('the bundled SQLite is 3.51.3 or newer, which fixes a bug of the write-ahead log', () => {
  const database = new Database(':memory:')
  const [major = 0, minor = 0] = String(database.prepare('select sqlite_version()').pluck().get())
    .split('.')
    .map(Number)
  database.close()
  expect(major * 1000 + minor).toBeGreaterThanOrEqual(3053)
})

test('in a wrong folder only serve and migrate create a database', async () => {
  terminal.environment = { DAGSVERK_DATA_DIR: join(terminal.folder, 'elsewhere') }
  for (const command of [
    ['company', 'list'],
    ['company', 'add', 'NY'],
    ['migrate', 'status'],
  ]) {
    const { exitCode, stderr } = await terminal.run(...command)
    expect(exitCode).toBe(78)
    expect(stderr).toContain(join(terminal.folder, 'elsewhere', 'dagsverk.db'))
  }
  expect(existsSync(join(terminal.folder, 'elsewhere'))).toBe(false)
})

test('a missing master key is not generated again', async () => {
  rmSync(join(terminal.folder, 'data', 'master.key'))
  const { exitCode, stderr } = await terminal.run('serve')
  expect(exitCode).toBe(78)
  expect(stderr).toMatch(/^dagsverk: The master key of this database is missing: [^\n]*\n$/)
})

test('a reopened file syncs at every commit, which is not the default of SQLite', () => {
  connect(path, 'writer').close()
  const connection = connect(path, 'writer')
  expect(connection.raw.pragma('synchronous', { simple: true })).toBe(2)
  expect(connection.raw.pragma('journal_mode', { simple: true })).toBe('wal')
  connection.close()
  const careless = new Database(path)
  expect(careless.pragma('synchronous', { simple: true })).toBe(1)
  careless.close()
})

describe('while a server runs', () => {
  const aside = () => `${path}.aside`

  const spoilt: readonly [string, () => void, string][] = [
    ['that is moved', () => renameSync(path, aside()), ''],
    ['that is deleted', () => (linkSync(path, aside()), rmSync(path)), ''],
    ['that is exchanged for a copy', () => (renameSync(path, aside()), copyFileSync(aside(), path)), ''],
    [
      'whose write-ahead log is deleted',
      () => (linkSync(`${path}-wal`, `${aside()}-wal`), rmSync(`${path}-wal`)),
      '-wal',
    ],
  ]
  /** The second one is the first that the server runs on a thread of its own. */
  const writes: readonly [string, string, object][] = [
    ['a write', '/dev/Omsetning/Lagre', { Omsetning: 2 }],
    [
      'a long list',
      '/dev/Omsetning/LagreEllerOppdaterListe',
      Array.from({ length: 4000 }, () => ({ Omsetning: 2, Merknad: 'regn' })),
    ],
  ]
  const cases = spoilt.flatMap(([title, spoil, of]) =>
    writes.map(([write, address, json]) => ({ title, spoil, of, write, address, json })),
  )

  test.each(cases)(
    'a database file $title ends it at $write with code 70: no write is acknowledged that the next start lacks',
    async ({ spoil, of, address, json }) => {
      const { key } = await terminal.json('key', 'add', 'KASSE', '--expires', 'never')
      const server = await startServer(environment)
      const client = openSimClient(key, () => server.address)
      expect((await client.call('POST', '/dev/Omsetning/Lagre', { json: { Omsetning: 1 } })).status).toBe(200)
      spoil()
      expectError(await client.call('POST', address, { json }), 503, 'StorageError', { outcome: 'not_applied' })
      const { exitCode, stderr } = await server.ended
      expect(stderr).toContain(`storage error: ${path}${of} was moved, deleted or exchanged while it was open.`)
      expect(exitCode).toBe(70)
      renameSync(aside() + of, path + of)
      const again = await startServer(environment)
      const reader = openSimClient(key, () => again.address)
      expect((await reader.read('/dev/Omsetning/Finn')).map(({ Omsetning }) => Omsetning)).toEqual([1])
      await again.stop()
    },
  )

  test('a database file that is exchanged before the first commit of a process is not written to', async () => {
    const store = await openStore({ url: `sqlite:${path}`, canCreate: false })
    renameSync(path, aside())
    copyFileSync(aside(), path)
    const saving = store.inSystemTransaction((writer) => saveSetting(writer, { name: 'lost', value: 'x' }))
    await expect(saving).rejects.toMatchObject({ code: 'StorageError', outcome: 'not_applied' })
    await store.close()
  })
})

describe('after a server was killed', () => {
  const kill = async (): Promise<string> => {
    const { key } = await terminal.json('key', 'add', 'KASSE', '--expires', 'never')
    const server = await startServer(environment)
    const client = openSimClient(key, () => server.address)
    for (let amount = 1; amount <= 20; amount++)
      await client.call('POST', '/dev/Omsetning/Lagre', { json: { Omsetning: amount } })
    await server.kill()
    return key
  }

  const amountsIn = async (key: string): Promise<number[]> => {
    const server = await startServer(environment)
    const client = openSimClient(key, () => server.address)
    const records = await client.read('/dev/Omsetning/Finn')
    expect((await server.stop()).stderr).not.toContain('no owner')
    return records.map(({ Omsetning }) => Omsetning)
  }

  const all = Array.from({ length: 20 }, (_, index) => index + 1)

  /** A page that the start of a server does not read. */
  const damage = () => {
    const database = new Database(path)
    database.pragma('wal_checkpoint(truncate)')
    const root = Number(database.prepare("select rootpage from sqlite_master where name = 'revenueLog'").pluck().get())
    database.close()
    spoil((bytes) => bytes.fill(0x5a, (root - 1) * 4096 + 8, (root - 1) * 4096 + 64))
  }

  const degraded = async (address: string): Promise<string[]> =>
    JSON.parse(await (await fetch(`${address}/readyz`)).text()).degraded

  test('the integrity check runs while serving, and damage is reported', async () => {
    await kill()
    damage()
    const server = await startServer(environment)
    while ((await degraded(server.address)).length === 0) await new Promise(setImmediate)
    expect(await degraded(server.address)).toEqual(['database-damaged'])
    await server.stop()
    const findings: { check: string; verdict: string }[] = JSON.parse((await terminal.run('doctor', '--json')).stdout)
    expect(findings.find(({ check }) => check === 'pages')?.verdict).toBe('wrong')
    // A clean stop in between does not cancel it.
    const again = await startServer(environment)
    while ((await degraded(again.address)).length === 0) await new Promise(setImmediate)
    await again.stop()
  })

  test('no integrity check runs after a clean stop', async () => {
    await (await startServer(environment)).stop()
    const lock = new Database(`${path}.serve`)
    expect(lock.prepare('select count(*) from holder').pluck().get()).toBe(0)
    lock.close()
  })

  test('a corrupt index of the write-ahead log is rebuilt, and nothing is lost', async () => {
    const key = await kill()
    writeFileSync(`${path}-shm`, randomBytes(32_768))
    expect(await amountsIn(key)).toEqual(all)
  })

  test('a deleted write-ahead log ends the start with code 78, until the operator accepts and audits the loss', async () => {
    const key = await kill()
    rmSync(`${path}-wal`)
    for (const command of ['serve', 'migrate', 'serve']) {
      const { exitCode, stderr } = await terminal.run(command)
      expect(stderr).toMatch(/^dagsverk: [^\n]* lacks changes: [^\n]*\n$/)
      expect(stderr).toContain(`${path}-wal is missing or incomplete`)
      expect(stderr).toContain('--accept-loss')
      expect(exitCode).toBe(78)
    }
    const server = await waitUntilServing(startCommand(['serve', '--accept-loss'], environment))
    expect(server.stderr()).toMatch(/^Accepted: [^\n]* lacks changes/)
    await server.stop()
    expect(auditedLosses()).toEqual([
      { actor: 'operator', data: expect.stringMatching(/^\{"lost":"changes","after":/) },
    ])
    expect(await amountsIn(key)).toEqual([])
    expect(auditedLosses()).toHaveLength(1)
  })

  test('a write-ahead log that was cut off ends the start with code 78', async () => {
    const { key } = await terminal.json('key', 'add', 'KASSE', '--expires', 'never')
    const server = await startServer(environment)
    const client = openSimClient(key, () => server.address)
    const changedAt = async (Omsetning: number) => {
      const json = { Omsetning }
      const { InntektsPlanId } = (await client.call('POST', '/dev/Omsetning/Lagre', { json })).json
      const at = { $filter: `InntektsPlanId eq ${InntektsPlanId}`, $select: 'SistEndretDato' }
      const [record] = await client.read('/dev/Omsetning/Finn', at)
      return parseTimestamp(record.SistEndretDato) ?? 0
    }
    await changedAt(1)
    const bytes = statSync(`${path}-wal`).size
    const last = await changedAt(2)
    while (recordedChange() < last) await new Promise(setImmediate)
    await server.kill()
    truncateSync(`${path}-wal`, bytes)
    const { exitCode, stderr } = await terminal.run('serve')
    expect(stderr).toMatch(/ lacks changes: its last one is of 20\d\d-/)
    expect(stderr).toContain(`had stored changes until ${formatTimestamp(last)}`)
    expect(exitCode).toBe(78)
  })

  test('a command that moves the write-ahead log into the file loses nothing, and the next start succeeds', async () => {
    const key = await kill()
    await terminal.run('company', 'list')
    expect(existsSync(`${path}-wal`)).toBe(false)
    expect(await amountsIn(key)).toEqual(all)
  })

  test('a restored backup may be older', async () => {
    await terminal.json('backup', 'a.backup')
    await kill()
    await terminal.json('restore', 'a.backup')
    expect((await (await startServer(environment)).stop()).exitCode).toBe(0)
  })

  test('a restore in place of a missing file does not read the write-ahead log of that', async () => {
    await terminal.json('backup', 'a.backup')
    await kill()
    const log = readFileSync(`${path}-wal`)
    rmSync(path)
    await terminal.json('restore', 'a.backup')
    expect(existsSync(`${path}-wal`)).toBe(false)
    const names = readdirSync(join(terminal.folder, 'data'))
    const kept = names.find((name) => /^dagsverk\.db\.\w+-wal$/.test(name)) ?? ''
    expect(readFileSync(join(terminal.folder, 'data', kept))).toEqual(log)
    expect((await (await startServer(environment)).stop()).exitCode).toBe(0)
  })

  test('a write-ahead log with garbage at its end is read up to the garbage', async () => {
    const key = await kill()
    const log = readFileSync(`${path}-wal`)
    writeFileSync(`${path}-wal`, Buffer.concat([log, randomBytes(10_000)]))
    expect(await amountsIn(key)).toEqual(all)
  })
})

describe('a missing file is no new database beside', () => {
  const inData = (name: string) => join(terminal.folder, 'data', name)
  const journal = 'export-journal/host-0-000001.journal'
  const traces: readonly [name: string, file: string, leave: () => void][] = [
    ['its master key', 'master.key', () => undefined],
    [
      'the record of a server',
      'dagsverk.db.last-change',
      () => {
        rmSync(inData('master.key'))
        rmSync(inData('export-journal'), { recursive: true, force: true })
      },
    ],
    [
      'its write-ahead log',
      'dagsverk.db-wal',
      () => (rmSync(inData('master.key')), writeFileSync(inData('dagsverk.db-wal'), 'changes')),
    ],
    [
      'its export journal',
      journal,
      () => {
        rmSync(inData('master.key'))
        mkdirSync(inData('export-journal'))
        writeFileSync(inData(journal), '')
      },
    ],
  ]
  test.each(traces)('%s: the start ends with code 78', async (_, file, leave) => {
    if (file.endsWith('last-change')) await (await startServer(environment)).stop()
    rmSync(path)
    leave()
    for (const command of ['serve', 'migrate']) {
      const { exitCode, stderr } = await terminal.run(command)
      expect(stderr).toMatch(/^dagsverk: There is no database at [^\n]*--accept-loss[^\n]*\n$/)
      expect(stderr).toContain(inData(file))
      expect(exitCode).toBe(78)
    }
    expect(existsSync(path)).toBe(false)
    const accepting = startCommand(['serve', '--accept-loss'], environment)
    const { stderr } = await (await waitUntilServing(accepting)).stop()
    expect(stderr).toMatch(/^Accepted: There is no database at /)
    expect(stderr).toContain('no owner')
    if (file.endsWith('-wal')) expect(readFileSync(`${path}-wal.lost`, 'utf8')).toBe('changes')
    if (file === journal) {
      const names = readdirSync(inData('export-journal'), { recursive: true }).map(String)
      const isSetAside = (name: string) => /^lost-\d+\/host-0-000001\.journal$/.test(name)
      expect(names.filter(isSetAside)).toHaveLength(1)
    }
  })

  test('nothing: it is created', async () => {
    rmSync(inData(''), { recursive: true })
    expect((await terminal.run('migrate')).exitCode).toBe(0)
  })
})

test('a first start that is killed leaves a complete database or none', async () => {
  const random = seededRandom()
  rmSync(join(terminal.folder, 'data'), { recursive: true })
  for (let kill = 0; kill < 6; kill++) {
    const starting = startCommand(['serve'], environment)
    await sleep(150 + random.below(400))
    await starting.kill()
    if (random.below(2) === 0) rmSync(join(terminal.folder, 'data'), { recursive: true, force: true })
  }
  const server = await startServer(environment)
  expect((await server.stop()).exitCode).toBe(0)
})

test(
  'random damage is survived or reported in one line, and never replaced by a new database',
  async () => {
    const random = seededRandom()
    const sound = readFileSync(path)
    for (let damage = 0; damage < damages; damage++) {
      const bytes = Buffer.from(sound)
      Buffer.from(Array.from({ length: 64 }, () => random.below(256))).copy(bytes, random.below(bytes.length - 64))
      for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true })
      writeFileSync(path, bytes)
      const server = terminal.start(['serve'])
      const started = await server.stderr(/serves on (http\S+)/).catch(() => null)
      if (started !== null) await fetch(`${started[1]}/dev/Omsetning/Finn?firma=KASSE&passord=x`)
      server.stop()
      const { exitCode, stderr } = await server.ended
      expect([0, 70, 78], stderr).toContain(exitCode)
      expect(stderr).not.toMatch(/no owner|\n {4}at /)
    }
  },
  60_000 + damages * 500,
)

describe('a second server on the same file', () => {
  test('is rejected with the process that holds it, also by another path of the file; commands still work', async () => {
    const server = await startServer(environment)
    const lockedMessage = new RegExp(`^dagsverk: Another server \\(process ${server.pid} on [^\n]*\n$`)
    const second = await terminal.run('serve')
    expect(second).toMatchObject({ exitCode: 78, stderr: expect.stringMatching(lockedMessage) })
    const link = join(terminal.folder, 'data', 'link.db')
    symlinkSync(path, link)
    terminal.environment = { ...environment, DAGSVERK_DATABASE_URL: `sqlite:${link}` }
    const third = await terminal.run('serve')
    expect(third).toMatchObject({ exitCode: 78, stderr: expect.stringMatching(lockedMessage) })
    expect((await terminal.run('company', 'list')).exitCode).toBe(0)
    expect((await server.stop()).exitCode).toBe(0)
  })

  test('starts as soon as the first was killed, and of several at once only one does', async () => {
    await (await startServer(environment)).kill()
    const servers = Array.from({ length: 4 }, () => startCommand(['serve'], environment))
    const isRefused = (server: CommandProcess) => server.stderr().includes('Another server')
    const exitCodes = new Set<number | null>()
    await new Promise<void>((resolve) => {
      for (const { ended } of servers)
        void ended.then(({ exitCode }) => {
          exitCodes.add(exitCode)
          if (servers.filter(isRefused).length === 3) resolve()
        })
    })
    expect([...exitCodes]).toEqual([78])
    for (const holder of servers.filter((server) => !isRefused(server)))
      expect((await (await waitUntilServing(holder)).stop()).exitCode).toBe(0)
  })
})
