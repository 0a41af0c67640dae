import { createHash, randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { Client } from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readArchive } from '../../src/store/archive/archive.ts'
import { withSchemaConnection } from '../../src/store/open-store.ts'
import { databases, useDatabase } from '../support/databases.ts'
import { openTerminal, useTerminal } from './terminal.ts'

/** Every row of a backup by table, in an order of its own. */
async function contentOf(path: string) {
  const content = new Map<string, string[]>()
  const { tables } = await readArchive(path, ({ name }, rows) => {
    const known = content.get(name) ?? []
    content.set(name, [...known, ...rows.map((row) => JSON.stringify(row))])
  })
  for (const rows of content.values()) rows.sort()
  return { rows: Object.fromEntries(content), sequences: tables.map(({ name, sequence }) => [name, sequence]) }
}

/** The same backup with one more row, whose other columns are null. */
function withRow(backup: Buffer, table: string, row: Record<string, unknown>): Buffer {
  const lines = gunzipSync(backup).toString().trimEnd().split('\n')
  const { rows } = JSON.parse(lines.pop() ?? '')
  const { tables } = JSON.parse(lines[0] ?? '')
  const { columns } = tables.find(({ name }: { name: string }) => name === table)
  const values = columns.map((column: string) => row[column] ?? null)
  lines.splice(lines.indexOf(JSON.stringify({ table })) + 1, 0, JSON.stringify(values))
  const text = `${lines.join('\n')}\n`
  const sha256 = createHash('sha256').update(text).digest('hex')
  return gzipSync(`${text}${JSON.stringify({ rows: rows + 1, sha256 })}\n`)
}

const masterKey = randomBytes(32).toString('base64')

