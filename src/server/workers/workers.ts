// Worker pool: several processes on one port, with restart of failed workers and graceful stop.
import cluster, { type Worker } from 'node:cluster'
import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createDataFolder } from '../config-options.ts'
import { withPortErrors, listenForMetrics } from '../ports.ts'
import { loadMasterKey, requireMasterKey } from '../master-key-file.ts'
import { openWhenAvailable, retryPauseMs, runAbortable, type StopReason } from '../with-store.ts'
import type { ServerOptions } from '../create-server.ts'
import { warnIfAppMissing } from '../warn-if-app-missing.ts'
import { version } from '../version.ts'
import { isMessage, type WorkerMessage } from './worker.ts'
import type { Config } from '../../config/settings.ts'
import type { Runtime } from '../environment.ts'
import { bindSockets, sendSocket, type ListeningSocket } from '../../http/listening-sockets.ts'
import { limits } from '../../http/limits.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { formatMetrics } from '../metrics/metrics.ts'

/** Whether this process is the primary that starts workers. */
export function startsWorkers(workers: number): boolean {
  return workers > 1 && cluster.isPrimary
}

/** Runs workers until `end` resolves and each of them has finished its accepted requests. */
export function runWorkers(
  options: ServerOptions,
  runtime: Runtime,
  end: PromiseWithResolvers<StopReason>,
): Promise<void> {
  return runAbortable(end.promise, async (signal) => {
    const { config, onListening } = options
    requireMasterKey(config)
    createDataFolder(config)
    // Migrations and the master-key check run once, before the workers start.
    const { databaseUrl: url, databaseWaitSeconds: waitSeconds } = config
    const store = await openWhenAvailable({ url, canCreate: true, connectionsMax: 1, signal }, { waitSeconds, runtime })
    try {
      await loadMasterKey(store, config, runtime)
      const pool = new WorkerPool(config, runtime, () => end.resolve('failed'))
      runtime.onReload(() => pool.signal('SIGHUP'))
      const { host, port, metricsPort } = config
      const metricsServer = metricsPort === null ? null : await listenForMetrics(metricsPort, () => pool.metrics())
      try {
        const sockets = await withPortErrors(bindSockets(port, host), { host, port, setting: 'port' })
        const address = await Promise.race([pool.start(sockets), end.promise])
        if (address !== 'requested' && address !== 'failed') {
          runtime.printMessage(`dagsverk ${version} with ${config.workers} workers serves on ${address}\n`)
          warnIfAppMissing(runtime)
          await Promise.race([onListening(store, config.publicUrl || address), end.promise])
          await end.promise
        }
      } finally {
        metricsServer?.close()
        await pool.stop()
      }
      if (pool.failure !== null) throw pool.failure
    } finally {
      await store.close()
    }
  })
}

type PoolConfig = Pick<Config, 'workers' | 'databaseWaitSeconds'>

class WorkerPool {
  /** The error that made the pool give up. */
  failure: OperatorError | null = null
  readonly #config: PoolConfig
  readonly #runtime: Runtime
  readonly #onFailure: () => void
  /** Shared listening sockets. They stay open without workers, so that callers wait for the next worker. */
  #sockets: readonly ListeningSocket[] = []
  readonly #serving = new Set<Worker>()
  readonly #pauses = new Set<NodeJS.Timeout>()
  /** Runs while no worker serves, and ends the pool. */
  #outage: NodeJS.Timeout | null = null
  /** Replies to callers while no worker can open the database. */
  #responder: Worker | null = null
  /** Of the last worker that could not start. */
  #lastExitCode: number = exitCodes.storage
  /** Whether all workers have served at the same time. */
  #hasServed = false
  #isStopping = false
  #lastRequestId = 0

  constructor(config: PoolConfig, runtime: Runtime, onFailure: () => void) {
    this.#config = config
    this.#runtime = runtime
    this.#onFailure = onFailure
  }

