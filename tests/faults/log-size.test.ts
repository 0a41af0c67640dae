// Checkpoints keep the write-ahead log of SQLite below its maximum size, whatever readers do.
import { statSync } from 'node:fs'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { limits } from '../../src/http/limits.ts'
import { sqlitePath } from '../../src/store/open-store.ts'
import { DatabaseThread } from '../../src/store/sqlite/database-thread.ts'
import { Connection } from '../../src/store/sqlite/connection.ts'
import { openRawConnection, request, type RawConnection } from '../http/conversation.ts'
import { sqlite } from '../support/databases.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts'
import { observeCalls } from '../support/statement-recorder.ts'
import { newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'

const MiB = 1024 * 1024

let server: TestServer
let revenueClient: RevenueClient
let origin: string
afterEach(() => server.close())

/** Only the log ends slow readers. */
const patient = { ...limits, stalledReaderTimeoutMs: 600_000, slowReaderTimeoutMs: 600_000 }

async function start(options: TestServerOptions = {}): Promise<void> {
  server = await startTestServer(sqlite, 'log', { limits: patient, ...options })
  revenueClient = await newRevenueClient(server)
  origin = await server.http.listen(0, '127.0.0.1')
}

function logBytes(): number {
  return statSync(`${sqlitePath(server.url) ?? ''}-wal`).size
}

/** Returns the size of the log until now, at most: also before each time that it was truncated. */
function largestLog(): () => number {
  let largest = 0
  const observe = () => (largest = Math.max(largest, logBytes()))
  onTestFinished(observeCalls(Connection.prototype, 'truncateLog', observe))
  return observe
}

async function saveRows(list: number, count: number, remark: string): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    Dato: `2024-01-${String(1 + (list % 28)).padStart(2, '0')}`,
    AvdelingID: `${index}`,
    Omsetning: list,
    Merknad: remark,
  }))
  expect((await revenueClient.saveList(rows)).status).toBe(200)
}

/** A reader that has received the beginning of a reply, and reads no further. */
async function openSlowReader(query: string): Promise<RawConnection> {
  // More than the sockets of both sides buffer.
  for (let list = 0; list < 12; list += 1) await saveRows(list, 500, 'x'.repeat(4000))
  await expect.poll(logBytes, { timeout: 30_000 }).toBeLessThan(10 * MiB)
  return readSlowly(query)
}

async function readSlowly(query: string): Promise<RawConnection> {
  const reader = openRawConnection(origin)
  const key = `tb-key: ${revenueClient.company.key}`
  await reader.send(request([`GET /dev/Omsetning/Finn${query} HTTP/1.1`, 'Host: localhost', key]))
  await reader.waitFor(/^HTTP\/1\.1 200 OK/)
  reader.pause()
  return reader
}

test('the write-ahead log does not grow with the number of writes', async () => {
  await start()
  for (let list = 0; list < 40; list += 1) await saveRows(list, 1000, 'x'.repeat(200))
  const pageBytes = 4120
  expect(logBytes()).toBeGreaterThan(1000 * pageBytes)
  expect(logBytes()).toBeLessThan(2000 * pageBytes)
})

test.each([
  ['a stream', ''],
  ['an expensive read in a worker process', '?$filter=Omsetning%20ge%200'],
])('the log reaches its maximum while a client reads %s slowly: the read ends', async (_, query) => {
  const logBytesMax = 16 * MiB
  await start({ logBytesMax })
  const reader = await openSlowReader(query)
  expect(server.store.load().connectionsOpen).toBeGreaterThan(2)
  const largest = largestLog()
  for (let list = 0; list < 16; list += 1) await saveRows(list, 1000, 'y'.repeat(1000))
  expect(largest()).toBeGreaterThan(logBytesMax)
  // All lists are five times the maximum. On a busy machine, a process that reads ends some lists later.
  expect(largest()).toBeLessThan(3 * logBytesMax)
  expect(logBytes()).toBeLessThan(8 * MiB)
  reader.resume()
  expect((await reader.ended).endsWith('\r\n0\r\n\r\n')).toBe(false)
})

test('the log reaches its maximum while several clients read slowly: one commit ends all reads that hold it', async () => {
  const logBytesMax = 16 * MiB
  await start({ logBytesMax })
  const readers = [await openSlowReader('')]
  for (let list = 0; list < 5; list += 1) {
    await saveRows(list, 100, 'y')
    readers.push(await readSlowly(''))
  }
  expect(server.store.load().streamsOpen).toBe(readers.length)
  const largest = largestLog()
  let bytesOfList = 0
  for (let list = 0; largest() <= logBytesMax; list += 1) {
    const before = logBytes()
    await saveRows(list, 1000, 'y'.repeat(1000))
    bytesOfList = Math.max(bytesOfList, logBytes() - before)
  }
  await expect.poll(logBytes, { timeout: 30_000 }).toBeLessThan(8 * MiB)
  expect(largest()).toBeLessThan(logBytesMax + 2 * bytesOfList)
  for (const reader of readers) reader.abort()
})

test('a long log is truncated when the last long read ends, also without another write', async () => {
  await start({ logBytesMax: 64 * MiB })
  const reader = await openSlowReader('')
  for (let list = 0; list < 6; list += 1) await saveRows(list, 1000, 'y'.repeat(1000))
  expect(logBytes()).toBeGreaterThan(16 * MiB)
  reader.abort()
  await expect.poll(logBytes, { timeout: 30_000 }).toBeLessThan(MiB)
})

test('the log is reset before a long read that is the only one, so that reads one after another do not add up', async () => {
  await start({ logBytesMax: 64 * MiB })
  let reader = await openSlowReader('')
  for (let read = 0; read < 4; read += 1) {
    for (let list = 0; list < 3; list += 1) await saveRows(list, 1000, 'y'.repeat(1000))
    reader.abort()
    await expect.poll(() => server.store.load().streamsOpen, { timeout: 30_000 }).toBe(0)
    reader = await readSlowly('')
  }
  expect(logBytes()).toBeLessThan(16 * MiB)
})

test('while a read keeps the log from being reset, a checkpoint runs every 1000 pages and not after every commit', async () => {
  await start({ logBytesMax: 64 * MiB })
  const reader = await openSlowReader('')
  for (let list = 0; list < 3; list += 1) await saveRows(list, 1000, 'y'.repeat(1000))
  expect(logBytes()).toBeGreaterThan(4 * MiB)
  let checkpoints = 0
  onTestFinished(observeCalls(DatabaseThread.prototype, 'checkpoint', () => (checkpoints += 1)))
  for (let commit = 0; commit < 20; commit += 1) await saveRows(commit, 1, '')
  expect(checkpoints).toBeLessThan(2)
  reader.abort()
})