describe.each(databases)('backup and restore on $name', (kind) => {
  const database = useDatabase(kind, 'backup')
  const terminal = useTerminal(() => ({ DAGSVERK_DATABASE_URL: database.url, DAGSVERK_MASTER_KEY: masterKey }))
  beforeEach(async () => {
    for (const company of ['Fjord', 'Å "Hav" \\ Sjø', 'Gone']) await terminal.json('company', 'add', company)
    await terminal.json('key', 'add', 'Fjord', '--name', 'kasse')
  })

  const at = (file: string) => join(terminal.folder, file)

  test('restore returns the state of the backup and keeps the replaced database', async () => {
    const made = await terminal.json('backup', 'a.backup')
    expect(made.rows).toBeGreaterThan(5)
    await terminal.json('company', 'add', 'Later')
    const restored = await terminal.json('restore', 'a.backup')
    expect(restored).toMatchObject({ at: made.at, rows: made.rows })
    expect(restored.kept).toMatch(/20260101T000000Z$/)
    const names = (await terminal.json('company', 'list')).map((one: { name: string }) => one.name)
    expect(names).toEqual(['Fjord', 'Gone', 'Å "Hav" \\ Sjø'])
    // The next company gets the number that it would have got.
    await terminal.json('company', 'add', 'Next')
    await terminal.json('backup', 'b.backup')
    const companies = (await contentOf(at('b.backup'))).rows['company'] ?? []
    expect(companies.some((row) => row.startsWith('[4,'))).toBe(true)
  })

  test.each(databases)('a backup can be restored to $name', async (target) => {
    await terminal.json('backup', 'a.backup')
    const elsewhere = await target.make('restored')
    terminal.environment = { ...terminal.environment, DAGSVERK_DATABASE_URL: elsewhere.url }
    await terminal.json('restore', 'a.backup')
    await terminal.json('backup', 'b.backup')
    const [before, after] = [await contentOf(at('a.backup')), await contentOf(at('b.backup'))]
    const added = after.rows['setting']?.filter((row) => /exportsSuspended|restoredAt/.test(row))
    expect(added).toHaveLength(2)
    // Skipped ids (tests/faults/restore).
    expect(after.rows['sequence']).toHaveLength(before.rows['sequence']?.length ?? 0)
    expect({
      ...after,
      rows: {
        ...after.rows,
        setting: after.rows['setting']?.filter((row) => !added?.includes(row)),
        sequence: before.rows['sequence'],
      },
    }).toEqual(before)
    await elsewhere.drop()
  })

  test('a restore ends sessions, which people may have ended since the backup', async () => {
    const add = ['--company', 'Fjord', '--role', 'viewer']
    const { password } = await terminal.json('user', 'add', 'kari@fjord.example', ...add)
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const body = JSON.stringify({ email: 'kari@fjord.example', password })
    let cookie = ''
    await terminal.whileServing(async (address) => {
      const signedIn = await fetch(`${address}/app/okt`, { method: 'POST', headers, body })
      cookie = /__Host-sid=[^;]*/.exec(signedIn.headers.get('set-cookie') ?? '')?.[0] ?? ''
    })
    const statusOf = (address: string) =>
      fetch(`${address}/app/okt`, { headers: { cookie } }).then(({ status }) => status)
    await terminal.json('backup', 'a.backup')
    await terminal.whileServing(async (address) => expect(await statusOf(address)).toBe(200))
    await terminal.json('restore', 'a.backup')
    await terminal.whileServing(async (address) => expect(await statusOf(address)).toBe(401))
  })

  test('an existing file is not overwritten, and no partial file is left', async () => {
    writeFileSync(at('a.backup'), 'precious')
    const { exitCode, stderr } = await terminal.run('backup', 'a.backup')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('exists already')
    expect(readFileSync(at('a.backup'), 'utf8')).toBe('precious')
    expect(readdirSync(terminal.folder).filter((one) => one.includes('partial'))).toEqual([])
  })

  test('damaged, truncated and foreign files are rejected before anything is changed', async () => {
    await terminal.json('backup', 'a.backup')
    const whole = readFileSync(at('a.backup'))
    const text = gunzipSync(whole).toString()
    const wrong: Record<string, Buffer> = {
      cut: whole.subarray(0, whole.length - 30),
      'without its end': gzipSync(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)),
      'with another value': gzipSync(text.replace('Fjord', 'Fjort')),
      'with a row too few': gzipSync(text.replace(/\n\[.*\](?=\n)/, '')),
      'with a newer schema': gzipSync(text.replace(/"0001-initial[^"]*"/, '$&,"9999-later"')),
      'no archive': Buffer.from('hello'),
      'another archive': gzipSync('{"hello":1}\n'),
      empty: Buffer.alloc(0),
    }
    const before = await terminal.json('company', 'list')
    for (const [damage, content] of Object.entries(wrong)) {
      writeFileSync(at('wrong.backup'), content)
      const { exitCode, stderr } = await terminal.run('restore', 'wrong.backup')
      expect([damage, [70, 78].includes(exitCode), stderr.includes('wrong.backup')]).toEqual([damage, true, true])
      expect(stderr).not.toContain('    at ')
      const verified = await terminal.run('backup', '--verify', 'wrong.backup')
      expect(verified).toMatchObject({ exitCode, stderr })
    }
    expect((await terminal.run('restore', 'none.backup')).stderr).toContain('none.backup')
    expect(await terminal.json('company', 'list')).toEqual(before)
  })

  const isPostgres = kind.name === 'PostgreSQL'

  test('--verify restores into a temporary file, and on PostgreSQL into a schema; both are deleted afterwards', async () => {
    await terminal.json('backup', 'a.backup')
    vi.stubEnv('TMPDIR', terminal.folder)
    const before = readdirSync(terminal.folder)
    const { exitCode, stderr } = await terminal.run('backup', '--verify', 'a.backup')
    vi.unstubAllEnvs()
    expect([exitCode, stderr]).toEqual([
      0,
      isPostgres
        ? 'The backup can be restored into SQLite and PostgreSQL. Not checked: the master key.\n'
        : 'The backup can be restored into SQLite. Not checked: a restore into PostgreSQL (none is configured), and the master key.\n',
    ])
    expect(readdirSync(terminal.folder)).toEqual(before)
    if (isPostgres) expect(await schemas()).toEqual(['public'])
  })

  /** The schemas with tables of this program. */
  const schemas = () =>
    withSchemaConnection(database.url, async (db) => {
      const { rows } = await sql<{ name: string }>`
        select schema_name as name from information_schema.schemata
        where schema_name !~ '^(pg_|information_schema)' order by 1`.execute(db)
      return rows.map((row) => row.name)
    })

  /** The tables whose statistics a command has renewed. */
  const analyzed = () =>
    withSchemaConnection(database.url, async (db) => {
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_stat_user_tables where analyze_count > 0`.execute(db)
      return rows.map((row) => row.name)
    })

  test.runIf(isPostgres)('--verify leaves the tables of a running server as they are', async () => {
    await terminal.json('backup', 'a.backup')
    await terminal.whileServing(async () => {
      await terminal.json('company', 'add', 'Later')
      const { exitCode, stderr } = await terminal.run('backup', '--verify', 'a.backup')
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining('into SQLite and PostgreSQL')])
      expect(await terminal.json('company', 'list')).toHaveLength(4)
      expect(await analyzed()).toEqual([])
    })
  })

  test('--verify rejects what only PostgreSQL does not accept, where there is one', async () => {
    await terminal.json('backup', 'a.backup')
    const row = { name: 'nul', value: '\u0000' }
    writeFileSync(at('b.backup'), withRow(readFileSync(at('a.backup')), 'setting', row))
    const { exitCode, stderr } = await terminal.run('backup', '--verify', 'b.backup')
    expect(exitCode).toBe(isPostgres ? 70 : 0)
    expect(stderr).toContain(isPostgres ? 'b.backup cannot be restored from' : 'can be restored into SQLite.')
    if (isPostgres) expect(await schemas()).toEqual(['public'])
  })

  test.runIf(isPostgres)('--verify says why it restored into SQLite only, and does not fail', async () => {
    await terminal.json('backup', 'a.backup')
    const url = new URL(database.url)
    const role = `verify_${randomBytes(4).toString('hex')}`
    const asOwner = (text: string) => withSchemaConnection(url.href, (db) => sql.raw(text).execute(db))
    await asOwner(`create role ${role} login password '${role}'`)
    const [withoutRight, without] = [new URL(url), new URL(url)]
    Object.assign(withoutRight, { username: role, password: role })
    without.pathname = '/dagsverk_none'
    const holder = new Client({ connectionString: url.href })
    await holder.connect()
    for (const [other, why] of [
      [withoutRight, 'permission denied for database'],
      [without, '"dagsverk_none" does not exist'],
      [url, 'another command is restoring a backup there'],
    ] as const) {
      if (other === url) await holder.query("select pg_advisory_lock(hashtext('dagsverk_trial'))")
      terminal.environment = { ...terminal.environment, DAGSVERK_DATABASE_URL: other.href }
      const { exitCode, stderr } = await terminal.run('backup', '--verify', 'a.backup')
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`Not checked: a restore into PostgreSQL (`)])
      expect(stderr).toContain(why)
    }
    expect(await schemas()).toEqual(['public'])
    await holder.end()
    await asOwner(`drop role ${role}`)
  })

  test.runIf(isPostgres)('--verify replaces the schema that a killed one left', async () => {
    await terminal.json('backup', 'a.backup')
    await withSchemaConnection(database.url, async (db) => {
      await sql.raw('create schema dagsverk_trial create table company (id integer)').execute(db)
    })
    const { exitCode, stderr } = await terminal.run('backup', '--verify', 'a.backup')
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('into SQLite and PostgreSQL')])
    expect(await schemas()).toEqual(['public'])
  })

  test.each([
    ['refers to a missing record', { responsibleId: 9 }, 'responsibleId'],
    ['belongs to no company', { companyId: 9 }, 'companyId'],
    ['lacks a required column', { createdAt: null }, 'createdAt'],
  ])('a backup with a row that %s is rejected by --verify and restore', async (_, values, column) => {
    await terminal.json('backup', 'a.backup')
    const row = { companyId: 1, id: 'A', changedAt: 1, createdAt: 1, ...values }
    writeFileSync(at('b.backup'), withRow(readFileSync(at('a.backup')), 'department', row))
    const verified = await terminal.run('backup', '--verify', 'b.backup')
    expect(verified).toMatchObject({ exitCode: 70, stdout: '' })
    expect(verified.stderr).toMatch(new RegExp(`b.backup cannot be restored from.*${column}`))
    const before = await terminal.json('company', 'list')
    const restored = await terminal.run('restore', 'b.backup')
    expect(restored).toMatchObject({ exitCode: 70, stdout: '' })
    expect(restored.stderr).toMatch(new RegExp(`b.backup cannot be restored from.*${column}`, 'i'))
    expect(await terminal.json('company', 'list')).toEqual(before)
  })

  test('restore is rejected while a server is running, backup is not', async () => {
    await terminal.whileServing(async () => {
      await terminal.json('backup', 'a.backup')
      const { exitCode, stderr } = await terminal.run('restore', 'a.backup')
      expect(exitCode).toBe(78)
      expect(stderr).toMatch(/Stop/)
    })
    expect((await terminal.json('restore', 'a.backup')).rows).toBeGreaterThan(5)
  })
})

describe('a folder of backups', () => {
  const terminal = useTerminal()
  beforeEach(() => terminal.json('migrate'))

  const names = () => readdirSync(join(terminal.folder, 'daily')).toSorted()
  /** Makes a backup on each of these days of January 2026. */
  async function backUpOn(days: readonly number[], ...args: string[]) {
    const made = []
    for (const day of days) {
      terminal.clock.now = Date.UTC(2026, 0, day, 2, 30) * 1000
      made.push(await terminal.json('backup', 'daily', ...args))
    }
    return made
  }
  const dated = (day: number) => `dagsverk-2026-01-0${day}T02-30-00Z.backup`

  test('--keep deletes all but the newest dated backups, and no other file', async () => {
    await backUpOn([1], '--keep', '2')
    for (const other of ['before-upgrade.backup', 'dagsverk.backup', `${dated(1)}.gpg`])
      writeFileSync(join(terminal.folder, 'daily', other), '')
    const [, last] = await backUpOn([2, 3], '--keep', '2')
    expect(last).toMatchObject({ file: join(terminal.folder, 'daily', dated(3)), deleted: [dated(1)] })
    expect(names()).toEqual(
      ['before-upgrade.backup', 'dagsverk.backup', `${dated(1)}.gpg`, dated(2), dated(3)].toSorted(),
    )
  })

  test('--keep counts the new backup, also among files with later dates, and never deletes it', async () => {
    mkdirSync(join(terminal.folder, 'daily'))
    await backUpOn([1, 8, 9])
    const [made] = await backUpOn([2], '--keep', '2')
    expect(made).toMatchObject({ deleted: [dated(1), dated(8)] })
    expect(names()).toEqual([2, 9].map(dated))
    const [alone] = await backUpOn([3], '--keep', '1')
    expect(alone).toMatchObject({ deleted: [dated(2), dated(9)] })
  })

  test('--keep deletes no backup of another database, and no file that is no backup', async () => {
    mkdirSync(join(terminal.folder, 'daily'))
    await backUpOn([1, 2])
    writeFileSync(join(terminal.folder, 'daily', dated(3)), 'damaged')
    terminal.environment = { DAGSVERK_DATA_DIR: join(terminal.folder, 'other') }
    await terminal.json('migrate')
    const made = await backUpOn([4, 5], '--keep', '1')
    expect(made.map(({ deleted }) => deleted)).toEqual([[], [dated(4)]])
    expect(names()).toEqual([1, 2, 3, 5].map(dated))
  })

  test('--keep with --verify deletes nothing unless the new backup can be restored', async () => {
    await backUpOn([1], '--keep', '1')
    const [made] = await backUpOn([2], '--keep', '1', '--verify')
    expect(made).toMatchObject({ deleted: [dated(1)] })
    const url = `sqlite:${join(terminal.folder, 'data', 'dagsverk.db')}`
    await withSchemaConnection(url, async (db) => {
      await sql`pragma foreign_keys = off`.execute(db)
      await sql`insert into "department" ("companyId", id, "changedAt", "createdAt") values (9, 'A', 1, 1)`.execute(db)
    })
    terminal.clock.now = Date.UTC(2026, 0, 3, 2, 30) * 1000
    const failed = await terminal.run('backup', 'daily', '--keep', '1', '--verify')
    expect(failed).toMatchObject({ exitCode: 70, stdout: '' })
    expect(failed.stderr).toContain(`${dated(3)} cannot be restored from`)
    expect(names()).toEqual([2, 3].map(dated))
  })

  test('without --keep a folder gets a dated backup, and loses none', async () => {
    await backUpOn([1], '--keep', '1')
    await backUpOn([2, 3])
    expect(names()).toEqual([1, 2, 3].map(dated))
  })

  test('nothing is deleted when the new backup fails', async () => {
    mkdirSync(join(terminal.folder, 'daily'))
    await backUpOn([1, 2])
    writeFileSync(join(terminal.folder, 'data', 'dagsverk.db'), 'no database')
    expect((await terminal.run('backup', 'daily', '--keep', '1')).exitCode).toBe(78)
    expect(names()).toEqual([1, 2].map(dated))
  })

  test('--verify of a folder verifies its newest backup', async () => {
    mkdirSync(join(terminal.folder, 'daily'))
    await backUpOn([1, 2])
    const newest = join(terminal.folder, 'daily', dated(2))
    expect(await terminal.json('backup', '--verify', 'daily')).toMatchObject({ file: newest })
    writeFileSync(newest, 'damaged')
    expect((await terminal.run('backup', '--verify', 'daily')).stderr).toContain(dated(2))
    const empty = await terminal.run('backup', '--verify', 'data')
    expect(empty).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no dated backup') })
  })

  test.each([
    [['--keep', '0'], 'from 1 to 9999'],
    [['--keep', 'all'], 'from 1 to 9999'],
    [['data/dagsverk.db', '--keep', '2'], 'requires a folder'],
  ])('%j is a usage error', async (args, says) => {
    const { exitCode, stderr } = await terminal.run('backup', ...args)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)])
    expect(readdirSync(terminal.folder)).toEqual(['data'])
  })
})

test('a damaged SQLite file can be replaced by a restore, and is kept', async () => {
  const terminal = openTerminal()
  await terminal.json('migrate')
  await terminal.json('company', 'add', 'Fjord')
  await terminal.json('backup', 'a.backup')
  copyFileSync(join(terminal.folder, 'a.backup'), join(terminal.folder, 'data', 'dagsverk.db'))
  const { kept } = await terminal.json('restore', 'a.backup')
  expect(existsSync(kept)).toBe(true)
  expect(await terminal.json('company', 'list')).toHaveLength(1)
  terminal.close()
})

test('a restore leaves files beside the database alone, also a copy that somebody named .new', async () => {
  const terminal = openTerminal()
  await terminal.json('migrate')
  await terminal.json('backup', 'a.backup')
  const copy = join(terminal.folder, 'data', 'dagsverk.db.new')
  copyFileSync(join(terminal.folder, 'data', 'dagsverk.db'), copy)
  await terminal.json('restore', 'a.backup')
  expect(existsSync(copy)).toBe(true)
  terminal.close()
})
