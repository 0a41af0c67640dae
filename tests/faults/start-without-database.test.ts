// Starting without PostgreSQL: a server waits for it and then exits, and workers are retried.
import { EventEmitter, once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrateDatabase } from '../../src/store/open-store.ts'
import { openSimClient, type SimClient } from '../sim/client.ts'
import { startServerCluster, type ServerCluster } from '../sim/server-cluster.ts'
import { canStartPostgres, startPostgres, type PostgresServer } from '../sim/postgres-cluster.ts'
import {
  findChildren,
  startCommand,
  waitForOutput,
  waitUntilServing,
  type ServerProcess,
} from '../sim/server-process.ts'

const two = { DAGSVERK_WORKERS: '2' }

describe.runIf(canStartPostgres)('PostgreSQL is unavailable', { timeout: 180_000 }, () => {
  let postgres: PostgresServer
  let cluster: ServerCluster
  let client: SimClient
  let server: ServerProcess
  beforeAll(async () => {
    postgres = await startPostgres()
    const { url } = postgres
    await migrateDatabase(url)
    const make = async () => ({ url, drop: async () => undefined })
    cluster = await startServerCluster({ make }, 'away')
  })
  afterAll(async () => {
    await cluster.destroy()
    await postgres.remove()
  })
  beforeEach(() => {
    if (!postgres.isRunning) postgres.start()
    client = openSimClient(cluster.key, () => server.address)
  })
  afterEach(async () => {
    await cluster.killAll()
  })

  const killWorkers = () => {
    for (const worker of findChildren(server.pid)) process.kill(worker, 'SIGKILL')
  }

  const untilReady = async () => {
    while ((await client.call('GET', '/readyz')).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  test('failed workers are restarted with growing delays until it is available; callers get 503 meanwhile', async () => {
    server = await cluster.start(undefined, two)
    postgres.kill()
    killWorkers()
    await waitForOutput(server, /exited with 70; restarting it in 2 s/g, 1)
    expect(server.stderr()).toMatch(/The database cannot be opened: .*ECONNREFUSED/)
    expect(server.stderr()).toContain('exited with 70; restarting it in 1 s')
    for (const path of ['/readyz', '/dev/Omsetning/Finn']) {
      const { status, text } = await client.call('GET', path)
      expect(status).toBe(503)
      expect(JSON.parse(text).error).toMatchObject({ code: 'DatabaseUnavailable', outcome: 'not_applied' })
    }
    expect((await client.call('GET', '/livez')).status).toBe(200)
    postgres.start()
    await untilReady()
    await waitForOutput(server, /^worker \d+ serves$/gm, 2)
    expect(await client.read('/dev/Omsetning/Finn')).toEqual([])
    expect((await server.stop()).exitCode).toBe(0)
  })

  test('a worker that cannot open it ends, although something in the worker still runs', async () => {
    server = await cluster.start('lingering-worker', two)
    postgres.kill()
    killWorkers()
    await waitForOutput(server, /exited with 70; restarting it in 1 s/g, 1)
    postgres.start()
    await waitForOutput(server, /^worker \d+ serves$/gm, 2)
    expect((await server.stop()).exitCode).toBe(0)
  })

  test('SIGTERM stops a server whose workers have all failed, while it waits to restart one', async () => {
    server = await cluster.start(undefined, two)
    postgres.kill()
    killWorkers()
    await waitForOutput(server, /exited with 70; restarting it in 2 s/g, 1)
    expect((await server.stop()).exitCode).toBe(0)
    expect((await client.call('GET', '/readyz')).text).toContain('ECONNREFUSED')
  })

  test('a server whose workers have all failed exits with code 70 after the time limit', async () => {
    server = await cluster.start(undefined, { ...two, DAGSVERK_DATABASE_WAIT_SECONDS: '1' })
    postgres.kill()
    killWorkers()
    const { exitCode, stderr } = await server.ended
    expect(stderr).toContain('No worker has served for 1 s; see their messages above.')
    expect(exitCode).toBe(70)
  })

  describe.each([{}, two])('at the first start %o', (more) => {
    const start = (settings: Record<string, string> = {}) =>
      startCommand(['serve'], { ...cluster.environment, ...more, ...settings })

    test('the server waits with growing pauses, and serves when it is available', async () => {
      postgres.kill()
      const starting = start()
      await waitForOutput(starting, /opened: .*ECONNREFUSED.*; trying again in 1 s\n/g, 1)
      await waitForOutput(starting, /opened: .*ECONNREFUSED.*; trying again in 2 s\n/g, 1)
      postgres.start()
      expect((await (await waitUntilServing(starting)).stop()).exitCode).toBe(0)
    })

    test('SIGTERM stops a server that waits to try again', async () => {
      postgres.kill()
      const starting = start()
      await waitForOutput(starting, /trying again in 2 s/g, 1)
      expect((await starting.stop()).exitCode).toBe(0)
    })

    test.each(['0', '1'])('the server exits with code 70 after %s s', async (seconds) => {
      postgres.kill()
      const { exitCode, stderr } = await start({ DAGSVERK_DATABASE_WAIT_SECONDS: seconds }).ended
      expect(stderr).toMatch(/^dagsverk: The database cannot be opened: .*ECONNREFUSED.*\n$/m)
      expect(stderr.includes('trying again')).toBe(seconds === '1')
      expect(exitCode).toBe(70)
    })

    test('a database that does not exist ends it at once, with code 70', async () => {
      const url = postgres.url.replace(/[^/]*$/, 'none')
      const { exitCode, stderr } = await start({ DAGSVERK_DATABASE_URL: url }).ended
      expect(stderr).toMatch(/^dagsverk: The database cannot be opened: .*"none" does not exist\n$/)
      expect(exitCode).toBe(70)
    })
  })

  describe('a database that does not respond', () => {
    let silent: Silent
    beforeEach(async () => {
      silent = await startSilent(Number(new URL(postgres.url).port))
    })
    afterEach(() => silent.close())

    const environment = () => ({
      ...cluster.environment,
      DAGSVERK_DATABASE_URL: postgres.url.replace(/:\d+\//, `:${silent.port}/`),
    })

    test('/readyz is 503, although its connections stay open', async () => {
      server = await cluster.start(undefined, environment())
      await untilReady()
      silent.isSilent = true
      expect((await client.call('GET', '/readyz')).status).toBe(503)
      silent.isSilent = false
      await untilReady()
      expect((await server.stop()).exitCode).toBe(0)
    })

    test.each([{}, two])('SIGTERM stops a server that waits for it %o', async (more) => {
      silent.isSilent = true
      const starting = startCommand(['serve'], { ...environment(), ...more })
      await silent.untilAsked(1)
      expect(await starting.stop()).toEqual({ exitCode: 0, stderr: '' })
    })

    test('SIGTERM stops a server whose workers wait for it', async () => {
      server = await cluster.start(undefined, { ...environment(), ...two })
      silent.isSilent = true
      killWorkers()
      await silent.untilAsked(2)
      const { exitCode, stderr } = await server.stop()
      expect(stderr).not.toContain('cannot be opened')
      expect(exitCode).toBe(0)
    })

    test('SIGTERM stops a server whose requests wait for it', async () => {
      server = await cluster.start('short-stop', environment())
      await untilReady()
      silent.isSilent = true
      const waiting = client.call('GET', '/dev/Omsetning/Finn')
      await silent.untilAsked(1)
      expect((await server.stop()).exitCode).toBe(0)
      expect((await waiting).status).toBe(0)
    })
  })
})

/** A proxy that forwards connections to the database, or leaves them without a response. */
interface Silent {
  readonly port: number
  isSilent: boolean
  /** Waits until so many messages were left without a response. */
  untilAsked(times: number): Promise<void>
  close(): void
}

async function startSilent(databasePort: number): Promise<Silent> {
  const sockets = new Set<Socket>()
  const unanswered = new EventEmitter()
  const between = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    const database = connect(databasePort, '127.0.0.1').on('error', () => socket.destroy())
    sockets.add(database)
    socket.on('data', (bytes) => {
      if (silent.isSilent) unanswered.emit('one')
      else database.write(bytes)
    })
    database.pipe(socket)
    socket.once('close', () => database.destroy())
  })
  await new Promise<void>((resolve) => {
    between.listen(0, '127.0.0.1', resolve)
  })
  const silent: Silent = {
    port: (between.address() as AddressInfo).port,
    isSilent: false,
    untilAsked: async (times) => {
      for (let found = 0; found < times; found++) await once(unanswered, 'one')
    },
    close: () => {
      between.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return silent
}
