// Group commit (ADR 0011): how many durable commits the upserts of concurrent clients need.
import { describe, expect, test } from 'vitest'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { nextTurn } from '../../src/lib/yield-to-event-loop.ts'
import { databases, sqlite } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { recordStatementsOf } from '../support/statement-recorder.ts'

const clients = 32
const upsertsOfClient = 20

/**
 * Commits for all of these upserts; 640 where every upsert has its own. On PostgreSQL it matters how many arrive during
 * a commit: 40 to 53 were counted.
 */
const commitsMax = { SQLite: 20, PostgreSQL: 100 } as const

describe.each(databases)('on $name', (database) => {
  const server = useTestServer(database, 'cost-commits')

  const upsert = async (client: number, amount: number) => {
    const row = { Dato: '2026-05-01', AvdelingID: String(client), Omsetning: amount }
    const path = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'
    const { status, text } = await server.call('POST', path, { json: [row] })
    expect(status, text).toBe(200)
  }

  test('upserts of concurrent clients share commits', async () => {
    // The use of a credential is stored once a minute, in a commit of its own.
    const now = server.clock.now()
    server.clock.now = () => now
    await upsert(0, 1)
    const before = server.store.load()
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let amount = 1; amount <= upsertsOfClient; amount++) await upsert(client, amount)
      }),
    )
    const after = server.store.load()
    expect(after.operationsCommitted - before.operationsCommitted).toBe(clients * upsertsOfClient)
    expect(after.commits - before.commits).toBeLessThanOrEqual(commitsMax[database.name])
  })
})

describe.each(databases.slice(1))('on $name, where a company has one transaction at a time', (database) => {
  const server = useTestServer(database, 'cost-shared-transaction')

  test('operations that begin in one turn share a transaction', async () => {
    const companyId = server.tenantA.id as CompanyId
    const before = server.store.load()
    const { executed } = await recordStatementsOf(() =>
      Promise.all(Array.from({ length: clients }, async () => server.store.inTransaction(companyId, () => {}))),
    )
    const after = server.store.load()
    expect(after.operationsCommitted - before.operationsCommitted).toBe(clients)
    expect(after.commits - before.commits).toBe(1)
    // Its begin with company and time limit, the lock of the sequences, and the commit.
    const transaction = ['begin', 'for update', 'commit']
    expect(executed.map(({ sql }) => /begin|for update|commit/.exec(sql)?.[0])).toEqual(transaction)
  })
})

describe('on SQLite, where a commit waits for operations of the next turns of the event loop', () => {
  const server = useTestServer(sqlite, 'cost-commit-turns')

  test('it waits for few turns that take long', async () => {
    const commit = () => server.store.inSystemTransaction(() => {})
    const done = new AbortController()
    let turns = 0
    void Promise.all([commit(), commit()]).then(() => done.abort())
    for (; !done.signal.aborted; turns += 1) {
      const end = performance.now() + longTurnMs
      while (performance.now() < end);
      void commit()
      await nextTurn()
    }
    // Of eight.
    expect(turns).toBeLessThan(6)
  })
})

describe('on SQLite, where one transaction writes at a time', () => {
  const server = useTestServer(sqlite, 'cost-long-commit')

  test('a list has its own commit, and between two of them are those of all upserts that wait', async () => {
    const companyId = server.tenantA.id as CompanyId
    const order: string[] = []
    const run = async (name: string, isLong: boolean) => {
      await server.store.inTransaction(companyId, () => void order.push(`${name} runs`), { isLong })
      order.push(`${name} is stored`)
    }
    const { commits } = server.store.load()
    await Promise.all([run('list', true), run('upsert', false), run('next list', true), run('late upsert', false)])
    const upserts = ['upsert runs', 'late upsert runs', 'upsert is stored', 'late upsert is stored']
    expect(order).toEqual(['list runs', 'list is stored', ...upserts, 'next list runs', 'next list is stored'])
    expect(server.store.load().commits - commits).toBe(3)
  })
})

const longTurnMs = 20
