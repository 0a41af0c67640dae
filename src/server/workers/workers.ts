// Several processes on one port: starts them, puts another in the place of one that dies, and stops them together.
import cluster, { type Worker } from 'node:cluster'
import { makeDataFolder } from '../config-options.ts'
import { onPort, openDoor } from '../ports.ts'
import { masterKeyOf, requireMasterKey } from '../master-key-file.ts'
import { reached, untilAsked } from '../with-store.ts'
import type { Served } from '../create-server.ts'
import type { Reason } from '../run-server.ts'
import { tellOfApp } from '../warn-if-app-missing.ts'
import { version } from '../version.ts'
import { isMessage, type Message } from './worker-messages.ts'
import type { World } from '../environment.ts'
import { holdSockets, sendSocket, type HeldSocket } from '../../http/listening-sockets.ts'
import { limits } from '../../http/limits.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { textOf } from '../metrics/metrics.ts'
import { openStore } from '../../store/open-store.ts'

/** Whether this process is to start workers rather than serve. */
export function startsWorkers(workers: number): boolean {
  return workers > 1 && cluster.isPrimary
}

/** Serves through workers until the end comes, and until each of them has answered what it accepted. */
export function runWorkers(
  served: Served,
  world: World,
  end: PromiseWithResolvers<Reason>,
): Promise<void> {
  return untilAsked(end.promise, async (signal, onServing) => {
    const { config, welcome } = served
    requireMasterKey(config)
    makeDataFolder(config)
    // What is to be made once is made before the first of them asks for it.
    const store = await reached(
      openStore({ url: config.databaseUrl, isCreating: true, connectionsMax: 1, signal }),
    )
    try {
      await masterKeyOf(store, config, world)
      const team = new Team(config.workers, world, () => end.resolve('broken'))
      world.onReload(() => team.signal('SIGHUP'))
      const { host, port, metricsPort } = config
      const door = metricsPort === null ? null : await openDoor(metricsPort, () => team.metrics())
      try {
        const sockets = await onPort(holdSockets(port, host), { host, port, setting: 'port' })
        const address = await Promise.race([team.start(sockets), end.promise])
        if (address !== 'asked' && address !== 'broken') {
          onServing()
          world.tell(`dagsverk ${version} with ${config.workers} workers serves on ${address}\n`)
          tellOfApp(world)
          await welcome(store, config.publicUrl || address)
          await end.promise
        }
      } finally {
        door?.close()
        await team.stop()
      }
      if (team.failure !== null) throw team.failure
    } finally {
      await store.close()
    }
  })
}

class Team {
  /** Why it was given up. */
  failure: OperatorError | null = null
  readonly #size: number
  readonly #world: World
  readonly #onFailure: () => void
  /** What all of them listen on. It stays open while none of them does, and callers wait for the next. */
  #sockets: readonly HeldSocket[] = []
  readonly #serving = new Set<Worker>()
  readonly #counting = new Map<number, (snapshot: object) => void>()
  readonly #pauses = new Set<NodeJS.Timeout>()
  /** Microseconds since 1970; null while one of them serves. */
  #servesNobodySince: number | null = null
  /** All at once, at least for a moment. */
  #hasServed = false
  #isStopping = false
  #turn = 0

  constructor(size: number, world: World, onFailure: () => void) {
    this.#size = size
    this.#world = world
    this.#onFailure = onFailure
  }

  /** Resolves with the address when all of them serve. `stop` closes the sockets. */
  start(sockets: readonly HeldSocket[]): Promise<string> {
    this.#sockets = sockets
    return new Promise((resolve) => {
      for (let one = 0; one < this.#size; one++) this.#add(resolve, 0)
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
    for (const pause of this.#pauses) clearTimeout(pause)
    for (const socket of this.#sockets) socket.close()
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

  /** `failures`: how many could not start in this place, one after another. */
  #add(onAllServe: (address: string) => void, failures: number): void {
    const worker = cluster.fork()
    worker.on('message', (message: unknown) => {
      if (!isMessage(message)) return
      if (message.says === 'listens') this.#giveSockets(worker)
      else if (message.says === 'counted') this.#counting.get(message.turn)?.(message.snapshot)
      else if (message.says === 'serves') {
        this.#serving.add(worker)
        this.#servesNobodySince = null
        if (this.#hasServed) this.#world.tell(`worker ${worker.id} serves\n`)
        else if (this.#serving.size === this.#size) {
          this.#hasServed = true
          onAllServe(message.address)
        }
      }
    })
    worker.once('exit', (exitCode, signal) => {
      const hasServed = this.#serving.delete(worker)
      if (this.#serving.size === 0) this.#servesNobodySince ??= this.#world.clock()
      if (this.#isStopping) return
      // At the start its own words say why, and another would fare no better.
      if (!this.#hasServed) this.#giveUp('could start', exitCode)
      else if (!hasServed && this.#hasServedNobodyTooLong())
        this.#giveUp(`has served for ${workerLimits.withoutWorkerMs / 1000} s`, exitCode)
      else this.#replace(worker, signal || exitCode, hasServed ? 0 : failures + 1)
    })
  }

  #hasServedNobodyTooLong(): boolean {
    const since = this.#servesNobodySince
    return since !== null && this.#world.clock() - since >= workerLimits.withoutWorkerMs * 1000
  }

  #replace(worker: Worker, how: string | number, failures: number): void {
    const { pauseMs, pauseMsMax } = workerLimits
    const waitMs = failures === 0 ? 0 : Math.min(pauseMs * 2 ** (failures - 1), pauseMsMax)
    const when = waitMs === 0 ? '' : ` in ${waitMs / 1000} s`
    this.#world.tell(`worker ${worker.id} ended with ${how}; another takes its place${when}\n`)
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      this.#add(() => {}, failures)
    }, waitMs)
    this.#pauses.add(pause)
  }

  #giveUp(words: string, exitCode: number | null): void {
    this.#world.tell('dagsverk: the workers cannot start\n')
    const known = [exitCodes.configuration, exitCodes.storage].find((one) => one === exitCode)
    this.failure = new OperatorError(
      `No worker ${words}; what each of them said stands above.`,
      known ?? exitCodes.failure,
    )
    this.#onFailure()
  }

  #giveSockets(worker: Worker): void {
    const message: Message = { says: 'socket', of: this.#sockets.length }
    if (!this.#isStopping) for (const socket of this.#sockets) sendSocket(worker, message, socket)
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
      // Without a callback the runtime throws where the worker has just died.
      worker.send(question, () => undefined)
    })
  }
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}

export const workerLimits = {
  /** Before another is started in the place of one that could not start; twice as long after each further one. */
  pauseMs: 1000,
  pauseMsMax: 8000,
  /** None has served for so long, and another could not start either: all end, and a supervisor sees it. */
  withoutWorkerMs: 60_000,
}

/** Beyond the time that a worker gives its own callers. */
const graceMs = 3000
const countTimeoutMs = 2000
