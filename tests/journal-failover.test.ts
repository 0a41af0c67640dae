// ADR 0034: after a failover to a standby that lacks the last commits, no exported line is exported again.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../src/errors/api-error.ts'
import { replayJournal, skipLostIds, type ReplayOptions } from '../src/export/replay-journal.ts'
import { openExportJournal } from '../src/journal/export-journal.ts'
import { readJournalRecords } from '../src/journal/read-journal.ts'
import { resumeExports, suspendExportsSince } from '../src/store/export/export-suspension.ts'
import { listLedgerPositions } from '../src/store/export/journaled-entries.ts'
import { JournalWriter } from '../src/store/export/journal-writer.ts'
import { SeenLedger } from '../src/store/export/seen-ledger.ts'
import type { CommitJournal, Reader } from '../src/store/store.ts'
import { makeDataFolder } from './support/data-folder.ts'
import { databases } from './support/databases.ts'
import { materialClientFor, useMaterialClient, type MaterialClient } from './support/material-client.ts'
import { copyDatabase } from './support/postgres.ts'
import { expectStatus } from './support/replies.ts'
import { useTestServer } from './support/server.ts'

describe.each(databases.slice(1))('after a failover on $name', (database) => {
  const server = useTestServer(database, 'failover')
  const client = useMaterialClient(server)

  /** Makes a client of another server, whose journal is in the folder; `reader` reads what it appends. */
  const addServer = async (
    name: string,
    folder: string,
    { reader, onReplay, suspectsFailover = true }: ServerOptions = {},
  ) => {
    const added = await server.secondInstance()
    const journal = await openExportJournal({ folder, database: 'one', server: name })
    onTestFinished(async () => {
      await journal.close()
      await added.close()
    })
    const { store } = added
    let replays = 0
    let replayError: Error | null = null
    const replay = async (hasLostIds: ReplayOptions['hasLostIds']) => {
      replays += 1
      if (replayError !== null) throw replayError
      await onReplay?.(hasLostIds)
      const records = () => readJournalRecords(folder)
      await replayJournal({ store, watermarks: journal.watermarks, records, clock: added.clock.now, hasLostIds })
    }
    const writer = new JournalWriter(journal, reader?.(store) ?? store, replay)
    const commitJournal: CommitJournal = {
      flush: (...ids) => writer.flush(...ids),
      isBehind: (companyId) => writer.isBehind(companyId),
      mayBeAhead: (...ids) => writer.mayBeAhead(...ids),
      replay: () => writer.replay(),
      suspectFailover: () => suspectsFailover && writer.suspectFailover(),
      flushAll: () => writer.flushAll(),
    }
    store.journalCommits(commitJournal)
    return {
      client: materialClientFor(added, client.company),
      flushAll: () => writer.flushAll(),
      replay: () => writer.replay(),
      replays: () => replays,
      failReplays: (error: Error) => {
        replayError = error
      },
    }
  }

  /** Makes a client of another server, which has no journal, but keeps the ids that it has seen in the folder. */
  const addServerWithoutJournal = async (folder: string, { reader = readerOf }: Pick<ServerOptions, 'reader'> = {}) => {
    const added = await server.secondInstance()
    onTestFinished(() => added.close())
    const { store, clock } = added
    const seenLedger = new SeenLedger({
      reader: reader(store),
      skipLostIds: () => skipLostIds(store),
      suspend: () => suspendExportsSince(store, clock.now()),
      path: join(folder, 'seen-ledger-0.json'),
      database: 'one',
    })
    await seenLedger.flushAll()
    store.journalCommits(seenLedger)
    return { client: materialClientFor(added, client.company), flushAll: () => seenLedger.flushAll() }
  }

  const codeOfList = async (by: MaterialClient) => (await by.exportList()).json.error?.code

  const makeFolder = () => {
    const folder = makeDataFolder('journal')
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return folder
  }

  /** The codes of an acknowledgement. */
  const acknowledge = async (by: MaterialClient, ids: readonly number[]) =>
    (await expectStatus(by.acknowledge({ ids }))).json.resultater.map(({ code }: { code: string }) => code)

  /** Registers and approves so many lines; returns their ids. */
  const offer = async (count: number) => {
    const ids = await client.register(count)
    await client.approve(...ids)
    return ids
  }

  /** Acknowledges the lines before a failover that loses it. */
  const acknowledgeAndLose = async (by: MaterialClient, ids: readonly number[]) => {
    const failOver = await copyDatabase(server.url)
    expect(await acknowledge(by, ids)).toEqual(['exported'])
    await failOver()
  }

  test('a server repeats what it has journaled, also where a pooler hides the failover', async () => {
    const ids = await offer(2)
    const one = await addServer('one', makeFolder(), { suspectsFailover: false })
    await acknowledgeAndLose(one.client, ids.slice(0, 1))
    expect(await one.client.listedIds()).toEqual(ids.slice(1))
    expect(await acknowledge(one.client, ids)).toEqual(['already_exported', 'exported'])
  })

  test('a server repeats what another one of its folder has journaled, before it assigns the same numbers', async () => {
    const ids = await offer(2)
    const folder = makeFolder()
    const [one, other] = [await addServer('one', folder), await addServer('other', folder)]
    await acknowledgeAndLose(one.client, ids.slice(0, 1))
    expect(await acknowledge(other.client, ids)).toEqual(['already_exported', 'exported'])
    expect(await one.client.listedIds()).toEqual([])
  })

  test('a server without a journal suspends exports until an operator releases them, and accepts acknowledgements', async () => {
    const ids = await offer(2)
    const one = await addServerWithoutJournal(makeFolder())
    await acknowledgeAndLose(one.client, ids.slice(0, 1))
    expect([await codeOfList(one.client), await codeOfList(one.client)]).toEqual([
      'DatabaseUnavailable',
      'ExportSuspended',
    ])
    expect(await codeOfList(client)).toBe('ExportSuspended')
    expect(await acknowledge(one.client, ids.slice(0, 1))).toEqual(['exported'])
    expect(await resumeExports(server.store)).toBe(true)
    expect(await one.client.listedIds()).toEqual(ids.slice(1))
  })

  test('a server without a journal suspends exports at its start too, once, by the ids that it has saved', async () => {
    const ids = await offer(1)
    const folder = makeFolder()
    const one = await addServerWithoutJournal(folder)
    const failOver = await copyDatabase(server.url)
    expect(await acknowledge(client, ids)).toEqual(['exported'])
    await one.flushAll()
    await failOver()
    await addServerWithoutJournal(makeFolder())
    expect(await client.listedIds()).toEqual(ids)
    await addServerWithoutJournal(folder)
    expect(await codeOfList(client)).toBe('ExportSuspended')
    expect(await resumeExports(server.store)).toBe(true)
    await addServerWithoutJournal(folder)
    expect(await client.listedIds()).toEqual(ids)
  })

  test('a server without a journal suspends exports also where another one has assigned the lost numbers again', async () => {
    const ids = await offer(2)
    let hasLost = false
    const reader = (store: Reader): Reader => ({
      ...readerOf(store),
      all: async (statement, values) => {
        if (hasLost) {
          hasLost = false
          expect(await acknowledge(client, ids.slice(1))).toEqual(['exported'])
        }
        return store.all(statement, values)
      },
    })
    const one = await addServerWithoutJournal(makeFolder(), { reader })
    const failOver = await copyDatabase(server.url)
    expect(await acknowledge(one.client, ids.slice(0, 1))).toEqual(['exported'])
    await failOver()
    hasLost = true
    expect(await codeOfList(one.client)).toBe('DatabaseUnavailable')
    expect(hasLost).toBe(false)
    expect(await codeOfList(one.client)).toBe('ExportSuspended')
    expect(await resumeExports(server.store)).toBe(true)
    expect(await one.client.listedIds()).toEqual(ids.slice(0, 1))
  })

  test.each([
    ['with', 10_000],
    ['without', 1_000_000],
  ])(
    'ids that receivers may have are not assigned again by a server %s a journal, also where no export was lost',
    async (how, skipped) => {
      const folder = makeFolder()
      const one =
        how === 'with'
          ? await addServer('one', folder, { suspectsFailover: false })
          : await addServerWithoutJournal(folder)
      const [first = 0] = await one.client.register(1)
      const failOver = await copyDatabase(server.url)
      expect(await one.client.register(1)).toEqual([first + 1])
      await failOver()
      const [next = 0] = await one.client.register(1)
      expect(next).toBeGreaterThan(skipped)
      expect(await one.client.register(1)).toEqual([next + 1])
      await one.flushAll()
      expect(await one.client.register(1)).toEqual([next + 2])
      expect(await codeOfList(one.client)).toBeUndefined()
    },
  )

  test('a replay reserves no ids because of a registration that is committed meanwhile', async () => {
    const hasLost: unknown[] = []
    const onReplay: ServerOptions['onReplay'] = async (hasLostIds) => {
      const positions = await listLedgerPositions(server.store)
      await one.client.register(1)
      hasLost.push(...positions.map((position) => hasLostIds?.(position)))
    }
    const one = await addServer('one', makeFolder(), { onReplay })
    await one.client.register(1)
    await one.replay()
    expect(new Set(hasLost)).toEqual(new Set([false]))
  })

  test('the periodic flush repeats it without a request', async () => {
    const ids = await offer(1)
    const one = await addServer('one', makeFolder())
    await acknowledgeAndLose(one.client, ids)
    expect(await client.listedIds()).toEqual(ids)
    await one.flushAll()
    expect(await client.listedIds()).toEqual([])
  })

  test('a server goes on where only failures are lost, which need no journal, and journals what has their numbers then', async () => {
    const ids = await offer(1)
    const one = await addServer('one', makeFolder())
    const beforeFailures = await copyDatabase(server.url)
    for (let count = 0; count < 2; count++)
      expect((await one.client.acknowledge({ failed: ids.map((id) => ({ id, code: 'closed' })) })).json.antall).toEqual(
        { failed_recorded: 1 },
      )
    await beforeFailures()
    await acknowledgeAndLose(one.client, ids)
    expect(await one.client.listedIds()).toEqual([])
  })

  test('a damaged file prevents writes after a broken connection until it is put back, and the periodic flush names it', async () => {
    const ids = await offer(2)
    const folder = makeFolder()
    const [one, other] = [await addServer('one', folder), await addServer('other', folder)]
    expect(await acknowledge(other.client, ids.slice(0, 1))).toEqual(['exported'])
    const path = join(folder, 'other-000001.journal')
    const content = readFileSync(path)
    writeFileSync(path, content.toString().replaceAll('acknowledge', 'acknowledged'))
    const failOver = await copyDatabase(server.url)
    await failOver()
    const { status, json } = await one.client.acknowledge({ ids })
    expect([status, json.error]).toMatchObject([503, { code: 'StorageError', outcome: 'not_applied' }])
    await expect(one.flushAll()).rejects.toThrow(`${path} is damaged`)
    writeFileSync(path, content)
    expect(await acknowledge(one.client, ids)).toEqual(['already_exported', 'exported'])
  })

  test.each(['with', 'without'])(
    'the periodic flush of a server %s a journal does nothing because of an export that is committed meanwhile',
    async (how) => {
      const ids = await offer(1)
      let isReading = false
      const reader = (store: Reader): Reader => ({
        ...readerOf(store),
        all: async (statement, values) => {
          const rows = await store.all(statement, values)
          if (isReading) {
            isReading = false
            expect(await acknowledge(one.client, ids)).toEqual(['exported'])
          }
          return rows
        },
      })
      const withJournal = how === 'with' ? await addServer('one', makeFolder(), { reader }) : null
      const one = withJournal ?? (await addServerWithoutJournal(makeFolder(), { reader }))
      isReading = true
      await one.flushAll()
      expect(isReading).toBe(false)
      expect(withJournal?.replays()).toBe(how === 'with' ? 0 : undefined)
      expect(await one.client.listedIds()).toEqual([])
    },
  )

  test('after a failed replay the outcome of an acknowledgement is not_applied', async () => {
    const ids = await offer(1)
    const one = await addServer('one', makeFolder())
    await acknowledgeAndLose(one.client, ids)
    one.failReplays(new ApiError('DatabaseUnavailable', { outcome: 'unknown' }))
    const { status, json } = await one.client.acknowledge({ ids })
    expect([status, json.error]).toMatchObject([503, { code: 'DatabaseUnavailable', outcome: 'not_applied' }])
  })

  test.each([
    ['before it is journaled', 'before'],
    ['and its ids are assigned again before it is journaled', 'before, ids assigned again'],
    ['between the reads for the journal', 'after'],
  ])('the outcome of an acknowledgement is unknown where it is lost %s', async (_, moment) => {
    const ids = await client.register(1)
    const others = await client.register(1)
    await client.approve(...ids, ...others)
    let failOver: (() => Promise<void>) | null = null
    const failOverOnce = async () => {
      if (failOver === null) return
      await failOver()
      failOver = null
      if (moment === 'before, ids assigned again') await client.acknowledge({ ids: others })
    }
    const reader = (store: Reader): Reader => ({
      ...readerOf(store),
      first: async (statement, values) => {
        if (moment.startsWith('before')) await failOverOnce()
        const row = await store.first(statement, values)
        await failOverOnce()
        return row
      },
    })
    const one = await addServer('one', makeFolder(), { reader })
    failOver = await copyDatabase(server.url)
    const { status, json } = await one.client.acknowledge({ ids })
    expect([status, json.error]).toMatchObject([503, { code: 'DatabaseUnavailable', outcome: 'unknown' }])
    expect(await acknowledge(one.client, ids)).toEqual(['exported'])
  })
})

function readerOf(store: Reader): Reader {
  return {
    dialect: store.dialect,
    all: (statement, values) => store.all(statement, values),
    first: (statement, values) => store.first(statement, values),
  }
}

interface ServerOptions {
  readonly onReplay?: (hasLostIds: ReplayOptions['hasLostIds']) => Promise<void>
  readonly reader?: (store: Reader) => Reader
  readonly suspectsFailover?: boolean
}
