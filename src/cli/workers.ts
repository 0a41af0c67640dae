// Several processes on one port: starts them, puts another in the place of one that dies, and stops them together.
import cluster, { type Worker } from 'node:cluster'
import { makeDataFolder } from '#cli/configured.ts'
import { openDoor } from '#cli/ports.ts'
import { masterKeyOf, requireMasterKey } from '#cli/master-key-file.ts'
import { reached } from '#cli/opened.ts'
import type { Served } from '#cli/assemble.ts'
import type { Reason } from '#cli/run-server.ts'
import { version } from '#cli/version.ts'
import { isMessage, type Message } from '#cli/worker-messages.ts'
import type { World } from '#cli/world.ts'
import { limits } from '#http/limits.ts'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'
import { textOf } from '#metrics/metrics.ts'
import { openStore } from '#store/open-store.ts'

/** Whether this process is to start workers rather than serve. */
export const startsWorkers = (workers: number): boolean => workers > 1 && cluster.isPrimary

/** Serves through workers until the end comes, and until each of them has answered what it accepted. */
export const runWorkers = async (
  served: Served,
  world: World,
  end: PromiseWithResolvers<Reason>,
): Promise<void> => {
  const { config, welcome } = served
  requireMasterKey(config)
  makeDataFolder(config)
  // What is to be made once is made before the first of them asks for it.
  const store = await reached(
    openStore({ url: config.databaseUrl, isCreating: true, connectionsMax: 1 }),
  )
  try {
    await masterKeyOf(store, config, world)
    const team = new Team(config.workers, world, (exitCode) => {
      world.tell('dagsverk: the workers cannot start\n')
      failed = exitCode
      end.resolve('broken')
    })
    let failed: number | null = null
    world.onReload(() => team.signal('SIGHUP'))
    const { metricsPort } = config
    const door = metricsPort === null ? null : await openDoor(metricsPort, () => team.metrics())
    try {
      const address = await Promise.race([team.start(), end.promise])
      if (address !== 'asked' && address !== 'broken') {
        world.tell(`dagsverk ${version} with ${config.workers} workers serves on ${address}\n`)
        await welcome(store, config.publicUrl || address)
        await end.promise
      }
    } finally {
      door?.close()
      await team.stop()
    }
    if (failed !== null)
      throw new OperatorError(
        'No worker could start; what each of them said stands above.',
        failed === exitCodes.configuration ? exitCodes.configuration : exitCodes.failure,
      )
  } finally {
    await store.close()
  }
}

class Team {
  readonly #size: number
  readonly #world: World
  readonly #onHopeless: (exitCode: number) => void
  readonly #serving = new Set<Worker>()
  readonly #counting = new Map<number, (snapshot: object) => void>()
  /** All at once, at least for a moment. */
  #hasServed = false
  #isStopping = false
  #turn = 0

  constructor(size: number, world: World, onHopeless: (exitCode: number) => void) {
    this.#size = size
    this.#world = world
    this.#onHopeless = onHopeless
  }

  /** Resolves with the address when all of them serve. */
  start(): Promise<string> {
    // All wait at one socket. Where this process hands connections out, one on its way to a worker that dies hangs.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    return new Promise((resolve) => {
      const serves = (address: string) => {
        if (this.#serving.size < this.#size) return
        this.#hasServed = true
        resolve(address)
      }
      for (let one = 0; one < this.#size; one++) this.#add(serves)
    })
  }

  /** What all of them have counted, added together; one that does not answer in time is left out. */
  async metrics(): Promise<string> {
    const snapshots = await Promise.all([...this.#serving].map((worker) => this.#count(worker)))
    return textOf(snapshots.filter((snapshot) => snapshot !== null))
  }

  signal(signal: 'SIGHUP' | 'SIGTERM' | 'SIGKILL'): void {
    for (const worker of workers()) worker.process.kill(signal)
  }

  /** Ends when all of them have; those that take longer than they may are killed. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.signal('SIGTERM')
    const deadline = setTimeout(() => this.signal('SIGKILL'), limits.stopTimeoutMs + graceMs)
    await Promise.all(
      workers().map(
        (worker) =>
          new Promise<void>((resolve) => {
            if (worker.isDead()) resolve()
            else worker.once('exit', () => resolve())
          }),
      ),
    )
    clearTimeout(deadline)
  }

  #add(serves: (address: string) => void): void {
    const worker = cluster.fork()
    worker.on('message', (message: unknown) => {
      if (!isMessage(message)) return
      if (message.says === 'serves') {
        this.#serving.add(worker)
        serves(message.address)
      } else if (message.says === 'counted') this.#counting.get(message.turn)?.(message.snapshot)
    })
    worker.once('exit', (exitCode, signal) => {
      const hasServed = this.#serving.delete(worker)
      if (this.#isStopping) return
      // At the start its own words say why, and another would fare no better.
      if (!this.#hasServed) return this.#onHopeless(exitCode)
      this.#world.tell(
        `worker ${worker.id} ended with ${signal || exitCode}; another takes its place\n`,
      )
      if (hasServed) this.#add(() => {})
      else setTimeout(() => this.#isStopping || this.#add(() => {}), pauseMs)
    })
  }

  #count(worker: Worker): Promise<object | null> {
    const turn = ++this.#turn
    return new Promise((resolve) => {
      const give = (snapshot: object | null) => {
        clearTimeout(timer)
        this.#counting.delete(turn)
        resolve(snapshot)
      }
      const timer = setTimeout(() => give(null), countTimeoutMs)
      this.#counting.set(turn, give)
      const question: Message = { says: 'count', turn }
      worker.send(question)
    })
  }
}

const workers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

/** Beyond the time that a worker gives its own callers. */
const graceMs = 3000
/** Before a worker is started anew that could not start, be it for a database that is away. */
const pauseMs = 1000
const countTimeoutMs = 2000