  /** Resolves with the address when all workers serve. `stop` closes the sockets. */
  start(sockets: readonly ListeningSocket[]): Promise<string> {
    this.#sockets = sockets
    return new Promise((resolve) => {
      for (let one = 0; one < this.#config.workers; one++) this.#startWorker(resolve, 0)
    })
  }

  /** The aggregated metrics; a worker that does not reply in time is left out. */
  async metrics(): Promise<string> {
    const snapshots = await Promise.all([...this.#serving].map((worker) => this.#requestMetrics(worker)))
    return formatMetrics(snapshots.filter((snapshot) => snapshot !== null))
  }

  signal(signal: 'SIGHUP' | 'SIGTERM' | 'SIGKILL'): void {
    for (const worker of workers()) worker.process.kill(signal)
  }

  /** Resolves when all workers have exited; kills those that exceed the time limit. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#outage ?? undefined)
    for (const pause of this.#pauses) clearTimeout(pause)
    for (const socket of this.#sockets) socket.close()
    this.signal('SIGTERM')
    const deadline = setTimeout(() => this.signal('SIGKILL'), limits.stopTimeoutMs + graceMs)
    const living = workers().filter((worker) => !worker.isDead())
    await Promise.all(living.map((worker) => once(worker, 'exit')))
    clearTimeout(deadline)
  }

  /** `failures`: consecutive failed starts of this worker slot. */
  #startWorker(onAllServe: (address: string) => void, failures: number): void {
    const worker = forkProgram(process.argv[1] ?? '')
    worker.on('message', (message: unknown) => {
      if (!isMessage(message)) return
      if (message.type === 'listens') this.#sendSockets(worker)
      else if (message.type === 'serves') {
        this.#serving.add(worker)
        this.#endOutage()
        if (this.#hasServed) this.#runtime.printMessage(`worker ${worker.id} serves\n`)
        else if (this.#serving.size === this.#config.workers) {
          this.#hasServed = true
          onAllServe(message.address)
        }
      }
    })
    worker.once('exit', (exitCode, signal) => {
      const hasServed = this.#serving.delete(worker)
      if (this.#isStopping) return
      const isDatabaseAway = !hasServed && exitCode === exitCodes.storage
      // Any other failure at startup would repeat, and the worker has printed its reason.
      if (!this.#hasServed && !isDatabaseAway) return this.#giveUp('could start', exitCode)
      if (!hasServed) this.#lastExitCode = exitCode
      if (this.#serving.size === 0) this.#startOutage()
      if (this.#serving.size === 0 && isDatabaseAway) this.#startResponder()
      this.#replace(worker, signal || exitCode, hasServed ? 0 : failures + 1)
    })
  }

  #startOutage(): void {
    const seconds = this.#config.databaseWaitSeconds
    this.#outage ??= setTimeout(() => this.#giveUp(`has served for ${seconds} s`, this.#lastExitCode), seconds * 1000)
  }

  /** Until then callers wait in the backlog of the sockets for the first replacement. */
  #startResponder(): void {
    if (this.#responder !== null) return
    const responder = forkProgram(responderProgram)
    this.#responder = responder
    responder.on('message', (message: unknown) => {
      if (isMessage(message) && message.type === 'listens') this.#sendSockets(responder)
    })
    responder.once('exit', () => {
      if (this.#responder === responder) this.#responder = null
    })
  }

  #endOutage(): void {
    clearTimeout(this.#outage ?? undefined)
    this.#outage = null
    this.#responder?.process.kill('SIGTERM')
    this.#responder = null
  }

  #replace(worker: Worker, how: string | number, failures: number): void {
    const waitMs = failures === 0 ? 0 : retryPauseMs(failures)
    const when = waitMs === 0 ? '' : ` in ${waitMs / 1000} s`
    this.#runtime.printMessage(`worker ${worker.id} exited with ${how}; restarting it${when}\n`)
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      this.#startWorker(() => {}, failures)
    }, waitMs)
    this.#pauses.add(pause)
  }

  #giveUp(what: string, exitCode: number): void {
    this.#runtime.printMessage('dagsverk: the workers cannot start\n')
    const known = [exitCodes.configuration, exitCodes.storage].find((one) => one === exitCode)
    this.failure = new OperatorError(`No worker ${what}; see their messages above.`, known ?? exitCodes.failure)
    this.#onFailure()
  }

  #sendSockets(worker: Worker): void {
    const message: WorkerMessage = { type: 'socket', of: this.#sockets.length }
    if (!this.#isStopping) for (const socket of this.#sockets) sendSocket(worker, message, socket)
  }

  async #requestMetrics(worker: Worker): Promise<object | null> {
    const request: WorkerMessage = { type: 'count', requestId: ++this.#lastRequestId }
    // Without a callback `send` throws when the worker has just exited.
    worker.send(request, () => undefined)
    const timeout = AbortSignal.timeout(metricsTimeoutMs)
    try {
      for await (const [message] of on(worker, 'message', { signal: timeout }))
        if (isMessage(message) && message.type === 'counted' && message.requestId === request.requestId)
          return message.snapshot
    } catch (error) {
      if (!timeout.aborted) throw error
    }
    return null
  }
}

const responderProgram = fileURLToPath(new URL('./unavailable-responder.ts', import.meta.url))

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}

/** Starts a process that belongs to the pool: the program of this server, or another one. */
function forkProgram(exec: string): Worker {
  cluster.setupPrimary({ exec })
  return cluster.fork()
}

/** Added to the time limit that workers give their own requests. */
const graceMs = 3000
const metricsTimeoutMs = 2000
