// Errors of PostgreSQL within and after a transaction: nothing is stored partly, and `outcome` is correct.
import { rmSync } from 'node:fs'
import { Client, Connection } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CompanyId } from '../src/engine/model/resource.ts'
import { openExportJournal } from '../src/journal/export-journal.ts'
import { JournalWriter } from '../src/store/export/journal-writer.ts'
import { companyRole } from '../src/store/postgres/company-role.ts'
import { findRowSecurityProblem } from '../src/store/postgres/row-security.ts'
import { requestTimeLimits } from '../src/store/time-limits.ts'
import { databases } from './support/databases.ts'
import { materialClientFor, newMaterialClient, usage } from './support/material-client.ts'
import { useTestServer, type TestServer } from './support/server.ts'
import { makeDataFolder } from './support/data-folder.ts'

const upsertPath = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'
const timeLimits = { ...requestTimeLimits, readMs: 1000, writeMs: 1000 }

describe.each(databases.slice(1))('on $name', (database) => {
  const server = useTestServer(database, 'errors', { timeLimits })

  const connect = async () => {
    const client = new Client(server.url)
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }

  /** Locks a table until the test is over, or the returned function is called. */
  const lock = async (table: string) => {
    const client = await connect()
    await client.query(`begin; lock table "${table}" in access exclusive mode`)
    return async () => void (await client.query('rollback'))
  }

  const upsert = (to: TestServer, amount: number) =>
    to.call('POST', upsertPath, { json: [{ Dato: '2026-05-01', AvdelingID: '1', Omsetning: amount }] })
  const amounts = async (of: TestServer) =>
    (await of.call('GET', '/dev/Omsetning/Finn')).json.map(({ Omsetning }: { Omsetning: number }) => Omsetning)

  test.each(['with', 'without'])('a write whose begin fails stores nothing, %s row-level security', async (how) => {
    if (how === 'without') {
      const client = await connect()
      await client.query(`revoke delete on revenue from ${companyRole}`)
      onTestFinished(async () => void (await client.query(`grant delete on revenue to ${companyRole}`)))
    }
    const other = await server.secondInstance()
    onTestFinished(() => other.close())
    expect((await findRowSecurityProblem(other.store)) === null).toBe(how === 'with')
    // After eight the statements of an upsert are sent in the message of its begin.
    for (let amount = 1; amount <= 10; amount++) expect((await upsert(other, amount)).status).toBe(200)
    const query = Reflect.get(Connection.prototype, 'query')
    const broken = vi.spyOn(Connection.prototype, 'query').mockImplementation(function (this: Connection, text) {
      query.call(this, text.replace(/^begin/, 'broken'))
    })
    onTestFinished(() => broken.mockRestore())
    expect((await upsert(other, 99)).status).toBe(500)
    expect(broken).toHaveBeenCalled()
    broken.mockRestore()
    expect(await amounts(other)).toEqual([10])
    expect((await upsert(other, 11)).status).toBe(200)
    expect(await amounts(other)).toEqual([11])
  })

  test('the error of a statement that nobody awaits is reported, not that of the next one', async () => {
    await upsert(server, 1)
    await lock('webhook')
    const { status, json } = await upsert(server, 2)
    expect([status, json.error.code, json.error.outcome]).toEqual([504, 'Timeout', 'not_applied'])
  })

  test('the lock of a server that is gone, or frozen, is released after the time limit of an idle transaction', async () => {
    const frozen = await server.secondInstance({ timeLimits: { ...requestTimeLimits, idleMs: 300 } })
    onTestFinished(() => frozen.close())
    const { promise: freeze, resolve: thaw } = Promise.withResolvers<void>()
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
    const transaction = frozen.store.inTransaction(server.tenantA.id as CompanyId, async () => {
      lock()
      await freeze
    })
    await locked
    expect((await upsert(server, 12)).status).toBe(200)
    thaw()
    await expect(transaction).rejects.toMatchObject({ code: 'DatabaseUnavailable' })
    expect(await amounts(server)).toEqual([12])
    expect((await upsert(frozen, 13)).status).toBe(200)
  })

  test.each([
    ['40001', [503, 'DatabaseBusy', 'not_applied']],
    ['57014', [504, 'Timeout', 'not_applied']],
    ['57P01', [503, 'DatabaseUnavailable', 'unknown']],
    ['53100', [503, 'StorageFull', 'unknown']],
    ['58030', [503, 'StorageError', 'unknown']],
  ])('a commit that PostgreSQL rejects with %s replies %j', async (sqlState, reply) => {
    const client = await connect()
    await client.query(`
      create function "failCommit"() returns trigger language plpgsql as
        $$ begin raise sqlstate '${sqlState}'; end $$;
      create constraint trigger "failCommit" after insert on "revenueLog" deferrable initially deferred
        for each row execute function "failCommit"()`)
    onTestFinished(async () => void (await client.query('drop function "failCommit" cascade')))
    const before = await amounts(server)
    const { status, json } = await upsert(server, 5)
    expect([status, json.error.code, json.error.outcome]).toEqual(reply)
    expect(await amounts(server)).toEqual(before)
  })

  test('the outcome of a stored write is unknown where the export journal cannot be written, and its repetition writes it', async () => {
    const folder = makeDataFolder('journal')
    const journal = await openExportJournal({ folder, database: 'one', server: 'one' })
    onTestFinished(async () => {
      await journal.close()
      rmSync(folder, { recursive: true })
    })
    const journaling = await server.secondInstance({ timeLimits })
    onTestFinished(() => journaling.close())
    const journalWriter = new JournalWriter(journal, journaling.store, async () => undefined)
    journaling.store.journalCommits(journalWriter)
    // Entries of another server, which this one has to read.
    const there = await newMaterialClient(server)
    const client = materialClientFor(journaling, there.company)
    const [id = 0] = await there.register(1)
    await there.approve(id)
    await there.acknowledge({ ids: [id] })
    const register = () =>
      client.call('POST', '/prosjekt/Transaksjon', { json: usage, headers: { 'idempotency-key': 'k1' } })
    const unlock = await lock('ledgerEntry')
    // A write that exports nothing does not depend on what the periodic flush could not read.
    await expect(journalWriter.flushAll()).rejects.toThrow()
    const revenue = [{ Dato: '2026-05-01', AvdelingID: '1', Omsetning: 1 }]
    expect((await client.call('POST', upsertPath, { json: revenue })).status).toBe(200)
    for (const { status, json } of [await register(), await register()])
      expect([status, json.error?.outcome]).toEqual([504, 'unknown'])
    expect(await client.transactions()).toHaveLength(2)
    expect(journal.watermarkOf(there.company.id).through).toBe(0)
    await unlock()
    expect((await register()).headers['idempotency-replayed']).toBe('true')
    expect(journal.watermarkOf(there.company.id).through).toBe(1)
  })
})
