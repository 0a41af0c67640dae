// ADR 0015: one company sends each flood alone, and all of them at the same time; its neighbour is never refused.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTerminal } from '../cli/terminal.ts'
import { openRawConnection, request } from '../http/conversation.ts'
import { companyName, startServerCluster, type ServerCluster } from '../sim/server-cluster.ts'
import { findChildren, type ServerProcess } from '../sim/server-process.ts'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { freePort } from '../support/ports.ts'
import { addressOf } from '../support/revenue-client.ts'
import { limits } from '../../src/http/limits.ts'
import { listCompanies } from '../../src/store/accounts/companies.ts'
import { openStore, sqlitePath } from '../../src/store/open-store.ts'

const MiB = 1024 * 1024
const people = 1100
const [costlyReads, costlyRetrievals, slowReaders, unfinishedBodies, lists] = [60, 20, 8, 128, 2]
const listRows = 20_000
/** Of eight. */
const streamsShare = 6
/** Of four costly reads, while no other company has requests. */
const costlyShare = 3
const bodyShareMiB = limits.bodyBytesPerCredentialMax / MiB

/** A read that runs until its time limit: each employee's colleagues, their colleagues, and theirs. */
const costly = {
  $filter: `Avdeling/Ansatte/any(a:a/Avdeling/Ansatte/any(b:b/Avdeling/Ansatte/any(c:concat(concat(a/Fornavn,b/Fornavn),c/Fornavn) eq 'Ingen')))`,
}
const scopes = ['--scopes', 'revenue:*,material:*,export:*,directory:*']
const finn = '/dev/Omsetning/Finn'
const saveList = '/dev/Omsetning/LagreEllerOppdaterListe'
const pointRead = addressOf(finn, { $filter: `Dato eq datetime'2024-01-01' and AvdelingID eq '7'` })
const setPerDate = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'

/** What the server holds for all companies. */
interface Load {
  readonly readsWaiting: number
  readonly streams: number
  readonly bodyMiB: number
}

/** What one company sends until the signal, and the load of the server as soon as it has its share; the rest waits or is refused. */
interface Flood {
  readonly title: string
  readonly send: (to: FloodTarget, signal: AbortSignal) => void
  /** How many of its calls are costly reads. */
  readonly costlyCalls?: number
  readonly load: Partial<Load>
}

interface FloodTarget {
  readonly server: ServerProcess
  /** Of the same company. */
  readonly keys: readonly [string, string]
}

const floods: readonly Flood[] = [
  {
    title: `${costlyReads} costly reads`,
    send: (to, signal) => repeat(costlyReads, signal, () => readCostly(to, '/odata/Ansatt', signal)),
    costlyCalls: costlyReads,
    load: {},
  },
  {
    title: `${costlyRetrievals} costly retrievals`,
    send: (to, signal) =>
      repeat(costlyRetrievals, signal, () => readCostly(to, '/prosjekt/TransaksjonsEksport', signal)),
    costlyCalls: costlyRetrievals,
    load: {},
  },
  {
    title: `${slowReaders} slow readers`,
    send: (to, signal) => {
      for (let readers = 0; readers < slowReaders; readers += 1) open(to, signal, [`GET ${finn} HTTP/1.1`]).pause()
    },
    load: { streams: streamsShare },
  },
  {
    title: `${unfinishedBodies} unfinished bodies`,
    send: (to, signal) => {
      const head = [`POST ${saveList} HTTP/1.1`, 'Content-Type: application/json', `Content-Length: ${MiB}`]
      const unfinished = `[${' '.repeat(MiB - 2)}`
      for (let bodies = 0; bodies < unfinishedBodies; bodies += 1) open(to, signal, head, unfinished)
    },
    load: { bodyMiB: bodyShareMiB },
  },
  {
    title: `${lists} lists of ${listRows} rows at a time`,
    send: ({ server, keys }, signal) => {
      const rows = revenue(listRows)
      repeat(lists, signal, () => statusOf(server, saveList, keys[1], rows))
    },
    load: { bodyMiB: 1 },
  },
]

const allAtOnce: Flood = {
  title: 'all of these at once',
  send: (to, signal) => floods.forEach(({ send }) => send(to, signal)),
  costlyCalls: costlyReads + costlyRetrievals,
  load: { streams: streamsShare, bodyMiB: bodyShareMiB },
}

