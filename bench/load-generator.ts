// The parent side of a load process (load-process.ts): sends it jobs, and tells it when to stop.
import { spawn, type ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { LoadCommand, LoadJob, LoadMeasurement, LoadReport } from './load-job.ts'
import { benchFolder } from './location.ts'
import { loadCores, pinned } from './machine.ts'

export class LoadGenerator {
  readonly #child: ChildProcess

  /** A higher `priority` lets the other programs of the core go first, as `nice` does. */
  constructor(priority = 0) {
    const [program = '', ...args] = pinned(loadCores, [process.execPath, join(benchFolder, 'load-process.ts')])
    this.#child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#child.setMaxListeners(0)
    if (priority !== 0) setPriority(this.#child.pid ?? 0, priority)
  }

  /**
   * One measurement at a time. `onStarted` is called when the warm-up is over. Throws at a wrong
   * reply.
   */
  measure(job: LoadJob, onStarted?: () => void): Promise<LoadMeasurement> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#child.off('message', receive)
        this.#child.off('exit', onExit)
      }
      const onExit = () => {
        settle()
        reject(new Error('the load process ended'))
      }
      const receive = (report: LoadReport) => {
        if (report.type === 'started') return onStarted?.()
        settle()
        if (report.type === 'measured') resolve(report.measurement)
        else reject(new Error(report.reason))
      }
      this.#child.on('message', receive)
      this.#child.once('exit', onExit)
      this.#send({ type: 'measure', job })
    })
  }

  /** Ends the current measurement, which then returns its results so far. */
  stop(): void {
    this.#send({ type: 'stop' })
  }

  close(): void {
    this.#child.kill()
  }

  #send(command: LoadCommand): void {
    this.#child.send(command)
  }
}
