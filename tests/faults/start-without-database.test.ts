// Starting without PostgreSQL: a server reports it and exits, and workers are retried.
import { EventEmitter, once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrateDatabase } from '../../src/store/open-store.ts'
import { openSimClient, type SimClient } from '../sim/client.ts'
import { startServerCluster, type ServerCluster } from '../sim/server-cluster.ts'
import { canStartPostgres, startPostgres } from '../sim/postgres-cluster.ts'
import {
  findChildren,
  startCommand,
  waitForOutput,
  type ServerProcess,
} from '../sim/server-process.ts'

const two = { DAGSVERK_WORKERS: '2' }

describe.runIf(canStartPostgres)('PostgreSQL is unavailable', { timeout: 180_000 }, () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  let cluster: ServerCluster
  let client: SimClient
  let server: ServerProcess
  beforeEach(async () => {
    postgres = await startPostgres()
    const { url } = postgres
    await migrateDatabase(url)
    const make = async () => ({ url, drop: async () => undefined })
    cluster = await startServerCluster({ make }, 'away')
    client = openSimClient(cluster.key, () => server.address)
  })
  afterEach(async () => {
    client.close()
    await cluster.destroy()
    await postgres.remove()
  })

  const killWorkers = () => {
    for (const worker of findChildren(server.pid)) process.kill(worker, 'SIGKILL')
  }

  test('failed workers are restarted with growing delays until it is available; callers wait', async () => {
    server = await cluster.start(undefined, two)
    postgres.kill()
    killWorkers()
    const waiting = client.call('GET', '/readyz')
    await waitForOutput(server, /exited with 70; restarting it in 2 s/g, 1)
    expect(server.stderr()).toMatch(/The database cannot be opened: .*ECONNREFUSED/)
    expect(server.stderr()).toContain('exited with 70; restarting it in 1 s')
    postgres.start()
    expect((await waiting).status).toBe(200)
    await waitForOutput(server, /^worker \d+ serves$/gm, 2)
    expect(await client.read('/dev/Omsetning/Finn')).toEqual([])
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
    server = await cluster.start('short-patience', two)
    postgres.kill()
    killWorkers()
    const { exitCode, stderr } = await server.ended
    expect(stderr).toContain('No worker has served for 0 s; see their messages above.')
    expect(exitCode).toBe(70)
  })

  test.each([{}, two])(
    'at the first start the server reports it and exits with code 70 %o',
    async (more) => {
      postgres.kill()
      const { exitCode, stderr } = await startCommand(['serve'], {
        ...cluster.environment,
        ...more,
      }).ended
      expect(stderr).toMatch(/^dagsverk: The database cannot be opened: .*ECONNREFUSED.*\n$/)
      expect(exitCode).toBe(70)
    },
  )

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
  })
})

/** A proxy that forwards connections to the database, or leaves them without a response. */
interface Silent {
  readonly port: number
  isSilent: boolean
  /** The number of connections that were left without a response. */
  untilAsked(times: number): Promise<void>
  close(): void
}

async function startSilent(databasePort: number): Promise<Silent> {
  const sockets = new Set<Socket>()
  const unanswered = new EventEmitter()
  const between = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    if (silent.isSilent) {
      socket.once('data', () => unanswered.emit('one'))
      return
    }
    const database = connect(databasePort, '127.0.0.1').on('error', () => socket.destroy())
    sockets.add(database)
    socket.pipe(database).pipe(socket)
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
