// ADR 0054: one company sends every flood at the same time, and its neighbour is never refused.
import { readFileSync, statSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { openTerminal } from '../cli/terminal.ts'
import { openRawConnection, request } from '../http/conversation.ts'
import { companyName, startServerCluster, type ServerCluster } from '../sim/server-cluster.ts'
import { findChildren, type ServerProcess } from '../sim/server-process.ts'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { freePort } from '../support/ports.ts'
import { addressOf } from '../support/revenue-client.ts'
import { limits } from '../../src/http/limits.ts'
import { costlyReadsMax } from '../../src/store/read-slots.ts'
import { listCompanies } from '../../src/store/accounts/companies.ts'
import { openStore, sqlitePath } from '../../src/store/open-store.ts'

const MiB = 1024 * 1024
const people = 1100
const [costlyReads, costlyRetrievals, slowReaders, unfinishedBodies] = [60, 20, 8, 128]
const listRows = 100_000
/** Of eight. */
const streamsShare = 6

/** A read that runs until its time limit: each employee's colleagues, their colleagues, and theirs. */
const costly = {
  $filter: `Avdeling/Ansatte/any(a:a/Avdeling/Ansatte/any(b:b/Avdeling/Ansatte/any(c:concat(concat(a/Fornavn,b/Fornavn),c/Fornavn) eq 'Ingen')))`,
}
const scopes = ['--scopes', 'revenue:*,material:*,export:*,directory:*']
const finn = '/dev/Omsetning/Finn'
const saveList = '/dev/Omsetning/LagreEllerOppdaterListe'
const setPerDate = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'

describe.each(databases)('on $name', { timeout: 240_000 }, (database) => {
  let cluster: ServerCluster
  let end: () => void
  afterEach(async () => {
    end()
    await cluster.destroy()
  })

  test('60 costly reads, 20 costly retrievals, 8 slow readers, 128 unfinished bodies and a list of 100,000 rows of one company at once refuse no call of another, and keep memory and log within their limits', async () => {
    const { server, ours, theirs, load } = await start()
    const over = new AbortController()
    end = () => over.abort()
    // Each flood gets its share and no more; what else it sends waits or is refused.
    sendCostlyReads(server, ours[0], over.signal)
    const costlyShare = 0.75 * costlyReadsMax[database.name === 'SQLite' ? 'sqlite' : 'postgres']
    const waiting = costlyReads + costlyRetrievals - costlyShare
    await expect.poll(load, { timeout: 60_000 }).toMatchObject({ waiting })
    // The processes that read get less of a busy processor than the server.
    const priorities = () => findChildren(server.pid).map((pid) => getPriority(pid))
    if (database.name === 'SQLite')
      await expect
        .poll(priorities, { timeout: 60_000 })
        .toEqual(Array(costlyShare).fill(constants.priority.PRIORITY_LOW))
    sendIncompletely(server, ours[0], over.signal)
    const most = { streams: 0, bodyShares: 0 }
    const observe = async () => {
      const { streams, bodyShares } = await load()
      return Object.assign(most, {
        streams: Math.max(most.streams, streams),
        bodyShares: Math.max(most.bodyShares, bodyShares),
      })
    }
    await expect.poll(observe, { timeout: 60_000 }).toEqual({ streams: streamsShare, bodyShares: 1 })
    void statusOf(server, saveList, ours[1], revenue(listRows)).catch(() => undefined)
    expect(await findRefused(server, theirs, 5)).toEqual([])
    const path = sqlitePath(cluster.url)
    if (path !== null) expect(statSync(`${path}-wal`).size).toBeLessThan(256 * MiB)
    if (process.platform === 'linux') expect(peakMiB(server)).toBeLessThan(1024)
  })

  /** A server of two companies: one with two keys, and a neighbour with little data. */
  async function start() {
    end = () => {}
    cluster = await startServerCluster(database, 'floods', ...scopes)
    const terminal = openTerminal(cluster.environment)
    await terminal.json('company', 'add', 'NABO')
    const addKey = async (company: string): Promise<string> =>
      (await terminal.json('key', 'add', company, '--expires', 'never', ...scopes)).key
    const [second, theirs] = [await addKey(companyName), await addKey('NABO')]
    terminal.close()
    const store = await openStore({ url: cluster.url, canCreate: false })
    const [company] = await listCompanies(store)
    if (company === undefined) throw new Error('no company')
    const employees = Array.from({ length: people }, (_, index) => ({
      id: index + 1,
      firstName: `F${index}`,
      departmentId: '10',
    }))
    await fillDirectory({ store }, company, { departments: [{ id: '10', name: 'Hage' }], employees })
    await store.close()

    const port = await freePort()
    const server = await cluster.start(undefined, { DAGSVERK_METRICS_PORT: String(port) })
    const line = { Dato: '2024-05-01', AvdelingId: '10', Antall: 1, Varenavn: 'Sand' }
    expect(await statusOf(server, '/prosjekt/Transaksjon/Batch', cluster.key, [line])).toBe(200)
    expect(await statusOf(server, '/prosjekt/Transaksjon/Godkjenn', cluster.key, { ids: [1] })).toBe(200)
    // More than a page, so that reading all of them is a stream.
    expect(await statusOf(server, saveList, theirs, revenue(1500))).toBe(200)
    // More than the sockets of both sides buffer, so that a reader that stops keeps its stream.
    expect(await statusOf(server, saveList, second, revenue(10_000, 'x'.repeat(2000)))).toBe(200)
    const load = async () => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const gauge = (name: string) => Number(new RegExp(`^dagsverk_${name} (\\S+)$`, 'm').exec(text)?.[1])
      return {
        streams: gauge('store_streams_open'),
        waiting: gauge('store_connections_awaited'),
        bodyShares: Math.round(gauge('http_body_bytes_in_flight') / limits.bodyBytesPerCredentialMax),
      }
    }
    return { server, ours: [cluster.key, second] as const, theirs, load }
  }
})

