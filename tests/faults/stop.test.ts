// Stopping under load: a server answers every accepted request, leaves a clean file, and waits for nothing else.
import { existsSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { formatDay } from '../../src/lib/calendar.ts'
import { sqlitePath } from '../../src/store/open-store.ts'
import { openRawConnection, parseReplies } from '../http/conversation.ts'
import { databases } from '../support/databases.ts'
import { openSimClient, type SimClient } from '../sim/client.ts'
import { useTestServer } from '../support/server.ts'
import { seededRandom } from '../support/random.ts'
import { useServerCluster, type ServerCluster } from '../sim/server-cluster.ts'
import { startCommand, waitUntilServing, type ServerProcess } from '../sim/server-process.ts'
import { DayWrites } from './writes.ts'

const stops = Number(process.env['DAGSVERK_TEST_STOPS'] ?? 5)

describe.each(databases)('a server on $name that is stopped under load', (database) => {
  const cluster = useServerCluster(database, 'stop')

  test(
    'has answered every write that it executed, exits with code 0, and leaves no write-ahead log',
    async () => {
      expect(await stopRepeatedly(cluster, stops)).toEqual([])
    },
    60_000 + stops * 10_000,
  )

  test('the test detects a server that cuts its replies off', async () => {
    // Not every stop has a write that is executed and not answered yet.
    const violations = await stopRepeatedly(cluster, 10, 'cut-answers')
    expect(violations).toContainEqual(expect.stringContaining('was executed without a reply'))
  })

  test('reads the rest of a body in transit, and replies', async () => {
    const body = JSON.stringify({ Merknad: 'kom etter at den skulle stoppe' })
    const server = await cluster.start()
    const head =
      `POST /dev/Omsetning/Lagre HTTP/1.1\r\nHost: localhost\r\ntb-key: ${cluster.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const { connection, ended } = await stopDuring(server, head + body.slice(0, 20))
    await connection.send(body.slice(20))
    expect((await ended).exitCode).toBe(0)
    const [, reply] = parseReplies(await connection.ended)
    expect(reply).toMatchObject({ status: 200, headers: { connection: 'close' } })
    expect(reply?.body).toContain('kom etter')
  })

  test('serves and stops although a program that gets its log does not read it', async () => {
    // Standard output is a pipe that the server itself keeps open for reading.
    const unread = ['sh', '-c', 'mkfifo "$0" && exec "$@" 1<>"$0"', `${cluster.dataDir}.log`]
    const settings = { ...cluster.environment, DAGSVERK_LOG_LEVEL: 'info' }
    const server = await waitUntilServing(startCommand(['serve'], settings, undefined, unread))
    // More than the 64 KiB that a pipe holds.
    for (let request = 0; request < 1000; request++)
      expect((await fetch(`${server.address}/dev/none`)).status, String(request)).toBe(404)
    expect((await server.stop()).exitCode).toBe(0)
  })

  test('reports over an open connection that it is not ready, so that load balancers avoid it', async () => {
    const server = await cluster.start()
    const { connection, ended } = await stopDuring(server, 'GET /readyz HTTP/1.1\r\nHost: local')
    await connection.send('host\r\n\r\n')
    expect((await ended).exitCode).toBe(0)
    const [, reply] = parseReplies(await connection.ended)
    expect(reply?.status).toBe(503)
    expect(reply?.body).toContain('"code":"ShuttingDown"')
  })
})

describe.each(databases)('a store on $name that is closed during writes', (database) => {
  const server = useTestServer(database, 'close')

  test('has stored what succeeded and nothing else, and rejects what comes later as not applied', async () => {
    // It may record the use of the key after the end.
    const instance = await server.secondInstance({ print: () => undefined })
    const addUntilRejected = async (client: number) => {
      const json = { Dato: '2026-05-01', AvdelingID: String(client), Omsetning: 1 }
      for (let stored = 0; ; stored += 1) {
        const { status, json: body } = await instance.call('POST', '/omsetning/AggsertOmsetning', { json })
        if (status !== 200) return { stored, rejection: [status, body.error.code, body.error.outcome] }
        if (client === 0 && stored === 4) void instance.store.close()
      }
    }
    const written = await Promise.all(Array.from({ length: 32 }, (_, client) => addUntilRejected(client)))
    for (const { rejection } of written) expect(rejection).toEqual([503, 'DatabaseUnavailable', 'not_applied'])
    const { json } = await server.call('GET', '/dev/Omsetning/Finn')
    const found = new Map(json.map((row: { AvdelingID: string; Omsetning: number }) => [row.AvdelingID, row.Omsetning]))
    expect(written.map((_, client) => found.get(String(client)) ?? 0)).toEqual(written.map(({ stored }) => stored))
  })
})

/** Begins a request on a connection that has had a reply, and stops the server; returns when it accepts no more. */
async function stopDuring(server: ServerProcess, beginning: string) {
  const connection = openRawConnection(server.address)
  await connection.send('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await connection.waitFor(/\r\n\r\n./)
  await connection.send(beginning)
  const ended = server.stop()
  const isAccepting = () =>
    fetch(`${server.address}/livez`).then(
      () => true,
      () => false,
    )
  while (await isAccepting()) await sleep(5)
  return { connection, ended }
}

/** The problems found at each stop, and in the stored data; with an injected bug up to the first one. */
async function stopRepeatedly(cluster: ServerCluster, times: number, injectedBug?: string): Promise<string[]> {
  const random = seededRandom()
  const violations: string[] = []
  let address = ''
  let last: DayWrites | undefined
  const client = openSimClient(cluster.key, () => address)
  for (let stop = 0; stop <= times; stop++) {
    const server = await cluster.start(injectedBug)
    address = server.address
    if (last !== undefined) violations.push(...(await violationsOf(last, client)))
    if (stop === times || (injectedBug !== undefined && violations.length > 0)) break
    const halfOpen = await Promise.all(beginnings.map((bytes) => send(address, bytes)))
    last = new DayWrites(formatDay(stop), client, random)
    const writing = last.writeUntil(({ status }) => status === 0)
    await last.untilAnswered()
    await sleep(random.below(250))
    const { exitCode } = await server.stop()
    await writing
    for (const socket of halfOpen) socket.destroy()
    if (exitCode !== 0) violations.push(`exit code ${exitCode}`)
    if (logBytes(cluster.url) > 0) violations.push('the write-ahead log of SQLite remains')
  }
  return violations
}

/** A write without a reply was not executed: no outcome is unknown. */
async function violationsOf(day: DayWrites, client: SimClient): Promise<string[]> {
  const $filter = `Dato eq ${day.date}`
  const journal = await client.read('/omsetning/OmsetningLogg', { $filter })
  const done = new Set(journal.map(({ ForesporselId }) => ForesporselId))
  const unanswered = day.writes.filter(({ reply }) => reply.effect === 'unknown')
  return [
    ...(await day.violations()),
    ...unanswered.filter(({ id }) => done.has(id)).map(({ id }) => `${id} was executed without a reply`),
  ]
}

/** Connections that are silent, or stop within a request, or have had their reply. */
const beginnings = [
  '',
  'GET /livez HT',
  'GET /livez HTTP/1.1\r\nHost: local',
  'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n',
]

function send(address: string, bytes: string): Promise<Socket> {
  const { port, hostname } = new URL(address)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes)
      resolve(socket)
    })
    socket.on('error', () => undefined)
  })
}

function logBytes(url: string): number {
  const path = `${sqlitePath(url)}-wal`
  return existsSync(path) ? statSync(path).size : 0
}
