// Restoring an older backup: the export journal prevents a second delivery of lines exported since.
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { archiveChunkRows } from '../../src/store/archive/table.ts'
import { sqlitePath } from '../../src/store/open-store.ts'
import { databases, useDatabase } from '../support/databases.ts'
import { useTerminal } from '../cli/terminal.ts'

const usage = { Dato: '2024-05-01', VareId: 'A1', Antall: 2, Salgspris: 10.5 }

describe.each(databases)('a restore on $name', (kind) => {
  const made = useDatabase(kind, 'restore')
  const terminal = useTerminal(() => ({ DAGSVERK_DATABASE_URL: made.url }))
  let key = ''
  let registered = 0
  beforeEach(async () => {
    terminal.environment = {
      ...terminal.environment,
      DAGSVERK_MASTER_KEY: randomBytes(32).toString('base64'),
      DAGSVERK_EXPORT_JOURNAL: join(terminal.folder, 'journal'),
    }
    await terminal.json('company', 'add', 'Fjord')
    const scopes =
      'material:read,material:write,material:approve,material:export,directory:read,directory:write,revenue:read,revenue:write'
    key = (await terminal.json('key', 'add', 'Fjord', '--name', 'lager', '--scopes', scopes)).key
  })

  /** Runs a server while `work` runs. */
  const serving = (work: (call: Call) => Promise<void>, ...flags: string[]) =>
    terminal.whileServing(
      (address) =>
        work(async (method, path, body) => {
          const reply = await fetch(`${address}/prosjekt/${path}`, {
            method,
            headers: { 'tb-key': key, 'content-type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          })
          return { status: reply.status, json: await reply.json() }
        }),
      ...flags,
    )

  const register = async (call: Call, ...names: string[]): Promise<number[]> => {
    const rows = names.map((EksternId) => ({ ...usage, EksternId }))
    const { json } = await call('POST', 'Transaksjon/Batch', rows)
    const ids = json.resultater.map(({ id }: { id: number }) => id)
    expect((await call('POST', 'Transaksjon/Godkjenn', { ids })).status).toBe(200)
    return ids
  }
  const acknowledge = async (call: Call, ...ids: number[]) => {
    const { json } = await call('POST', 'TransaksjonsEksport/Eksportert', { ids })
    return json.resultater.map(({ code }: { code: string }) => code)
  }
  const offered = async (call: Call): Promise<number[]> => {
    const { json } = await call('GET', 'TransaksjonsEksport')
    return json.value.map(({ Id }: { Id: number }) => Id)
  }

  test('lines exported after the backup are not offered again, even if their source sends them again', async () => {
    let ids: number[] = []
    await serving(async (call) => {
      ids = await register(call, 'a', 'b', 'c')
      expect(await acknowledge(call, ids[0] ?? 0)).toEqual(['exported'])
    })
    await terminal.json('backup', 'old.backup')
    await serving(async (call) => {
      expect(await acknowledge(call, ids[1] ?? 0)).toEqual(['exported'])
      const [later = 0, last = 0] = await register(call, 'd', 'e')
      expect(await acknowledge(call, later)).toEqual(['exported'])
      expect(await offered(call)).toEqual([ids[2], last])
    })
    await terminal.json('restore', 'old.backup')
    await serving(async (call) => {
      expect(await offered(call)).toEqual([ids[2]])
      expect(await acknowledge(call, ...ids)).toEqual(['already_exported', 'already_exported', 'exported'])
      const again = await call('POST', 'Transaksjon/Batch', [
        { ...usage, EksternId: 'd' },
        { ...usage, EksternId: 'e' },
      ])
      expect(again.json.resultater.map(({ code }: { code: string }) => code)).toEqual(['unchanged', 'registered'])
      const given = again.json.resultater.map(({ id }: { id: number }) => id)
      expect(given[1]).toBeGreaterThan(10_000)
      expect((await call('POST', 'Transaksjon/Godkjenn', { ids: given })).json.antall).toEqual({
        not_allowed: 1,
        approved: 1,
      })
      expect(await offered(call)).toEqual([given[1]])
      const { json } = await call('GET', `Transaksjon(${given[0]})`)
      expect(json).toMatchObject({ EksternId: 'd', Antall: 2, Status: 'Eksportert' })
    })
    // A second start has nothing left to do.
    await serving(async (call) => expect(await offered(call)).toHaveLength(1))
  })

  test('ids that others may know are not assigned again, also without a journal', async () => {
    /** The ids of a new transaction, a new revenue record and a new employee. */
    const assign = async (call: Call, name: string) => {
      const [transaction = 0] = await register(call, name)
      const path = '../dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'
      const { json: revenue } = await call('POST', path, [{ AvdelingID: name, Dato: '2024-05-01', Omsetning: 1 }])
      const { json: employee } = await call('POST', '../odata/Ansatt', { Fornavn: name })
      return { transaction, revenue: revenue[0].InntektsPlanId, employee: employee.Id }
    }
    await serving(async (call) => void (await assign(call, 'a')))
    await terminal.json('backup', 'old.backup')
    await serving(async (call) => expect(await assign(call, 'b')).toEqual({ transaction: 2, revenue: 2, employee: 2 }))
    rmSync(journalFolder(), { recursive: true })
    await terminal.json('restore', 'old.backup')
    await serving(async (call) =>
      expect(await assign(call, 'c')).toEqual({ transaction: 1_000_002, revenue: 1_000_002, employee: 1002 }),
    )
  })

  test.each(databases)('records that refer to one another in a circle are restored in $name', async (target) => {
    // More rows than one chunk of the restore, each referring to a later one.
    const departments = Array.from({ length: archiveChunkRows + 100 }, (_, index) => ({
      Id: `A${10_000 + index}`,
      HovedavdelingId: `A${10_001 + index}`,
    }))
    const top = { Id: `A${10_000 + departments.length}`, HovedavdelingId: 'A10000' }
    const read = async (call: Call) => {
      const sets = ['Avdeling', 'Prosjekt', 'Ansatt']
      const replies = await Promise.all(sets.map((set) => call('GET', `../odata/${set}?$orderby=Id`)))
      return replies.map(({ status, json }) => {
        expect(status).toBe(200)
        return json.value
      })
    }
    let before: unknown[] = []
    await serving(async (call) => {
      const write = async (method: string, path: string, body: unknown) =>
        expect((await call(method, `../odata/${path}`, body)).status).toBeLessThan(300)
      await write('POST', 'Avdeling', [...departments, top])
      await write('POST', 'Prosjekt', { Id: 'P1', AvdelingId: 'A10001' })
      await write('POST', 'Ansatt', { Id: 7, AvdelingId: 'A10000', ProsjektId: 'P1' })
      await write('PATCH', "Avdeling('A10000')", { AnsvarligId: 7 })
      await write('PATCH', "Prosjekt('P1')", { AnsvarligId: 7 })
      before = await read(call)
    })
    await terminal.json('backup', 'circle.backup')
    const elsewhere = await target.make('restored')
    terminal.environment = {
      ...terminal.environment,
      DAGSVERK_DATABASE_URL: elsewhere.url,
      DAGSVERK_EXPORT_JOURNAL: join(terminal.folder, 'journal-elsewhere'),
    }
    await terminal.json('restore', 'circle.backup')
    await serving(async (call) => expect(await read(call)).toEqual(before))
    await elsewhere.drop()
  })

  test.runIf(kind.name === 'SQLite')(
    'a file that lacks journaled exports without a restore ends the start, unless the operator accepts the loss',
    async () => {
      const path = sqlitePath(made.url) ?? ''
      let ids: number[] = []
      await serving(async (call) => {
        ids = await register(call, 'a', 'b')
      })
      copyFileSync(path, `${path}.copy`)
      await serving(async (call) => {
        expect(await acknowledge(call, ids[0] ?? 0)).toEqual(['exported'])
      })
      copyFileSync(`${path}.copy`, path)
      const { exitCode, stderr } = await terminal.run('serve', '--port', '0')
      expect(stderr).toMatch(/^dagsverk: The export journal in [^\n]* although no backup was/)
      expect(exitCode).toBe(78)
      await serving(async (call) => {
        expect(await offered(call)).toEqual([ids[1]])
      }, '--accept-loss')
      const database = new Database(path, { readonly: true })
      const audited = "select data from audit where action = 'loss-accept'"
      expect(database.prepare(audited).pluck().all()).toEqual(['{"lost":"exports"}'])
      database.close()
      await serving(async (call) => expect(await offered(call)).toEqual([ids[1]]))
    },
  )

  test('a running server journals what a command exports, without a request', async () => {
    await serving(async (call) => {
      const [id = 0] = await register(call, 'a')
      expect(await terminal.json('export', 'mark', String(id), '--company', 'Fjord')).toEqual({ exported: 1 })
      await expect.poll(journal, { timeout: 60_000 }).toMatchObject({ message: `${journalFolder()}, complete` })
      expect(readdirSync(journalFolder())).toHaveLength(1)
    })
  })

  test('doctor reports where the journal is, what it lacks, and damage, and audit verify reports damage too', async () => {
    const folder = journalFolder()
    const [file = ''] = await recordOneExport()
    expect(await verified()).toMatchObject({ verdict: 'ok', message: 'unchanged' })
    expect(await journal()).toMatchObject({ verdict: 'ok', message: `${folder}, complete` })
    const content = readFileSync(join(folder, file))
    rmSync(join(folder, file))
    const missing = { verdict: 'advice', message: expect.stringContaining('missing exports: 1;') }
    expect(await journal()).toMatchObject(missing)
    rmSync(folder, { recursive: true })
    expect(await journal()).toMatchObject(missing)
    expect(existsSync(folder)).toBe(false)
    mkdirSync(folder)
    writeFileSync(join(folder, file), `x${content.toString()}`)
    const damage = { verdict: 'wrong', message: expect.stringContaining(`${file} is damaged at line 1`) }
    expect(await journal()).toMatchObject(damage)
    expect(await verified()).toMatchObject(damage)
  })

  test.each([
    ['is missing', (path: string) => rmSync(path)],
    ['was replaced by an older copy', (path: string) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, -1))],
  ])('a journal file that %s is found although newer ones are whole, and is not replayed', async (_, spoil) => {
    await terminal.json('backup', 'old.backup')
    for (let count = 0; count < 3; count++) await recordOneExport()
    const [, middle = '', last = ''] = readdirSync(journalFolder()).toSorted()
    const path = join(journalFolder(), middle)
    const whole = readFileSync(path)
    spoil(path)
    const damage = { verdict: 'wrong', message: expect.stringContaining(`before ${join(journalFolder(), last)}`) }
    expect(await verified()).toMatchObject(damage)
    expect(await journal()).toMatchObject(damage)
    expect((await terminal.run('audit', 'verify')).exitCode).toBe(1)
    // The exports since the backup are not complete without it.
    await terminal.json('restore', 'old.backup')
    const { exitCode, stderr } = await terminal.run('serve', '--port', '0')
    expect([exitCode, stderr]).toEqual([70, expect.stringMatching(/^dagsverk: The export journal lacks [^\n]*\n$/)])
    writeFileSync(path, whole)
    await serving(async (call) => expect(await offered(call)).toEqual([]))
    expect(await verified()).toMatchObject({ verdict: 'ok' })
  })

  const journalFolder = () => join(terminal.folder, 'journal')

  /** The finding of `dagsverk doctor` about the journal. */
  const journal = async () => {
    const { stdout } = await terminal.run('doctor', '--json')
    const findings: { check: string }[] = JSON.parse(stdout)
    return findings.find(({ check }) => check === 'export journal')
  }

  /** The same of `dagsverk audit verify`. */
  const verified = async () => {
    const { stdout } = await terminal.run('audit', 'verify', '--json')
    const findings: { log: string }[] = JSON.parse(stdout)
    return findings.find(({ log }) => log === 'export journal')
  }

  /** Returns the files of the journal. */
  async function recordOneExport(): Promise<string[]> {
    await serving(async (call) => {
      const [id = 0] = await register(call, `line ${++registered}`)
      expect(await acknowledge(call, id)).toEqual(['exported'])
    })
    return readdirSync(journalFolder())
  }

  test('without a journal exports are suspended, acknowledgements are accepted, and an operator resumes', async () => {
    let ids: number[] = []
    await serving(async (call) => {
      ids = await register(call, 'a', 'b')
    })
    await terminal.json('backup', 'old.backup')
    rmSync(join(terminal.folder, 'journal'), { recursive: true })
    await terminal.json('restore', 'old.backup')
    expect((await terminal.json('export', 'status')).suspendedSince).not.toBeNull()
    await serving(async (call) => {
      const refused = await call('GET', 'TransaksjonsEksport')
      expect([refused.status, refused.json.error.code]).toEqual([503, 'ExportSuspended'])
      const ready = await call('GET', '../readyz')
      expect(ready.json).toEqual({ status: 'ready', degraded: ['export-held'] })
      expect(await acknowledge(call, ids[0] ?? 0)).toEqual(['exported'])
      expect(await terminal.json('export', 'release')).toEqual({ released: true })
      expect(await offered(call)).toEqual([ids[1]])
    })
    expect(existsSync(join(terminal.folder, 'journal'))).toBe(true)
    expect(await terminal.json('export', 'release')).toEqual({ released: false })
  })
})

type Call = (
  method: string,
  path: string,
  body?: unknown,
  // oxlint-disable-next-line typescript/no-explicit-any
) => Promise<{ status: number; json: any }>
