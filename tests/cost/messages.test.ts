// Messages to PostgreSQL: to send one, and to wake a process of the database, costs more than a short statement.
import { Socket } from 'node:net'
import { sql } from 'kysely'
import { Connection } from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { PreparedQuery } from '../../src/store/postgres/prepared-query.ts'
import { PostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Reader, Transaction, TransactionOptions } from '../../src/store/store.ts'
import { logBlockRows } from '../../src/store/revenue/log-senders.ts'
import { crossCompanyStatement, statement } from '../../src/store/statement.ts'
import { requestTimeLimits } from '../../src/store/time-limits.ts'
import { databases } from '../support/databases.ts'
import { newMaterialClient } from '../support/material-client.ts'
import { seededRandom } from '../support/random.ts'
import { useTestServer, type TestCompany } from '../support/server.ts'
import { nextTurn } from '../../src/lib/yield-to-event-loop.ts'
import { observeCalls, recordStatements, recordStatementsOf } from '../support/statement-recorder.ts'

const clients = 16
/** The reads of 16 clients arrive in a few turns. */
const messagesOfReadsMax = clients / 2
/** The upserts of 16 clients arrive in a few turns, each of which begins a transaction of two messages. */
const messagesOfUpsertsMax = clients / 2

describe.each(databases.slice(1))('on $name', (database) => {
  const server = useTestServer(database, 'cost-messages')
  const messages = useMessageCount(() => Number(new URL(server.url).port))

  const upsertAll = (amount: number) =>
    Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const row = { Dato: '2026-05-01', AvdelingID: String(index), Omsetning: amount }
        const path = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'
        const { status, text } = await server.call('POST', path, { json: [row] })
        expect(status, text).toBe(200)
      }),
    )
  const readAll = () =>
    Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const filter = encodeURIComponent(`Dato eq 2026-05-01 and AvdelingID eq '${index}'`)
        const { status, json } = await server.call('GET', `/dev/Omsetning/Finn?$filter=${filter}`)
        expect(status).toBe(200)
        expect(json).toHaveLength(1)
        expect(json[0].AvdelingID).toBe(String(index))
      }),
    )
  /** Of five rounds: requests that a busy machine delivers one by one have nothing to share. */
  const fewestMessages = async (sendAll: (round: number) => Promise<unknown>) => {
    const counts: number[] = []
    for (let round = 0; round < 5; round++) {
      const before = messages()
      await sendAll(round)
      counts.push(messages() - before)
    }
    return Math.min(...counts)
  }

  beforeEach(async () => {
    // The use of a credential is stored once a minute, in a transaction of its own.
    const now = server.clock.now()
    server.clock.now = () => now
    await upsertAll(1)
    await readAll()
  })

  test('reads of one company that arrive together share messages', async () => {
    expect(await fewestMessages(readAll)).toBeLessThanOrEqual(messagesOfReadsMax)
  })

  test('a read that fails does not fail those that share its message', async () => {
    const values = { companyId: server.tenantA.id }
    const before = messages()
    const results = await Promise.allSettled([
      server.store.all(one, values),
      server.store.all(divisionByZero, values),
      server.store.all(one, values),
    ])
    // After an error the connection is closed, which is a message too.
    expect(messages() - before).toBeLessThanOrEqual(2)
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await server.store.all(one, values)).toEqual([{ value: 1 }])
  })

  test('every query gets its own result, whatever fails beside it', async () => {
    const random = seededRandom()
    let number = 0
    // Each is parsed at its first use on a connection.
    const statements = Array.from({ length: 8 }, (_, index) =>
      statement<{ value: number; shape: number }>(
        ({ value }) =>
          sql`select cast(${value('number')} as integer) as value, cast(${sql.lit(index)} as integer) as shape`,
      ),
    )
    const queryWith = async (all: Reader['all'], companyId: number) => {
      const fails = random.below(8) === 0
      const shape = random.below(statements.length)
      const expected = { value: ++number, shape }
      const query = fails ? divisionByZero : (statements[shape] ?? one)
      const found = await Promise.allSettled([all(query, { companyId, number: expected.value })])
      return { fails, expected, found }
    }
    for (let round = 0; round < 40; round++) {
      const results = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const { id } = random.below(2) === 0 ? server.tenantA : server.tenantB
          if (random.below(3) > 0) return [await queryWith((query, values) => server.store.all(query, values), id)]
          const results: Awaited<ReturnType<typeof queryWith>>[] = []
          await server.store
            .inTransaction(id as CompanyId, async (transaction) => {
              results.length = 0
              const all: Reader['all'] = (query, values) => transaction.all(query, values)
              results.push(...(await Promise.all([queryWith(all, id), queryWith(all, id), queryWith(all, id)])))
              // What follows a failed statement fails as well.
              if (results.some(({ fails }) => fails)) throw new Error('a statement failed')
            })
            .catch(() => undefined)
          return results.some(({ fails }) => fails) ? [] : results
        }),
      )
      for (const { fails, expected, found } of results.flat())
        expect(found).toMatchObject([
          fails ? { status: 'rejected', reason: { code: '22012' } } : { status: 'fulfilled', value: [expected] },
        ])
    }
  })

  test('point reads and short pages of different companies that arrive together share messages', async () => {
    const companies = await Promise.all(
      Array.from({ length: clients }, (_, index) => server.addCompany(`KORT ${index}`)),
    )
    const queries = ["$filter=Dato eq 2026-05-01 and ipType eq 'I' and AvdelingID eq '1'", '$orderby=Dato&$top=100']
    const readOfEach = () =>
      Promise.all(
        companies.map(async (as, index) => {
          const address = `/dev/Omsetning/Finn?${encodeURI(queries[index % 2] ?? '')}`
          expect((await server.call('GET', address, { as })).json).toEqual([])
        }),
      )
    await readOfEach()
    expect(await fewestMessages(readOfEach)).toBeLessThanOrEqual(messagesOfReadsMax)
  })

  test('reads of different companies in one connection each see their own company alone, and later ones none', async () => {
    const ids = [server.tenantA.id, server.tenantB.id, server.tenantA.id]
    for (const companyId of ids)
      expect(await server.store.all(shownCompany, { companyId })).toEqual([{ company: String(companyId) }])
    expect(await server.store.all(shownCompany, {})).toEqual([{ company: '' }])
  })

  test('a statement is parsed and its result described once on each connection', async () => {
    const values = { companyId: server.tenantA.id }
    const counts = { parsed: 0, described: 0 }
    const restorers = [
      observeCalls(Connection.prototype, 'parse', () => void counts.parsed++),
      observeCalls(PreparedQuery.prototype, 'handleRowDescription', () => void counts.described++),
    ]
    onTestFinished(() => restorers.forEach((restore) => restore()))
    for (let time = 0; time < 10; time++) expect(await server.store.all(ofOnce, values)).toEqual([{ once: 1 }])
    // One after another, they use the same connection.
    expect(counts).toEqual({ parsed: 1, described: 1 })
  })

  test('reads across companies that arrive together share a message', async () => {
    const before = messages()
    const values = await Promise.all([1, 2, 3].map(async () => server.store.all(oneOfAll, {})))
    expect(values).toEqual([1, 2, 3].map(() => [{ value: 1 }]))
    expect(messages() - before).toBe(1)
  })

  test('upserts of companies in turn set the company in the message of begin alone', async () => {
    const upsert = (as: TestCompany) =>
      server.call('POST', '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', {
        as,
        json: [{ Dato: '2026-05-02', AvdelingID: '1', Omsetning: 3 }],
      })
    const tenants = [server.tenantA, server.tenantB]
    for (const tenant of tenants) expect((await upsert(tenant)).status).toBe(200)
    const { executed } = await recordStatementsOf(async () => {
      for (const tenant of [...tenants, ...tenants]) expect((await upsert(tenant)).status).toBe(200)
    })
    const settings = executed.filter(({ sql: text }) => text.includes('dagsverk.company'))
    expect(settings.map(({ sql: text }) => text.split(';')[0])).toEqual(Array.from({ length: 4 }, () => 'begin'))
  })

  test('upserts of stored records that arrive together share messages', async () => {
    // After upserts that found no record, some transactions run theirs one by one.
    for (let round = 0; round < 12; round++) await upsertAll(round)
    expect(await fewestMessages((round) => upsertAll(2 + round))).toBeLessThanOrEqual(messagesOfUpsertsMax)
  })

  describe('operations that begin before the replies to those in front of them', () => {
    const upsert = async (departmentId: string, amount: number) => {
      const row = { Dato: '2026-05-03', AvdelingID: departmentId, Omsetning: amount }
      const { status, text, json } = await server.call('POST', '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', {
        json: [row],
      })
      expect(status, text).toBe(200)
      return json[0].Id as number
    }
    const logOf = () => server.store.all(logOfDay, { companyId: server.tenantA.id })

    test('are stored once each, with log entries without a gap, where some of them find no record', async () => {
      const stored = await Promise.all(Array.from({ length: 6 }, (_, index) => upsert(`L${index}`, 1)))
      const before = await logOf()
      // Those of the first turn begin together, and cells 6 and 7 are new, twice each.
      const cells = [0, 1, 6, 2, 6, 3, 7, 4, 7, 5]
      const ids = await Promise.all(cells.map((cell, index) => upsert(`L${cell}`, 100 + index)))
      expect(ids).toEqual(cells.map((cell) => stored[cell] ?? ids[cells.indexOf(cell)]))
      const added = (await logOf()).slice(before.length)
      expect(added.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual(
        cells.map((_, index) => (100 + index) * 10_000),
      )
      expect(added.map(({ id }) => id)).toEqual(added.map((_, index) => (added[0]?.id ?? 0) + index))
      for (const [index, entry] of added.entries()) {
        const last = [...before, ...added.slice(0, index)].findLast(({ revenueId }) => revenueId === entry.revenueId)
        expect(entry).toMatchObject({ before: last?.amount ?? null, previousId: last?.id ?? null })
      }
    })

    test('list their sender where one of them completes a block of the log', async () => {
      const companyId = server.tenantA.id
      await Promise.all(Array.from({ length: 8 }, (_, index) => upsert(`B${index}`, 1)))
      for (let time = 0; time < 20; time++) await Promise.all([upsert('B0', time), upsert('B1', time)])
      await server.store.inSystemTransaction((writer) => writer.run(advanceLog, { companyId, id: logBlockRows - 6 }))
      await Promise.all(Array.from({ length: 8 }, (_, index) => upsert(`B${index}`, 2)))
      expect(await server.store.all(logSenders, { companyId })).toEqual([{ lastId: logBlockRows - 1 }])
    })

    test('run again one by one for 15 transactions after one of them found no record', async () => {
      await upsert('M0', 1)
      await upsert('M1', 1)
      const bothUpserts = () => Promise.all(['M0', 'M1', 'M0', 'M1'].map((cell, index) => upsert(cell, index)))
      await Promise.all(['N0', 'N1', 'N2'].map((cell) => upsert(cell, 1)))
      const before = messages()
      await bothUpserts()
      const oneByOne = messages() - before
      for (let time = 0; time < 20; time++) await bothUpserts()
      const after = messages()
      await bothUpserts()
      expect(messages() - after).toBeLessThan(oneByOne)
    })

    test('all end before the rollback where one fails, and only that one is not stored', async () => {
      const companyId = server.tenantB.id as CompanyId
      const options = { isOfCompany: true }
      const insert = (key: string) => (transaction: Transaction) =>
        transaction.run(deletion, { companyId, key, at: Number(key.slice(1)) })
      // Its insert is sent when its reply is received: after a rollback it would be stored outside of the transaction.
      const late = (key: string) => async (transaction: Transaction) => {
        const reply = transaction.first(slow, {})
        transaction.letNextStart?.()
        await reply
        await insert(key)(transaction)
      }
      const fails = () => {
        throw new Error('an operation that fails before its first statement')
      }
      const works = [insert('p099'), late('p100'), late('p101'), fails, late('p102')]
      let results: PromiseSettledResult<unknown>[] = []
      const { executed } = await recordStatementsOf(async () => {
        results = await Promise.allSettled(
          works.map((work) => server.store.inTransaction(companyId, async (transaction) => work(transaction), options)),
        )
      })
      expect(results.map(({ status }) => status)).toEqual([
        'fulfilled',
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
      ])
      const keys = ['p099', 'p100', 'p101', 'p102']
      expect(await server.store.all(deletions, { companyId })).toEqual(keys.map((key) => ({ key })))
      const texts = executed.map(({ sql: text }) => text.split(';')[0])
      expect(texts[texts.indexOf('rollback') + 1]).toBe('begin')
    })
  })

  describe('a transaction', () => {
    const run = (company: TestCompany) =>
      server.store.inTransaction(company.id as CompanyId, () => {}, { isOfCompany: true })

    test('waits while turns of the event loop bring operations, also of another company', async () => {
      const { commits } = server.store.load()
      const running = []
      for (const company of [server.tenantA, server.tenantB, server.tenantA, server.tenantB]) {
        const turn = nextTurn()
        running.push(run(company))
        await turn
      }
      await Promise.all(running)
      expect(server.store.load().commits - commits).toBe(2)
    })

    test('begins once three turns have brought none', async () => {
      const recording = recordStatements()
      onTestFinished(() => recording.stop())
      const running = run(server.tenantB)
      for (let turn = 0; turn < 4; turn++) await nextTurn()
      expect(recording.executed[0]?.sql).toMatch(/^begin/)
      await running
    })
  })

  test('an upsert that is alone begins in the message of the lock: two messages, and one for its credential', async () => {
    const row = { Dato: '2026-05-01', AvdelingID: '3', Omsetning: 8 }
    const upsert = () => server.call('POST', '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', { json: [row] })
    for (let time = 0; time < 10; time++) expect((await upsert()).status).toBe(200)
    expect(await fewestMessages(upsert)).toBeLessThanOrEqual(3)
  })

  test('an addition with a reference looks for its record and its reference in the message of the lock', async () => {
    let references = 0
    const add = async () => {
      const row = { Dato: '2026-05-01', AvdelingID: '3', Omsetning: 8, Referanse: `Z-${++references}` }
      const { status, text } = await server.call('POST', '/dev/Omsetning/AggsertOmsetning', { json: row })
      expect(status, text).toBe(200)
    }
    for (let time = 0; time < 10; time++) await add()
    expect(await fewestMessages(add)).toBeLessThanOrEqual(3)
  })

  test('an approval looks for its line, and for what may prevent it, in the message of the lock', async () => {
    const client = await newMaterialClient(server)
    const ids = await client.register(20)
    const approveNext = () => client.approve(ids.shift() ?? 0)
    for (let time = 0; time < 10; time++) await approveNext()
    expect(await fewestMessages(approveNext)).toBeLessThanOrEqual(7)
  })

  describe('a server that was alone with a company for eight transactions', () => {
    let here: PostgresStore
    let there: PostgresStore
    let companyId: CompanyId
    let runs = 0
    beforeEach(async () => {
      here = new PostgresStore({
        url: server.url,
        timeLimits: { ...requestTimeLimits, readMs: 2000, writeMs: 300, commitMs: 2000 },
      })
      there = new PostgresStore({ url: server.url })
      companyId = (await server.addCompany(`ALENE ${++companyCount}`)).id as CompanyId
      for (let number = 1; number <= 9; number++) expect(await nextNumber(here)).toBe(number)
      runs = 0
    })
    afterEach(async () => {
      await Promise.all([here.close(), there.close()])
    })

    const nextNumber = (store: PostgresStore, work: (transaction: Transaction, number: number) => unknown = () => {}) =>
      store.inTransaction(
        companyId,
        async (transaction) => {
          runs++
          const number = transaction.sequences.next('claimId')
          await work(transaction, number)
          return number
        },
        { isOfCompany: true },
      )
    const insert = (transaction: Transaction, number: number) =>
      transaction.run(deletion, { companyId, key: `${number}`, at: number })
    const insertAwaited = (transaction: Transaction, number: number) =>
      transaction.first(returnedDeletion, { companyId, key: `${number}`, at: number })

    test('runs its transaction again after the write of another server', async () => {
      expect(await nextNumber(there)).toBe(10)
      expect(await nextNumber(here)).toBe(11)
      expect(runs).toBe(3)
      expect(await nextNumber(there)).toBe(12)
      expect(await nextNumber(here)).toBe(13)
      expect(runs).toBe(5)
    })

    test.each([
      ['is awaited', insertAwaited],
      ['goes with the commit', insert],
    ])('runs it again where a write that %s fails by a number that another server has used', async (_, write) => {
      expect(await nextNumber(there, write)).toBe(10)
      expect(await Promise.all([nextNumber(here, write), nextNumber(here, write)])).toEqual([11, 12])
      const stored = await here.all(deletions, { companyId })
      expect(stored.map(({ key }) => Number(key)).toSorted((a, b) => a - b)).toEqual([10, 11, 12])
    })

    test.each<[string, TransactionOptions]>([
      ['a long operation', { isLong: true, isOfCompany: true }],
      ['an operation that may write rows of no company', {}],
    ])('begins %s after the lock, so that it never runs twice', async (_, options) => {
      expect(await nextNumber(there)).toBe(10)
      runs = 0
      const next = ({ sequences }: Transaction) => (runs++, sequences.next('claimId'))
      expect(await here.inTransaction(companyId, next, options)).toBe(11)
      expect(runs).toBe(1)
    })

    test('reports a lock that it waited for too long as a timeout, whatever was sent with it', async () => {
      const locked = Promise.withResolvers<void>()
      const waited = Promise.withResolvers<void>()
      onTestFinished(() => waited.resolve())
      const holding = nextNumber(there, () => {
        locked.resolve()
        return waited.promise
      })
      await locked.promise
      await expect(nextNumber(here, insert)).rejects.toMatchObject({ code: 'Timeout', outcome: 'not_applied' })
      waited.resolve()
      expect(await holding).toBe(10)
      expect(await nextNumber(here, insert)).toBe(11)
    })
  })

  test('an upsert of a stored record, with its log entry, is one statement', async () => {
    const { executed } = await recordStatementsOf(() => upsertAll(9))
    const ofRecords = executed.filter(({ sql: text }) => /revenue\b/.test(text))
    expect(ofRecords).toHaveLength(clients)
    for (const { sql: text } of ofRecords) expect(text).toContain('insert into "revenueLog"')
  })

  test('a write that fails in the message of its commit fails its own operation alone, and is known not to be applied', async () => {
    const companyId = server.tenantA.id as CompanyId
    const insert = (key: string, at: number) =>
      server.store.inTransaction(companyId, (transaction) => transaction.run(deletion, { companyId, key, at }))
    const isDuplicate = { code: '23505' }
    // The first one has a transaction of its own, and the others share one.
    const results = await Promise.allSettled(['a', 'b', 'c', 'b', 'd'].map(insert))
    expect(results.map((result) => (result.status === 'rejected' ? result.reason : 'stored'))).toEqual([
      'stored',
      'stored',
      'stored',
      expect.objectContaining(isDuplicate),
      'stored',
    ])
    await expect(insert('a', 10)).rejects.toMatchObject(isDuplicate)
    const full = server.store.inTransaction(companyId, (transaction) => transaction.run(storageFull, {}))
    await expect(full).rejects.toMatchObject({ code: 'StorageFull', outcome: 'not_applied' })
    expect(await server.store.all(deletions, { companyId })).toEqual(['a', 'b', 'c', 'd'].map((key) => ({ key })))
  })
})

