// The parent side of a load process (load.ts): sends it jobs, and tells it when to stop.
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Job, Measurement, Order, Report } from './load.ts'
import { loadCore, pinned } from './machine.ts'
import { benchFolder } from './location.ts'

export class Loader {
  readonly #child: ChildProcess

  constructor() {
    const [program = '', ...args] = pinned(loadCore, [
      process.execPath,
      join(benchFolder, 'load.ts'),
    ])
    this.#child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#child.setMaxListeners(0)
  }

  /**
   * One measurement at a time. `onStarted` is called when the warm-up is over. Throws at a wrong
   * reply.
   */
  measure(job: Job, onStarted?: () => void): Promise<Measurement> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#child.off('message', receive)
        this.#child.off('exit', onExit)
      }
      const onExit = () => {
        settle()
        reject(new Error('the load process ended'))
      }
      const receive = (report: Report) => {
        if (report.say === 'started') return onStarted?.()
        settle()
        if (report.say === 'measured') resolve(report.measurement)
        else reject(new Error(report.why))
      }
      this.#child.on('message', receive)
      this.#child.once('exit', onExit)
      this.#send({ do: 'measure', job })
    })
  }

  /** Ends the current measurement, which then returns its results so far. */
  stop(): void {
    this.#send({ do: 'stop' })
  }

  close(): void {
    this.#child.kill()
  }

  #send(order: Order): void {
    this.#child.send(order)
  }
}