/** Costly reads and retrievals, each sent again when it is answered. */
function sendCostlyReads({ address }: ServerProcess, key: string, signal: AbortSignal): void {
  const repeat = async (path: string) => {
    while (!signal.aborted) {
      const calling = fetch(address + addressOf(path, costly), { headers: { 'tb-key': key }, signal })
      await calling.then((reply) => reply.text()).catch(() => undefined)
    }
  }
  for (let reads = 0; reads < costlyReads; reads += 1) void repeat('/odata/Ansatt')
  for (let retrievals = 0; retrievals < costlyRetrievals; retrievals += 1) void repeat('/prosjekt/TransaksjonsEksport')
}

/** Bodies that lack their last byte, and readers that stop. */
function sendIncompletely({ address }: ServerProcess, key: string, signal: AbortSignal): void {
  const open = (line: string, more: readonly string[] = [], body = '') => {
    const connection = openRawConnection(address)
    signal.addEventListener('abort', () => connection.abort())
    void connection.send(request([line, 'Host: localhost', `tb-key: ${key}`, ...more], body))
    return connection
  }
  const unfinished = `[${' '.repeat(MiB - 2)}`
  const head = ['Content-Type: application/json', `Content-Length: ${MiB}`]
  for (let bodies = 0; bodies < unfinishedBodies; bodies += 1) open(`POST ${saveList} HTTP/1.1`, head, unfinished)
  for (let readers = 0; readers < slowReaders; readers += 1) open(`GET ${finn} HTTP/1.1`).pause()
}

/** The calls of the neighbour that did not succeed, with their status. */
async function findRefused(server: ServerProcess, key: string, rounds: number): Promise<string[]> {
  const refused: string[] = []
  const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 1 }
  const calls: readonly [name: string, path: string, body?: unknown][] = [
    ['livez', '/livez'],
    ['readyz', '/readyz'],
    ['point read', addressOf(finn, { $filter: `Dato eq datetime'2024-01-01' and AvdelingID eq '7'` })],
    ['upsert', setPerDate, [row]],
    ['stream', finn],
    ['costly read', addressOf('/odata/Ansatt', costly)],
  ]
  for (let round = 0; round < rounds; round += 1)
    for (const [name, path, body] of calls) {
      const status = await statusOf(server, path, key, body)
      if (status !== 200) refused.push(`${name} ${status}`)
    }
  return refused
}

async function statusOf({ address }: ServerProcess, path: string, key: string, body?: unknown): Promise<number> {
  const headers = { 'tb-key': key, 'content-type': 'application/json' }
  const reply = await fetch(address + path, {
    headers,
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  await reply.text()
  return reply.status
}

function revenue(rows: number, Merknad = '') {
  return Array.from({ length: rows }, (_, Omsetning) => ({
    Dato: '2024-01-01',
    AvdelingID: `${Omsetning}`,
    Omsetning,
    Merknad,
  }))
}

/** The largest resident memory that the process had. */
function peakMiB({ pid }: ServerProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}