const one = statement<{ value: number }>(() => sql`select 1 as value`)
const oneOfAll = crossCompanyStatement<{ value: number }>(() => sql`select 1 as value`)
const ofOnce = statement<{ once: number }>(() => sql`select 1 as once`)
const shownCompany = statement<{ company: string }>(() => sql`select current_setting('dagsverk.company') as company`)
const divisionByZero = statement<{ value: number }>(() => sql`select 1 / 0 as value`)
const storageFull = statement(() => sql`do $$ begin raise sqlstate '53100'; end $$`)
const deletion = statement(
  ({ value }) =>
    sql`insert into "directoryDeletion" values (${value('companyId')}, 'test', ${value('key')}, ${value('at')})`,
)
const returnedDeletion = statement<{ key: string }>(
  ({ value }) =>
    sql`insert into "directoryDeletion" values (${value('companyId')}, 'test', ${value('key')}, ${value('at')}) returning key`,
)
const slow = statement<{ value: number }>(() => sql`select 1 as value from pg_sleep(0.05)`)
const advanceLog = statement(
  ({ value }) => sql`update sequence set "revenueLogId" = ${value('id')} where "companyId" = ${value('companyId')}`,
)
const logSenders = statement<{ lastId: number }>(
  ({ value }) => sql`select "lastId" from "revenueLogSender" where "companyId" = ${value('companyId')}`,
)
interface LogRow {
  readonly id: number
  readonly revenueId: number
  readonly amount: number
  readonly before: number | null
  readonly previousId: number | null
}
const logOfDay = statement<LogRow>(
  ({ value }) => sql`
    select id, "revenueId", amount, before, "previousId" from "revenueLog"
    where "companyId" = ${value('companyId')} and date = '2026-05-03' order by id`,
)
const deletions = statement<{ key: string }>(
  ({ value }) => sql`select key from "directoryDeletion" where "companyId" = ${value('companyId')} order by key`,
)

let companyCount = 0

/** Counts what sockets to a port send. */
function useMessageCount(port: () => number): () => number {
  const spies = () => [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')]
  beforeEach(() => void spies())
  afterEach(() => void vi.restoreAllMocks())
  return () =>
    spies().reduce(
      (sum, { mock }) =>
        sum + mock.contexts.filter((socket) => socket instanceof Socket && socket.remotePort === port()).length,
      0,
    )
}
