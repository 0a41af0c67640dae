// Measured calls: CPU time and wall-clock time of single requests, sent one at a time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measurement } from './comparison.ts'
import { sampleServerCpu, serverCpuBetween } from './server-cpu.ts'
import type { ServerUnderTest } from './server.ts'
import { median } from './statistics.ts'

/** The calls of one step, of which only one is sent at a time. */
export class MeasuredCalls {
  readonly #server: ServerUnderTest
  readonly #seconds: number[] = []
  #cpuSeconds: number | null = 0
  #databaseCpuSeconds: number | null = 0

  constructor(server: ServerUnderTest) {
    this.#server = server
  }

  async measure<T>(call: () => Promise<T>): Promise<T> {
    const { pid, database } = this.#server
    const before = sampleServerCpu(pid, database)
    const startedAt = performance.now()
    const value = await call()
    this.#seconds.push((performance.now() - startedAt) / 1000)
    // What the server still does after the reply belongs to the call.
    await sleep(restMs)
    const cpu = serverCpuBetween(before, sampleServerCpu(pid, database))
    this.#cpuSeconds = sum(this.#cpuSeconds, cpu.cpuSeconds)
    this.#databaseCpuSeconds = sum(this.#databaseCpuSeconds, cpu.databaseCpuSeconds)
    return value
  }

  result(): Measurement {
    const seconds = this.#seconds.reduce((total, each) => total + each, 0)
    return {
      requests: this.#seconds.length,
      rejected: 0,
      firstRejection: null,
      seconds,
      perSecond: this.#seconds.length / seconds,
      cpuSeconds: this.#cpuSeconds,
      databaseCpuSeconds: this.#databaseCpuSeconds,
      p50Ms: 1000 * median(this.#seconds),
      p99Ms: Number.NaN,
    }
  }
}

const restMs = 20

function sum(total: number | null, value: number | null): number | null {
  return total === null || value === null ? null : total + value
}
