// `dagsverk audit`: what was changed behind the server is found, in every log.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { withSchemaConnection } from '../../src/store/open-store.ts'
import { databases } from '../support/databases.ts'
import { newMaterialClient, useMaterialClient } from '../support/material-client.ts'
import { revenueClientFor } from '../support/revenue-client.ts'
import { useTestServer } from '../support/server.ts'
import { useTerminal } from './terminal.ts'

interface LogFinding {
  readonly log: string
  readonly entries: number
  readonly verdict: string
  readonly message: string
}

describe.each(databases)('dagsverk audit on $name', (database) => {
  const server = useTestServer(database, 'audit')
  const terminal = useTerminal(() => ({ DAGSVERK_DATABASE_URL: server.url }))
  const materialClient = useMaterialClient(server)
  beforeEach(async () => {
    const ids = await materialClient.register(3)
    for (const id of ids) await materialClient.approve(id)
    await materialClient.acknowledge({ ids })
    const revenueClient = revenueClientFor(server, materialClient.company)
    for (const [day, amount] of [
      [1, 10],
      [2, 20],
      [1, 30],
    ] as const)
      await revenueClient.setPerDate([{ Dato: `2024-05-0${day}`, AvdelingID: '1', Omsetning: amount }])
  })

  const company = () => materialClient.company.name
  const verify = async (...flags: string[]): Promise<LogFinding[]> => {
    const { stdout } = await terminal.run('audit', 'verify', '--company', company(), '--json', ...flags)
    return JSON.parse(stdout)
  }
  const problems = async (...flags: string[]): Promise<string[]> =>
    (await verify(...flags))
      .filter(({ verdict }) => verdict === 'wrong')
      .map(({ log, message }) => `${log}: ${message}`)

  /** The findings of `dagsverk doctor` about the logs, with the anchors of a file. */
  const checkLogs = async (anchors: string) => {
    terminal.environment = { ...terminal.environment, DAGSVERK_AUDIT_ANCHORS: anchors }
    const findings: readonly Record<string, string>[] = JSON.parse((await terminal.run('doctor', '--json')).stdout)
    return findings.filter(({ check }) => check === 'logs')
  }

  /** Runs a statement as an administrator of the database would, without the guards of the logs. */
  const tamper = (text: string) =>
    withSchemaConnection(server.url, async (db, dialect) => {
      const run = (statement: string) => sql.raw(statement).execute(db)
      const company = `"companyId" = ${materialClient.company.id}`
      const table = /"(?<name>\w+)"/.exec(text)?.groups?.['name'] ?? ''
      if (dialect === 'postgres') await run(`alter table "${table}" disable trigger user`)
      else for (const change of ['update', 'delete']) await run(`drop trigger if exists "${table}No${change}"`)
      await run(text.replaceAll('COMPANY', company))
      if (dialect === 'postgres') await run(`alter table "${table}" enable trigger user`)
    })

  test('logs that only the server has written are unchanged, also after a failed operation', async () => {
    await expect(
      server.store.inSystemTransaction(() => {
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await verify()).toEqual([
      expect.objectContaining({ log: 'audit log', verdict: 'ok', message: 'unchanged' }),
      expect.objectContaining({ log: 'ledger', verdict: 'ok', entries: 3 }),
      expect.objectContaining({ log: 'revenue log', verdict: 'ok', entries: 3 }),
    ])
    expect((await terminal.run('audit', 'verify')).exitCode).toBe(0)
  })

  test.each(['audit', 'ledgerEntry', 'revenueLog'])(
    'the database rejects changes and deletions in the table %s',
    async (table) => {
      await withSchemaConnection(server.url, async (db) => {
        for (const change of [`update "${table}" set actor = 'x'`, `delete from "${table}"`])
          await expect(sql.raw(change).execute(db)).rejects.toThrow('append-only')
      })
    },
  )

  test.each([
    [`update "audit" set actor = 'x' where COMPANY and id = 2`, 'entry 2 was changed or replaced'],
    [`update "audit" set hash = 'x' where COMPANY and id = 3`, 'entry 3 was changed or replaced'],
    [`delete from "audit" where COMPANY and id = 2`, 'entry 2 is missing'],
    [`delete from "audit" where COMPANY and id = 1`, 'entry 1 is missing'],
    [`delete from "audit" where COMPANY and id > 2`, 'entry 3 is missing'],
  ])('%s is found in the audit log', async (change, problem) => {
    await tamper(change)
    expect(await problems()).toEqual([`audit log: ${problem}`])
    const { exitCode, stderr } = await terminal.run('audit', 'verify')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('A log was changed behind the server.')
    const doctor = await terminal.run('doctor', '--json')
    expect(JSON.parse(doctor.stdout)).toContainEqual({
      check: 'logs',
      verdict: 'wrong',
      message: `audit log of "${company()}": ${problem}`,
    })
  })

  test.each([
    ['delete from "ledgerEntry" where COMPANY and id = 2', 'ledger: entry 2 is missing'],
    ['delete from "ledgerEntry" where COMPANY and id = 3', 'ledger: entry 3 is missing'],
    ['delete from "revenueLog" where COMPANY and id = 1', 'revenue log: entry 1 is missing'],
    ['delete from "revenueLog" where COMPANY and id = 3', 'revenue log: entry 3 is missing'],
    ['update "revenueLog" set id = 9 where COMPANY and id = 3', 'revenue log: entry 9 was not added by the server'],
    [
      'update "revenueLog" set "previousId" = null where COMPANY and id = 3',
      'revenue log: entry 1 is not linked to the next one, nor to a record',
    ],
    [
      'update "revenue" set "logId" = 1 where COMPANY and id = 1',
      'revenue log: entry 3 is not linked to the next one, nor to a record',
    ],
    [
      'update "revenue" set amount = 1 where COMPANY and id = 1',
      'revenue log: the amount of record 1 is not that of its last entry',
    ],
  ])('%s is found', async (change, problem) => {
    await tamper(change)
    expect(await problems()).toEqual([problem])
  })

  test('an audit log that was written again from its beginning is found by an earlier anchor', async () => {
    const file = join(terminal.folder, 'anchors.jsonl')
    const { stdout } = await terminal.run('audit', 'anchor')
    writeFileSync(file, stdout)
    expect(await problems('--anchors', file)).toEqual([])
    // The log of another company is a valid chain of its own.
    const other = await newMaterialClient(server)
    await other.approve(...(await other.register(9)))
    const columns = 'id, at, actor, action, target, "requestId", data, "previousHash", hash'
    await tamper('delete from "audit" where COMPANY')
    await tamper(
      `insert into "audit" ("companyId", ${columns})
       select ${materialClient.company.id}, ${columns} from "audit" where "companyId" = ${other.company.id}`,
    )
    await tamper(`update "sequence" set "auditId" = (select max(id) from "audit" where COMPANY) where COMPANY`)
    expect(await problems()).toEqual([])
    const [problem, ...others] = await problems('--anchors', file)
    expect(problem).toMatch(/^audit log: entry \d+ (is missing|was changed or replaced)$/)
    expect(others).toEqual([])
    const message = problem?.replace('audit log', `audit log of "${company()}"`)
    expect(await checkLogs(file)).toContainEqual({ check: 'logs', verdict: 'wrong', message })
    expect(await checkLogs(`${file}.none`)).toContainEqual(
      expect.objectContaining({ verdict: 'advice', message: expect.stringContaining('has no anchors') }),
    )
  })

  test('a server appends anchors to the file of DAGSVERK_AUDIT_ANCHORS, and not the same ones again', async () => {
    const file = join(terminal.folder, 'anchors.jsonl')
    terminal.environment = {
      ...terminal.environment,
      DAGSVERK_DATA_DIR: join(terminal.folder, 'data'),
      DAGSVERK_MASTER_KEY: server.masterKey,
      DAGSVERK_PORT: '0',
      DAGSVERK_AUDIT_ANCHORS: file,
    }
    const serve = async () => {
      const running = terminal.start(['serve'])
      await running.stderr(/serves on/)
      running.stop()
      expect((await running.ended).exitCode).toBe(0)
      return readFileSync(file, 'utf8')
    }
    const printed = async () => (await terminal.run('audit', 'anchor')).stdout
    const first = await serve()
    expect(first).toContain(`"company":"${company()}"`)
    expect(first).toBe(await printed())
    expect(await serve()).toBe(first)
    await materialClient.register(1)
    expect(await serve()).toBe(first + (await printed()))
    expect(await problems('--anchors', file)).toEqual([])
    // A crash has cut the last line.
    const cut = readFileSync(file, 'utf8').slice(0, -20)
    writeFileSync(file, cut)
    expect(await serve()).toBe(`${cut}\n${await printed()}`)
  })

  test('an entry that was anchored with another hash was changed, whichever anchor came last', async () => {
    const { stdout } = await terminal.run('audit', 'anchor')
    const anchor = stdout.split('\n').find((line) => line.includes(`"${company()}"`)) ?? ''
    const { id } = JSON.parse(anchor)
    const other = JSON.stringify({ company: company(), id, hash: 'other' })
    for (const lines of [
      [other, anchor],
      [anchor, other],
    ]) {
      writeFileSync(join(terminal.folder, 'anchors.jsonl'), `${lines.join('\n')}\n`)
      expect(await problems('--anchors', 'anchors.jsonl')).toEqual([`audit log: entry ${id} was changed or replaced`])
    }
  })

  test('a company that was anchored and is not in the database is a problem', async () => {
    const file = join(terminal.folder, 'anchors.jsonl')
    writeFileSync(file, '{"company":"Removed AS","id":4,"hash":"x"}\n')
    const { exitCode, stdout } = await terminal.run('audit', 'verify', '--anchors', file, '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toContainEqual({
      company: 'Removed AS',
      log: 'anchors',
      entries: 0,
      verdict: 'wrong',
      message: 'the company is missing',
    })
    expect(await problems('--anchors', file)).toEqual([])
    expect(await checkLogs(file)).toContainEqual({
      check: 'logs',
      verdict: 'wrong',
      message: `"Removed AS" has anchors in ${file}, and is missing in the database`,
    })
  })

  test('an anchor file without anchors, or none that can be read, is a problem', async () => {
    const file = join(terminal.folder, 'anchors.jsonl')
    writeFileSync(file, '\n')
    expect(await problems('--anchors', file)).toContain(`anchors: ${file} has no anchors`)
    for (const [path, says] of [
      [terminal.folder, 'cannot be read: EISDIR'],
      ['none.jsonl', 'cannot be read: ENOENT'],
    ] as const) {
      const { exitCode, stderr } = await terminal.run('audit', 'verify', '--anchors', path)
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(says)])
    }
  })

  test('a line of an anchor file that is no anchor is a problem, and the other lines are compared', async () => {
    const file = join(terminal.folder, 'anchors.jsonl')
    writeFileSync(file, `\n{"company":"Fjo\n{"company":"${company()}","id":1,"hash":"other"}\n`)
    const broken = `anchors: ${file}, line 2: not an anchor as "dagsverk audit anchor" prints it`
    const changed = 'audit log: entry 1 was changed or replaced'
    expect(await problems('--anchors', file)).toEqual([changed, broken])
    expect(await checkLogs(file)).toContainEqual({
      check: 'logs',
      verdict: 'advice',
      message: broken.replace('anchors: ', ''),
    })
    writeFileSync(file, '{"company":"Fjo')
    const flags = ['--company', company(), '--anchors', file]
    const { exitCode, stderr } = await terminal.run('audit', 'verify', ...flags)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('lines that are no anchors')
    expect(stderr).not.toContain('changed behind the server')
  })
})
