// Costs of writes on SQLite: commits, statements and pages of the write-ahead log.
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { appPaths } from '../../src/app/contract/endpoints.ts'
import { openExportJournal } from '../../src/journal/export-journal.ts'
import { nextTurn } from '../../src/lib/yield-to-event-loop.ts'
import { JournalWriter } from '../../src/store/export/journal-writer.ts'
import { entriesMax } from '../../src/store/export/journaled-entries.ts'
import { Connection } from '../../src/store/sqlite/connection.ts'
import { ThreadTransaction } from '../../src/store/sqlite/thread-transaction.ts'
import type { Reader } from '../../src/store/store.ts'
import { tables } from '../../src/store/tables.ts'
import { openSessionAs } from '../app/session-client.ts'
import { countPerTurn } from '../support/count-per-turn.ts'
import { makeDataFolder } from '../support/data-folder.ts'
import { sqlite } from '../support/databases.ts'
import { newMaterialClient } from '../support/material-client.ts'
import { newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'
import { useTestServer } from '../support/server.ts'
import { observeCalls, recordStatementsOf, type RecordedStatement } from '../support/statement-recorder.ts'

/** So many that an index of them has more pages than the 32 records that are written. */
const recordCount = 10_000

/** For a list of all records: two for each chunk of 480 rows, which bind its cells and amounts as one value. */
const statementsOfListMax = 60
const valuesOfListRowMax = 0.03

/** With remarks: a look-up for each chunk, and 20 rows in each write, with the columns of the record and 15 values of its log entry. */
const statementsOfRemarksMax = 1_100
const valuesOfRemarkRowMax = Object.keys(tables.revenue.columns).length + 15.1

/** For an acknowledgement of 1,000 lines: fifty of them insert its ledger entries, of 17 values each. */
const statementsOfAcknowledgementMax = 70
const valuesOfAcknowledgedLineMax = 17.1

/** Of one whose ids are consecutive and were retrieved, whatever their number: statements, bound values, and their length as text. */
const statementsOfRangeMax = 17
const valuesOfRangeMax = 80
const lengthOfRangeMax = 600

describe('writes on SQLite', () => {
  const server = useTestServer(sqlite, 'writes')
  let revenueClient: RevenueClient
  beforeAll(async () => {
    revenueClient = await newRevenueClient(server)
    expect((await revenueClient.setPerDate(rows(0))).status).toBe(200)
    await upsertTogether(1)
  })

  const rows = (amount: number) =>
    Array.from({ length: recordCount }, (_, index) => ({
      Dato: `2024-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')}`,
      AvdelingID: `${index}`,
      Omsetning: amount,
    }))

  /** Upserts of 32 stored records that are far apart in the table, others for each amount, in one commit. */
  const upsertTogether = async (amount: number) => {
    const sent = rows(amount).filter((_, index) => index % 311 === amount)
    const replies = await Promise.all(sent.slice(0, 32).map((row) => revenueClient.setPerDate([row])))
    expect(replies.map(({ status }) => status)).toEqual(Array<number>(32).fill(200))
  }
  const commits = () => server.store.load().commits

  test('ADR 0011 640 operations of 32 clients, which come in different turns, need 30 commits at most', async () => {
    const before = commits()
    const clients = Array.from({ length: 32 }, async (_, client) => {
      for (let operation = 0; operation < 20; operation += 1) {
        for (let turn = 0; turn < client % 4; turn += 1) await nextTurn()
        await server.store.inSystemTransaction(() => {})
      }
    })
    await Promise.all(clients)
    expect(commits() - before).toBeLessThanOrEqual(30)
  })

  test('ADR 0011 the operation of a client that is alone is committed in the same turn', async () => {
    await server.store.inSystemTransaction(() => {})
    await nextTurn()
    const before = commits()
    const done = server.store.inSystemTransaction(() => {})
    await nextTurn()
    expect(commits()).toBe(before + 1)
    await done
  })

  test('an upsert of a stored record is a log entry and an update by key, which bind 18 values', async () => {
    const { executed } = await recordStatementsOf(() => upsertTogether(2))
    const counts = Map.groupBy(executed, ({ sql }) => kindOf(sql))
    expect(counts.get('insert revenueLog')).toHaveLength(32)
    expect(counts.get('update revenue')).toHaveLength(32)
    const ofRecords = [...(counts.get('insert revenueLog') ?? []), ...(counts.get('update revenue') ?? [])]
    expect(ofRecords.flatMap(({ values }) => values).length).toBeLessThanOrEqual(18 * 32)
    // The transaction, its sequences, and the check of the credential.
    expect(executed.length).toBeLessThanOrEqual(2 * 32 + 12)
  })

  test('an upsert of a new record looks for a stored one once, and then writes it with its log entry', async () => {
    const sent = rows(2)
      .slice(0, 32)
      .map((row) => ({ ...row, Dato: '2025-01-01' }))
    const { executed } = await recordStatementsOf(() => Promise.all(sent.map((row) => revenueClient.setPerDate([row]))))
    // The first two find none.
    expect(executed.length).toBeLessThanOrEqual(4 * 32 + 12)
  })

  const saveList = async (list: object[]) => {
    const { executed } = await recordStatementsOf(async () => {
      expect((await revenueClient.setPerDate(list)).status).toBe(200)
    })
    const counts = Map.groupBy(executed, ({ sql }) => kindOf(sql))
    return { executed, counts, values: executed.flatMap(({ values }) => values).length / list.length }
  }

  test('a list of stored records is written with its log by two statements for each chunk', async () => {
    const { executed, counts, values } = await saveList(rows(9))
    expect(counts.get('insert revenueLog')).toHaveLength(21)
    expect(counts.get('insert revenue')).toHaveLength(21)
    expect(executed.length).toBeLessThanOrEqual(statementsOfListMax)
    expect(values).toBeLessThanOrEqual(valuesOfListRowMax)
  })

  test('neither upserts that share a commit nor a list need a temporary file', async () => {
    const temporary: (readonly string[])[] = []
    const listTemporary = () => temporary.push(openFiles().filter((path) => path.endsWith('(deleted)')))
    const restorers = [Connection, ThreadTransaction].map(({ prototype }) =>
      observeCalls(prototype, 'commit', listTemporary),
    )
    await upsertTogether(4)
    await saveList(rows(11))
    for (const restore of restorers) restore()
    expect(temporary.length).toBeGreaterThanOrEqual(2)
    expect(temporary.flat()).toEqual([])
  })

  test('a list without a valid row writes nothing', async () => {
    const { executed } = await recordStatementsOf(async () => {
      expect((await revenueClient.setPerDate([{ Dato: 'i dag' }], { atomic: 'false' })).status).toBe(422)
    })
    expect(executed.filter(({ sql }) => /^\s*(insert|update)/.test(sql))).toEqual([])
  })

  test('a list with remarks is read by chunks, and written with its log in statements of twenty rows', async () => {
    const { executed, counts, values } = await saveList(rows(10).map((row) => ({ ...row, Merknad: 'regn' })))
    expect(counts.get('insert revenue')).toHaveLength(recordCount / 20)
    expect(counts.get('insert revenueLog')).toHaveLength(recordCount / 20)
    expect(counts.get('update revenue')).toBeUndefined()
    expect(executed.length).toBeLessThanOrEqual(statementsOfRemarksMax)
    expect(values).toBeLessThanOrEqual(valuesOfRemarkRowMax)
    // `json_each` would write each element as text, and `->>` parse that text for each column.
    expect(executed.filter(({ sql }) => sql.includes(' json_each('))).toEqual([])
  })

  /** Returns the number of writes, all of which, and their commit, were on the thread of long operations. */
  const expectWritesOnThread = (executed: readonly RecordedStatement[]): number => {
    const onThread = Map.groupBy(executed, ({ isOnThread = false }) => isOnThread)
    const isWrite = ({ sql }: RecordedStatement) => /^\s*(insert|update|begin immediate)/.test(sql)
    expect(onThread.get(false)?.filter(isWrite)).toEqual([])
    expect(onThread.get(true)?.some(({ sql }) => sql === 'commit')).toBe(true)
    return onThread.get(true)?.filter(isWrite).length ?? 0
  }

  test('a long list is written and committed on another thread than the one that serves requests', async () => {
    const { executed } = await saveList(rows(12))
    expect(expectWritesOnThread(executed)).toBeGreaterThan(40)
  })

  test('so are an approval in the app, its withdrawal, another approval and an acknowledgement of 3,000 ids', async () => {
    const client = await newMaterialClient(server)
    const ids = await client.register(3000)
    const approver = await openSessionAs(server, client.company, 'approver')
    const approval = { action: 'approve', ids: `${ids[0]}-${ids.at(-1)}` }
    for (const work of [
      () => approver.send('POST', appPaths.materialDecide, approval),
      () => client.post('/prosjekt/Transaksjon/TrekkGodkjenning', { ids }),
      () => client.approve(...ids),
      () => client.acknowledge({ ids }),
    ]) {
      const { executed } = await recordStatementsOf(async () => expect((await work()).status).toBe(200))
      expect(expectWritesOnThread(executed)).toBeGreaterThan(3)
    }
  })

  test('the export journal reads 1,000 ledger entries in a turn of the event loop, and writes those of several turns at once', async () => {
    const folder = makeDataFolder('journal')
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const journal = await openExportJournal({ folder, database: 'one', server: 'one' })
    const client = await newMaterialClient(server)
    const ids = await client.register(3500)
    await client.approve(...ids)
    expect((await client.acknowledge({ ids })).json.antall).toEqual({ exported: 3500 })
    const { store } = server
    const reader: Reader = {
      dialect: store.dialect,
      all: async (...query) => store.all(...query),
      first: store.first.bind(store),
    }
    const readPerTurn = countPerTurn(reader, 'all', () => 1)
    const appended = vi.spyOn(journal, 'append')
    await new JournalWriter(journal, reader, async () => undefined).flush(client.company.id, 3500, 0)
    await journal.close()
    expect(readPerTurn.stop().filter((count) => count > 0)).toEqual([1, 1, 1, 1])
    // The first one reserves ids.
    expect(appended).toHaveBeenCalledTimes(2)
    expect(entriesMax).toBe(1000)
  })

  describe('an acknowledgement of 1,000 lines', () => {
    const acknowledge = async (order: (one: number, other: number) => number) => {
      const client = await newMaterialClient(server)
      const ids = (await client.register(1000)).toSorted(order)
      expect((await client.approve(...ids)).status).toBe(200)
      expect((await client.exportList()).status).toBe(200)
      const { executed } = await recordStatementsOf(async () => {
        expect((await client.acknowledge({ ids })).json.antall).toEqual({ exported: 1000 })
      })
      const counts = Map.groupBy(executed, ({ sql }) => kindOf(sql))
      expect(counts.get('update destinationLine')).toHaveLength(1)
      expect(counts.get('update material')).toHaveLength(1)
      const values = executed.flatMap((one) => one.values).length
      return { executed, entries: counts.get('insert ledgerEntry')?.length, values }
    }

    test('with consecutive ids is one read and one update of a range of each table, and one insert into the ledger', async () => {
      const { executed, entries, values } = await acknowledge((one, other) => one - other)
      expect(entries).toBe(1)
      expect(executed.length).toBeLessThanOrEqual(statementsOfRangeMax)
      expect(values).toBeLessThanOrEqual(valuesOfRangeMax)
      // No statement has a list of the ids.
      expect(executed.flatMap((one) => one.values).join('').length).toBeLessThanOrEqual(lengthOfRangeMax)
    })

    test('in any other order is one update of each table, and ledger entries in statements of twenty', async () => {
      const { executed, entries, values } = await acknowledge((one, other) => other - one)
      expect(entries).toBe(50)
      expect(executed.length).toBeLessThanOrEqual(statementsOfAcknowledgementMax)
      expect(values / 1000).toBeLessThanOrEqual(valuesOfAcknowledgedLineMax)
    })
  })

  test('whether a company has webhooks is looked up once, not for each upsert', async () => {
    await upsertTogether(2)
    const { executed } = await recordStatementsOf(() => upsertTogether(3))
    expect(executed.filter(({ sql }) => sql.includes('webhook'))).toEqual([])
  })

  test('upserts of 32 records that are far apart append at most 45 pages to the write-ahead log', async () => {
    const file = new Database(server.url.replace('sqlite:', ''))
    file.pragma('wal_checkpoint(truncate)')
    await upsertTogether(4)
    const [wal] = file.pragma('wal_checkpoint(noop)') as { log: number }[]
    file.close()
    // 40 in November 2026; an index by cell, or by timestamp, adds 37.
    expect(wal?.log).toBeGreaterThan(0)
    expect(wal?.log).toBeLessThanOrEqual(45)
  })

  test('ADR 0010 no index has every entry of the revenue log: it would cost each upsert of another company a page', async () => {
    const file = new Database(server.url.replace('sqlite:', ''), { readonly: true })
    const indexes = file.pragma('index_list("revenueLog")') as { origin: string; partial: number }[]
    file.close()
    expect(indexes.length).toBeGreaterThan(0)
    expect(indexes.filter(({ origin, partial }) => origin !== 'pk' && partial === 0)).toEqual([])
  })

  test('the thread that serves requests copies no pages of the write-ahead log into the file', async () => {
    const { executed } = await recordStatementsOf(async () => {
      // Some 800 pages each; a checkpoint is due at 1,000.
      for (const amount of [5, 6, 7, 8]) expect((await revenueClient.setPerDate(rows(amount))).status).toBe(200)
      await server.store.inSystemTransaction(() => {})
    })
    const checkpoints = executed.filter(({ sql }) => sql.includes('wal_checkpoint'))
    const onThread = Map.groupBy(checkpoints, ({ isOnThread = false }) => isOnThread)
    expect(onThread.get(true)?.length).toBeGreaterThan(0)
    // This one only counts the pages.
    expect(new Set(onThread.get(false)?.map(({ sql }) => sql))).toEqual(new Set(['pragma wal_checkpoint(noop)']))
    const file = new Database(server.url.replace('sqlite:', ''))
    const [wal] = file.pragma('wal_checkpoint(noop)') as { log: number; checkpointed: number }[]
    file.close()
    expect((wal?.log ?? 0) - (wal?.checkpointed ?? 0)).toBeLessThan(1000)
  })
})

/** The verb and the table of a statement. */
function kindOf(sql: string): string {
  const verb = /^\w+/.exec(sql.trim())?.[0] ?? ''
  const table = /\b(?:from|into|update)\s+"?(\w+)"?/.exec(sql)?.[1] ?? ''
  return verb === 'select' ? `select from ${table}` : `${verb} ${table}`
}

/** The paths of this process's open files; that of a temporary file, which has no name, ends with "(deleted)". */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)]
    } catch {
      // Of the folder itself, which is closed by now.
      return []
    }
  })
}
