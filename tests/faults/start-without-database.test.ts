// Starting without PostgreSQL: a server reports it and exits, and workers are retried.
import { EventEmitter, once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrateDatabase } from '../../src/store/open-store.ts'
import { openClient, type Client } from '../sim/client.ts'
import { prepareGround, type Ground } from '../sim/server-cluster.ts'
import { canStartCluster, startCluster } from '../sim/postgres-cluster.ts'
import { childrenOf, startCommand, untilTold, type ServerProcess } from '../sim/server-process.ts'

const two = { DAGSVERK_WORKERS: '2' }

describe.runIf(canStartCluster)('PostgreSQL is unavailable', { timeout: 180_000 }, () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let ground: Ground
  let client: Client
  let server: ServerProcess
  beforeEach(async () => {
    cluster = await startCluster()
    const { url } = cluster
    await migrateDatabase(url)
    const make = async () => ({ url, drop: async () => undefined })
    ground = await prepareGround({ make }, 'away')
    client = openClient(ground.key, () => server.address)
  })
  afterEach(async () => {
    client.close()
    await ground.clear()
    await cluster.remove()
  })

  const killWorkers = () => {
    for (const worker of childrenOf(server.pid)) process.kill(worker, 'SIGKILL')
  }

  test('failed workers are restarted with growing delays until it is available; callers wait', async () => {
    server = await ground.start(undefined, two)
    cluster.kill()
    killWorkers()
    const waiting = client.call('GET', '/readyz')
    await untilTold(server, /ended with 70; another takes its place in 2 s/g, 1)
    expect(server.told()).toMatch(/The database cannot be opened: .*ECONNREFUSED/)
    expect(server.told()).toContain('ended with 70; another takes its place in 1 s')
    cluster.start()
    expect((await waiting).status).toBe(200)
    await untilTold(server, /^worker \d+ serves$/gm, 2)
    expect(await client.read('/dev/Omsetning/Finn')).toEqual([])
    expect((await server.stop()).exitCode).toBe(0)
  })

  test('SIGTERM stops a server whose workers have all failed, while it waits to restart one', async () => {
    server = await ground.start(undefined, two)
    cluster.kill()
    killWorkers()
    await untilTold(server, /ended with 70; another takes its place in 2 s/g, 1)
    expect((await server.stop()).exitCode).toBe(0)
    expect((await client.call('GET', '/readyz')).text).toContain('ECONNREFUSED')
  })

  test('a server whose workers have all failed exits with code 70 after the time limit', async () => {
    server = await ground.start('short-patience', two)
    cluster.kill()
    killWorkers()
    const { exitCode, told } = await server.ended
    expect(told).toContain('No worker has served for 0 s; what each of them said stands above.')
    expect(exitCode).toBe(70)
  })

  test.each([{}, two])(
    'at the first start the server reports it and exits with code 70 %o',
    async (more) => {
      cluster.kill()
      const { exitCode, told } = await startCommand(['serve'], { ...ground.environment, ...more })
        .ended
      expect(told).toMatch(/^dagsverk: The database cannot be opened: .*ECONNREFUSED.*\n$/)
      expect(exitCode).toBe(70)
    },
  )

  describe('a database that does not respond', () => {
    let silent: Silent
    beforeEach(async () => {
      silent = await startSilent(Number(new URL(cluster.url).port))
    })
    afterEach(() => silent.close())

    const environment = () => ({
      ...ground.environment,
      DAGSVERK_DATABASE_URL: cluster.url.replace(/:\d+\//, `:${silent.port}/`),
    })

    test.each([{}, two])('SIGTERM stops a server that waits for it %o', async (more) => {
      silent.isSilent = true
      const starting = startCommand(['serve'], { ...environment(), ...more })
      await silent.untilAsked(1)
      expect(await starting.stop()).toEqual({ exitCode: 0, told: '' })
    })

    test('SIGTERM stops a server whose workers wait for it', async () => {
      server = await ground.start(undefined, { ...environment(), ...two })
      silent.isSilent = true
      killWorkers()
      await silent.untilAsked(2)
      const { exitCode, told } = await server.stop()
      expect(told).not.toContain('cannot be opened')
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