describe.each(databases)('on $name', { timeout: 400_000 }, (database) => {
  let cluster: ServerCluster
  let started: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    started = await start()
    return () => cluster.destroy()
  }, 400_000)

  // The first test: no query process is idle yet.
  test('a costly read whose rows wait for a slow reader keeps no other costly read of its company waiting', async () => {
    const { server, keys, theirs, load } = started
    const over = new AbortController()
    try {
      repeat(1, over.signal, () => statusOf(server, pointRead, theirs))
      open({ server, keys }, over.signal, [`GET ${remarkContains('x')} HTTP/1.1`]).pause()
      const processOrStream = () =>
        database.name === 'SQLite' ? findChildren(server.pid).length : load().then(({ streams }) => streams)
      await expect.poll(processOrStream, { timeout: 60_000 }).toBeGreaterThan(0)
      expect(await statusOf(server, remarkContains('none'), keys[1])).toBe(200)
    } finally {
      over.abort()
      await expect.poll(load, { timeout: 60_000 }).toEqual({ readsWaiting: 0, streams: 0, bodyMiB: 0 })
    }
  })

  test.each([...floods, allAtOnce])(
    '$title of one company refuse no call of another, and keep memory and log within their limits',
    async ({ send, costlyCalls, load: ofOthers }) => {
      const { server, keys, theirs, load } = started
      const over = new AbortController()
      const share = costlyCalls === undefined ? ofOthers : { ...ofOthers, readsWaiting: costlyCalls - costlyShare }
      try {
        send({ server, keys }, over.signal)
        await expect.poll(mostOf(load, share), { timeout: 60_000 }).toEqual(share)
        // The processes that read get less of a busy processor than the server, with all of their threads.
        const priorities = () => findChildren(server.pid).map(prioritiesOf)
        if (database.name === 'SQLite' && costlyCalls !== undefined)
          await expect
            .poll(priorities, { timeout: 60_000 })
            .toEqual(Array.from({ length: costlyShare }, () => [constants.priority.PRIORITY_BELOW_NORMAL]))
        expect(await findRefused(server, theirs, 5)).toEqual([])
        const path = sqlitePath(cluster.url)
        if (path !== null) expect(statSync(`${path}-wal`).size).toBeLessThan(256 * MiB)
        if (process.platform === 'linux') expect(peakMiB(server)).toBeLessThan(1024)
        if (costlyCalls === undefined) return
        repeat(1, over.signal, () => statusOf(server, pointRead, theirs))
        const besideOthers = { readsWaiting: costlyCalls - 1 }
        await expect.poll(mostOf(load, besideOthers), { timeout: 60_000 }).toEqual(besideOthers)
      } finally {
        over.abort()
        // A list is saved although its client has gone.
        await expect.poll(load, { timeout: 180_000 }).toEqual({ readsWaiting: 0, streams: 0, bodyMiB: 0 })
      }
    },
  )

  /** A server of two companies: one with two keys, and a neighbour with little data. */
  async function start() {
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
    const load = async (): Promise<Load> => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const gauge = (name: string) => Number(new RegExp(`^dagsverk_${name} (\\S+)$`, 'm').exec(text)?.[1])
      return {
        readsWaiting: gauge('store_connections_awaited'),
        streams: gauge('store_streams_open'),
        bodyMiB: Math.round(gauge('http_body_bytes_in_flight') / MiB),
      }
    }
    return { server, keys: [cluster.key, second] as const, theirs, load }
  }
})

/** The largest load until now, of what has an expected one, and no more than that. */
function mostOf(load: () => Promise<Load>, expected: Partial<Load>): () => Promise<Record<string, number>> {
  const most: Record<string, number> = {}
  return async () => {
    const now: Record<string, number> = { ...(await load()) }
    for (const [name, max] of Object.entries(expected))
      most[name] = Math.min(max, Math.max(most[name] ?? 0, now[name] ?? 0))
    return most
  }
}

/** Keeps as many calls running, until the signal. */
function repeat(calls: number, signal: AbortSignal, call: () => Promise<unknown>): void {
  const keepCalling = async () => {
    while (!signal.aborted) await call().catch(() => undefined)
  }
  for (let started = 0; started < calls; started += 1) void keepCalling()
}

async function readCostly({ server, keys }: FloodTarget, path: string, signal: AbortSignal): Promise<void> {
  const reply = await fetch(server.address + addressOf(path, costly), { headers: { 'tb-key': keys[0] }, signal })
  await reply.text()
}

/** A connection whose request, or whose reply, does not end before the signal. */
function open({ server, keys }: FloodTarget, signal: AbortSignal, [line = '', ...head]: readonly string[], body = '') {
  const connection = openRawConnection(server.address)
  signal.addEventListener('abort', () => connection.abort())
  void connection.send(request([line, 'Host: localhost', `tb-key: ${keys[0]}`, ...head], body))
  return connection
}

/** The calls of the neighbour that did not succeed, with their status. */
async function findRefused(server: ServerProcess, key: string, rounds: number): Promise<string[]> {
  const refused: string[] = []
  const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 1 }
  const calls: readonly [name: string, path: string, body?: unknown][] = [
    ['livez', '/livez'],
    ['readyz', '/readyz'],
    ['point read', pointRead],
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

function remarkContains(text: string): string {
  return addressOf(finn, { $filter: `contains(Merknad,'${text}')` })
}

function revenue(rows: number, Merknad = '') {
  return Array.from({ length: rows }, (_, Omsetning) => ({
    Dato: '2024-01-01',
    AvdelingID: `${Omsetning}`,
    Omsetning,
    Merknad,
  }))
}

/** Each different one of its threads, which on Linux have their own. */
function prioritiesOf(pid: number): number[] {
  const threads = process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid]
  return [...new Set(threads.map((thread) => getPriority(thread)))]
}

/** The largest resident memory that the process had. */
function peakMiB({ pid }: ServerProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}
